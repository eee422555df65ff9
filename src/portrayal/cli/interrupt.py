"""Ctrl-C: the first one lets the current batch finish, the second one stops at once. Nothing recorded is lost."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator
from types import FrameType

from portrayal.terminal import tell

__all__ = ["stop_on_interrupt"]


@contextlib.contextmanager
def stop_on_interrupt() -> Iterator[Callable[[], bool]]:
    """Yield a function that tells whether the user, or the system, asked to stop."""
    asked = 0

    def ask(number: int, frame: FrameType | None) -> None:  # noqa: ARG001  # the signature signal wants
        nonlocal asked
        asked += 1
        if asked > 1:
            raise KeyboardInterrupt
        tell("stopping after the current batch; press Ctrl-C again to stop at once")

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: asked > 0
    except KeyboardInterrupt:
        # Said here: Typer turns the exception into the exit code 130 before the command line's entry sees it.
        tell("stopped at once; what was committed is safe, run the same command to go on")
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
