"""A score of several prompts rests on those that have usable images, and says how many they are."""

from __future__ import annotations

import math

import numpy as np
import pytest

from portrayal.methods.bias_scores.explicit.answered_prompts import Answers
from portrayal.records import Prompt
from portrayal.stats.intervals import Interval


def answers(*shares: float) -> Answers:
    """Return answers of ten images each; nan is a prompt of whose images none tells."""
    each = np.array(shares)
    prompts = [Prompt(f"one {place}", str(place)) for place in range(len(shares))]
    ten = np.full(len(each), 10.0)
    return Answers(prompts, np.ones(len(each)), ten, ten, each, each * (1 - each) / 9, each)


def test_only_prompts_with_an_answer_count() -> None:
    found = answers(0.5, math.nan, 1.0).score(None)
    assert found.value == pytest.approx(0.75)
    assert found.prompts == 2
    assert answers(0.5, math.nan, 1.0).used == 20
    assert answers(math.nan).score(None).prompts == 0


def test_one_prompt_with_an_answer_is_no_sample_of_prompts() -> None:
    asked: list[int] = []

    def over_prompts(scores: np.ndarray, *_: object) -> Interval:
        asked.append(len(scores))
        return Interval(0.0, 1.0)

    alone = answers(0.5, math.nan)
    assert alone.score(over_prompts).interval == alone.score(None).interval
    assert asked == []
    answers(0.5, math.nan, 1.0).score(over_prompts)
    assert asked == [2]
