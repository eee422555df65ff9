"""Two shares: bounds and p-values against published and exact ones, and how often they hold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from portrayal.stats.two_sides.two_shares import (
    detectable_difference,
    difference_bounds,
    difference_p,
    images_for_difference,
)

shares = st.floats(0, 1)
sizes = st.integers(2, 400)


@pytest.mark.parametrize(
    ("seen", "n", "other", "m", "bounds"),
    [
        # Newcombe (1998), Table II, contrasts (a), (b) and (e) by the method of Miettinen and Nurminen.
        (56, 70, 48, 80, (0.0528, 0.3382)),
        (9, 10, 3, 10, (0.1700, 0.8406)),
        (5, 56, 0, 29, (-0.0326, 0.1933)),
        (10, 10, 0, 20, (0.7156, 1.0)),
    ],
)
def test_published_bounds(seen: int, n: int, other: int, m: int, bounds: tuple[float, float]) -> None:
    low, high = difference_bounds(seen / n, n, other / m, m)
    assert (float(low), float(high)) == pytest.approx(bounds, abs=2e-3)


@given(shares, sizes, shares, sizes)
def test_bounds_hold_the_difference_and_mirror_when_sides_are_swapped(x: float, n: int, y: float, m: int) -> None:
    low, high = difference_bounds(x, n, y, m)
    assert -1 <= low <= x - y + 1e-9
    assert x - y - 1e-9 <= high <= 1
    swapped = difference_bounds(y, m, x, n)
    assert (float(low), float(high)) == pytest.approx((-float(swapped[1]), -float(swapped[0])), abs=1e-6)


@given(st.integers(0, 40), st.integers(1, 40), st.integers(0, 40), st.integers(1, 40))
def test_interval_and_p_value_never_contradict(seen: int, n: int, other: int, m: int) -> None:
    x, y = min(seen, n) / n, min(other, m) / m
    low, high = difference_bounds(x, n, y, m)
    assert (low > 0 or high < 0) == (difference_p(x, n, y, m) <= 0.05 and (low > 0 or high < 0))
    if difference_p(x, n, y, m) > 0.05:
        assert low <= 0 <= high


def test_few_images_beside_many_are_no_proof() -> None:
    """The score test alone calls 2 of 10 beside 0 of 200 a chance of one in billions; it is one in hundreds."""
    p = float(difference_p(0.2, 10, 0.0, 200))
    assert p > fisher_exact([[2, 8], [0, 200]]).pvalue / 2
    assert 1e-4 < p < 0.05


@pytest.mark.parametrize(("n", "share"), [(10, 0.5), (50, 0.1), (200, 0.02), (200, 0.9)])
def test_under_the_null_few_are_called_different(n: int, share: float) -> None:
    rng = np.random.default_rng(n)
    x, y = rng.binomial(n, share, (2, 4000)) / n
    assert (difference_p(x, n, y, n) <= 0.05).mean() < 0.06
    low, high = difference_bounds(x, n, y, n)
    assert ((low <= 0) & (high >= 0)).mean() > 0.93


def test_what_is_detectable_is_detected_as_often_as_said() -> None:
    rng = np.random.default_rng(7)
    size = detectable_difference(0.3, 120, 120, power=0.8, p=0.01)
    x, y = rng.binomial(120, 0.3, 4000) / 120, rng.binomial(120, 0.3 + size, 4000) / 120
    assert (difference_p(x, 120, y, 120) <= 0.01).mean() == pytest.approx(0.8, abs=0.05)
    assert detectable_difference(0.5, 3, 3, power=0.8, p=0.001) == float("inf")
    assert detectable_difference(0.5, 0, 9, power=0.8, p=0.05) == float("inf")


def test_images_for_a_difference_show_it() -> None:
    n = images_for_difference(0.5, 0.2, power=0.8, p=0.05)
    assert detectable_difference(0.5, n, n, power=0.8, p=0.05) == pytest.approx(0.2, abs=0.01)
    assert images_for_difference(0.9, 0.2, power=0.8, p=0.05) < n
