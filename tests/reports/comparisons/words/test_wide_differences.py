"""Intervals of differences without the sign hold about as often as they say; those with it hold more often."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from portrayal.records import Measurement
from portrayal.reports.comparisons.difference import Difference
from portrayal.reports.comparisons.pairing import PairedShare
from portrayal.reports.comparisons.words.difference_words import difference_size, line_of
from portrayal.reports.comparisons.words.wide_differences import wide_sign
from portrayal.reports.text.wide_intervals import SIGN
from portrayal.stats.two_sides.two_shares import difference_bounds


def difference(seen: int, n: int, other: int, m: int, pairs: PairedShare | None = None, prompts: int = 1) -> Difference:
    one, two = (
        Measurement("m", "share", name, "a", "gender", "female", value=x / k, n=k, worth=float(k), prompts=prompts)
        for name, x, k in (("A", seen, n), ("B", other, m))
    )
    return Difference(one, two, seen / n - other / m, -0.1, 0.1, 0.5, pairs=pairs)


@pytest.mark.parametrize(
    ("found", "signed"),
    [
        (difference(0, 50, 2, 50), True),
        (difference(50, 50, 48, 50), True),
        (difference(11, 100, 47, 100), False),
        (difference(0, 100, 47, 100), False),
        (difference(50, 100, 40, 100, PairedShare(0.1, 0.12, 100.0, 100, 0)), False),
        (difference(50, 100, 48, 100, PairedShare(0.02, 0.04, 100.0, 100, 0)), True),
        (difference(10, 20, 12, 20, prompts=10), True),
        (difference(50, 100, 40, 100, prompts=10), False),
    ],
)
def test_an_interval_on_few_pictures_that_differ_has_the_sign(found: Difference, signed: bool) -> None:
    assert (wide_sign(found) == SIGN) is signed
    assert (SIGN in difference_size(found)) is signed
    assert (SIGN in line_of(found, {}, 0.1).interval) is signed


@pytest.mark.parametrize("n", [50, 100])
@pytest.mark.parametrize(("share", "other"), [(0.02, 0.02), (0.02, 0.2), (0.1, 0.1), (0.3, 0.3), (0.5, 0.9)])
def test_without_the_sign_they_hold_as_often_as_they_say(n: int, share: float, other: float) -> None:
    """By exact sums: 99.8 % of intervals hold where two of 50 pictures show the group, and these are signed."""
    one, two = (each.ravel() for each in np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij"))
    chance = binom.pmf(one, n, share) * binom.pmf(two, n, other)
    low, high = difference_bounds(one / n, n, two / n, n)
    holds = (low <= share - other + 1e-12) & (share - other <= high + 1e-12)
    plain = np.minimum(one + two, 2 * n - one - two) >= 10
    if chance[plain].sum() > 0.5:
        assert 0.93 <= (chance * holds)[plain].sum() / chance[plain].sum() <= 0.97
    else:
        assert (chance * holds).sum() > 0.97
