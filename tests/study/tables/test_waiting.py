"""Rows that look for each other, against a plain dictionary."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from portrayal.study.tables.waiting import Waiting, matches, read_some

NAMES = st.lists(st.integers(0, 40), max_size=30)


@given(jobs=NAMES.map(lambda names: list(dict.fromkeys(names))), others=NAMES)
def test_every_row_that_has_a_job_finds_it(jobs: list[int], others: list[int]) -> None:
    place, found = matches(np.array(jobs, dtype=np.uint64), np.array(others, dtype=np.uint64))
    assert found.tolist() == [name in jobs for name in others]
    assert place.tolist() == [jobs.index(name) for name in others if name in jobs]


def rows(*keys: int) -> Waiting:
    return Waiting(np.array(keys, dtype=np.uint64), {"cell": np.array(keys) * 10})


def test_rows_are_taken_and_joined_with_their_numbers() -> None:
    both = Waiting.joined([rows(1, 2), rows(3)])
    assert both.take(np.array([True, False, True])).numbers["cell"].tolist() == [10, 30]


def test_some_are_read_until_there_are_enough() -> None:
    source = iter([rows(1, 2), rows(3), rows(4)])
    assert [len(own) for own in read_some(source, 3)] == [2, 1]
    assert [len(own) for own in read_some(source, 3)] == [1]
    assert read_some(source, 3) == []
