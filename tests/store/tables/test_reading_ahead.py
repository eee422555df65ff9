from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.store.tables.reading_ahead import read_ahead


def readers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "portrayal read ahead"]


@given(st.lists(st.integers()))
def test_everything_comes_in_order(items: list[int]) -> None:
    assert list(read_ahead(items)) == items
    assert not readers()


def test_an_error_is_raised_where_the_items_are_used() -> None:
    def broken() -> Iterator[int]:
        yield 1
        raise OSError("gone")

    items = read_ahead(broken())
    assert next(items) == 1
    with pytest.raises(OSError, match="gone"):
        next(items)
    assert not readers()


def test_who_stops_early_leaves_no_thread_behind() -> None:
    items = read_ahead(iter(range(1_000_000)))
    assert next(items) == 0
    assert readers()
    items.close()
    assert not readers()


def test_a_few_items_are_fetched_before_they_are_asked_for() -> None:
    fetched = threading.Event()

    def source() -> Iterator[int]:
        yield 0
        yield 1
        fetched.set()
        yield 2

    items = read_ahead(source())
    assert next(items) == 0
    assert fetched.wait()
    assert list(items) == [1, 2]
