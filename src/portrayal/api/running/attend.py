"""Work that somebody waits for: it shows how far it is, and Ctrl-C ends it without a loss."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import replace

from portrayal.api.running.interrupt import STOPPED, stop_on_interrupt
from portrayal.api.running.progress import show_progress
from portrayal.engines.ray import RayCluster
from portrayal.errors import StoppedError
from portrayal.study.run_control import RunControl, Silent
from portrayal.terminal import tell

__all__ = ["attended"]


@contextlib.contextmanager
def attended(
    asked: threading.Event,
    *,
    progress: bool = True,
    budget: float | None = None,
    cluster: RayCluster | None = None,
    workers: int = 0,
) -> Iterator[RunControl]:
    """Yield what a stage tells and asks; ``asked`` is set to stop it. Without progress it tells nothing.

    Work that was stopped ends in KeyboardInterrupt or, where the program asked for it, StoppedError, once all is
    committed.
    """
    showing = show_progress() if progress else contextlib.nullcontext(Silent())
    asked.clear()  # what was asked of earlier work
    with stop_on_interrupt() as interrupted, showing as shown:

        def stopped() -> bool:
            return asked.is_set() or interrupted()

        control = RunControl(shown, stopped, budget, cluster=cluster, workers=workers)
        yield replace(control, remark=tell) if progress else control
    if interrupted():
        tell(STOPPED)
        raise KeyboardInterrupt
    if asked.is_set():
        raise StoppedError(STOPPED)
