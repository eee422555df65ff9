"""Lines are counted before anything is printed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as some

from portrayal.reports.summary.fitting import line_count, taken_in_order, total


def test_wide_letters_count_twice() -> None:
    assert line_count("看" * 20, 40) == 1
    assert line_count("看" * 21, 40) == 2


def test_what_is_too_long_is_left_out_whole_and_counted() -> None:
    assert taken_in_order(["a" * 30, "b" * 300, "c" * 10], 3, 20) == (["a" * 30, "c" * 10], 1)
    assert taken_in_order(["a"], 0, 20) == ([], 1)


@given(some.lists(some.text(max_size=200)), some.integers(0, 30))
def test_what_is_taken_fits(texts: list[str], lines: int) -> None:
    taken, left = taken_in_order(texts, lines, 40)
    assert total(taken, 40) <= lines
    assert len(taken) + left == len(texts)
