"""Ranks and whether neighbours can be told apart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from portrayal.apps.arena.ratings import RateOptions, Votes, rate_votes
from portrayal.apps.arena.ratings.ranks import holm, neighbours, order_p_value, rank_bounds, ranks


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_ranks_within_components_and_ties() -> None:
    component = np.array([0, 0, 0, 1])
    assert ranks(np.array([1010.0, 1010.0, 980.0, 1000.0]), component).tolist() == [1, 1, 3, 1]


def test_bounds_hold_the_rank_even_where_an_interval_does_not_hold_its_rating() -> None:
    low, high = np.array([900.0, 1010.0]), np.array([950.0, 1020.0])
    best, worst = rank_bounds(low, high, np.array([1, 2]), np.zeros(2, dtype=np.int64))
    assert (best.tolist(), worst.tolist()) == ([1, 1], [2, 2])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_is_between_the_p_value_and_bonferroni(p: list[float]) -> None:
    adjusted = holm(p)
    for one, all_of_it in zip(p, adjusted, strict=True):
        assert one <= all_of_it <= min(1, len(p) * one) + 1e-12
    assert [adjusted[place] for place in np.argsort(p, kind="stable")] == sorted(adjusted)


def test_p_of_a_normal_difference() -> None:
    drawn = rng().normal(50, 25, size=20_000)
    assert order_p_value(50.0, drawn, 10_000) == pytest.approx(0.0455, abs=0.005)
    # Few raters make it larger, a clear difference is not stopped by the number of draws.
    assert order_p_value(50.0, drawn, 5) > 0.1
    assert order_p_value(500.0, rng().normal(500, 25, size=1000), 10_000) < 1e-6
    assert order_p_value(500.0, rng().normal(500, 25, size=1000), 10_000, one_sided=True) == pytest.approx(
        0.002, abs=0.0005
    )
    assert order_p_value(0.0, drawn - 50, 100) == pytest.approx(1, abs=0.02)
    assert order_p_value(10.0, drawn, 1) == 1.0


@pytest.mark.parametrize("wins", [2, 5, 12])
def test_one_sided_votes_are_never_surer_than_the_sign_test(wins: int) -> None:
    (section,) = rate_votes(Votes.of([("x", "y", 0)] * wins), RateOptions(draws=4000), rng=rng()).sections
    (pair,) = section.neighbours
    assert pair.p >= binomtest(wins, wins).pvalue * 0.9
    assert pair.p < 4 * binomtest(wins, wins).pvalue + 0.05


def test_neighbours_stay_within_their_component() -> None:
    rating = np.array([1000.0, 1100.0, 900.0, 1050.0])
    drawn = rating + rng().normal(0, 30, size=(2000, 4))
    components, decided = np.array([0, 0, 1, 1]), np.zeros(4, dtype=bool)
    found = neighbours("abcd", rating, drawn, clusters=np.full(4, 50), component=components, separated=decided)
    assert [(pair.higher, pair.lower) for pair in found] == [("b", "a"), ("d", "c")]
    assert [pair.difference for pair in found] == [100.0, 150.0]
    assert found[0].holds == pytest.approx(0.99, abs=0.01)
    assert all(pair.p <= pair.p_adjusted <= 2 * pair.p for pair in found)
