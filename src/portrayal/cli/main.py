"""The command ``portrayal``: from its first moment a signal ends it quietly."""

from __future__ import annotations

import os
import signal
from types import FrameType

from portrayal.api.running.interrupt import install, restore, write_line

__all__ = ["main"]


def main() -> None:
    """Run the command line, which takes a second to load; until then nothing is begun that could be lost."""
    before = install(_leave)
    try:
        from portrayal.cli.command_line import run_command

        run_command()
    finally:
        # Ignored, a signal has ended the work already: while Python ends, no other one counts.
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            restore(before)


def _leave(number: int, frame: FrameType | None) -> None:  # noqa: ARG001  # the signature signal wants
    write_line("stopped")
    os._exit(130)
