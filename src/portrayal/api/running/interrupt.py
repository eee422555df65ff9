"""Ctrl-C and SIGTERM: the first lets the current batch finish, the second stops at once. Nothing recorded is lost."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from types import FrameType
from typing import Any

__all__ = ["AT_ONCE", "STOPPED", "install", "restore", "stop_on_interrupt", "write_line"]

STOPPED = "stopped; nothing is lost, run it again to go on"
AT_ONCE = "stopped at once; what was committed is safe, run it again to go on"
_NUMBERS = (signal.SIGINT, signal.SIGTERM)
_SHOW_CURSOR = "\x1b[?25h"
Handler = Callable[[int, FrameType | None], Any] | signal.Handlers


@contextlib.contextmanager
def stop_on_interrupt() -> Iterator[Callable[[], bool]]:
    """Yield a function that tells whether somebody asked to stop.

    The second signal raises KeyboardInterrupt, or calls ``at_once`` of the handler that was there before, if it has
    that: a program of its own may end, where a notebook must not. Only the main thread hears of signals; work in
    another one goes on.
    """
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    asked, earlier = False, itertools.count()
    ends = getattr(signal.getsignal(signal.SIGINT), "at_once", None)
    at_once = ends or _raise

    def ask(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if next(earlier):  # the other signal came at the same moment
            at_once(number, frame)
        asked = True
        install(at_once)
        write_line("stopping after the current batch; press Ctrl-C again to stop at once")

    before = install(ask)
    try:
        yield lambda: asked
    finally:
        if asked and ends:
            install(signal.SIG_IGN)  # all that is left is a last line
        else:
            restore(before)


def install(handler: Handler) -> dict[signal.Signals, Any]:
    """Let ``handler`` answer both signals, and return those that did."""
    return {number: signal.signal(number, handler) for number in _NUMBERS}


def restore(before: Mapping[signal.Signals, Any]) -> None:
    """Let those answer again that did before."""
    for number, handler in before.items():
        # None: whoever embeds Python had set one that Python does not know.
        signal.signal(number, signal.SIG_DFL if handler is None else handler)


def write_line(line: str) -> None:
    """Write a line to standard error, but not through the stream: a signal may come in the middle of another line."""
    with contextlib.suppress(OSError):
        cursor = _SHOW_CURSOR if os.isatty(2) else ""  # a bar may have hidden it
        os.write(2, f"{cursor}{line}\n".encode())


def _raise(number: int, frame: FrameType | None) -> None:  # noqa: ARG001  # the signature signal wants
    write_line(AT_ONCE)
    raise KeyboardInterrupt
