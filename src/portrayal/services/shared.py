"""Connections that all threads share: opened at the first use, closed with their owner."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import Any

__all__ = ["Shared"]


class Shared:
    """What ``opened`` returns, which has a method ``close``; in another process it is opened anew."""

    def __init__(self, opened: Callable[[], Any]) -> None:
        self._opened = opened
        self._lock = threading.Lock()
        self._held: Any = None

    def __reduce__(self) -> tuple[type[Shared], tuple[Callable[[], Any]]]:
        # Connections and locks do not travel.
        return Shared, (self._opened,)

    def get(self) -> Any:
        """Return it, opened now if it was not yet."""
        with self._lock:
            if self._held is None:
                self._held = self._opened()
                weakref.finalize(self, self._held.close)
            return self._held
