from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable

import pytest

from portrayal.apps.arena.battles.battle import Change
from portrayal.errors import StorageError
from portrayal.study.sql.rater import Rater
from portrayal.study.sql.writer import ChangeWriter


def change(number: int) -> Change:
    return Change([Rater(f"r{number}", f"h{number}", "", "", 0.0)])


class Disk:
    """Takes batches of changes; it can be made to wait and to fail."""

    def __init__(self) -> None:
        self.batches: list[list[Change]] = []
        self.go = threading.Event()
        self.go.set()
        self.problem: Exception | None = None

    def write(self, changes: Iterable[Change]) -> None:
        self.go.wait()
        if self.problem:
            raise self.problem
        self.batches.append(list(changes))


def test_changes_that_wait_at_the_same_time_are_written_together() -> None:
    disk = Disk()

    async def work() -> None:
        writer = ChangeWriter(disk.write)
        disk.go.clear()
        waiting = [asyncio.create_task(writer.commit(change(number))) for number in range(100)]
        await asyncio.sleep(0.05)  # the first one is being written, and the others come in
        assert not any(task.done() for task in waiting)
        disk.go.set()
        await asyncio.gather(*waiting)
        await writer.close()

    asyncio.run(work())
    assert [one for batch in disk.batches for one in batch] == [change(number) for number in range(100)]
    assert len(disk.batches) <= 2  # the first may be on its way alone


def test_a_batch_is_bounded() -> None:
    disk = Disk()

    async def work() -> None:
        writer = ChangeWriter(disk.write)
        disk.go.clear()
        waiting = [asyncio.create_task(writer.commit(change(number))) for number in range(1200)]
        await asyncio.sleep(0.05)
        disk.go.set()
        await asyncio.gather(*waiting)
        await writer.close()

    asyncio.run(work())
    assert sum(map(len, disk.batches)) == 1200
    assert max(map(len, disk.batches)) == 500


def test_all_who_waited_learn_of_a_failure_and_the_next_one_works() -> None:
    disk = Disk()

    async def work() -> None:
        writer = ChangeWriter(disk.write)
        disk.problem = StorageError("disk: full")
        disk.go.clear()
        waiting = [asyncio.create_task(writer.commit(change(number))) for number in range(3)]
        await asyncio.sleep(0.05)
        disk.go.set()
        for task in waiting:
            with pytest.raises(StorageError, match="disk: full"):
                await task
        disk.problem = None
        await writer.commit(change(7))
        await writer.close()

    asyncio.run(work())
    assert disk.batches == [[change(7)]]


def test_closing_writes_what_waits() -> None:
    disk = Disk()

    async def work() -> None:
        writer = ChangeWriter(disk.write)
        disk.go.clear()
        waiting = [asyncio.create_task(writer.commit(change(number))) for number in range(3)]
        await asyncio.sleep(0.05)
        closing = asyncio.create_task(writer.close())
        await asyncio.sleep(0.05)
        assert not closing.done()
        disk.go.set()
        await closing
        await asyncio.gather(*waiting)

    asyncio.run(work())
    assert sum(map(len, disk.batches)) == 3


def test_someone_who_stopped_waiting_does_no_harm() -> None:
    disk = Disk()

    async def work() -> None:
        writer = ChangeWriter(disk.write)
        disk.go.clear()
        gone, waiting = (asyncio.create_task(writer.commit(change(number))) for number in range(2))
        await asyncio.sleep(0.05)
        gone.cancel()
        disk.go.set()
        await waiting
        await writer.close()

    asyncio.run(work())
    assert sum(map(len, disk.batches)) == 2
