from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from portrayal.stats.exact import ExactSums, split

HUGE = sys.float_info.max / 32  # so many of them can still be added up
Floats = st.floats(-HUGE, HUGE) | st.sampled_from([0.0, 5e-324, -5e-324, 2.2250738585072014e-308, 1.0, 0.1, HUGE])
Entries = st.lists(st.tuples(st.integers(0, 2), Floats), max_size=16)
"""Cells, each with a number to add to it."""


def add(sums: ExactSums, entries: Sequence[tuple[int, float]]) -> ExactSums:
    sums.add(np.array([cell for cell, _ in entries], dtype=np.int64), np.array([value for _, value in entries], float))
    return sums


@given(entries=Entries)
@example([(0, 1e16), (0, 1.0), (0, -1e16)])
@example([(0, 5e-324), (0, HUGE), (0, -HUGE), (0, 5e-324)])
@example([(1, 0.1)] * 10)
@example([(2, -(2.0**-1074)), (2, 2.0**-1022)])
def test_sums_are_rounded_once(entries: list[tuple[int, float]]) -> None:
    expected = [math.fsum(value for cell, value in entries if cell == own) for own in range(3)]
    assert add(ExactSums(3), entries).totals().tolist() == expected


@given(entries=Entries, parts=st.lists(st.integers(0, 3), min_size=16, max_size=16), order=st.permutations(range(16)))
def test_parts_may_be_added_up_apart_and_in_any_order(
    entries: list[tuple[int, float]], parts: list[int], order: list[int]
) -> None:
    shuffled = [place for place in order if place < len(entries)]
    apart = [add(ExactSums(3), [entries[place] for place in shuffled if parts[place] == own]) for own in range(4)]
    for other in (apart[2], apart[3]):
        apart[1].merge(other)
    apart[1].merge(apart[0])
    assert apart[1].totals().tolist() == add(ExactSums(3), entries).totals().tolist()


def test_what_cancels_is_zero() -> None:
    assert str(add(ExactSums(1), [(0, 0.3), (0, -0.1), (0, -0.3), (0, 0.1)]).totals()[0]) == "0.0"
    assert ExactSums(2).totals().tolist() == [0.0, 0.0]
    assert ExactSums(0).totals().tolist() == []


def test_merging_leaves_the_other_as_it_is() -> None:
    one, other = add(ExactSums(1), [(0, 0.1)]), add(ExactSums(1), [(0, 0.2)])
    one.merge(other)
    one.merge(other)
    assert (one.totals()[0], other.totals()[0]) == (math.fsum([0.1, 0.2, 0.2]), 0.2)


def test_many_numbers_fit() -> None:
    sums = ExactSums(1)
    for _ in range(50):
        sums.add(np.zeros(20_000, dtype=np.int64), np.full(20_000, 0.1))
    assert sums.totals()[0] == math.fsum([0.1] * 1_000_000)


@given(
    numbers=st.lists(st.floats(-1, 1), min_size=1, max_size=12),
    places=st.lists(st.integers(1, 50), min_size=1, max_size=4, unique=True).map(sorted),
)
def test_pieces_lie_on_their_grids_and_leave_less_than_half_of_the_last(
    numbers: list[float], places: list[int]
) -> None:
    grids = {str(place): place for place in places}
    pieces = split(np.array(numbers), grids)
    assert list(pieces) == list(grids)
    for name, place in grids.items():
        whole = pieces[name] * 2.0**place
        assert (whole == np.rint(whole)).all()
    left = [math.fsum([number, *(-piece[row] for piece in pieces.values())]) for row, number in enumerate(numbers)]
    assert np.abs(left).max() <= 2.0 ** -(places[-1] + 1)


@pytest.mark.parametrize("number", [0.0, 1.0, 0.25, -0.5, 3.0])
def test_a_number_on_the_first_grid_has_one_piece(number: float) -> None:
    pieces = split(np.array([number]), {"high": 13, "middle": 26, "low": 39})
    assert {name: piece.tolist() for name, piece in pieces.items()} == {"high": [number], "middle": [0.0], "low": [0.0]}


@given(masses=st.lists(st.floats(0, 1, width=32), min_size=1, max_size=30), order=st.randoms(use_true_random=False))
def test_pieces_add_up_the_same_in_any_order(masses: list[float], order: Random) -> None:
    pieces = split(np.array(masses), {"mass": 40})["mass"].tolist()
    shuffled = list(pieces)
    order.shuffle(shuffled)
    assert float(np.add.reduce(shuffled)) == float(sum(pieces)) == math.fsum(pieces)
