"""Intervals over other prompts: they hold with three prompts, of which most score high and a few far lower."""

from __future__ import annotations

import math

import numpy as np
import pytest

from portrayal.methods.bias_scores.levels import over_prompts
from portrayal.stats.intervals import Interval

NONE = (-math.inf, math.inf)
IMPLICIT = (0.5, 1.0)


def point(scores: list[float]) -> Interval:
    middle = float(np.mean(scores))
    return Interval(middle, middle)


def test_students_interval_of_three_prompts() -> None:
    # By hand: 0.8 -+ 4.302653 * 0.1 / sqrt(3)
    found = over_prompts(np.array([0.7, 0.8, 0.9]), np.ones(3), Interval(0.78, 0.82), NONE)
    assert [found.low, found.high] == pytest.approx([0.551586, 1.048414], abs=1e-6)


def test_prompts_that_agree_do_not_prove_that_all_do() -> None:
    alike = [0.98, 0.98, 0.98]
    found = over_prompts(np.array(alike), np.ones(3), point(alike), IMPLICIT)
    # By hand: a further prompt at 0.5 has at most 1 - 0.025^(1/3) of the weight
    assert found.low == pytest.approx(0.98 - 0.48 * (1 - 0.025 ** (1 / 3)), abs=0.001)
    assert over_prompts(np.array(alike), np.ones(3), Interval(0.9, 0.99), NONE) == Interval(0.9, 0.99)


def test_one_prompt_tells_of_no_other() -> None:
    found = over_prompts(np.array([0.9, np.nan]), np.ones(2), Interval(0.8, 1.0), IMPLICIT)
    assert math.isnan(found.low)
    assert math.isnan(found.high)


@pytest.mark.parametrize("prompts", [2, 3, 5, 10])
@pytest.mark.parametrize("rare", [0.05, 0.2])
def test_few_prompts_hold_what_is_true_of_all(prompts: int, rare: float) -> None:
    rng = np.random.default_rng(2)
    truth = 0.98 - 0.4 * rare
    held = 0
    for _ in range(300):
        scores = np.where(rng.random(prompts) < rare, 0.58, 0.98)
        found = over_prompts(scores, np.ones(prompts), point(scores.tolist()), IMPLICIT)
        held += found.low <= truth <= found.high
    assert held >= 0.95 * 300


def test_weights_count_for_fewer_prompts() -> None:
    scores = np.array([0.7, 0.8, 0.9, 0.8])
    even, heavy = (over_prompts(scores, np.array(w, float), point([0.8]), NONE) for w in ([1, 1, 1, 1], [9, 1, 9, 1]))
    assert heavy.width > 2 * even.width
