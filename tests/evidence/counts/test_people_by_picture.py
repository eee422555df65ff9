"""People by picture: how many, of which group, and how unevenly over pictures."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from portrayal.evidence import GroupCounts, PeopleByPicture, PictureSums, Rule

if TYPE_CHECKING:
    from tests.evidence.conftest import Store

CLIP = "clip@1"
MAN, WOMAN = (1.0, 0.0), (0.0, 1.0)
EACH = PeopleByPicture(Rule("each"))


def gender(store: Store, need: PeopleByPicture = EACH) -> PictureSums:
    return store.evidence(need)[need][CLIP, "gender"]


def test_sums_over_pictures_of_people_and_groups(store: Store) -> None:
    for word, masses in (("three", (MAN, WOMAN, WOMAN)), ("one", (WOMAN,))):
        store.made(word)
        for subject, mass in enumerate(masses):
            store.saw(word, mass, None, subject=subject)
    store.made("none")
    store.said("none", "no_face")
    sums = gender(store)
    assert sums.pictures.tolist() == [2]
    assert sums.people_squared.tolist() == [9 + 1]
    assert sums.group_squared.tolist() == [[1, 4 + 1]]
    assert sums.group_people.tolist() == [[3, 6 + 1]]
    people = GroupCounts(Rule("each"))
    assert store.evidence(people)[people][CLIP, "gender"].sum() == 4


def test_a_picture_that_tells_an_attribute_of_one_person_only_counts_too(store: Store) -> None:
    store.made("two")
    store.saw("two", MAN, (1.0, 0.0, 0.0), subject=0)
    store.saw("two", WOMAN, None, subject=1)
    found = store.evidence(EACH)[EACH]
    assert found[CLIP, "gender"].people_squared.tolist() == [4]
    assert found[CLIP, "age3"].people_squared.tolist() == [1]


def test_only_usable_pictures_count(store: Store) -> None:
    store.made("two")
    for subject in (0, 1):
        store.saw("two", MAN, None, subject=subject)
    need = PeopleByPicture(Rule("one"))
    assert store.evidence(need)[need] == {}


def test_numbers_have_no_groups(make_store: Callable[..., Store]) -> None:
    ages = make_store({CLIP: ("age",)})
    ages.made("two")
    for subject in (0, 1):
        ages.told("two", "age", 30.0, subject=subject)
    sums = ages.evidence(EACH)[EACH][CLIP, "age"]
    assert (sums.people_squared.tolist(), sums.group_squared.shape) == ([4], (1, 0))
