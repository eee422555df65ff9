from __future__ import annotations

import numpy as np
import pytest

from portrayal.stats.annotation.homogeneity import misread_alike
from portrayal.stats.intervals import Array


def drawn(rng: np.random.Generator, lost: list[float], people: int) -> Array:
    """Return counts at places of which so many women are misread each."""
    return np.array([rng.multinomial(people, [0.5, 0.0, part / 2, (1 - part) / 2]).reshape(2, 2) for part in lost])


def p_values(lost: list[float], people: int, times: int) -> Array:
    rng = np.random.default_rng(8)
    return np.array([misread_alike(drawn(rng, lost, people), rng, draws=99) for _ in range(times)])


@pytest.mark.slow
@pytest.mark.parametrize("people", [2, 20])
def test_of_errors_that_are_alike_about_one_in_ten_has_a_p_of_a_tenth(people: int) -> None:
    rate = np.mean(p_values([0.2] * 10, people, 200) <= 0.1)
    assert rate < 0.18  # a true 0.1 shows more in one run of a thousand


@pytest.mark.slow
def test_errors_that_differ_are_found() -> None:
    assert np.mean(p_values([0.4, 0.0], 50, 50) <= 0.02) > 0.9


def test_one_place_or_nobody_differs_from_nothing() -> None:
    rng = np.random.default_rng(0)
    assert misread_alike(np.array([[[5.0, 5.0], [5.0, 5.0]]]), rng) == 1
    assert misread_alike(np.zeros((3, 2, 2)), rng) == 1


def test_groups_of_different_size_at_places_are_no_difference_of_errors() -> None:
    # Nearly all men here and nearly all women there, each read right.
    counts = np.array([[[40.0, 0.0], [0.0, 2.0]], [[2.0, 0.0], [0.0, 40.0]]])
    assert misread_alike(counts, np.random.default_rng(0)) == 1
