"""How often each group is seen: by label and by mass."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pytest

from portrayal.evidence import GroupCounts, Rule

if TYPE_CHECKING:
    from tests.evidence.conftest import Store

CLIP, HUMANS = "clip@1", "humans"
LABEL, MASS = GroupCounts(Rule("one")), GroupCounts(Rule("one"), "mass")
WOMAN, MAN, DOUBT = (0.0, 1.0), (1.0, 0.0), (0.4, 0.6)


def counted(store: Store, need: GroupCounts, by: str = CLIP, attribute: str = "gender") -> list[list[float]]:
    counts: list[list[float]] = store.evidence(need)[need][by, attribute].tolist()
    return counts


def test_the_most_probable_group_counts(store: Store) -> None:
    for word, mass in (("a", MAN), ("b", DOUBT), ("c", (0.5, 0.5))):
        store.made(word)
        store.saw(word, mass, None)
    assert counted(store, LABEL) == [[2.0, 1.0]], "of equal ones the first"


def test_masses_add_up_as_they_are_stored(store: Store) -> None:
    masses = [(0.1, 0.9), (0.2, 0.8), (0.7, 0.3)]
    for number, mass in enumerate(masses):
        store.made(str(number))
        store.saw(str(number), mass, None)
    ((men, women),) = counted(store, MASS)
    assert men == math.fsum(float(np.float32(mass[0])) for mass in masses)
    assert women == math.fsum(float(np.float32(mass[1])) for mass in masses)
    assert [men, women] == pytest.approx([1.0, 2.0])


def test_each_person_of_an_image_counts_where_each_is_wanted(store: Store) -> None:
    store.made("a")
    store.said("a", "several_people")
    store.saw("a", MAN, subject=0)
    store.saw("a", (0.1, 0.9), subject=1)
    each = GroupCounts(Rule("each"))
    assert counted(store, each) == [[1.0, 1.0]]
    assert store.evidence(LABEL)[LABEL] == {}, "keys that no image tells are not there"


def test_several_people_are_not_one_even_if_the_annotator_does_not_say_so(store: Store) -> None:
    store.made("a")
    for subject in (0, 1):
        store.saw("a", MAN, subject=subject)
    assert store.evidence(LABEL)[LABEL] == {}
    assert store.missing(Rule("one")) == {("", "several_people"): 1}
    assert counted(store, GroupCounts(Rule("each"))) == [[2.0, 0.0]]


def test_what_is_asked_for_decides_whether_several_people_count(store: Store) -> None:
    # The same picture of two people answers a prompt for one and a prompt for a group.
    store.made("two", "nurse")
    store.made("two", "nurses", 0)
    store.made("one", "nurse")
    store.made("none", "nurses", 0)
    store.said("two", "several_faces")
    store.saw("two", MAN, None, subject=0)
    store.saw("two", (0.1, 0.9), None, subject=1)
    store.saw("one", WOMAN, None)
    store.said("none", "no_face")
    need = GroupCounts(Rule("asked"))
    evidence = store.evidence(need)
    nurse, nurses = (evidence.plan.places["g", store.prompts[text].id] for text in ("nurse", "nurses"))
    counts = evidence[need][CLIP, "gender"]
    assert counts[[nurse, nurses]].tolist() == [[0.0, 1.0], [1.0, 1.0]]
    assert store.missing(Rule("asked")) == {
        ("", "several_faces"): 1, ("", "no_face"): 1, ("age3", "nothing_observed"): 2,
    }  # fmt: skip
    assert np.sum(counted(store, LABEL)) == 1.0
    assert np.sum(counted(store, GroupCounts(Rule("each")))) == 5.0


def test_annotators_and_attributes_are_kept_apart(store: Store) -> None:
    store.made("a", "nurse")
    store.made("b", "CEO")
    store.saw("a", MAN, (0.0, 0.0, 1.0))
    store.saw("a", WOMAN, None, by=HUMANS)
    store.saw("b", WOMAN, "too_dark")
    store.saw("b", WOMAN, by="stranger")
    found = store.evidence(LABEL)[LABEL]
    ceo, nurse = (store.plan().places["g", store.prompts[text].id] for text in ("CEO", "nurse"))
    assert set(found) == {(CLIP, "gender"), (CLIP, "age3"), (HUMANS, "gender")}
    assert found[CLIP, "gender"][[ceo, nurse]].tolist() == [[0.0, 1.0], [1.0, 0.0]]
    assert found[CLIP, "age3"][[ceo, nurse]].tolist() == [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    assert found[HUMANS, "gender"][[ceo, nurse]].tolist() == [[0.0, 0.0], [0.0, 1.0]]


def test_only_groups_of_people_that_an_annotator_declares_are_counted(make_store: Callable[..., Store]) -> None:
    store = make_store({CLIP: ("gender", "age", "caption", "person")})
    store.made("a")
    store.saw("a")  # age3 is not among what it declares
    store.told("a", "age", 30.0)
    store.present("a", 0.9)
    assert set(store.evidence(LABEL)[LABEL]) == {(CLIP, "gender")}


def test_a_mass_of_another_length_counts_for_nobody(store: Store) -> None:
    store.made("a")
    store.saw("a", (0.2, 0.3, 0.5), (1.0, 0.0, 0.0))
    assert set(store.evidence(MASS)[MASS]) == {(CLIP, "age3")}


def test_equal_needs_are_added_up_once(store: Store) -> None:
    store.made("a")
    store.saw("a")
    evidence = store.evidence(LABEL, GroupCounts(Rule("one"), "label"), MASS)
    assert len(evidence.results) == 2
    assert evidence[GroupCounts(Rule("one"))][CLIP, "gender"].tolist() == [[0.0, 1.0]]


def test_nothing_made_has_no_counts(store: Store) -> None:
    store.unmade()
    store.saw("a")
    assert store.evidence(LABEL, MASS).results == {LABEL: {}, MASS: {}}
