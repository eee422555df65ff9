"""Means by group of seeds: each seed counts alike, and one seed tells no spread."""

from __future__ import annotations

import math

import numpy as np
import pytest

from portrayal.methods.biaspainter.scores.changes import Changes
from portrayal.methods.biaspainter.scores.groups import group_mean, seed_means


def test_a_seed_is_the_mean_of_its_edits_and_flips_have_no_direction() -> None:
    changes = Changes(np.array([[1.0, -1.0, 0.0], [0.0, -1.0, 0.0]]), np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0]]))
    means, counts = seed_means(changes, size=True)
    assert means[:2].tolist() == [0.5, 1.0]
    assert np.isnan(means[2])
    assert counts.tolist() == [2, 2, 0]
    assert seed_means(changes)[0][:2].tolist() == [0.5, -1.0]


def test_seeds_without_data_are_left_out() -> None:
    means, counts = np.array([0.2, np.nan, 0.4]), np.array([5, 0, 5])
    found = group_mean(means, counts, np.arange(3), rng=np.random.default_rng(0))
    assert found is not None
    assert found.value == pytest.approx(0.3)
    assert (found.seeds, found.n) == (2, 10)
    assert found.low <= 0.2 + 1e-9
    assert group_mean(means, counts, np.array([1]), rng=np.random.default_rng(0)) is None


def test_one_seed_has_no_interval() -> None:
    found = group_mean(np.array([0.2]), np.array([5]), np.arange(1), rng=np.random.default_rng(0))
    assert found is not None
    assert math.isnan(found.low)
    assert math.isnan(found.high)
