from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.stats.intervals import Array
from portrayal.stats.two_sides.paired import Pairs, matched_bounds

DRAWS = 100


def pairs_of(differences: list[list[int]]) -> Pairs:
    """Return the pairs of clusters, given the differences of each; a second group mirrors the first."""
    totals = [[sum(own), -sum(own)] for own in differences]
    squares = [[sum(d * d for d in own)] * 2 for own in differences]
    return Pairs.of([len(own) for own in differences], totals, squares)


def like_these(pairs: Pairs, draws: int = DRAWS) -> tuple[Array, Array]:
    return pairs.sample_intervals(rng=np.random.default_rng(0), draws=draws)


def test_the_interval_of_agresti_and_min() -> None:
    # By hand: (86 - 150) / 1602 -+ 1.959964 * sqrt(86 + 150 + 1 - 64**2 / 1602) / 1602
    low, high = matched_bounds((86 - 150) / 1600, (86 + 150) / 1600, 1600)
    assert float(low) == pytest.approx(-0.0586830, abs=1e-6)
    assert float(high) == pytest.approx(-0.0212171, abs=1e-6)


def test_pairs_without_a_difference_do_not_prove_that_there_is_none() -> None:
    # By hand: 0 -+ 2.446912 * sqrt(1) / 6, Student's quantile with 4 pairs and 2 made-up ones
    low, high = pairs_of([[0, 0, 0, 0]]).intervals()
    assert low.round(6).tolist() == [-0.407819, -0.407819]
    assert high.round(6).tolist() == [0.407819, 0.407819]


def test_the_difference_is_a_mean_over_clusters_not_over_pairs() -> None:
    pairs = pairs_of([[1, 1, 1, 1, 1, 1], [0, 0]])
    assert pairs.difference.tolist() == [0.5, -0.5]


def test_clusters_that_differ_are_no_chance_in_these_but_are_in_clusters_like_these() -> None:
    alike, apart = pairs_of([[1, 0, 0, -1]] * 10), pairs_of([[1, 1, 1, 1], [-1, -1, -1, -1]] * 5)
    assert alike.difference.tolist() == apart.difference.tolist() == [0.0, 0.0]
    these = [float((high - low)[0]) for low, high in (alike.intervals(), apart.intervals())]
    others = [float((high - low)[0]) for low, high in (like_these(alike), like_these(apart))]
    assert 0.4 < these[1] < 0.5
    assert others[0] == these[0] < 0.5 < 1 < others[1]


def test_pairs_of_clusters_that_all_agree_are_worth_more_but_not_without_end() -> None:
    # By hand: each cluster's variance is (50 + 1) / 52 - (50 / 52)^2 = 0.056213, the mean's 0.056213 / 100, and the
    # mean square 1: 1 / 0.00056213 = 1779 pairs, times (1.959964 / t of 98)^2 = 0.975401.
    pairs = pairs_of([[1] * 50, [-1] * 50])
    low, high = pairs.intervals()
    n = 1 / (0.056213 / 100) * (1.959964 / 1.984467) ** 2
    assert float(high[0]) == pytest.approx(1.983495 * (n + 1) ** 0.5 / (n + 2), abs=1e-5)
    assert float(low[0]) == pytest.approx(-float(high[0]))


def test_clusters_that_lie_lopsided_reach_further_than_the_formula() -> None:
    # One occupation of twelve differs in all its pairs, the others in none: a draw may hold it four times.
    pairs = pairs_of([[1] * 40, *[[0] * 40] * 11])
    _, high = like_these(pairs, 1000)
    assert float(high[0]) == pytest.approx(4 / 12)
    assert float(pairs.intervals()[1][0]) < 0.12


def test_below_ten_clusters_nothing_is_said_of_others() -> None:
    assert all(np.isnan(bound).all() for bound in like_these(pairs_of([[1, 0]] * 9)))
    assert not any(np.isnan(bound).any() for bound in like_these(pairs_of([[1, 0]] * 10)))


@pytest.mark.parametrize(("clusters", "pairs"), [(1, 2), (2, 4), (3, 1), (3, 4), (10, 2)])
@pytest.mark.parametrize(("one", "other"), [(0.97, 0.25), (0.35, 0.25), (1.0, 0.0), (0.05, 0.02)])
def test_few_clusters_hold_what_is_true_of_them(clusters: int, pairs: int, one: float, other: float) -> None:
    rng = np.random.default_rng(3)
    shares = np.stack([rng.beta(3 * p + 1e-9, 3 * (1 - p) + 1e-9, (400, clusters)) for p in (one, other)])
    chance = rng.random((400, clusters, pairs))
    apart = np.subtract(*((chance < own[..., None]).astype(int) for own in shares))
    held = 0
    for drawn, truth in zip(apart, (shares[0] - shares[1]).mean(axis=1), strict=True):
        low, high = pairs_of(drawn.tolist()).intervals()
        held += low[0] - 1e-9 <= truth <= high[0] + 1e-9
    assert held >= 0.93 * 400


def test_clusters_without_pairs_are_left_out() -> None:
    whole = Pairs.of([4, 0], [[2.0], [0.0]], [[2.0], [0.0]])
    assert whole.counts.tolist() == [4.0]
    assert whole.difference.tolist() == [0.5]


def test_no_pairs_have_no_difference() -> None:
    pairs = Pairs.of([], np.zeros((0, 2)), np.zeros((0, 2)))
    assert np.isnan(pairs.difference).all()
    assert all(np.isnan(bound).all() for bound in (*pairs.intervals(), *like_these(pairs)))


differences = st.lists(st.lists(st.sampled_from([-1, 0, 1]), min_size=1, max_size=5), min_size=1, max_size=8)


@given(differences)
def test_swapping_the_sides_mirrors_everything(found: list[list[int]]) -> None:
    one, other = pairs_of(found), pairs_of([[-d for d in own] for own in found])
    np.testing.assert_allclose(one.difference, -other.difference)
    (low, high), (lower, higher) = one.intervals(), other.intervals()
    np.testing.assert_allclose(low, -higher, atol=1e-12)
    np.testing.assert_allclose(high, -lower, atol=1e-12)


@given(differences)
def test_bounds_hold_the_difference_and_stay_within_one(found: list[list[int]]) -> None:
    pairs = pairs_of(found)
    low, high = pairs.intervals()
    assert (low >= -1).all()
    assert (high <= 1).all()
    assert (low <= pairs.difference + 1e-12).all()
    assert (pairs.difference <= high + 1e-12).all()
    assert (low < high).all()
