from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from portrayal.metrics import kl_divergence, total_variation
from portrayal.stats.intervals import Array, Interval
from portrayal.stats.shares.cells import PromptShares
from portrayal.stats.targets.divergences import Divergence, divergence_interval

HALF = [0.5, 0.5]


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def drawn_cell(prompts: int, images: int, share: Array, seed: int = 0) -> PromptShares:
    counts = rng(seed).multinomial(images, share, size=prompts)
    return PromptShares.of(counts / images, np.full(prompts, images))


def apart(cell: PromptShares, targets: object, divergence: Divergence = total_variation, seed: int = 1) -> Interval:
    return divergence_interval(cell, np.asarray(targets), divergence, rng=rng(seed), draws=300)


@pytest.mark.parametrize("divergence", [total_variation, kl_divergence])
def test_chance_alone_does_not_exclude_zero(divergence: Divergence) -> None:
    uniform = np.full(10, 0.1)
    intervals = [apart(drawn_cell(1, 16, uniform, seed), uniform, divergence, seed) for seed in range(40)]
    assert sum(interval.low == 0 for interval in intervals) >= 37


def test_a_large_divergence_excludes_zero() -> None:
    interval = apart(drawn_cell(4, 50, np.array([0.95, 0.05])), HALF)
    assert interval.low > 0.1
    assert 0.45 in interval


def test_all_alike_and_like_the_target() -> None:
    interval = apart(PromptShares.of([[1.0, 0.0]] * 4, [16] * 4), [1.0, 0.0])
    assert interval.low == 0.0
    assert interval.high == pytest.approx(0.056, abs=0.001)  # the exact bound on the other group of 64 images


def test_a_group_the_target_rules_out_may_be_infinitely_far() -> None:
    unseen = apart(PromptShares.of([[1.0, 0.0]], [16]), [1.0, 0.0], kl_divergence)
    assert (unseen.low, unseen.high) == (0.0, math.inf)
    seen = apart(PromptShares.of([[0.5, 0.5]] * 3, [16] * 3), [1.0, 0.0], kl_divergence)
    assert (seen.low, seen.high) == (math.inf, math.inf)


def test_targets_may_differ_by_prompt() -> None:
    targets = np.array([[0.9, 0.1], [0.1, 0.9], [0.5, 0.5]] * 4)
    follows = apart(PromptShares.of(targets, [50] * 12), targets)
    assert follows.low == 0.0
    assert follows.high < 0.15
    stubborn = apart(PromptShares.of([[1.0, 0.0]] * 12, [50] * 12), targets)
    assert stubborn.low > 0.1
    assert 0.5 in stubborn
    with pytest.raises(ValueError, match="broadcast"):
        apart(PromptShares.of(targets, [50] * 12), targets[:5])


def test_missing_targets_give_no_interval() -> None:
    assert math.isnan(apart(PromptShares.of([HALF], [16]), [np.nan, np.nan]).low)


def test_more_data_is_narrower() -> None:
    share = np.array([0.6, 0.3, 0.1])
    few, many = drawn_cell(1, 20, share), drawn_cell(1, 2000, share)
    assert apart(many, np.full(3, 1 / 3)).width < apart(few, np.full(3, 1 / 3)).width / 3
    few, many = drawn_cell(6, 20, share), drawn_cell(60, 20, share)
    assert apart(many, np.full(3, 1 / 3)).width < apart(few, np.full(3, 1 / 3)).width


def test_an_empty_cell_has_no_interval() -> None:
    interval = apart(PromptShares.of(np.full((2, 3), np.nan), [0, 0]), np.full((0, 3), 1 / 3))
    assert math.isnan(interval.low)
    assert math.isnan(interval.high)


def test_one_image_says_little() -> None:
    cell = PromptShares.of([[1.0, 0.0]], [1])
    assert apart(cell, HALF).low == 0.0
    assert apart(cell, [0.95, 0.05]).high > 0.5


def test_the_same_seed_gives_the_same_interval() -> None:
    cell = drawn_cell(5, 16, np.array([0.7, 0.3]))
    assert apart(cell, HALF) == apart(cell, HALF)


@given(st.integers(1, 5), st.integers(1, 30), st.integers(2, 6), st.integers(0, 1000))
@example(5, 2, 2, 0)
@settings(max_examples=25)
def test_intervals_hold_the_estimate(prompts: int, images: int, groups: int, seed: int) -> None:
    cell = drawn_cell(prompts, images, rng(seed).dirichlet(np.full(groups, 0.5)), seed)
    target = rng(seed + 1).dirichlet(np.ones(groups))
    interval = divergence_interval(cell, target, total_variation, rng=rng(), draws=50)
    seen = float(total_variation(cell.share, cell.mean(np.tile(target, (cell.prompts, 1)))))
    # Added up in another order here, it may differ in its last digit.
    assert 0 <= interval.low <= seen + 1e-12
    assert seen - 1e-12 <= interval.high <= 1 + 1e-12


@given(st.permutations(range(4)))
@settings(max_examples=10)
def test_the_order_of_groups_does_not_matter(order: list[int]) -> None:
    cell, target = drawn_cell(6, 30, np.array([0.4, 0.3, 0.2, 0.1])), np.array([0.1, 0.2, 0.3, 0.4])
    turned = PromptShares.of(cell.shares[:, order], cell.counts)
    # Another order takes other random numbers, so only nearly the same bounds.
    there, back = apart(cell, target), apart(turned, target[order])
    assert (there.low, there.high) == pytest.approx((back.low, back.high), abs=0.05)
