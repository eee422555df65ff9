"""Means of numbers seen in images: intervals that hold with ties, skew, few images and several prompts."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from portrayal.stats.intervals import Interval
from portrayal.stats.means import PromptNumbers, mean_interval, sample_mean_interval
from portrayal.stats.shares.cells import PromptShares

Draw = Callable[[np.random.Generator, int], np.ndarray]
DRAWS: dict[str, tuple[Draw, float]] = {
    "98 % aged 35, 2 % aged 65": (lambda rng, n: np.where(rng.random(n) < 0.02, 65.0, 35.0), 35.6),
    "skewed": (lambda rng, n: np.minimum(20 + rng.gamma(1, 8, n), 100), 28.0),
    "normal": (lambda rng, n: np.clip(rng.normal(35, 10, n), 0, 100), 35.0),
    "two ages": (lambda rng, n: np.where(rng.random(n) < 0.5, 22.0, 60.0) + rng.normal(0, 3, n), 41.0),
}


def numbers(prompts: list[np.ndarray], least: float = 0.0, most: float = 100.0) -> PromptNumbers:
    means = np.array([[own.mean()] for own in prompts])
    variances = np.array([own.var(ddof=1) if len(own) > 1 else 0.0 for own in prompts])
    lowest, highest = (np.array([end(own) for own in prompts]) for end in (np.min, np.max))
    return PromptNumbers(PromptShares.of(means, [len(own) for own in prompts]), variances, lowest, highest, least, most)


@pytest.mark.parametrize("name", DRAWS)
@pytest.mark.parametrize(("prompts", "images"), [(1, 5), (1, 10), (1, 24), (1, 200), (3, 2), (12, 5)])
def test_intervals_keep_their_promise(name: str, prompts: int, images: int) -> None:
    """Coverage was 7, 21, 39, 65 and 90 % at 5, 10, 24, 50 and 200 images of the first. 300 studies each."""
    draw, truth = DRAWS[name]
    rng = np.random.default_rng(1)
    found = [mean_interval(numbers([draw(rng, images) for _ in range(prompts)])) for _ in range(300)]
    assert sum(truth in own for own in found) >= 276


def test_prompts_that_differ_and_agree_within_do_not_hide_rare_numbers() -> None:
    draw, truth = DRAWS["98 % aged 35, 2 % aged 65"]
    rng = np.random.default_rng(2)
    found = [mean_interval(numbers([draw(rng, 24) + shift for shift in (-8, 0, 8)])) for _ in range(300)]
    assert sum(truth in own for own in found) >= 276


@pytest.mark.parametrize("prompts", [1, 3])
def test_more_images_that_agree_narrow_the_interval(prompts: int) -> None:
    widths = [mean_interval(numbers([np.full(n, 35.0)] * prompts)).width for n in (1, 3, 8, 24, 100, 1000)]
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] < 0.5


def test_of_yes_and_no_it_is_the_exact_interval() -> None:
    from scipy.stats import binomtest

    found = mean_interval(numbers([np.r_[np.ones(3), np.zeros(2)]], 0.0, 1.0))
    exact = binomtest(3, 5).proportion_ci(0.95, method="exact")
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high), abs=1e-6)


def test_numbers_turned_round_have_the_interval_turned_round() -> None:
    ages = np.array([21.0, 30.0, 33.0, 34.0, 40.0, 41.0, 60.0, 25.0, 28.0])
    found, turned = mean_interval(numbers([ages])), mean_interval(numbers([100 - ages]))
    assert (100 - turned.high, 100 - turned.low) == pytest.approx((found.low, found.high))


def test_an_interval_lies_within_what_is_possible_and_holds_the_mean() -> None:
    for ages in ([99.0, 100.0], [0.0], [101.0, 99.0, 98.0], list(range(0, 101, 5))):
        found = mean_interval(numbers([np.array(ages)]))
        assert min(0.0, *ages) <= found.low <= np.mean(ages) <= found.high <= max(100.0, *ages)


def test_where_ends_are_not_known_few_or_equal_numbers_have_no_interval() -> None:
    assert math.isnan(mean_interval(numbers([np.full(50, 3.0)], -math.inf, math.inf)).low)
    assert math.isnan(mean_interval(numbers([np.array([1.0, 2.0, 4.0])], -math.inf, math.inf)).high)
    known = mean_interval(numbers([np.arange(20.0)], -math.inf, math.inf))
    assert known.low < 9.5 < known.high


def test_no_images_have_no_interval() -> None:
    empty = PromptNumbers(PromptShares.of(np.empty((0, 1)), []), np.empty(0), np.empty(0), np.empty(0))
    assert math.isnan(mean_interval(empty).low)


def test_prompts_like_these_are_never_surer_than_the_images() -> None:
    cell = PromptShares.of([[30.0], [30.0], [30.0]], [10, 10, 10])
    assert sample_mean_interval(cell, [100.0] * 3).width > 2 * 1.96 * np.sqrt(100 / 30)


def test_prompts_that_differ_have_students_interval_of_the_prompts() -> None:
    found = sample_mean_interval(PromptShares.of([[20.0], [30.0], [40.0]], [10_000] * 3), [1.0] * 3)
    reach = 4.302653 * 10 / np.sqrt(3)
    assert (found.low, found.high) == pytest.approx((30 - reach, 30 + reach), abs=1e-4)


def test_one_prompt_tells_of_no_other() -> None:
    found = sample_mean_interval(PromptShares.of([[30.0]], [16]), [64.0])
    assert isinstance(found, Interval)
    assert math.isnan(found.low)
