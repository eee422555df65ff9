"""Ctrl-C and SIGTERM on the command line: the second one ends the process.

An exception at any moment would surface wherever the work happens to be, in a database's code or in clean-up, as a
traceback. So the second signal ends the process itself, as a kill would; what that leaves, the next run puts in order.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
from collections.abc import Callable, Iterator
from types import FrameType
from typing import NoReturn

import typer

from portrayal.api.running.interrupt import AT_ONCE, STOPPED, install, restore, write_line
from portrayal.terminal import tell

__all__ = ["EXIT_STOPPED", "end_stopped", "heed_signals"]

EXIT_STOPPED = 130
"""The exit code."""


@contextlib.contextmanager
def heed_signals() -> Iterator[Callable[[], bool]]:
    """Raise ``KeyboardInterrupt`` at the first signal, end the process at the second; yield whether there was one."""
    heeding = _Heeding()
    before = install(heeding)
    try:
        yield lambda: heeding.asked
    finally:
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
        self._earlier = itertools.count()

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if next(self._earlier):  # the other signal came at the same moment
            _end(number, frame)
        self.asked = True
        install(_end)
        raise KeyboardInterrupt
