"""Connections that all threads share: opened at the first use, closed with their owner."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import Any

__all__ = ["SharedConnection"]


class SharedConnection:
    """What ``connect`` returns, which has a method ``close``; in another process it is opened anew."""

    def __init__(self, connect: Callable[[], Any]) -> None:
        self._connect = connect
        self._lock = threading.Lock()
        self._connection: Any = None

    def __reduce__(self) -> tuple[type[SharedConnection], tuple[Callable[[], Any]]]:
        # Connections and locks do not travel.
        return SharedConnection, (self._connect,)

    def get(self) -> Any:
        """Return it, opened now if it was not yet."""
        with self._lock:
            if self._connection is None:
                self._connection = self._connect()
                weakref.finalize(self, self._connection.close)
            return self._connection
