"""Work that somebody waits for: it shows how far it is, and Ctrl-C ends it without a loss."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from portrayal.api.interrupt import STOPPED, stop_on_interrupt
from portrayal.api.progress import show_progress
from portrayal.study.run_control import RunControl, Silent
from portrayal.terminal import tell

__all__ = ["attended"]


@contextlib.contextmanager
def attended(*, progress: bool = True, budget: float | None = None) -> Iterator[RunControl]:
    """Yield what a stage tells and asks; one that was stopped ends in KeyboardInterrupt, once all is committed."""
    showing = show_progress() if progress else contextlib.nullcontext(Silent())
    with stop_on_interrupt() as stopped, showing as shown:
        yield RunControl(shown, stopped, budget, tell)
    if stopped():
        tell(STOPPED)
        raise KeyboardInterrupt
