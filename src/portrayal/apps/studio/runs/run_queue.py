"""Starts and stops runs: one at a time on this machine, one for each study; the others wait in the order they came."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from portrayal.apps.studio.listed_studies import STATE, ListedStudy
from portrayal.apps.studio.runs.run_state import RunFiles, RunPhase, RunRecord, RunView, process_mark, view_run
from portrayal.apps.studio.runs.waiting_list import Waiting, read_waiting, write_waiting

__all__ = ["RunQueue"]

_CHILD = "portrayal.apps.studio.runs.run_child"


@dataclass
class RunQueue:
    """The runs that this server's pages ask for. What is known of them lies on disk, so that a new server knows it too.

    ``env`` is the environment of runs; None: that of the server.
    """

    root: Path
    env: Mapping[str, str] | None = None
    _waiting: Waiting = field(default_factory=dict)
    _children: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    _stopping: set[str] = field(default_factory=set)
    _turn: threading.RLock = field(default_factory=threading.RLock)
    """Pages and the server's own looks come in threads of their own: without it a run could be started twice."""

    def __post_init__(self) -> None:
        # Who was started just before the last server was killed runs already.
        for key, waited in read_waiting(self.root).items():
            if not self.view(key).active:
                self._waiting[key] = waited

    def files(self, key: str) -> RunFiles:
        """Return where a study's run is kept."""
        return RunFiles(self.root / STATE / key)

    def view(self, key: str) -> RunView:
        """Return where a study's run is."""
        with self._turn:
            return self._view(key)

    def _view(self, key: str) -> RunView:
        self._reap(key)
        if key in self._waiting:
            return RunView(RunPhase.QUEUED)
        view = view_run(self.files(key).read())
        if view.phase is RunPhase.KILLED:  # or it ended between the two looks, and has written down how
            view = view_run(self.files(key).read())
        # A child that has written nothing down yet, or its last word, is there all the same.
        if key in self._children or view.phase is RunPhase.RUNNING:
            return RunView(RunPhase.RUNNING, view.record, stopping=key in self._stopping)
        self._stopping.discard(key)
        return view

    def ask(self, study: ListedStudy, budget: float | None = None) -> None:
        """Run a study, at once or when those before it are done; nothing where it runs or waits already."""
        with self._turn:
            if not self.view(study.key).active:
                self._waiting[study.key] = (study, "-" if budget is None else repr(budget))
                (self.root / STATE).mkdir(exist_ok=True)
                write_waiting(self.root, self._waiting)
                self.tend()

    def stop(self, key: str) -> None:
        """Have a run finish its batch and end, or take it out of the queue."""
        with self._turn:
            if self._waiting.pop(key, None) is not None:
                write_waiting(self.root, self._waiting)
            elif self.view(key).phase is RunPhase.RUNNING:
                child = self._children.get(key)
                self._stopping.add(key)
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child.pid if child else self.files(key).read().pid, signal.SIGINT)

    def tend(self) -> None:
        """Start the next run unless one is under way."""
        with self._turn:
            for key in [*self._children]:
                self._reap(key)
            if self._waiting and not self._children and not self._adopted():
                key, (study, budget) = next(iter(self._waiting.items()))
                self._start(study, budget)
                del self._waiting[key]
                write_waiting(self.root, self._waiting)

    def _adopted(self) -> bool:
        """Return whether a run of an earlier server still goes on."""
        state = self.root / STATE
        keys = [path.name for path in state.iterdir()] if state.is_dir() else []
        return any(view_run(self.files(key).read()).phase is RunPhase.RUNNING for key in keys)

    def _start(self, study: ListedStudy, budget: str) -> None:
        files = self.files(study.key)
        files.folder.mkdir(parents=True, exist_ok=True)
        # -P: neither the folder that this is started in nor the study's may hold modules that run.
        command = [sys.executable, "-P", "-m", _CHILD, str(study.folder), str(files.folder), budget]
        files.record.unlink(missing_ok=True)
        with files.log.open("wb") as log:
            child = subprocess.Popen(  # noqa: S603 - our own module, and paths as arguments
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env=self.env,
            )
        # A server that is killed before the run says anything would know of none.
        files.begin(RunRecord(RunPhase.RUNNING, child.pid, process_mark(child.pid) or ""))
        self._children[study.key] = child

    def _reap(self, key: str) -> None:
        """Let go of a run that has ended; the record says how, or that it was killed before it said anything."""
        child = self._children.get(key)
        if child is not None and child.poll() is not None:
            del self._children[key]
            files = self.files(key)
            # Killed ones are told by their record. Others may have ended before they could write down how.
            if files.read().phase is RunPhase.RUNNING and child.returncode == -signal.SIGINT:
                files.write(RunRecord(RunPhase.STOPPED))
            elif files.read().phase is RunPhase.RUNNING and child.returncode >= 0:
                lines = files.last_lines()
                files.write(RunRecord(RunPhase.FAILED, line=lines[-1] if lines else ""))
