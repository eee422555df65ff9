"""Planted people as numbers, the same in every batch."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from portrayal.records import OUTCOME_SCHEMA
from portrayal.study.measure.planted import PlantedCodes

PLANTED = OUTCOME_SCHEMA.field("planted").type
People = st.none() | st.lists(
    st.dictionaries(st.sampled_from(["gender", "age3", "hat", "x\x1fy"]), st.sampled_from(["male", "young", "y", ""])),
    max_size=3,
)
"""Who is planted in an image: nobody knows, nobody, or some people."""


def column(*images: Any) -> pa.ListArray:
    return pa.array([None if own is None else [list(person.items()) for person in own] for own in images], PLANTED)


def test_the_same_person_has_the_same_number_in_every_batch() -> None:
    codes = PlantedCodes()
    man, woman = {"gender": "male", "age3": "young"}, {"gender": "female", "age3": "young"}
    assert codes.numbers(column([man], [woman], [man])).tolist() in ([0, 1, 0], [1, 0, 1])
    first = codes.numbers(column([man])).tolist()[0]
    assert codes.persons[first] == man
    assert codes.numbers(column([{"gender": "other"}], [woman], [man])).tolist() == [2, 1 - first, first]
    assert list(codes.persons)[2] == {"gender": "other"}


def test_the_order_of_the_attributes_does_not_matter() -> None:
    codes = PlantedCodes()
    one, other = codes.numbers(column([{"gender": "male", "age3": "young"}], [{"age3": "young", "gender": "male"}]))
    assert one == other
    assert len(codes.persons) == 1


@pytest.mark.parametrize("people", [None, [], [{"gender": "male"}, {"gender": "male"}]])
def test_nobody_and_several_people_have_none(people: Any) -> None:
    codes = PlantedCodes()
    assert codes.numbers(column(people, [{"gender": "male"}])).tolist() == [-1, 0]
    assert codes.numbers(column(people)).tolist() == [-1]
    assert codes.numbers(column()).tolist() == []
    assert len(codes.persons) == 1


def test_a_group_is_not_taken_for_that_of_another_attribute() -> None:
    codes = PlantedCodes()
    found = codes.numbers(column([{"left": "a", "right": "b"}], [{"left": "b", "right": "a"}], [{"left": "a"}], [{}]))
    assert len(set(found.tolist())) == 4


@given(batches=st.lists(st.lists(People, max_size=6), max_size=4), start=st.integers(0, 3), stop=st.integers(0, 6))
@example([[[{}]]], 0, 1)
def test_numbers_stand_for_the_people_they_were_given_to(batches: Any, start: int, stop: int) -> None:
    codes = PlantedCodes()
    known: dict[frozenset[tuple[str, str]], int] = {}
    for images in batches:
        cut = images[start:stop]
        found = codes.numbers(column(*images)[start:stop]).tolist()
        for planted, number in zip(cut, found, strict=True):
            if planted is None or len(planted) != 1:
                assert number == -1
            else:
                assert codes.persons[number] == planted[0]
                assert known.setdefault(frozenset(planted[0].items()), number) == number
    assert len(codes.persons) == len(known) == len(set(known.values()))
