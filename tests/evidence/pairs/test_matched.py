"""The same images as an annotator and as people saw them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from portrayal.errors import ConfigError
from portrayal.evidence import GroupMoments, Matched, MatchedMoments, Rule
from portrayal.methods.faintbench.alignment import Profile, load_profile
from portrayal.records import attribute_table

if TYPE_CHECKING:
    from tests.evidence.conftest import Store

CLIP, HUMANS = "clip@1", "humans"
MOMENTS = GroupMoments((("gender", 2), ("age3", 3)), Profile("plain", {}, ()), Rule("exactly", 0.2), HUMANS)
NEED = MatchedMoments(MOMENTS, HUMANS)
WOMAN, MAN, DOUBT = (0.0, 1.0), (1.0, 0.0), (0.25, 0.75)


def matched(store: Store) -> Matched:
    return store.evidence(NEED)[NEED]


def test_sums_are_over_the_images_that_both_could_use(store: Store) -> None:
    for word, clip in (("a", MAN), ("b", DOUBT), ("c", WOMAN)):
        store.made(word)
        store.saw(word, clip)
    store.made("d")
    store.said("d", "no_face")
    for word in ("a", "c", "d"):
        store.saw(word, WOMAN, by=HUMANS)
    found = matched(store)
    assert found.human == HUMANS
    assert list(found.seen) == list(found.labelled) == [CLIP]
    (seen,) = found.seen[CLIP]
    np.testing.assert_array_equal(seen.moments.sums[:, :2], [[1.0, 1.0]])
    (labelled,) = found.labelled[CLIP]
    np.testing.assert_array_equal(labelled.moments.sums[:, :2], [[0.0, 2.0]])
    moments = store.evidence(MOMENTS)[MOMENTS][CLIP][0].moments
    assert moments.mean[0, :2].tolist() == [(1 + 0.25) / 3, (0.75 + 1) / 3], "all images count where nobody is matched"


def test_a_picture_that_answers_several_prompts_is_matched_where_both_can_use_it(store: Store) -> None:
    store.made("a", "nurse")
    store.made("a", "CEO")
    store.made("a", "couple", 2)
    store.saw("a", MAN)
    store.saw("a", DOUBT, by=HUMANS)
    store.saw("a", DOUBT, by=HUMANS, subject=1)
    assert matched(store).seen == {}, "one saw one person, the other two"
    store.seen = []
    store.saw("a", MAN)
    store.saw("a", DOUBT, by=HUMANS)
    (seen,) = matched(store).seen[CLIP]
    assert seen.cells == sorted(("g", store.prompts[text].id) for text in ("nurse", "CEO"))
    np.testing.assert_array_equal(seen.moments.sums[:, :2], [MAN, MAN])


def test_what_only_one_of_them_tells_counts_for_that_one(store: Store) -> None:
    store.made("a")
    store.saw("a", MAN, "too_dark")
    store.saw("a", "could_not_tell", (0.0, 0.0, 1.0), by=HUMANS)
    found = matched(store)
    (seen,), (labelled,) = found.seen[CLIP], found.labelled[CLIP]
    assert (seen.moments.count("gender").tolist(), seen.moments.count("age3").tolist()) == ([1.0], [0.0])
    assert (labelled.moments.count("gender").tolist(), labelled.moments.count("age3").tolist()) == ([0.0], [1.0])


def test_two_people_are_matched_side_by_side(store: Store) -> None:
    store.made("a", "couple", 2)
    for by, masses in ((CLIP, (MAN, WOMAN)), (HUMANS, (DOUBT, MAN))):
        for subject, mass in enumerate(masses):
            store.saw("a", mass, subject=subject, by=by)
    found = matched(store)
    for each, left, right in ((found.seen, MAN, WOMAN), (found.labelled, DOUBT, MAN)):
        moments = each[CLIP][0].moments
        assert moments.sums[0, moments.slice("left.gender")].tolist() == list(left)
        assert moments.sums[0, moments.slice("right.gender")].tolist() == list(right)


def test_nobody_is_matched_where_people_judged_nothing(store: Store) -> None:
    store.made("a")
    store.saw("a")
    assert (matched(store).seen, matched(store).labelled) == ({}, {})


def test_the_annotator_is_corrected_and_people_are_not(store: Store, tmp_path: Path) -> None:
    (tmp_path / "snap.toml").write_text('name = "snap"\nsnap = { gender = 0.8 }\n')
    snap = replace(MOMENTS, correction=load_profile("snap.toml", tmp_path, attribute_table()))
    need = MatchedMoments(snap, HUMANS)
    store.made("a")
    store.saw("a", (0.125, 0.875))
    store.saw("a", (0.125, 0.875), by=HUMANS)
    found = store.evidence(need)[need]
    assert found.seen[CLIP][0].moments.sums[0, :2].tolist() == [0.0, 1.0]
    assert found.labelled[CLIP][0].moments.sums[0, :2].tolist() == [0.125, 0.875]


def test_only_judged_images_are_kept(store: Store) -> None:
    for word in "abc":
        store.made(word)
        store.saw(word)
    store.saw("b", by=HUMANS)
    plan = store.plan([NEED])
    sums = NEED.begin(plan)
    for batch in store.batches(plan):
        sums.add(batch)
    assert {name: sum(len(own.key) for own in kept) for name, kept in sums.kept.items()} == {CLIP: 1, HUMANS: 1}


def test_an_unknown_human_is_named(store: Store) -> None:
    store.made("a")
    store.saw("a")
    with pytest.raises(ConfigError, match=r"no annotator 'human'.*did you mean 'humans'"):
        store.evidence(MatchedMoments(replace(MOMENTS, uncorrected=""), "human"))
