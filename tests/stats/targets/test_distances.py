from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portrayal.metrics import total_variation
from portrayal.stats.shares.cells import PromptShares
from portrayal.stats.targets.distances import mean_divergence

EVEN = np.array([0.5, 0.5])


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def test_opposite_deviations_do_not_cancel() -> None:
    cell = PromptShares.of([[0.9, 0.1], [0.1, 0.9]], counts=[1000, 1000])
    assert float(total_variation(cell.share, EVEN)) == pytest.approx(0)
    value, interval = mean_divergence(cell, EVEN, total_variation, rng=rng())
    assert value == pytest.approx(0.4, abs=0.005)
    assert interval.low <= value <= interval.high


def test_prompts_count_by_weight() -> None:
    cell = PromptShares.of([[0.9, 0.1], [0.5, 0.5]], counts=[10**6, 10**6], weights=[3, 1])
    value, _ = mean_divergence(cell, EVEN, total_variation, rng=rng())
    assert value == pytest.approx(0.3, abs=0.005)


def test_on_target_the_low_bound_is_zero_and_the_excess_of_few_images_shrinks() -> None:
    draws = np.random.default_rng(1).multinomial(16, EVEN, size=40) / 16
    cell = PromptShares.of(draws, np.full(40, 16))
    value, interval = mean_divergence(cell, EVEN, total_variation, rng=rng())
    assert value < float(total_variation(draws, EVEN).mean())
    assert interval.low == 0


@pytest.mark.parametrize("cell", [PromptShares.of([[0.5, 0.5]], [10]), PromptShares.of(np.empty((0, 2)), [])])
def test_one_prompt_or_none_has_no_typical_prompt(cell: PromptShares) -> None:
    value, interval = mean_divergence(cell, EVEN, total_variation, rng=rng())
    assert math.isnan(value)
    assert math.isnan(interval.low)


@pytest.mark.slow
@given(
    counts=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)).filter(sum), min_size=2, max_size=8),
    target=st.floats(0.05, 0.95),
)
@settings(max_examples=30)
def test_bounds(counts: list[tuple[int, int]], target: float) -> None:
    table = np.array(counts, dtype=float)
    totals = table.sum(axis=1)
    cell = PromptShares.of(table / totals[:, None], totals)
    value, interval = mean_divergence(cell, [target, 1 - target], total_variation, rng=rng())
    assert 0 <= interval.low <= value <= interval.high
    again = mean_divergence(cell, [target, 1 - target], total_variation, rng=rng())
    assert again == (value, interval)


@pytest.mark.slow
@pytest.mark.parametrize(("prompts", "images"), [(2, 16), (4, 4), (12, 16)])
@pytest.mark.parametrize("groups", [2, 3, 10])
@pytest.mark.parametrize("way", [0.0, 0.3, 1.0])
def test_intervals_of_these_prompts_keep_their_promise(prompts: int, images: int, groups: int, way: float) -> None:
    """100 studies of prompts on their targets, some way off, or all of one group. 95 % is below 90 in one of 70."""
    draws = np.random.default_rng(11)
    targets = draws.dirichlet(np.full(groups, 2.0), size=prompts)
    truths = (1 - way) * targets + way * np.eye(groups)[0]
    truth = float(total_variation(truths, targets).mean())
    held = 0
    for _ in range(100):
        seen = np.array([draws.multinomial(images, own) for own in truths]) / images
        _, interval = mean_divergence(PromptShares.of(seen, [images] * prompts), targets, total_variation, rng=draws)
        held += interval.low - 1e-9 <= truth <= interval.high + 1e-9
    assert held >= 90
