from __future__ import annotations

import doctest
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portrayal.methods.bias_scores.report import benchmark_rows
from portrayal.methods.faintbench.report import paper_tables
from portrayal.records import Measurement
from portrayal.reports import lookup
from portrayal.reports.charts.axes import Scale, centred_scale, number_scale, score_scale
from portrayal.reports.figures import latex
from portrayal.reports.text import words
from portrayal.reports.text.words import (
    decimal,
    human,
    join,
    percent,
    percent_range,
    plural,
    points,
    score,
    score_digits,
    span,
)


@pytest.mark.parametrize("module", [benchmark_rows, latex, lookup, paper_tables, words])
def test_docstrings_say_what_happens(module: ModuleType) -> None:
    results = doctest.testmod(module)
    assert results.attempted
    assert not results.failed


@pytest.mark.parametrize(
    ("share", "n", "text"),
    [
        (0, 0, "0 %"),
        (1, 0, "100 %"),
        (0.004, 0, "<1 %"),
        (0.997, 0, ">99 %"),
        (0.005, 0, "<1 %"),
        (0.995, 0, ">99 %"),
        (0.0004, 1000, "<0.1 %"),
        (0.314, 999, "31 %"),
        (0.314, 1000, "31.4 %"),
    ],
)
def test_percent(share: float, n: int, text: str) -> None:
    assert percent(share, n).replace(words.NBSP, " ") == text


@settings(max_examples=60)
@given(st.floats(0, 1, exclude_min=True, exclude_max=True), st.integers(0, 5000))
def test_some_never_reads_as_none_or_all(share: float, n: int) -> None:
    assert percent(share, n).split(words.NBSP)[0] not in ("0", "0.0", "100", "100.0")


def test_ranges_and_signs() -> None:
    assert percent_range(0.24, 0.39) == f"24–39{words.NBSP}%"
    assert points(-0.213) == f"−21{words.NBSP}points"
    assert span("−3", "+4") == "−3 to +4"
    assert decimal(-0.001) == "0.00"
    assert plural(0, "miss", "misses").endswith("misses")
    assert join(["a", "b", "c"]) == "a, b and c"
    assert human("no_face") == "no face"


@settings(max_examples=60)
@given(st.floats(-1e6, 1e6))
def test_a_value_stays_on_its_track(value: float) -> None:
    assert 0 <= float(Scale(0, 1).at(value) or "nan") <= 100
    assert Scale(0, 1).at(float("nan")) is None
    assert Scale(0, 1).at(None) is None


def test_an_axis_of_equal_or_no_values_still_has_a_length() -> None:
    assert number_scale([]).high > number_scale([]).low


@pytest.mark.parametrize(
    ("value", "low", "high", "text"),
    [
        (42.4, 37.8, 47.1, "42.4 37.8–47.1"),
        (4.754, 4.451, 5.062, "4.75 4.45–5.06"),
        (0.123, 0.071, 0.182, "0.12 0.07–0.18"),
        (4.0, 4.0, 4.0, "4.0 4.0–4.0"),
    ],
)
def test_numbers_have_the_decimals_that_their_interval_carries(
    value: float, low: float, high: float, text: str
) -> None:
    scale = number_scale([Measurement("representation", "mean", "g", value=value, low=low, high=high)])
    assert f"{scale.text(value)} {scale.between(low, high)}" == text


@pytest.mark.parametrize(
    ("low", "high", "digits"),
    [(0.1, 0.9, 2), (0.86, 0.88, 3), (0.8711, 0.8713, 5), (0.5, 0.5 + 1e-9, 6), (0.5, 0.5, 3), (None, 0.5, 3)],
)
def test_a_score_has_the_digits_its_interval_carries(low: float | None, high: float, digits: int) -> None:
    assert score_digits(low, high) == digits


def test_a_score_without_interval_stands_alone() -> None:
    assert score(0.87123, None, None) == "0.871"
    assert score(0.5, 0.25, 0.75) == "0.500 (0.250–0.750)"


@pytest.mark.parametrize(("lowest", "start"), [(0.81, 0.8), (0.61, 0.6), (0.3, 0.2), (0.1, 0.0)])
def test_axes_of_scores_end_at_one(lowest: float, start: float) -> None:
    scale = score_scale([Measurement("m", "x", "g", value=0.9, low=lowest, high=0.95)])
    assert (scale.low, scale.high) == (start, 1.0)


@pytest.mark.parametrize(("high", "ticks"), [(0.58, "0.4 0.45 0.5 0.55 0.6"), (0.85, "0.1 0.3 0.5 0.7 0.9"),
                                             (1.2, "−0.5 0 0.5 1 1.5"), (3.0, "−2.5 −1 0.5 2 3.5")])  # fmt: skip
def test_axes_of_the_manifestation_have_one_half_in_the_middle(high: float, ticks: str) -> None:
    scale = centred_scale([Measurement("m", "x", "g", value=0.55, low=0.52, high=high)], 0.5)
    assert [label for _, label in scale.ticks] == ticks.split()
