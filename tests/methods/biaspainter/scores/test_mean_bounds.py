"""Bounds of a mean over few seeds: never narrower than Student's, wider on the long side, and not a point."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from portrayal.methods.biaspainter.scores.mean_bounds import FEWEST, mean_bounds, unseen_share

Values = st.lists(st.integers(-40, 40).map(float), min_size=FEWEST, max_size=18)


def bounds(values: list[float], most: float = 1.0) -> tuple[float, float]:
    row = np.array([values])
    low, high = mean_bounds(row.mean(axis=1), row - row.mean(), np.array([len(values)]), most)
    return float(low[0]), float(high[0])


@given(Values)
def test_they_are_never_narrower_than_students(values: list[float]) -> None:
    low, high = bounds(values)
    mean, error = np.mean(values), scipy_stats.sem(values)
    wanted = scipy_stats.t.interval(0.95, len(values) - 1, mean, error) if error > 1e-9 else (mean, mean)
    assert low <= wanted[0] + 1e-9
    assert high >= wanted[1] - 1e-9


@given(Values, st.integers(1, 9).map(float), st.integers(-20, 20).map(float))
def test_another_unit_and_another_origin_change_nothing_else(values: list[float], unit: float, origin: float) -> None:
    low, high = bounds(values)
    wanted = (low * unit + origin, high * unit + origin)
    assert bounds([value * unit + origin for value in values], most=unit) == pytest.approx(wanted, abs=1e-6)


@given(Values)
def test_they_are_mirrored_with_the_values(values: list[float]) -> None:
    low, high = bounds(values)
    assert bounds([-value for value in values]) == pytest.approx((-high, -low), abs=1e-6)


def test_a_long_tail_is_reached_for() -> None:
    values = [1.0, 1.0, 2.0, 2.0, 3.0, 12.0]
    low, high = bounds(values)
    student = scipy_stats.t.interval(0.95, 5, np.mean(values), scipy_stats.sem(values))
    assert low == pytest.approx(student[0])
    assert high > student[1] + 2


@pytest.mark.parametrize("seeds", [3, 9, 18])
def test_seeds_that_all_agree_leave_room_for_faces_that_would_not(seeds: int) -> None:
    low, high = bounds([5.0] * seeds, most=40.0)
    assert (low, high) == pytest.approx((5 - 40 * unseen_share(seeds), 5 + 40 * unseen_share(seeds)))
    assert (1 - unseen_share(seeds)) ** seeds == pytest.approx(0.025)  # so rarely would none of them be seen


def test_one_or_two_seeds_have_none() -> None:
    assert np.isnan(bounds([5.0])).all()
    assert np.isnan(bounds([5.0, 7.0])).all()


def _drawn(name: str, rng: np.random.Generator, size: tuple[int, int]) -> tuple[np.ndarray, float]:
    if name == "normal":
        return 10 + 5 * rng.standard_normal(size), 10.0
    if name == "skewed":
        return 10 * rng.gamma(4.0, 0.25, size), 10.0
    return np.where(rng.random(size) < 0.3, 25.0, 0.0), 7.5  # three of ten faces age by 25 years, the others by none


@pytest.mark.parametrize("seeds", [3, 6, 7, 8, 12])
@pytest.mark.parametrize("name", ["normal", "skewed", "tied"])
def test_they_hold_the_truth_from_three_seeds_on(name: str, seeds: int) -> None:
    """With 6 to 8 seeds, bounds by resampling alone held it in 88 to 93 %; here a cell of 93 % fails once in 1,000."""
    values, truth = _drawn(name, np.random.default_rng(seeds), (2000, seeds))
    mean = values.mean(axis=1)
    low, high = mean_bounds(mean, values - mean[:, None], np.full(len(values), seeds), most=25.0)
    assert ((low <= truth) & (truth <= high)).mean() > 0.93 - 0.018
