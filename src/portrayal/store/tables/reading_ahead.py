"""Reading ahead: the next piece is fetched in a thread while the caller works on one."""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator, Iterable
from typing import TypeVar

__all__ = ["read_ahead"]

T = TypeVar("T")
_AHEAD = 2
_PATIENCE = 0.1
"""Seconds after which a reader whose caller has gone away notices it."""


class _End:
    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error


def read_ahead(items: Iterable[T]) -> Generator[T, None, None]:
    """Yield the items in order; an error in them is raised where they are used."""
    ready: queue.Queue[T | _End] = queue.Queue(_AHEAD)
    gone = threading.Event()

    def put(item: T | _End) -> None:
        while not gone.is_set():
            try:
                ready.put(item, timeout=_PATIENCE)
            except queue.Full:
                continue
            return

    def fetch() -> None:
        try:
            for item in items:
                put(item)
                if gone.is_set():
                    return
            put(_End())
        except BaseException as error:  # whatever it is, the caller must learn of it
            put(_End(error))

    thread = threading.Thread(target=fetch, name="portrayal read ahead", daemon=True)
    thread.start()
    try:
        while not isinstance(item := ready.get(), _End):
            yield item
        if item.error is not None:
            raise item.error
    finally:
        gone.set()
        thread.join()
