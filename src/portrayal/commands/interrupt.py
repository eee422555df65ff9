"""Ctrl-C and SIGTERM on the command line: the second one ends the process.

An exception at any moment would surface wherever the work happens to be, in a database's code or in clean-up, as a
traceback. So the second signal ends the process itself, as a kill would; what that leaves, the next run puts in order.
So does the first one while a package is loaded: many print what stops them, or go on without a part of themselves.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import NoReturn

import typer

from portrayal.api.running.interrupt import AT_ONCE, STOPPED, install, restore, write_line
from portrayal.terminal import tell

__all__ = ["EXIT_STOPPED", "end_stopped", "heed_signals"]

EXIT_STOPPED = 130
"""The exit code."""
_LOADER = "<frozen importlib._bootstrap>"


@contextlib.contextmanager
def heed_signals() -> Iterator[Callable[[], bool]]:
    """Raise ``KeyboardInterrupt`` at the first signal, end the process at the second; yield whether there was one."""
    heeding = _Heeding()
    before = install(heeding)
    sys.unraisablehook = heeding.unraisable
    try:
        yield lambda: heeding.asked
    finally:
        sys.unraisablehook = heeding.other_unraisable
        if signal.getsignal(signal.SIGINT) in (_end, signal.SIG_IGN):
            # All is said and done. A process loses its handlers before it ends, and would then die of a signal.
            install(signal.SIG_IGN)
        else:
            restore(before)


def end_stopped() -> NoReturn:
    """End a command that was asked to stop and did, with the last line that it says."""
    tell(STOPPED)
    raise typer.Exit(EXIT_STOPPED)


def _end(number: int, frame: FrameType | None) -> None:  # noqa: ARG001  # the signature signal wants
    install(signal.SIG_IGN)
    write_line(AT_ONCE)
    os._exit(EXIT_STOPPED)


class _Heeding:
    """Answers the first signal; work that stops by itself at the first one asks for ``at_once`` at the second."""

    at_once = staticmethod(_end)

    def __init__(self) -> None:
        self.asked = False
        self.other_unraisable = sys.unraisablehook
        self._earlier = itertools.count()

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if next(self._earlier):  # the other signal came at the same moment
            _end(number, frame)
        self.asked = True
        install(_end)
        if _is_loading(frame):
            _leave()
        raise KeyboardInterrupt

    def unraisable(self, problem: sys.UnraisableHookArgs) -> None:
        """End the process where Python would drop the exception, as in the clean-up of an object, and go on."""
        if self.asked and isinstance(problem.exc_value, KeyboardInterrupt):
            _leave()
        self.other_unraisable(problem)


def _is_loading(frame: FrameType | None) -> bool:
    """Return whether a package is being loaded at that moment."""
    while frame is not None and frame.f_code.co_filename != _LOADER:
        frame = frame.f_back
    return frame is not None


def _leave() -> NoReturn:
    install(signal.SIG_IGN)
    write_line("stopped")
    os._exit(EXIT_STOPPED)
