"""Large answers one at a time: many threads ask, and what they hold together must fit into memory."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import threading
from collections.abc import Iterator
from contextvars import ContextVar

__all__ = ["LARGE", "answer_scope", "wait_turn"]

LARGE = 4 * 1024 * 1024
"""Bytes from which on an answer waits for its turn."""

_MMAP_THRESHOLD = -3  # of glibc's mallopt
_TURN = threading.Lock()
_SCOPE: ContextVar[contextlib.ExitStack | None] = ContextVar("scope of an answer", default=None)
_HELD: ContextVar[bool] = ContextVar("whether this answer has its turn", default=False)


@contextlib.contextmanager
def answer_scope() -> Iterator[None]:
    """Hold the turn, if it is taken inside, until what an answer comes to is known."""
    if _SCOPE.get() is not None:  # one inside another would wait for itself
        yield
        return
    with contextlib.ExitStack() as stack:
        scope, held = _SCOPE.set(stack), _HELD.set(False)
        stack.callback(_HELD.reset, held)
        stack.callback(_SCOPE.reset, scope)
        yield


def wait_turn(seconds: float | None = None) -> bool:
    """Wait until no other thread holds a large answer; return whether that was so in time."""
    scope = _SCOPE.get()
    if scope is None or _HELD.get():  # nobody would end the turn, or it is ours already
        return True
    if not _TURN.acquire(timeout=-1 if seconds is None else seconds):
        return False
    scope.callback(_TURN.release)
    scope.callback(_give_back)
    _HELD.set(True)
    _map_large_blocks()
    return True


def _map_large_blocks() -> None:
    """Let blocks of a mebibyte and more go back to the system when they are freed, in every thread."""
    with contextlib.suppress(OSError, AttributeError, TypeError):  # other systems have no such function
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, 1024 * 1024)


def _give_back() -> None:
    """Hand the memory of a large answer back to the system.

    Errors and the frames they went through hold each other, and with them what was read. What is free at last, glibc
    would keep, for each thread that ever had its turn.
    """
    gc.collect()
    with contextlib.suppress(OSError, AttributeError, TypeError):  # other systems have no such function
        ctypes.CDLL(None).malloc_trim(0)
