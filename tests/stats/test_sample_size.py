"""How many images answer a question: exact where it can be enumerated, and what simulated studies do."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from portrayal.stats.intervals import clopper_pearson
from portrayal.stats.sample_size import (
    Decision,
    Deviation,
    Difference,
    HalfWidth,
    Question,
    expected_power,
    images_for,
    smallest,
)
from portrayal.stats.targets.target import ShareTest
from portrayal.stats.two_sides.two_shares import difference_p


@pytest.mark.parametrize(("target", "deviation"), [(0.5, 0.1), (0.5, 0.3), (0.1, 0.2), (0.95, 0.1)])
@pytest.mark.parametrize("p", [0.05, 0.0004])
def test_as_many_images_as_are_needed_find_a_deviation(target: float, deviation: float, p: float) -> None:
    n = images_for(Deviation(deviation, target, p), 0.8)
    assert n is not None
    side = 1 if target <= 0.5 else -1
    assert ShareTest(0.5, n, target).power(side * deviation, p) == pytest.approx(0.84, abs=0.0401)
    assert ShareTest(0.5, int(0.8 * n), target).power(side * deviation, p) < 0.8


@pytest.mark.parametrize(("share", "size"), [(0.0, 0.05), (0.02, 0.05), (0.3, 0.1), (0.5, 0.1), (1.0, 0.1)])
def test_a_half_width_is_kept_as_often_as_binomial_counts_have_it(share: float, size: float) -> None:
    for n in (1, 20, 130):
        seen = np.arange(n + 1)
        low, high = clopper_pearson(seen / n, n)
        exact = binom.pmf(seen, n, share)[(high - low) / 2 <= size].sum()
        assert HalfWidth(size, share).power(n) == pytest.approx(exact, abs=1e-6)


@pytest.mark.parametrize(("n", "share", "size", "p"), [(1, 0.5, 0.5, 0.05), (12, 0.1, 0.6, 0.05), (40, 0.6, 0.3, 0.01)])
def test_a_difference_is_found_as_often_as_all_pairs_of_counts_have_it(
    n: int, share: float, size: float, p: float
) -> None:
    question = Difference(size, share, p)
    one, two = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    likely = binom.pmf(one, n, share) * binom.pmf(two, n, question.other)
    exact = likely[difference_p(one / n, n, two / n, n) <= p].sum()
    assert question.power(n) == pytest.approx(exact, abs=1e-6)


@pytest.mark.parametrize("share", [0.05, 0.5])
def test_where_enumerating_ends_the_arcsine_goes_on_in_step(share: float) -> None:
    question = Difference(0.09, share, 0.01)
    assert question.power(401) == pytest.approx(question.power(400), abs=0.03)


@pytest.mark.parametrize(("share", "right"), [(0.5, "inside"), (0.55, "inside"), (0.72, "outside"), (0.2, "outside")])
def test_only_the_right_decision_counts(share: float, right: str) -> None:
    n, question = 150, Decision(0.15, 0.5, share)
    seen = np.arange(n + 1)
    low, high = clopper_pearson(seen / n, n)
    decided = (low >= 0.35) & (high <= 0.65) if right == "inside" else (high < 0.35) | (low > 0.65)
    assert question.power(n) == pytest.approx(binom.pmf(seen, n, share)[decided].sum(), abs=1e-6)


def test_a_share_at_the_edge_of_what_is_tolerated_is_never_decided() -> None:
    assert images_for(Decision(0.1, 0.5, 0.6), 0.8) is None


def test_missing_images_are_paid_for() -> None:
    question = Deviation(0.2, 0.5)
    whole, half = images_for(question, 0.8), images_for(question, 0.8, 0.5)
    assert whole is not None
    assert half is not None
    assert half == pytest.approx(2 * whole, rel=0.15)
    assert expected_power(question, 3, 0.99) == 0.0


def test_images_that_are_missing_unevenly_are_worth_less() -> None:
    question = Deviation(0.2, 0.5)
    assert expected_power(question, 80, 0.2, prompts=8) < expected_power(question, 80, 0.2, prompts=1)
    assert expected_power(question, 80, 0.0, prompts=8) == expected_power(question, 80)
    assert expected_power(question, 80, 0.99, prompts=80) == 0.0


def test_images_come_in_whole_prompts() -> None:
    question = Deviation(0.2, 0.5)
    by_eight = images_for(question, 0.8, prompts=8)
    assert by_eight is not None
    assert by_eight % 8 == 0
    assert question.power(by_eight) >= 0.8


def test_the_smallest_size_is_answered_so_often_and_one_a_point_smaller_is_not() -> None:
    def deviation(size: float) -> Question:
        return Deviation(size, 0.3, 0.01)

    size = smallest(deviation, 60, 0.8)
    assert size == pytest.approx(ShareTest(0.3, 60, 0.3).detectable(0.8, 0.01), abs=1e-3)
    assert deviation(size).power(60) >= 0.8 > deviation(size - 0.01).power(60)
    assert smallest(deviation, 2, 0.8) == math.inf


@settings(max_examples=40)
@given(st.integers(1, 300), st.floats(0, 1), st.floats(0.01, 0.6))
def test_power_is_a_probability_and_larger_sizes_are_answered_more_often(n: int, share: float, size: float) -> None:
    for question in (HalfWidth, Deviation, Difference):
        smaller, larger = question(size / 2, share).power(n), question(size, share).power(n)
        assert -1e-9 <= smaller <= 1 + 1e-9
        assert smaller <= larger + 1e-9 or question is not HalfWidth
    assert -1e-9 <= Decision(size, 0.5, share).power(n) <= 1 + 1e-9
