from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.metrics import weighted_mean, weighted_total

both = pytest.mark.parametrize("average", [weighted_mean, weighted_total])


@both
def test_by_hand(average: Callable[..., object]) -> None:
    assert average([0.9, 0.7, 0.5], [0.4, 0.4, 0.2]) == pytest.approx(0.74, abs=1e-12)
    assert average([0.9, 0.7, 0.5], [4, 4, 2]) == pytest.approx(0.74, abs=1e-12)
    assert average([[1, 2], [3, 5]], [3, 1]) == pytest.approx([1.25, 3.5])
    assert average(0.3, [7]) == pytest.approx(0.3)


def test_a_missing_part() -> None:
    rows = [[0.9, np.nan, 0.3], [np.nan] * 3, [0.1, 0.1, 0.1]]
    assert weighted_mean(rows, [0.4, 0.4, 0.2]) == pytest.approx([0.7, math.nan, 0.1], nan_ok=True)
    assert weighted_total(rows, [0.4, 0.4, 0.2]) == pytest.approx([math.nan, math.nan, 0.1], nan_ok=True)


@both
def test_nothing_has_no_average(average: Callable[..., float]) -> None:
    assert math.isnan(average([], []))
    assert np.isnan(average(np.empty((2, 0)), [])).tolist() == [True, True]


@both
@pytest.mark.parametrize("weights", [[1, 0], [1, -1], [1, np.nan], [1, np.inf]])
def test_weights_are_positive_numbers(average: Callable[..., object], weights: list[float]) -> None:
    with pytest.raises(ValueError, match="above 0"):
        average([0.5, 0.5], weights)


@both
@pytest.mark.parametrize("weights", [[1], [1, 1, 1], 1, [[1, 1]]])
def test_every_value_has_its_weight(average: Callable[..., object], weights: object) -> None:
    with pytest.raises(ValueError, match="2 values need as many weights"):
        average([0.5, 0.5], weights)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0.01, 10)), min_size=1, max_size=9))
def test_an_average_lies_among_its_values(parts: list[tuple[float, float]]) -> None:
    values, weights = zip(*parts, strict=True)
    total = float(weighted_total(values, weights))
    assert min(values) - 1e-12 <= total <= max(values) + 1e-12
    assert total == pytest.approx(float(weighted_mean(values, weights)), abs=1e-12)
