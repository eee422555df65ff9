"""How far a stage is: a bar in a notebook or on a terminal, a line now and then in a log."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Any

from portrayal.terminal import printable, tell

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

    from portrayal.study.run_control import Progress

__all__ = ["show_progress"]

LOG_EVERY = 30.0
DRAW_EVERY = 0.1


@contextlib.contextmanager
def show_progress() -> Iterator[Progress]:
    """Give a bar in a notebook or on a terminal, lines elsewhere; the terminal is left as it was, whatever happens."""
    if in_notebook():
        yield NotebookBar()
        return
    if not sys.stderr.isatty():
        yield Log()
        return
    bar = Bar()
    try:
        yield bar
    finally:
        bar.close()


def in_notebook() -> bool:
    """Return whether this process is a notebook's kernel; without loading what only a notebook needs."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


class NotebookBar:
    """A bar of the browser's own for each stage, drawn again a few times a second."""

    def start(self, stage: str, total: int) -> None:
        """Show the bar below the cell."""
        import IPython.display

        display: Any = IPython.display.display
        self._stage, self._total, self._done = stage, total, 0
        self._began = self._drawn = time.monotonic()
        self._place = display(self, display_id=True)

    def advance(self, steps: int) -> None:
        """Move the bar."""
        self._done += steps
        if time.monotonic() - self._drawn > DRAW_EVERY:
            self._drawn = time.monotonic()
            self._place.update(self)

    def finish(self) -> None:
        """Leave the bar as it ended."""
        self._place.update(self)

    def __repr__(self) -> str:
        if not self._total:
            return f"{self._stage}: nothing to do"
        rate = self._done / max(time.monotonic() - self._began, 1e-9)
        return f"{self._stage}: {self._done} of {self._total}, {rate:.1f}/s"

    def _repr_html_(self) -> str:
        bar = f'<progress max="{self._total}" value="{self._done}"></progress> ' if self._total else ""
        return f"<div>{bar}{escape(repr(self))}</div>"


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
