from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portrayal.metrics import total_variation
from portrayal.stats.cells import PromptShares
from portrayal.stats.distances import mean_divergence

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
    value, interval = mean_divergence(cell, [target, 1 - target], total_variation, rng=rng(), draws=100)
    assert 0 <= interval.low <= value <= interval.high
    again = mean_divergence(cell, [target, 1 - target], total_variation, rng=rng(), draws=100)
    assert again == (value, interval)
