"""Differences of shares: bounds fail as rarely as stated, by exact sums over all outcomes, and are not far apart."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from portrayal.apps.check.decisions.seen_images import SeenImages
from portrayal.apps.check.decisions.share_difference import share_difference
from portrayal.stats.two_sides.two_shares import difference_bounds

N, M, TAIL = 18, 12, 0.002


@pytest.fixture(scope="module")
def lows() -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Return the low bound of every outcome."""
    rows = [[share_difference(SeenImages(x, N - x), SeenImages(y, M - y), TAIL).low for y in range(M + 1)]
            for x in range(N + 1)]  # fmt: skip
    return np.array(rows)


@pytest.mark.slow
@pytest.mark.parametrize("one", [0.02, 0.3, 0.5, 0.97, 1.0])
@pytest.mark.parametrize("other", [0.0, 0.05, 0.5, 0.9, 0.98])
def test_the_low_bound_fails_as_rarely_as_stated(
    lows: np.ndarray[tuple[int, ...], np.dtype[np.float64]], one: float, other: float
) -> None:
    chances = np.outer(binom.pmf(np.arange(N + 1), N, one), binom.pmf(np.arange(M + 1), M, other))
    assert chances[lows > one - other + 1e-9].sum() <= TAIL


def test_both_bounds_are_one_turned_round() -> None:
    one, other = SeenImages(7, 13, missing=2), SeenImages(15, 5, moved=0.05)
    found, turned = share_difference(one, other, 0.01), share_difference(other, one, 0.01)
    assert found.low == pytest.approx(-turned.high)
    assert found.low < one.value - other.value < found.high


def test_it_is_not_much_wider_than_the_usual_interval() -> None:
    for x, y in ((50, 50), (10, 50), (0, 20), (100, 100)):
        found = share_difference(SeenImages(x, 100 - x), SeenImages(y, 100 - y), 0.0025)
        low, high = difference_bounds(x / 100, 100, y / 100, 100, confidence=0.995)
        assert found.width < 1.35 * float(high - low)


def test_missing_images_and_extreme_shares() -> None:
    whole, lost = (share_difference(SeenImages(20, 20, k), SeenImages(10, 30, k), 0.01) for k in (0, 5))
    assert lost.low < whole.low < whole.high < lost.high
    everything = share_difference(SeenImages(100, 0), SeenImages(0, 100), 0.01)
    assert 0.85 < everything.low < everything.high == 1.0
    assert share_difference(SeenImages(1, 0), SeenImages(0, 1), 0.001).low < 0


@pytest.mark.parametrize("images", [30_000, 100_000, 10_000_000])
def test_a_baseline_of_very_many_images_leaves_the_bounds_where_they_are(images: int) -> None:
    """Beside 100,000 images the low bound was -12.7 points, beside ten million the difference itself."""
    one, other = SeenImages(30, 70), SeenImages(0.4 * images, 0.6 * images)
    found, turned = share_difference(one, other, 0.025), share_difference(other, one, 0.025)
    assert (found.low, found.high) == pytest.approx((-turned.high, -turned.low), abs=1e-6)
    low, high = difference_bounds(0.3, 100, 0.4, images)
    assert float(low) - 0.04 < found.low < float(low)
    assert float(high) < found.high < float(high) + 0.05
