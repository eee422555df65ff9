from __future__ import annotations

from dataclasses import astuple

import numpy as np
import pytest
from scipy.stats import linregress, spearmanr

from portrayal.stats.trend import RankCorrelation, Trend, linear_trend, rank_correlation

RNG = np.random.default_rng(3)


def test_the_line_is_scipy_s() -> None:
    x, y = RNG.normal(size=30), RNG.normal(size=30)
    found, theirs = linear_trend(x, y), linregress(x, y)
    assert found is not None
    assert found.slope == pytest.approx(theirs.slope)
    assert float(found.at(0.0)) == pytest.approx(theirs.intercept)
    assert (found.high - found.low) / 2 == pytest.approx(2.048 * theirs.stderr, rel=1e-3)


def test_the_band_is_narrowest_in_the_middle_and_widens_beyond_the_data() -> None:
    x = np.arange(20.0)
    found = linear_trend(x, x + RNG.normal(size=20))
    assert found is not None
    low, high = found.band([9.5, 19.0, 30.0])
    widths = (high - low).tolist()
    assert widths == sorted(widths)


def test_bands_and_slopes_cover() -> None:
    """Of 400 lines 95 % should be covered; that 360 or fewer are has a chance below 0.0001 at 95 %."""
    x = np.arange(15.0)
    slopes = bands = 0
    for _ in range(400):
        found = linear_trend(x, 2 + 0.5 * x + RNG.normal(size=15))
        assert found is not None
        low, high = found.band(20.0)
        slopes += found.low <= 0.5 <= found.high
        bands += bool(low <= 12 <= high)
    assert min(slopes, bands) > 360


@pytest.mark.parametrize(("x", "y"), [([1, 2], [1, 2]), ([1, 1, 1], [1, 2, 3]), ([], [])])
def test_too_little_for_a_line(x: list[float], y: list[float]) -> None:
    assert linear_trend(x, y) is None


def test_the_correlation_is_scipy_s() -> None:
    x = RNG.normal(size=40)
    y = x + RNG.normal(size=40)
    found = rank_correlation(x, y)
    assert found is not None
    assert found.rho == pytest.approx(spearmanr(x, y).statistic)
    assert found.interval.low < found.rho < found.interval.high


def test_correlations_cover() -> None:
    """Of 400 samples 95 % should hold the truth; that 360 or fewer do has a chance below 0.0001 at 95 %."""
    truth = 6 / np.pi * np.arcsin(0.6 / 2)  # Spearman's of two normal numbers with correlation 0.6
    held = 0
    for _ in range(400):
        x, y = RNG.multivariate_normal([0, 0], [[1, 0.6], [0.6, 1]], size=40).T
        found = rank_correlation(x, y)
        held += found is not None and bool(found.interval.low <= truth <= found.interval.high)
    assert held > 360


def test_perfect_order_of_few_is_not_certain_and_none_is_none() -> None:
    found = rank_correlation([1, 2, 3, 4, 5], [1, 2, 3, 4, 5])
    assert found is not None
    assert found.rho == pytest.approx(1)
    assert found.interval.low < 0.5
    assert found.interval.high == pytest.approx(1)
    assert rank_correlation([1, 2, 3], [1, 2, 3]) is None
    assert rank_correlation([1, 1, 1, 1], [1, 2, 3, 4]) is None


def test_bands_are_of_95_percent_where_nothing_else_is_said() -> None:
    line, ranks = linear_trend(range(5), [1, 3, 2, 5, 4]), rank_correlation(range(5), [1, 3, 2, 5, 4])
    assert line
    assert ranks
    assert line == linear_trend(range(5), [1, 3, 2, 5, 4], 0.95) == Trend(*astuple(line)[:-1])
    assert ranks == rank_correlation(range(5), [1, 3, 2, 5, 4], 0.95)
    assert ranks == RankCorrelation(ranks.rho, ranks.interval, ranks.n)


def test_a_higher_confidence_widens_intervals_and_bands() -> None:
    x, y = np.arange(20.0), RNG.normal(size=20)
    for find in (linear_trend, rank_correlation):
        plain, sure = find(x, y), find(x, y, 0.995)
        assert plain is not None
        assert sure is not None
        assert sure.margin > plain.margin
    lines = linear_trend(x, y), linear_trend(x, y, 0.995)
    assert all(lines)
    widths = [line.high - line.low for line in lines if line]
    bands = [float(np.diff(line.band(3.0), axis=0).item()) for line in lines if line]
    assert widths == sorted(widths)
    assert bands == sorted(bands)


@pytest.mark.parametrize("confidence", [0.95, 0.995])
def test_a_trend_or_correlation_of_the_margin_is_found_four_times_in_five(confidence: float) -> None:
    """Of 400 samples 80 % should show; that fewer than 70 or more than 90 % do has a chance below 0.0001."""
    x = np.arange(30.0)
    flat = linear_trend(x, np.cos(np.pi * x) * np.sqrt(28 / 30), confidence)
    assert flat is not None
    none = rank_correlation(x, np.tile([1.0, 2.0], 15), confidence)
    assert none is not None
    hits = [0, 0]
    pearson = 2 * np.sin(np.pi / 6 * none.margin)  # of two normal numbers whose Spearman's correlation is the margin
    for _ in range(400):
        line = linear_trend(x, flat.margin * x + RNG.normal(size=30), confidence)
        pairs = RNG.multivariate_normal([0, 0], [[1, pearson], [pearson, 1]], size=30).T
        related = rank_correlation(pairs[0], pairs[1], confidence)
        hits[0] += line is not None and line.low > 0
        hits[1] += related is not None and related.interval.low > 0
    assert 280 < hits[0] < 370
    assert 270 < hits[1] < 390


def test_margins_hold_all_that_the_interval_holds() -> None:
    x = np.arange(15.0)
    line = linear_trend(x, 0.05 * x + RNG.normal(size=15))
    ranks = rank_correlation(x, 0.05 * x + RNG.normal(size=15))
    assert line is not None
    assert ranks is not None
    assert line.margin >= max(abs(line.low), abs(line.high))
    assert ranks.margin >= max(abs(ranks.interval.low), abs(ranks.interval.high))
