"""Work that was begun is done to its end, even if the browser that asked for it goes away."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

__all__ = ["StartedWork"]

T = TypeVar("T")


class StartedWork:
    """What requests have begun and what is not finished yet."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    async def to_end(self, work: Coroutine[Any, Any, T]) -> T:
        """Do the work to its end, even if the request that asked for it is cancelled meanwhile."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return await asyncio.shield(task)

    async def finish(self) -> None:
        """Wait for all that was begun."""
        await asyncio.gather(*self._running, return_exceptions=True)
