"""Labels that were chosen by what an annotator reads are told from a random part, and a random part is not accused."""

from __future__ import annotations

import numpy as np
import pytest

from portrayal.stats.annotation.drawn_at_random import drawn_at_random

RNG = np.random.default_rng


def test_one_group_alone_was_chosen() -> None:
    assert drawn_at_random(np.array([[0, 40]]), np.array([[300, 160]]), RNG(0)) <= 0.001


def test_what_is_chosen_in_one_prompt_does_not_hide_what_is_chosen_in_another() -> None:
    labelled, others = np.array([[0, 20], [20, 0]]), np.array([[50, 30], [30, 50]])
    assert drawn_at_random(labelled, others, RNG(0)) <= 0.001


def test_a_little_in_many_prompts_shows() -> None:
    labelled, others = np.tile([2, 3], (60, 1)), np.tile([28, 17], (60, 1))
    assert drawn_at_random(labelled, others, RNG(0)) <= 0.001


def test_one_picture_of_a_rare_group_proves_nothing() -> None:
    # Of 2,000 pictures one is read as of the rare group, and happens to be among the 30 labelled.
    assert drawn_at_random(np.array([[29, 1]]), np.array([[1970, 0]]), RNG(0)) > 0.01


@pytest.mark.parametrize("labelled", [[[50, 50]], [[0, 0]]])
def test_where_all_or_none_are_labelled_nothing_was_chosen(labelled: list[list[int]]) -> None:
    others = np.zeros((1, 2)) if labelled[0][0] else np.array([[30, 70]])
    assert drawn_at_random(np.array(labelled), others, RNG(0)) == 1.0


@pytest.mark.slow
def test_a_random_part_is_rarely_accused() -> None:
    rng, low = RNG(1), 0
    for _ in range(300):
        pool = rng.multinomial(40, [0.9, 0.08, 0.02], size=6)
        labelled = np.array([rng.multivariate_hypergeometric(counts, 10) for counts in pool])
        low += drawn_at_random(labelled, pool - labelled, rng, draws=199) <= 0.05
    assert low <= 24  # 15 expected at most; more than 24 in one of a hundred runs
