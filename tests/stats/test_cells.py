from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portrayal.metrics import kl_divergence, total_variation
from portrayal.records import Note
from portrayal.stats.cells import (
    Divergence,
    PromptShares,
    divergence_interval,
    effective_images,
    share_intervals,
    small_note,
)
from portrayal.stats.intervals import Array, Interval, wilson

HALF = [0.5, 0.5]


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def drawn_cell(prompts: int, images: int, share: Array, seed: int = 0) -> PromptShares:
    counts = rng(seed).multinomial(images, share, size=prompts)
    return PromptShares.of(counts / images, np.full(prompts, images))


def apart(cell: PromptShares, targets: object, divergence: Divergence = total_variation, seed: int = 1) -> Interval:
    return divergence_interval(cell, np.asarray(targets), divergence, rng=rng(seed), draws=300)


def test_prompts_without_images_are_dropped() -> None:
    cell = PromptShares.of([[1.0, 0.0], [np.nan, np.nan], [0.5, 0.5]], [4, 0, 8], [1, 5, 3])
    assert (cell.n, cell.prompts) == (12, 2)
    assert cell.share.tolist() == pytest.approx([0.625, 0.375])


def test_an_empty_cell_has_no_numbers() -> None:
    cell = PromptShares.of(np.full((2, 3), np.nan), [0, 0])
    assert (cell.n, cell.prompts) == (0, 0)
    assert np.isnan(cell.share).all()
    assert all(np.isnan(bound).all() for bound in share_intervals(cell, rng=rng()))
    interval = apart(cell, np.full((0, 3), 1 / 3))
    assert math.isnan(interval.low)
    assert math.isnan(interval.high)


def test_a_cell_refuses_what_does_not_fit() -> None:
    with pytest.raises(ValueError, match="one count and one weight"):
        PromptShares.of([[0.5, 0.5]], [1, 2])
    with pytest.raises(ValueError, match="above 0"):
        PromptShares.of([[0.5, 0.5]], [1], [0])


def test_variance_of_the_mean_by_hand() -> None:
    # Equal weights: the textbook s^2 / k with s^2 = 0.01 over three prompts.
    cell = PromptShares.of([[0.4], [0.5], [0.6]], [9, 9, 9])
    assert cell.variance(cell.shares).tolist() == pytest.approx([0.01 / 3])
    assert np.isnan(PromptShares.of([[0.4]], [9]).variance(np.array([[0.4]]))).all()


def test_effective_images_never_exceed_the_images() -> None:
    alike = PromptShares.of([HALF, HALF, HALF], [10, 20, 30])
    spread = alike.share * (1 - alike.share)
    # Equal weights, unequal images: 9 / (1/10 + 1/20 + 1/30).
    assert effective_images(alike, spread, alike.variance(alike.shares)).tolist() == pytest.approx([49.0909] * 2)
    opposed = PromptShares.of([[1.0, 0.0], [0.0, 1.0]], [100, 100])
    assert effective_images(opposed, spread, opposed.variance(opposed.shares)).tolist() == [1.0, 1.0]


def test_a_dominant_weight_is_not_many_prompts() -> None:
    cell = PromptShares.of([[0.9, 0.1], [0.5, 0.5]], [50, 50], [1.0, 1e-20])
    low, high = share_intervals(cell, rng=rng())
    assert (low >= 0).all()
    assert (high <= 1).all()
    assert (high - low > 0.4).all()


def test_one_prompt_is_wilson_on_its_images() -> None:
    low, high = share_intervals(PromptShares.of([[0.75, 0.25]], [16]), rng=rng())
    expected = wilson([0.75, 0.25], 16)
    assert np.allclose(low, expected[0])
    assert np.allclose(high, expected[1])


@pytest.mark.parametrize("prompts", [1, 2, 12])
def test_agreement_of_all_images_is_not_certainty(prompts: int) -> None:
    low, high = share_intervals(PromptShares.of([[1.0, 0.0]] * prompts, [16] * prompts), rng=rng())
    assert low.tolist() == pytest.approx([16 * prompts / (16 * prompts + 1.959964**2), 0], abs=1e-6)
    assert high[0] == 1.0
    assert high[1] == pytest.approx(1 - low[0])


def test_prompts_that_differ_are_less_certain_than_images_that_differ() -> None:
    split = PromptShares.of([[1.0, 0.0], [0.0, 1.0]] * 6, [16] * 12)
    same = PromptShares.of([[0.5, 0.5]] * 12, [16] * 12)
    widths = [np.subtract(*share_intervals(cell, rng=rng())[::-1])[0] for cell in (split, same)]
    assert widths[0] > 2 * widths[1]


def test_one_image_says_little() -> None:
    cell = PromptShares.of([[1.0, 0.0]], [1])
    low, high = share_intervals(cell, rng=rng())
    assert high[0] - low[0] > 0.7
    assert apart(cell, HALF).low == 0.0
    assert apart(cell, [0.95, 0.05]).high > 0.5


@pytest.mark.parametrize("divergence", [total_variation, kl_divergence])
def test_chance_alone_does_not_exclude_zero(divergence: Divergence) -> None:
    uniform = np.full(10, 0.1)
    intervals = [apart(drawn_cell(1, 16, uniform, seed), uniform, divergence, seed) for seed in range(40)]
    assert sum(interval.low == 0 for interval in intervals) >= 37


def test_a_large_divergence_excludes_zero() -> None:
    interval = apart(drawn_cell(4, 50, np.array([0.95, 0.05])), HALF)
    assert interval.low > 0.2
    assert 0.45 in interval


def test_all_alike_and_like_the_target() -> None:
    interval = apart(PromptShares.of([[1.0, 0.0]] * 4, [16] * 4), [1.0, 0.0])
    assert interval.low == 0.0
    # 64 of 64: the exact 97.5 % bound on the other group is 1 - 0.025 ** (1 / 64) = 0.056.
    assert interval.high == pytest.approx(0.056, abs=0.02)


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


def test_the_same_seed_gives_the_same_interval() -> None:
    cell = drawn_cell(5, 16, np.array([0.7, 0.3]))
    assert apart(cell, HALF) == apart(cell, HALF)
    assert np.array_equal(share_intervals(cell, rng=rng(3)), share_intervals(cell, rng=rng(3)))


def test_more_data_is_narrower() -> None:
    share = np.array([0.6, 0.3, 0.1])
    few, many = drawn_cell(1, 20, share), drawn_cell(1, 2000, share)
    assert apart(many, np.full(3, 1 / 3)).width < apart(few, np.full(3, 1 / 3)).width / 3
    few, many = drawn_cell(6, 20, share), drawn_cell(60, 20, share)
    assert apart(many, np.full(3, 1 / 3)).width < apart(few, np.full(3, 1 / 3)).width


@given(st.integers(1, 5), st.integers(1, 30), st.integers(2, 6), st.integers(0, 1000))
@settings(max_examples=25)
def test_intervals_hold_the_estimate(prompts: int, images: int, groups: int, seed: int) -> None:
    share = rng(seed).dirichlet(np.full(groups, 0.5))
    cell, target = drawn_cell(prompts, images, share, seed), rng(seed + 1).dirichlet(np.ones(groups))
    low, high = share_intervals(cell, rng=rng(), draws=100)
    assert (low >= -1e-12).all()
    assert (low <= cell.share + 1e-12).all()
    assert (cell.share <= high + 1e-12).all()
    assert (high <= 1 + 1e-12).all()
    interval = divergence_interval(cell, target, total_variation, rng=rng(), draws=50)
    assert 0 <= interval.low <= float(total_variation(cell.share, target)) <= interval.high <= 1 + 1e-12


@given(st.permutations(range(4)))
@settings(max_examples=10)
def test_the_order_of_groups_does_not_matter(order: list[int]) -> None:
    cell, target = drawn_cell(6, 30, np.array([0.4, 0.3, 0.2, 0.1])), np.array([0.1, 0.2, 0.3, 0.4])
    low, high = share_intervals(cell, rng=rng())
    turned = PromptShares.of(cell.shares[:, order], cell.counts)
    turned_low, turned_high = share_intervals(turned, rng=rng())
    assert np.allclose(turned_low, low[order])
    assert np.allclose(turned_high, high[order])
    # Another order takes other random numbers, so only nearly the same bounds.
    there, back = apart(cell, target), apart(turned, target[order])
    assert (there.low, there.high) == pytest.approx((back.low, back.high), abs=0.05)


def test_small_cells_are_noted() -> None:
    assert small_note(PromptShares.of([HALF], [12])) == Note.of("only_images", n=12)
    assert small_note(PromptShares.of([HALF], [0])) == Note("no_usable_images")
    assert small_note(PromptShares.of([HALF] * 4, [16] * 4)) == Note.of("only_prompts", n=4)
    assert small_note(PromptShares.of([HALF], [30])) is None
    assert small_note(PromptShares.of([HALF] * 5, [16] * 5)) is None
    assert small_note(PromptShares.of([HALF], [30]), images=100) == Note.of("only_images", n=30)
