"""Differences of pairs: against counts done by hand, a second opinion, and what must hold of any of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from portrayal.stats.two_sides.two_paired_shares import paired_bounds, paired_detectable, paired_p, pairs_for_difference
from portrayal.stats.two_sides.two_shares import difference_bounds, difference_p

COUNTS = st.tuples(st.integers(0, 30), st.integers(0, 30), st.integers(0, 100)).filter(lambda each: sum(each) > 4)


def moments(more: int, fewer: int, alike: int) -> tuple[float, float, int]:
    n = more + fewer + alike
    return (more - fewer) / n, (more + fewer) / n, n


def test_the_p_value_is_that_of_mcnemar() -> None:
    assert paired_p(*moments(14, 5, 61)) == pytest.approx(2 * norm.sf(9 / 19**0.5))


@pytest.mark.parametrize(("more", "fewer", "alike"), [(14, 5, 61), (0, 0, 30), (9, 0, 1), (3, 8, 0)])
def test_bounds_are_where_the_likelihood_gives_the_score_its_limit(more: int, fewer: int, alike: int) -> None:
    """Of the chances with the difference of a bound those that fit best are looked for on a fine grid."""
    mean, square, n = moments(more, fewer, alike)
    for bound in paired_bounds(mean, square, n):
        difference = float(bound)
        low, high = max(0.0, -difference) + 1e-9, (1 - difference) / 2 - 1e-9
        chance = np.linspace(low, high, 200_001)
        fit = alike * np.log(1 - 2 * chance - difference)
        fit += (more * np.log(chance + difference) if more else 0) + (fewer * np.log(chance) if fewer else 0)
        best = float(chance[fit.argmax()])
        error = ((2 * best + difference - difference**2) / n) ** 0.5
        assert abs(mean - difference) / error == pytest.approx(1.96, abs=0.01)


@given(COUNTS)
def test_bounds_hold_the_difference_and_turn_with_the_sides(counts: tuple[int, int, int]) -> None:
    mean, square, n = moments(*counts)
    low, high = paired_bounds(mean, square, n)
    assert -1 <= low <= mean <= high <= 1
    assert low < high
    other_low, other_high = paired_bounds(-mean, square, n)
    assert (-other_high, -other_low) == pytest.approx((float(low), float(high)), abs=1e-6)


@given(COUNTS)
def test_test_and_interval_never_contradict(counts: tuple[int, int, int]) -> None:
    mean, square, n = moments(*counts)
    low, high = paired_bounds(mean, square, n)
    p = float(paired_p(mean, square, n))
    if abs(p - 0.05) > 1e-6:
        assert bool(low > 0 or high < 0) is (p < 0.05)


def test_pictures_that_agree_are_surer_in_pairs_than_apart() -> None:
    """50 of 100 beside 40 of 100: ten pairs differ, all one way, or as many as chance would have it."""
    pairs, apart = paired_p(*moments(10, 0, 90)), difference_p(0.5, 100, 0.4, 100)
    assert pairs < 0.01 < 0.1 < apart
    assert np.ptp(paired_bounds(*moments(10, 0, 90))) < np.ptp(difference_bounds(0.5, 100, 0.4, 100)) / 2


def test_pairs_that_all_agree_leave_a_difference_possible() -> None:
    low, high = paired_bounds(0.0, 0.0, 10)
    assert (low, high) == pytest.approx((-0.2775, 0.2775), abs=1e-3)
    assert paired_p(0.0, 0.0, 10) == 1


@pytest.mark.parametrize(("apart", "n"), [(0.4, 100), (0.1, 200), (0.2, 400)])
def test_what_would_have_shown_does_show(apart: float, n: int) -> None:
    size = paired_detectable(apart, n, power=0.8, p=0.05)
    rng = np.random.default_rng(4)
    chances = [(apart + size) / 2, (apart - size) / 2, 1 - apart]
    more, fewer, _ = rng.multinomial(n, chances, 2000).T
    shown = paired_p((more - fewer) / n, (more + fewer) / n, n) <= 0.05
    assert 0.77 < shown.mean() < 0.88
    assert pairs_for_difference(apart, size, power=0.8, p=0.05) == pytest.approx(n, rel=0.05)


@pytest.mark.parametrize("n", [20, 30, 100])
def test_where_no_pair_disagrees_what_would_have_shown_does_show(n: int) -> None:
    size = paired_detectable(0.0, n, power=0.8, p=0.05)
    more = np.random.default_rng(5).binomial(n, size, 4000)
    assert 0.72 < (paired_p(more / n, more / n, n) <= 0.05).mean() < 0.92


def test_too_few_pairs_would_show_nothing() -> None:
    assert paired_detectable(0.5, 4, power=0.8, p=0.05) == np.inf
    assert paired_detectable(0.5, 0, power=0.8, p=0.05) == np.inf
