"""Means by group of seeds: each seed counts alike, and one or two seeds tell no spread."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

from portrayal.methods.biaspainter.scores.changes import Changes
from portrayal.methods.biaspainter.scores.groups import SHARE, group_mean, seed_means


def test_a_seed_is_the_mean_of_its_edits_and_flips_have_no_direction() -> None:
    changes = Changes(np.array([[1.0, -1.0, 0.0], [0.0, -1.0, 0.0]]), np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0]]))
    means, counts = seed_means(changes, size=True)
    assert means[:2].tolist() == [0.5, 1.0]
    assert np.isnan(means[2])
    assert counts.tolist() == [2, 2, 0]
    assert seed_means(changes)[0][:2].tolist() == [0.5, -1.0]


def test_seeds_without_data_are_left_out() -> None:
    means, counts = np.array([0.2, np.nan, 0.4]), np.array([5, 0, 5])
    found = group_mean(means, counts, np.arange(3))
    assert found is not None
    assert found.value == pytest.approx(0.3)
    assert (found.seeds, found.n) == (2, 10)
    assert group_mean(means, counts, np.array([1])) is None


@pytest.mark.parametrize("seeds", [1, 2])
def test_one_or_two_seeds_have_no_interval(seeds: int) -> None:
    found = group_mean(np.linspace(0.2, 0.4, seeds), np.full(seeds, 5), np.arange(seeds), within=SHARE)
    assert found is not None
    assert math.isnan(found.low)
    assert math.isnan(found.high)


def test_three_seeds_reach_beyond_what_was_seen() -> None:
    means = np.array([1.0, 2.0, 4.0])
    found = group_mean(means, np.full(3, 5), np.arange(3))
    wanted = scipy_stats.t.interval(0.95, 2, means.mean(), scipy_stats.sem(means))
    assert found is not None
    assert found.low == pytest.approx(wanted[0])
    assert found.low < 1.0
    assert found.high > wanted[1] > 4.0  # the one that moved far may have company


def test_seeds_that_all_shift_alike_have_a_width_too() -> None:
    found = group_mean(np.array([2.0, 2.0, 2.0, 9.0]), np.full(4, 5), np.arange(3))
    assert found is not None
    assert found.low < 0
    assert found.high > 8


def test_bounds_stay_within_what_a_mean_can_be() -> None:
    found = group_mean(np.array([0.1, 0.9, 1.0]), np.full(3, 5), np.arange(3), within=SHARE)
    assert found is not None
    assert (found.low, found.high) == (0.0, 1.0)
