"""Ctrl-C and SIGTERM: the first lets the current batch finish, the second ends the process. Nothing recorded is lost.

An exception at any moment would surface wherever the work happens to be, in a database's code or in clean-up, as a
traceback. So the second signal ends the process itself, as a kill would; what that leaves, the next run puts in order.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
from collections.abc import Callable, Iterator, Mapping
from types import FrameType
from typing import Any, NoReturn

import typer

from portrayal.terminal import tell

__all__ = ["STOPPED", "end_stopped", "heed_signals", "stop_on_interrupt"]

STOPPED = 130
"""The exit code."""
_NUMBERS = (signal.SIGINT, signal.SIGTERM)
_SHOW_CURSOR = "\x1b[?25h"
Handler = Callable[[int, FrameType | None], Any] | signal.Handlers


@contextlib.contextmanager
def heed_signals() -> Iterator[Callable[[], bool]]:
    """Raise ``KeyboardInterrupt`` at the first signal, end the process at the second; yield whether there was one."""
    asked, earlier = False, itertools.count()

    def ask(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if next(earlier):  # the other signal came at the same moment
            _end(number, frame)
        asked = True
        _install(_end)
        raise KeyboardInterrupt

    before = _install(ask)
    try:
        yield lambda: asked
    finally:
        if signal.getsignal(signal.SIGINT) in (_end, signal.SIG_IGN):
            # All is said and done. A process loses its handlers before it ends, and would then die of a signal.
            _install(signal.SIG_IGN)
        else:
            _restore(before)


@contextlib.contextmanager
def stop_on_interrupt() -> Iterator[Callable[[], bool]]:
    """Yield a function that tells whether somebody asked to stop; the second signal ends the process."""
    asked, earlier = False, itertools.count()

    def ask(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if next(earlier):  # the other signal came at the same moment
            _end(number, frame)
        asked = True
        _install(_end)
        _write("stopping after the current batch; press Ctrl-C again to stop at once")

    before = _install(ask)
    try:
        yield lambda: asked
    finally:
        if not asked:
            _restore(before)


def end_stopped() -> NoReturn:
    """End a command that was asked to stop and did, with the last line that it says."""
    _install(signal.SIG_IGN)
    tell("stopped; nothing is lost, run the same command to go on")
    raise typer.Exit(STOPPED)


def _install(handler: Handler) -> dict[signal.Signals, Any]:
    return {number: signal.signal(number, handler) for number in _NUMBERS}


def _restore(before: Mapping[signal.Signals, Any]) -> None:
    for number, handler in before.items():
        signal.signal(number, handler)


def _end(number: int, frame: FrameType | None) -> None:  # noqa: ARG001  # the signature signal wants
    _install(signal.SIG_IGN)
    _write("stopped at once; what was committed is safe, run the same command to go on")
    os._exit(STOPPED)


def _write(line: str) -> None:
    # Not through the stream: the signal may have come in the middle of a line that is written there.
    with contextlib.suppress(OSError):
        cursor = _SHOW_CURSOR if os.isatty(2) else ""  # a bar may have hidden it
        os.write(2, f"{cursor}{line}\n".encode())
