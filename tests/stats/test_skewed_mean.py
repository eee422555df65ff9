"""The margin of a mean that few numbers decide: it holds more often than Student's."""

from __future__ import annotations

import math

import numpy as np
import pytest

from portrayal.stats.intervals import t_value
from portrayal.stats.skewed_mean import mean_margin


def student(numbers: np.ndarray) -> float:
    return t_value(0.95, len(numbers) - 1) * float(numbers.std(ddof=1)) / math.sqrt(len(numbers))


def test_it_holds_where_a_few_pictures_move_most() -> None:
    rng = np.random.default_rng(4)
    shifts = rng.lognormal(0, 1, 5000)
    samples = [rng.choice(shifts, 64, replace=False) for _ in range(400)]
    held, of_student = (
        np.mean([abs(one.mean() - shifts.mean()) <= margin(one) for one in samples])
        for margin in (mean_margin, student)
    )
    assert held > of_student + 0.01  # in the same 400 samples
    assert held >= 0.92


def test_of_ordinary_numbers_it_is_that_of_student() -> None:
    numbers = np.random.default_rng(5).normal(3, 2, 200)
    assert mean_margin(numbers) == pytest.approx(student(numbers), rel=0.08)
    assert mean_margin(numbers) == mean_margin(numbers.copy())


def test_equal_and_few_numbers() -> None:
    assert mean_margin(np.full(7, 0.25)) == 0
    assert mean_margin(np.array([0.0, 1.0])) >= student(np.array([0.0, 1.0]))
