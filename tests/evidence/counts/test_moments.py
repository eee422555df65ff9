"""Moments of the masses of usable images, of one person and of two."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from portrayal.errors import ConfigError
from portrayal.evidence import GroupMoments, PromptMoments, Rule
from portrayal.methods.faintbench.alignment import load_profile
from portrayal.records import Attribute, attribute_table

if TYPE_CHECKING:
    from tests.evidence.conftest import Store

CLIP, HUMANS = "clip@1", "humans"
COLUMNS = (("gender", 2), ("age3", 3))
GROUPS = {name: Attribute(name, name, attribute_table()[name].groups) for name, _ in COLUMNS}
RULE = Rule("exactly", 0.2)
PLAIN = GroupMoments(COLUMNS, load_profile("plain", Path(), GROUPS), RULE)
WOMAN, MAN, DOUBT = (0.0, 1.0), (1.0, 0.0), (0.25, 0.75)
YOUNG, OLD = (1.0, 0.0, 0.0), (0.0, 0.25, 0.75)


def part(store: Store, people: int = 1, by: str = CLIP, need: GroupMoments = PLAIN) -> PromptMoments:
    return next(found for found in store.evidence(need)[need][by] if found.people == people)


def means(store: Store, aspect: str, people: int = 1, by: str = CLIP, need: GroupMoments = PLAIN) -> list[float]:
    moments = part(store, people, by, need).moments
    return [float(value) for value in moments.mean[0, moments.slice(aspect)]]


def used(store: Store, people: int = 1, by: str = CLIP) -> float:
    parts = [found for found in store.evidence(PLAIN)[PLAIN].get(by, ()) if found.people == people]
    return sum(float(found.moments.together.max(axis=(1, 2)).sum()) for found in parts)


def test_masses_of_one_person_add_up(store: Store) -> None:
    for word in "ab":
        store.made(word)
    store.saw("a", WOMAN, YOUNG)
    store.saw("b", DOUBT, OLD)
    found = part(store)
    assert found.cells == [("g", store.prompts["nurse"].id)]
    assert found.moments.aspects == COLUMNS
    np.testing.assert_array_equal(found.moments.sums, [[0.25, 1.75, 1.0, 0.25, 0.75]])
    np.testing.assert_array_equal(found.moments.hard, [[0, 2, 1, 0, 1]])
    np.testing.assert_array_equal(found.moments.together, [[[2, 2], [2, 2]]])
    assert found.moments.products[0, 1, 4] == 0.75 * 0.75
    assert store.plan().planned.tolist() == [2]
    assert store.missing(RULE) == {}


@pytest.mark.parametrize("subjects", [(0, 1), (1, 2), (0, 2)])
def test_of_two_people_the_lower_number_is_left_in_whatever_order_they_are_told(
    store: Store, subjects: tuple[int, int]
) -> None:
    left, right = subjects
    for word in "ab":
        store.made(word, "couple", 2)
    store.saw("a", MAN, YOUNG, left)
    store.saw("a", WOMAN, OLD, right)
    store.saw("b", WOMAN, OLD, right)
    store.saw("b", MAN, YOUNG, left)
    assert [name for name, _ in part(store, 2).moments.aspects] == [
        "left.gender", "left.age3", "right.gender", "right.age3",
    ]  # fmt: skip
    assert means(store, "left.gender", 2) == [1.0, 0.0]
    assert means(store, "right.gender", 2) == [0.0, 1.0]
    assert means(store, "right.age3", 2) == list(OLD)
    assert used(store, 2) == 2


def test_who_is_alone_may_have_any_number(store: Store) -> None:
    store.made("a")
    store.made("b", "couple", 2)
    store.saw("a", MAN, subject=1)
    store.saw("b", MAN, subject=1)
    assert means(store, "gender") == [1.0, 0.0]
    assert store.missing(RULE) == {("", "one_person"): 1}


def test_the_person_check_describes_nobody(store: Store) -> None:
    store.made("a")
    store.present("a", 1.0)
    store.saw("a", MAN, subject=1)
    assert means(store, "gender") == [1.0, 0.0]


def test_a_group_of_any_size_has_no_moments(store: Store) -> None:
    store.made("a", "nurses", people=0)
    store.made("b")
    store.saw("a")
    store.saw("b")
    assert [found.people for found in store.evidence(PLAIN)[PLAIN][CLIP]] == [1]
    assert used(store) == 1


def test_images_that_cannot_be_used_have_no_moments(store: Store) -> None:
    store.made("a")
    store.saw("a")
    store.saw("a", subject=1)
    assert store.evidence(PLAIN)[PLAIN] == {}


def test_a_missing_attribute_leaves_the_image_to_the_others(store: Store) -> None:
    for word in "ab":
        store.made(word)
    store.saw("a", MAN, "too_dark")
    store.saw("b", WOMAN, OLD)
    moments = part(store).moments
    assert moments.count("gender").tolist() == [2.0]
    assert moments.count("age3").tolist() == [1.0]
    np.testing.assert_array_equal(moments.together, [[[2, 1], [1, 1]]])
    assert store.missing(RULE) == {("age3", "too_dark"): 1}


def test_an_image_in_which_no_attribute_is_told_adds_nothing(store: Store) -> None:
    for word in "ab":
        store.made(word)
    store.saw("a", "too_dark", "too_dark")
    store.saw("b", MAN, OLD)
    moments = part(store).moments
    np.testing.assert_array_equal(moments.together, [[[1, 1], [1, 1]]])
    assert store.missing(RULE) == {("gender", "too_dark"): 1, ("age3", "too_dark"): 1}


def test_one_of_two_of_whom_nothing_is_told_is_still_there(store: Store) -> None:
    store.made("a", "couple", 2)
    store.saw("a", "could_not_tell", "could_not_tell", subject=0)
    store.saw("a", WOMAN, OLD, subject=1)
    assert np.isnan(means(store, "left.gender", 2)).all()
    assert means(store, "right.gender", 2) == [0.0, 1.0]
    assert store.missing(RULE) == {("gender", "could_not_tell"): 1, ("age3", "could_not_tell"): 1}


def test_masses_of_another_length_are_missing_with_a_reason(store: Store) -> None:
    store.made("a")
    store.saw("a", MAN, (0.5, 0.5))
    assert means(store, "gender") == [1.0, 0.0]
    assert store.missing(RULE) == {("age3", "nothing_observed"): 1}


def test_a_picture_that_answers_two_prompts_counts_for_both(store: Store) -> None:
    store.made("a", "nurse")
    store.made("a", "CEO")
    store.made("a", "CEO", generator="other")
    store.made("a", "couple", 2)
    store.saw("a", MAN, "too_dark")
    found = part(store)
    assert len(found.cells) == 3
    np.testing.assert_array_equal(found.moments.sums[:, :2], [[1, 0]] * 3)
    assert store.missing(RULE) == {("age3", "too_dark"): 3, ("", "one_person"): 1}


def test_a_picture_shown_twice_for_one_prompt_counts_once(store: Store) -> None:
    store.made("a")
    store.made("a")
    store.saw("a")
    assert used(store) == 1


def test_annotators_take_turns_and_strangers_are_left_out(store: Store) -> None:
    for word in "ab":
        store.made(word)
    for word, clip, humans in (("a", MAN, DOUBT), ("b", DOUBT, WOMAN)):
        store.saw(word, clip)
        store.saw(word, humans, by=HUMANS)
        store.saw(word, WOMAN, by="stranger@1")
    store.saw("nobody's", MAN)
    assert means(store, "gender") == [0.625, 0.375]
    assert means(store, "gender", by=HUMANS) == [0.125, 0.875]
    assert list(store.evidence(PLAIN)[PLAIN]) == [CLIP, HUMANS]


def test_the_order_of_the_sums_does_not_depend_on_who_comes_first(store: Store) -> None:
    store.made("pair", "couple", 2)
    store.made("a")
    for by in (HUMANS, CLIP):
        store.saw("pair", by=by)
        store.saw("pair", subject=1, by=by)
        store.saw("a", by=by)
    found = store.evidence(PLAIN, size=1, enough=1)[PLAIN]
    assert list(found) == [CLIP, HUMANS]
    assert [each.people for each in found[CLIP]] == [1, 2]


def test_each_image_is_corrected_before_the_average(store: Store, tmp_path: Path) -> None:
    (tmp_path / "snap.toml").write_text('name = "snap"\nsnap = { gender = 0.8 }\n')
    snap = replace(PLAIN, correction=load_profile("snap.toml", tmp_path, GROUPS), uncorrected=HUMANS)
    for word, mass in (("a", (0.1, 0.9)), ("b", (0.8, 0.2)), ("c", (0.4, 0.6))):
        store.made(word)
        store.saw(word, mass)
    store.saw("a", (0.1, 0.9), by=HUMANS)
    # 0.8 is not above 0.8, though in single precision it would be.
    assert means(store, "gender", need=snap) == pytest.approx([(0 + 0.8 + 0.4) / 3, (1 + 0.2 + 0.6) / 3], abs=1e-12)
    alone = means(store, "gender", by=HUMANS, need=snap)
    assert alone == pytest.approx([0.1, 0.9], abs=1e-12), "people are not corrected"


def test_an_unknown_human_is_named(store: Store) -> None:
    with pytest.raises(ConfigError, match=r"no annotator 'human'.*did you mean 'humans'"):
        store.evidence(replace(PLAIN, uncorrected="human"))


def test_equal_needs_of_two_methods_are_kept_apart(store: Store) -> None:
    """A correction cannot be compared, so that each method's own is added up by itself."""
    other = replace(PLAIN)
    store.made("a")
    store.saw("a")
    evidence = store.evidence(PLAIN, other)
    assert len(evidence.results) == 2
    assert evidence[PLAIN][CLIP][0].moments.sums.tolist() == evidence[other][CLIP][0].moments.sums.tolist()


@pytest.mark.parametrize(("size", "enough"), [(1, 1), (2, 3), (1000, 1000)])
def test_images_are_read_whole_however_rows_are_cut(make_store: Callable[..., Any], size: int, enough: int) -> None:
    store = make_store()
    for number in range(9):
        store.made(str(number), "couple" if number % 2 else "nurse", 1 + number % 2)
        store.saw(str(number), (number / 8, 1 - number / 8))
        if number % 2:
            store.saw(str(number), "blurred", YOUNG, subject=1)
    found = store.evidence(PLAIN, size=size, enough=enough)[PLAIN][CLIP]
    assert [each.moments.sums[0, :2].tolist() for each in found] == [[2.5, 2.5], [2.0, 2.0]]
    assert found[1].moments.count("right.gender").tolist() == [0.0]
    assert found[1].moments.count("right.age3").tolist() == [4.0]
