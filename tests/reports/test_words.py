from __future__ import annotations

import doctest
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portrayal.reports import lookup, words
from portrayal.reports.scales import Scale, number_scale
from portrayal.reports.words import decimal, human, join, percent, percent_range, plural, points, span


@pytest.mark.parametrize("module", [lookup, words])
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


@settings(max_examples=60, deadline=None)
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


@settings(max_examples=60, deadline=None)
@given(st.floats(-1e6, 1e6))
def test_a_value_stays_on_its_track(value: float) -> None:
    assert 0 <= float(Scale(0, 1).at(value) or "nan") <= 100
    assert Scale(0, 1).at(float("nan")) is None
    assert Scale(0, 1).at(None) is None


def test_an_axis_of_equal_or_no_values_still_has_a_length() -> None:
    assert number_scale([]).high > number_scale([]).low
