"""What is known of a study's last run: kept in a small file, and true also after the server was killed."""

from __future__ import annotations

import contextlib
import os
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from portrayal.errors import PortrayalError
from portrayal.store.checksums.checked_json import checked_json, read_checked_json, write_checked_json

__all__ = ["RunFiles", "RunPhase", "RunRecord", "RunView", "process_mark", "view_run"]

_LAST_LINES, _LOG_END = 20, 10_000


class RunPhase(StrEnum):
    """Where a run is."""

    NONE = "none"
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"
    KILLED = "killed"


@dataclass(frozen=True, slots=True)
class RunRecord:
    """What the process of a run writes down.

    ``mark`` tells it from a later process of the same number; ``budget`` is in US dollars, empty where there is none.
    """

    phase: RunPhase = RunPhase.NONE
    pid: int = 0
    mark: str = ""
    stage: str = ""
    done: int = 0
    total: int = 0
    rate: float = 0.0
    line: str = ""
    remarks: tuple[str, ...] = ()
    budget: str = ""


@dataclass(frozen=True, slots=True)
class RunView:
    """A run as a page shows it: like its record, but that a process which is gone is not said to be running."""

    phase: RunPhase
    record: RunRecord = field(default_factory=RunRecord)
    stopping: bool = False
    """Whether it was asked to end, and finishes its batch."""

    @property
    def active(self) -> bool:
        """Whether it runs or waits to."""
        return self.phase in (RunPhase.RUNNING, RunPhase.QUEUED)

    @property
    def seconds_left(self) -> float | None:
        """How long the stage takes at the present rate; None where that is not known."""
        left = self.record.total - self.record.done
        return left / self.record.rate if self.record.rate > 0 and left > 0 else None


@dataclass(frozen=True, slots=True)
class RunFiles:
    """The files of a study's run."""

    folder: Path

    @property
    def record(self) -> Path:
        """What the run writes down of itself."""
        return self.folder / "run.json"

    @property
    def log(self) -> Path:
        """What it prints."""
        return self.folder / "log.txt"

    def write(self, record: RunRecord) -> None:
        """Write the record, all of it or nothing."""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_checked_json(self.record, asdict(record))

    def begin(self, record: RunRecord) -> None:
        """Write a run's first record, unless the run has written one itself: it may have ended by now."""
        with contextlib.suppress(FileExistsError), self.record.open("xb") as file:
            file.write(checked_json(asdict(record)))

    def read(self) -> RunRecord:
        """Return the record; an empty one where there is none, or none that can be read."""
        empty = asdict(RunRecord())
        try:
            kept = read_checked_json(self.record, [name for name in empty if name != "budget"], "run the study again")
            values = {"budget": "", **kept}  # a record from before budgets were written down has none
            known: dict[str, Any] = {name: type(value)(values[name]) for name, value in empty.items()}
            return RunRecord(**{**known, "remarks": tuple(map(str, values["remarks"]))})
        except (OSError, PortrayalError, ValueError, KeyError, TypeError, OverflowError):
            return RunRecord()

    def last_lines(self) -> list[str]:
        """Return the end of what was printed."""
        try:
            with self.log.open("rb") as file:
                file.seek(max(os.fstat(file.fileno()).st_size - _LOG_END, 0))
                text = file.read(_LOG_END).decode("utf-8", "replace")
        except OSError:
            return []
        return text.splitlines()[-_LAST_LINES:]


def view_run(record: RunRecord) -> RunView:
    """Return where a run really is: one whose process is gone without a word was killed."""
    if record.phase is RunPhase.RUNNING and (not record.pid or process_mark(record.pid) != record.mark):
        return RunView(RunPhase.KILLED, record)
    return RunView(record.phase, record)


def process_mark(pid: int) -> str | None:
    """Return what tells a living process from others of the same number: when it began. None: there is none."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 - a file of the kernel has no size
            state, *later = file.read(4096).rpartition(b")")[2].split()
        return None if state in (b"Z", b"X") else later[18].decode()
    except FileNotFoundError:
        if os.path.isdir("/proc/self"):  # noqa: PTH112 - as above
            return None
    except (OSError, IndexError):
        return None
    try:  # systems without /proc: the number alone
        os.kill(pid, 0)
    except OSError:
        return None
    return ""
