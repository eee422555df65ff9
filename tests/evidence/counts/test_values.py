"""Numbers that annotators tell, added up by cell."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from portrayal.evidence import Rule, Values

if TYPE_CHECKING:
    from tests.evidence.conftest import Store

CLIP = "clip@1"
ONE, EACH = Values(Rule("one")), Values(Rule("each"))


@pytest.fixture
def ages(make_store: Callable[..., Store]) -> Store:
    return make_store({CLIP: ("gender", "age"), "niqe": ("niqe",)})


def summed(store: Store, need: Values = ONE, attribute: str = "age", by: str = CLIP) -> list[tuple[float, ...]]:
    numbers = store.evidence(need)[need][by, attribute]
    return list(zip(numbers.n.tolist(), numbers.total.tolist(), numbers.squares.tolist(), strict=True))


def test_numbers_of_usable_images_add_up(ages: Store) -> None:
    for word, value in (("a", 30.0), ("b", 50.0), ("c", 70.0)):
        ages.made(word)
        ages.told(word, "age", value)
    ages.said("c", "blurred")
    assert summed(ages) == [(2, 80.0, 3400.0)]
    assert summed(ages, EACH) == [(3, 150.0, 8300.0)]


def test_each_person_counts_where_each_is_wanted(ages: Store) -> None:
    ages.made("a")
    ages.told("a", "age", 30.0, subject=0)
    ages.told("a", "age", 50.0, subject=1)
    assert ages.evidence(ONE)[ONE] == {}
    assert summed(ages, EACH) == [(2, 80.0, 3400.0)]


def test_numbers_that_are_none_and_masses_are_left_out(ages: Store) -> None:
    for word, value in (("a", 30.0), ("b", float("nan")), ("c", float("inf")), ("d", float("-inf"))):
        ages.made(word)
        ages.told(word, "age", value)
        ages.told(word, "gender", (1.0, 0.0))
    assert summed(ages) == [(1, 30.0, 900.0)]
    assert set(ages.evidence(ONE)[ONE]) == {(CLIP, "age")}


def test_numbers_of_very_different_size_are_rounded_once(ages: Store) -> None:
    values = [1e16, 1.0, -1e16, 1e-12, 0.1, -0.1]
    for number, value in enumerate(values):
        ages.made(str(number))
        ages.told(str(number), "age", value)
    ((n, total, squares),) = summed(ages)
    assert (n, total) == (6, math.fsum(values)) == (6, 1.0 + 1e-12)
    assert squares == math.fsum(value * value for value in values)


def test_a_picture_of_several_cells_counts_once_in_each(ages: Store) -> None:
    ages.made("a", "nurse")
    ages.made("a", "CEO")
    ages.made("a", "CEO")
    ages.told("a", "age", 40.0)
    ages.told("a", "niqe", 4.0, by="niqe")
    places = ages.plan().places
    order = [places["g", ages.prompts[text].id] for text in ("nurse", "CEO")]
    assert [summed(ages)[place] for place in order] == [(1, 40.0, 1600.0)] * 2
    assert [summed(ages, attribute="niqe", by="niqe")[place] for place in order] == [(1, 4.0, 16.0)] * 2


def test_the_lowest_and_the_highest_number_are_kept(ages: Store) -> None:
    for word, value in (("a", 41.0), ("b", -3.0), ("c", 70.0)):
        ages.made(word)
        ages.told(word, "age", value)
    ages.made("d", "CEO")
    numbers = ages.evidence(ONE)[ONE][CLIP, "age"]
    nurse = ages.plan().places["g", ages.prompts["nurse"].id]
    assert (numbers.lowest[nurse], numbers.highest[nurse]) == (-3.0, 70.0)
    assert (numbers.lowest[1 - nurse], numbers.highest[1 - nurse], numbers.n[1 - nurse]) == (0.0, 0.0, 0)
