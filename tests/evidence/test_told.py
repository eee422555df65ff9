"""In how many images an attribute is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from portrayal.evidence import GroupCounts, Rule, ToldImages

if TYPE_CHECKING:
    from tests.evidence.conftest import Store

CLIP = "clip@1"
MAN, WOMAN = (1.0, 0.0), (0.0, 1.0)


def test_an_image_counts_once_however_many_people_it_shows(store: Store) -> None:
    store.made("two")
    store.made("one")
    store.made("none")
    for subject, mass in enumerate((MAN, WOMAN)):
        store.saw("two", mass, None, subject=subject)
    store.saw("one", WOMAN, None)
    store.said("none", "no_face")
    need, people = ToldImages(Rule("each")), GroupCounts(Rule("each"))
    evidence = store.evidence(need, people)
    assert evidence[need][CLIP, "gender"].tolist() == [2]
    assert evidence[people][CLIP, "gender"].sum() == 3


def test_an_image_that_tells_an_attribute_of_one_person_only_counts_too(store: Store) -> None:
    store.made("two")
    store.saw("two", MAN, (1.0, 0.0, 0.0), subject=0)
    store.saw("two", WOMAN, None, subject=1)
    need = ToldImages(Rule("each"))
    assert {key: counts.tolist() for key, counts in store.evidence(need)[need].items()} == {
        (CLIP, "gender"): [1],
        (CLIP, "age3"): [1],
    }


def test_only_usable_images_count(store: Store) -> None:
    store.made("two")
    for subject in (0, 1):
        store.saw("two", MAN, None, subject=subject)
    need = ToldImages(Rule("one"))
    assert store.evidence(need)[need] == {}
