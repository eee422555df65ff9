from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.study.annotate.feeding import StreamFeed

Groups = Iterator[list[int]]


def fed(stream: object, batches: list[list[int] | None]) -> list[list[int]]:
    feed: StreamFeed[int, list[int]] = StreamFeed(stream, len, lambda groups: [n for own in groups for n in own])  # type: ignore[arg-type]  # as typed below
    return [result for batch in batches for result in feed(batch)]


def regrouped(size: int, ahead: int, batches: Groups) -> Groups:
    """Put so many together, with some groups under way before the first is answered."""
    held: list[int] = []
    waiting: deque[list[int]] = deque()
    for batch in batches:
        held += batch
        while len(held) >= size:
            waiting.append(held[:size])
            held = held[size:]
            if len(waiting) > ahead:
                yield waiting.popleft()
    yield from [*waiting, held] if held else waiting


@given(
    sizes=st.lists(st.integers(1, 6), max_size=12), size=st.integers(1, 5), ahead=st.integers(0, 3), ends=st.booleans()
)
def test_each_batch_has_one_result_and_nothing_is_lost(sizes: list[int], size: int, ahead: int, ends: bool) -> None:
    batches: list[list[int] | None] = []
    for place, own in enumerate(sizes):
        batches.append([10 * place + number for number in range(own)])
        if ends and place == 5:
            batches.append(None)
    found = fed(lambda given: regrouped(size, ahead, given), [*batches, None])
    given_ = [batch for batch in batches if batch is not None]
    assert len(found) == len(given_)
    assert [n for own in found for n in own] == [n for own in given_ for n in own]
    if all(own % size == 0 for own in sizes):
        assert found == given_


def test_a_stream_reads_ahead_of_what_it_has_answered() -> None:
    feed: StreamFeed[int, list[int]] = StreamFeed(lambda given: regrouped(1, 2, given), len, lambda own: own[0])
    early = [feed([number]) for number in range(6)]
    assert early[0] == []
    assert [result for results in [*early, feed(None)] for result in results] == [[n] for n in range(6)]


def test_an_error_of_the_stream_is_raised_where_it_is_fed() -> None:
    def broken(batches: Groups) -> Groups:
        yield next(batches)
        raise OSError("gone")

    feed: StreamFeed[int, list[int]] = StreamFeed(broken, len, lambda own: own[0])
    with pytest.raises(OSError, match="gone"):
        [feed([number]) for number in range(50)]


def test_a_stream_that_ends_by_itself_keeps_nobody_waiting() -> None:
    def short(batches: Groups) -> Groups:
        yield next(batches)

    feed: StreamFeed[int, list[int]] = StreamFeed(short, len, lambda own: own[0])
    found = [result for batch in ([1], [2], [3], [4], None) for result in feed(batch)]
    assert found == [[1]]
