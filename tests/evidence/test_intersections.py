"""Several attributes of one person, counted together as one annotator told them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from portrayal.evidence import GroupCounts, Rule
from portrayal.records import attribute_table, intersection

if TYPE_CHECKING:
    from tests.evidence.conftest import Store

CLIP = "clip@1"
BOTH = intersection([attribute_table()["gender"], attribute_table()["age3"]])
LABEL, MASS = GroupCounts(Rule("one")), GroupCounts(Rule("one"), "mass")
AGES = ("young", "middle_aged")
WOMAN, MAN = (0.0, 1.0), (1.0, 0.0)
YOUNG, OLD = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)


@pytest.fixture
def joint(store: Store) -> Store:
    """Return a store whose annotator tells perceived gender and age together, too."""
    store.attributes = {**store.attributes, BOTH.name: BOTH}
    store.annotators = {CLIP: ["gender", "age3", BOTH.name]}
    return store


def counted(store: Store, need: GroupCounts) -> dict[str, float]:
    ((_, counts),) = [pair for pair in store.evidence(need)[need].items() if pair[0][1] == BOTH.name]
    return {group: count for group, count in zip(BOTH.groups, counts.sum(axis=0).tolist(), strict=True) if count}


def test_each_person_counts_in_one_group(joint: Store) -> None:
    for word, gender, age in (("a", WOMAN, YOUNG), ("b", WOMAN, YOUNG), ("c", MAN, OLD), ("d", MAN, (0.2, 0.3, 0.5))):
        joint.made(word)
        joint.saw(word, gender, age)
    assert counted(joint, LABEL) == {"female × young": 2.0, "male × elderly": 2.0}


def test_masses_are_multiplied(joint: Store) -> None:
    joint.made("a")
    joint.saw("a", (0.25, 0.75), (0.5, 0.5, 0.0))
    wanted = {
        "male × young": 0.125,
        "male × middle_aged": 0.125,
        "female × young": 0.375,
        "female × middle_aged": 0.375,
    }
    assert counted(joint, MASS) == pytest.approx(wanted)


def test_people_of_one_picture_are_not_mixed(joint: Store) -> None:
    joint.made("a")
    joint.said("a", "several_people")
    joint.saw("a", MAN, OLD, subject=0)
    joint.saw("a", WOMAN, YOUNG, subject=1)
    assert counted(joint, GroupCounts(Rule("each"))) == {"male × elderly": 1.0, "female × young": 1.0}


def test_who_lacks_one_of_them_is_missing(joint: Store) -> None:
    for word, age in (("a", YOUNG), ("b", None)):
        joint.made(word)
        joint.saw(word, WOMAN, age)
    assert counted(joint, LABEL) == {"female × young": 1.0}
    missing = joint.missing(Rule("one"))
    assert missing[BOTH.name, "nothing_observed"] == 1
    assert ("gender", "nothing_observed") not in missing


def test_parts_of_a_table_add_up_to_the_whole(joint: Store) -> None:
    for number in range(6):
        joint.made(str(number))
        joint.saw(str(number), WOMAN if number % 2 else MAN, YOUNG if number % 3 else OLD)
    assert sum(counted(joint, LABEL).values()) == 6


def test_three_attributes_have_all_combinations() -> None:
    known = attribute_table()
    three = intersection([known["gender"], known["age3"], known["tone3"]])
    assert len(three.groups) == len(set(three.groups)) == 18
    assert three.caution == known["tone3"].caution
    assert replace(three, name="x").parts == ("gender", "age3", "tone3")
