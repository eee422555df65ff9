"""Tests of numbers against their targets: exact, in step with intervals, and honest about what they can find."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest

from portrayal.stats.targets.target import NumberTest, ShareTest


@pytest.mark.parametrize(
    ("seen", "n", "target"), [(24, 24, 0.5), (2, 24, 0.4), (0, 30, 0.3), (17, 20, 0.4), (5, 9, 0.5)]
)
def test_a_share_has_the_exact_p_value_of_two_tails(seen: int, n: int, target: float) -> None:
    tails = [binomtest(seen, n, target, alternative=side).pvalue for side in ("less", "greater")]
    assert ShareTest(seen / n, n, target).p == pytest.approx(min(1.0, 2 * min(tails)), rel=1e-9)


@given(st.integers(1, 60), st.data(), st.floats(0.01, 0.99), st.floats(0.5, 0.999))
def test_an_interval_leaves_the_target_out_where_the_p_value_says_so(
    n: int, data: st.DataObject, target: float, confidence: float
) -> None:
    test = ShareTest(data.draw(st.integers(0, n)) / n, n, target)
    bounds = test.bounds(confidence)
    if abs(test.p - (1 - confidence)) > 1e-9:
        assert (bounds.low > 0 or bounds.high < 0) is (test.p < 1 - confidence)


def test_what_a_reference_rules_out_and_is_seen_is_impossible_by_chance() -> None:
    assert ShareTest(0.5, 20, 0.0).p == 0.0
    assert ShareTest(0.0, 20, 0.0).p == 1.0
    assert ShareTest(0.5, 0, 0.2).p == 1.0


@pytest.mark.parametrize("worth", [10, 24, 240])
@pytest.mark.parametrize("target", [0.05, 0.29, 0.5])
def test_power_grows_with_the_deviation(worth: int, target: float) -> None:
    """At true shares of .85, .95, .98, .99 and 1 a page found 100, 100, 95, 68 and 0 % of stereotypes."""
    test = ShareTest(0.5, worth, target)
    powers = [test.power(deviation, 0.01) for deviation in np.linspace(0, 1 - target, 25)]
    assert all(later >= earlier - 1e-12 for earlier, later in pairwise(powers[1:]))
    assert powers[-1] == 1.0


@pytest.mark.parametrize("target", [0.05, 0.5, 0.8])
def test_what_can_be_found_shrinks_with_images(target: float) -> None:
    """The page asked for 17 points at 240 images in 8 wordings, 15 at 100, 22 at 60 and 16 at 50."""
    sizes = [ShareTest(0.5, images, target).detectable(0.5, 0.0005) for images in (24, 50, 60, 100, 240, 1000)]
    assert sizes == sorted(sizes, reverse=True)


@pytest.mark.parametrize(("n", "target", "p"), [(24, 0.5, 0.002), (60, 0.1, 0.0005), (100, 0.9, 0.01), (7, 0.5, 0.05)])
@pytest.mark.parametrize("often", [0.5, 0.8, 0.9])
def test_a_deviation_is_found_as_often_as_is_said(n: int, target: float, p: float, often: float) -> None:
    """Exactly: over all numbers of images that could be seen."""
    size = ShareTest(0.5, n, target).detectable(often, p)
    side = 1 if target <= 0.5 else -1
    seen = np.arange(n + 1)
    passes = np.array([ShareTest(own / n, n, target).p <= p for own in seen])
    found = float((binom.pmf(seen, n, target + side * size) * passes).sum())
    assert found == pytest.approx(often, abs=0.001)


def test_so_few_images_can_find_nothing() -> None:
    assert ShareTest(0.5, 3, 0.5).detectable(0.5, 0.05) == math.inf


def test_at_the_end_of_the_interval_p_is_a_twentieth() -> None:
    assert NumberTest(3.0, 2.0, 4.0, 2.0 - 1e-12, freedom=8).p == pytest.approx(0.05, abs=1e-6)
    assert NumberTest(3.0, 2.0, 4.0, 2.0).p == 1.0


def test_a_number_without_width_proves_nothing() -> None:
    assert NumberTest(0.6, 0.6, 0.6, 0.5).p == 1.0


def test_an_exact_p_value_counts_where_the_interval_carries_it() -> None:
    assert NumberTest(0.6, 0.5, 0.7, 0.4, exact=0.03).p == 0.03
    assert NumberTest(0.6, 0.3, 0.7, 0.4, exact=0.03).p == 1.0


def test_the_half_that_faces_the_target_counts() -> None:
    near, far = NumberTest(0.5, 0.4, 0.9, 0.3), NumberTest(0.5, 0.1, 0.6, 0.7)
    assert near.p == pytest.approx(far.p)
    assert near.bounds(0.95).low == pytest.approx(0.1)
    assert far.bounds(0.99).high > far.bounds(0.95).high
