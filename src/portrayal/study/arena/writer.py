"""Group commit: changes that wait at the same time go to disk together, in one transaction."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from queue import Empty, SimpleQueue

from portrayal.arena.battles.battle import Change

__all__ = ["Writer"]

_MOST = 500
"""Changes in one transaction, so that none waits long for others."""


@dataclass(frozen=True, slots=True)
class _Order:
    change: Change
    done: asyncio.Future[None]


class Writer:
    """One thread that writes. ``write`` commits changes, all or none, and is called by that thread only."""

    def __init__(self, write: Callable[[Iterable[Change]], None]) -> None:
        self._write = write
        self._loop = asyncio.get_running_loop()
        self._orders: SimpleQueue[_Order | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="arena-writer", daemon=True)
        self._thread.start()

    async def commit(self, change: Change) -> None:
        """Return when the change is on disk; if it could not be written, raise why, and nothing of it was."""
        done = self._loop.create_future()
        self._orders.put(_Order(change, done))
        await done

    async def close(self) -> None:
        """Write what is waiting, then end."""
        self._orders.put(None)
        await asyncio.to_thread(self._thread.join)

    def _work(self) -> None:
        while (first := self._orders.get()) is not None:
            orders, last = self._waiting(first)
            problem: Exception | None = None
            try:
                self._write([order.change for order in orders])
            except Exception as error:
                problem = error
            self._loop.call_soon_threadsafe(_answer, orders, problem)
            if last:
                return

    def _waiting(self, first: _Order) -> tuple[list[_Order], bool]:
        """Return what waits to be written now, and whether the end was asked for behind it."""
        orders = [first]
        while len(orders) < _MOST:
            try:
                order = self._orders.get_nowait()
            except Empty:
                break
            if order is None:
                return orders, True
            orders.append(order)
        return orders, False


def _answer(orders: Iterable[_Order], problem: Exception | None) -> None:
    for order in orders:
        if order.done.done():
            continue  # nobody waits any more
        if problem is None:
            order.done.set_result(None)
        else:
            order.done.set_exception(problem)
