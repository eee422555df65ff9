"""The process of a run: does what ``portrayal run`` does, and writes down how far it is."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace
from pathlib import Path

from portrayal.api.running.interrupt import STOPPED, stop_on_interrupt
from portrayal.apps.studio.runs.run_state import RunFiles, RunPhase, RunRecord, process_mark
from portrayal.errors import PortrayalError
from portrayal.study.plan.costs import require_prices
from portrayal.study.run import STAGES, run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

__all__ = ["WrittenProgress", "run_here"]

WRITE_EVERY = 0.5
"""Seconds."""
MOST_REMARKS = 20


class WrittenProgress:
    """Progress that is written to the run's record, at most twice a second."""

    def __init__(self, files: RunFiles, budget: float | None = None) -> None:
        self._files = files
        given = "" if budget is None else repr(budget)
        self.record = RunRecord(RunPhase.RUNNING, os.getpid(), process_mark(os.getpid()) or "", budget=given)
        self._began = self._written = 0.0
        self._write()

    def start(self, stage: str, total: int) -> None:
        """Write that a stage begins."""
        self._began = time.monotonic()
        self.record = replace(self.record, stage=stage, done=0, total=total, rate=0.0)
        self._write()

    def advance(self, steps: int) -> None:
        """Count, and write now and then."""
        done = self.record.done + steps
        rate = done / max(time.monotonic() - self._began, 1e-9)
        self.record = replace(self.record, done=done, rate=rate)
        if time.monotonic() - self._written > WRITE_EVERY:
            self._write()

    def finish(self) -> None:
        """Write how the stage ended."""
        self._write()

    def remark(self, line: str) -> None:
        """Keep what the user should know and is no error."""
        if line not in self.record.remarks:
            self.record = replace(self.record, remarks=(*self.record.remarks, line)[-MOST_REMARKS:])
            self._write()

    def end(self, phase: RunPhase, line: str = "") -> None:
        """Write how the run ended: what stands there last."""
        self.record = replace(self.record, phase=phase, line=line)
        self._write()

    def _write(self) -> None:
        self._written = time.monotonic()
        self._files.write(self.record)


def run_here(folder: Path, files: RunFiles, budget: float | None) -> int:
    """Run the study in this process; return the exit code that ``portrayal run`` would have."""
    progress = WrittenProgress(files, budget)
    try:
        with stop_on_interrupt() as stopped:
            study = OpenStudy(folder)
            if budget is not None:
                require_prices(study, tuple(STAGES))
            run_stages(study, RunControl(progress, stopped, budget, remark=progress.remark))
        if stopped():
            progress.end(RunPhase.STOPPED, STOPPED)
            return 130
        progress.end(RunPhase.DONE)
    except PortrayalError as error:
        progress.end(RunPhase.FAILED, str(error))
        return 2
    except KeyboardInterrupt:
        progress.end(RunPhase.STOPPED, STOPPED)
        return 130
    except BaseException as error:
        progress.end(RunPhase.FAILED, f"{type(error).__name__}: {error}")
        raise
    return 0


def main() -> None:
    """Run with the arguments of this process: the study, the folder of the run's files, and the budget or ``-``."""
    folder, files, budget = sys.argv[1:]
    sys.exit(run_here(Path(folder), RunFiles(Path(files)), None if budget == "-" else float(budget)))


if __name__ == "__main__":
    main()
