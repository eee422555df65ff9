from __future__ import annotations

import numpy as np
import pytest

from portrayal.stats.cells import PromptShares, share_intervals
from portrayal.stats.differences import difference_intervals
from portrayal.stats.means import mean_interval


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def test_one_prompt_is_the_share_interval_shifted() -> None:
    cell = PromptShares.of([[0.75, 0.25]], [16])
    low, high = difference_intervals(cell, [0.5, 0.5], rng=rng())
    share_low, share_high = share_intervals(cell)
    assert low == pytest.approx(share_low - 0.5)
    assert high == pytest.approx(share_high - 0.5)


def test_prompts_that_follow_their_targets_agree() -> None:
    """Shares that differ as their targets do leave no doubt about the difference; against one target they do."""
    shares = np.array([[0.1, 0.9], [0.5, 0.5], [0.9, 0.1], [0.3, 0.7]])
    cell = PromptShares.of(shares, np.full(4, 10_000))
    low, high = difference_intervals(cell, shares, rng=rng())
    assert (high - low < 0.25).all()
    low, high = difference_intervals(cell, cell.share, rng=rng())
    assert (high - low > 0.5).all()


def test_constant_shares_against_different_targets_are_in_doubt() -> None:
    targets = np.array([[0.1, 0.9], [0.5, 0.5], [0.9, 0.1], [0.3, 0.7]])
    cell = PromptShares.of(np.full((4, 2), 0.5), np.full(4, 10_000))
    low, high = difference_intervals(cell, targets, rng=rng())
    assert (high - low > 0.5).all()


def test_images_that_all_agree_are_not_taken_for_one_image() -> None:
    """85 occupations drawn as women only, against targets around 0.4: the difference is known to a few points."""
    female = rng().beta(2, 3, size=85)
    targets = np.column_stack([1 - female, female])
    cell = PromptShares.of(np.tile([0.0, 1.0], (85, 1)), np.full(85, 16))
    low, high = difference_intervals(cell, targets, rng=rng())
    assert (high - low < 0.15).all()
    assert (low <= cell.share - cell.mean(targets) + 1e-12).all()
    assert (high >= cell.share - cell.mean(targets) - 1e-12).all()


def test_no_data_is_nan() -> None:
    low, high = difference_intervals(PromptShares.of(np.empty((0, 2)), []), np.empty((0, 2)), rng=rng())
    assert np.isnan(low).all()
    assert np.isnan(high).all()


def test_the_mean_of_one_prompt_has_students_interval() -> None:
    interval = mean_interval(PromptShares.of([[30.0]], [16]), [64.0])
    assert (interval.low, interval.high) == pytest.approx((30 - 2.13145 * 2, 30 + 2.13145 * 2), abs=1e-4)


def test_a_mean_over_prompts_is_never_surer_than_its_images() -> None:
    cell = PromptShares.of([[30.0], [30.0], [30.0]], [10, 10, 10])
    interval = mean_interval(cell, [100.0, 100.0, 100.0])
    assert interval.width > 2 * 1.96 * np.sqrt(100 / 30)


def test_a_mean_over_prompts_that_differ_has_students_interval_of_the_prompts() -> None:
    cell = PromptShares.of([[20.0], [30.0], [40.0]], [10_000] * 3)
    interval = mean_interval(cell, [1.0, 1.0, 1.0])
    reach = 4.302653 * 10 / np.sqrt(3)
    assert (interval.low, interval.high) == pytest.approx((30 - reach, 30 + reach), abs=1e-4)


def test_one_image_has_no_interval() -> None:
    assert np.isnan(mean_interval(PromptShares.of([[30.0]], [1]), [np.nan]).low)
