"""How far a stage is: a bar with rate and time left on a terminal, a line now and then in a log."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from portrayal.terminal import printable, tell

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

    from portrayal.study.run_control import Progress

__all__ = ["terminal_progress"]

LOG_EVERY = 30.0


@contextlib.contextmanager
def terminal_progress() -> Iterator[Progress]:
    """Give a bar on a terminal, lines elsewhere; the terminal is left as it was, even after an error."""
    if not sys.stderr.isatty():
        yield Log()
        return
    bar = Bar()
    try:
        yield bar
    finally:
        bar.close()


class Bar:
    """A Rich bar with counts, rate and time left."""

    def __init__(self) -> None:
        self._bar: RichProgress | None = None
        self._task: TaskID | None = None

    def start(self, stage: str, total: int) -> None:
        """Draw the bar."""
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
        rate = TextColumn("{task.fields[rate]}/s")
        self._bar = Progress(*columns, rate, TimeRemainingColumn(), console=Console(stderr=True))
        self._task = self._bar.add_task(printable(stage), total=total, rate="-")
        self._bar.start()

    def advance(self, steps: int) -> None:
        """Move the bar."""
        assert self._bar is not None
        assert self._task is not None
        self._bar.advance(self._task, steps)
        speed = self._bar.tasks[0].speed
        self._bar.update(self._task, rate=f"{speed:.1f}" if speed else "-")

    def finish(self) -> None:
        """Leave the bar as it is and go to the next line."""
        self.close()

    def close(self) -> None:
        """Give the terminal back: cursor and standard error."""
        if self._bar is not None:
            self._bar.stop()
        self._bar = None


class Log:
    """A line at the end of each stage, and one every half minute."""

    def start(self, stage: str, total: int) -> None:
        """Note the time."""
        self._stage, self._total, self._done = stage, total, 0
        self._began = self._told = time.monotonic()

    def advance(self, steps: int) -> None:
        """Count, and tell now and then."""
        self._done += steps
        if time.monotonic() - self._told > LOG_EVERY:
            self._told = time.monotonic()
            left = (self._total - self._done) / max(self._rate(), 1e-9)
            tell(f"{self._stage}: {self._done} of {self._total}, {self._rate():.1f}/s, about {left:.0f} s left")

    def finish(self) -> None:
        """Tell how it ended."""
        if self._total:
            seconds = time.monotonic() - self._began
            tell(f"{self._stage}: {self._done} of {self._total}, {self._rate():.1f}/s, {seconds:.1f} s")
        else:
            tell(f"{self._stage}: nothing to do")

    def _rate(self) -> float:
        return self._done / max(time.monotonic() - self._began, 1e-9)
