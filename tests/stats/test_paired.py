from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.stats.intervals import Array
from portrayal.stats.paired import Pairs, matched_bounds

DRAWS = 100


def pairs_of(differences: list[list[int]]) -> Pairs:
    """Return the pairs of clusters, given the differences of each; a second group mirrors the first."""
    totals = [[sum(own), -sum(own)] for own in differences]
    squares = [[sum(d * d for d in own)] * 2 for own in differences]
    return Pairs.of([len(own) for own in differences], totals, squares)


def bounds(pairs: Pairs, seed: int = 0) -> tuple[Array, Array]:
    return pairs.intervals(rng=np.random.default_rng(seed), draws=DRAWS)


def test_the_interval_of_agresti_and_min() -> None:
    # By hand: (86 - 150) / 1602 -+ 1.959964 * sqrt(86 + 150 + 1 - 64**2 / 1602) / 1602
    low, high = matched_bounds((86 - 150) / 1600, (86 + 150) / 1600, 1600)
    assert float(low) == pytest.approx(-0.0586830, abs=1e-6)
    assert float(high) == pytest.approx(-0.0212171, abs=1e-6)


def test_pairs_without_a_difference_do_not_prove_that_there_is_none() -> None:
    # By hand: 0 -+ 1.959964 * sqrt(1) / 6
    low, high = bounds(pairs_of([[0, 0, 0, 0]]))
    assert low.round(6).tolist() == [-0.326661, -0.326661]
    assert high.round(6).tolist() == [0.326661, 0.326661]


def test_the_difference_is_a_mean_over_clusters_not_over_pairs() -> None:
    pairs = pairs_of([[1, 1, 1, 1, 1, 1], [0, 0]])
    assert pairs.difference.tolist() == [0.5, -0.5]


def test_clusters_that_differ_widen_the_interval() -> None:
    alike, apart = pairs_of([[1, 0, 0, -1]] * 8), pairs_of([[1, 1, 1, 1], [-1, -1, -1, -1]] * 4)
    assert alike.difference.tolist() == apart.difference.tolist() == [0.0, 0.0]
    widths = [float((high - low)[0]) for low, high in (bounds(alike), bounds(apart))]
    assert widths[0] < 0.6 < 1.2 < widths[1]


def test_clusters_that_lie_lopsided_reach_further_than_the_formula() -> None:
    # One occupation of six differs in all its pairs, the others in none: a draw may hold it four times.
    pairs = pairs_of([[1] * 40, *[[0] * 40] * 5])
    low, high = pairs.intervals(rng=np.random.default_rng(0), draws=1000)
    assert float(high[0]) == pytest.approx(4 / 6)
    assert float(low[0]) == pytest.approx(-0.380039, abs=1e-6)


def test_clusters_without_pairs_are_left_out() -> None:
    whole = Pairs.of([4, 0], [[2.0], [0.0]], [[2.0], [0.0]])
    assert whole.counts.tolist() == [4.0]
    assert whole.difference.tolist() == [0.5]


def test_no_pairs_have_no_difference() -> None:
    pairs = Pairs.of([], np.zeros((0, 2)), np.zeros((0, 2)))
    assert np.isnan(pairs.difference).all()
    assert all(np.isnan(bound).all() for bound in bounds(pairs))


differences = st.lists(st.lists(st.sampled_from([-1, 0, 1]), min_size=1, max_size=5), min_size=1, max_size=8)


@given(differences)
def test_swapping_the_sides_mirrors_everything(found: list[list[int]]) -> None:
    one, other = pairs_of(found), pairs_of([[-d for d in own] for own in found])
    np.testing.assert_allclose(one.difference, -other.difference)
    (low, high), (lower, higher) = bounds(one), bounds(other)
    np.testing.assert_allclose(low, -higher, atol=1e-12)
    np.testing.assert_allclose(high, -lower, atol=1e-12)


@given(differences)
def test_bounds_hold_the_difference_and_stay_within_one(found: list[list[int]]) -> None:
    pairs = pairs_of(found)
    low, high = bounds(pairs)
    assert (low >= -1).all()
    assert (high <= 1).all()
    assert (low <= pairs.difference + 1e-12).all()
    assert (pairs.difference <= high + 1e-12).all()
    assert (low < high).all()
