"""Sites where people judge a study's pictures: each a process of its own, as its command starts it in a terminal."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from portrayal.apps.studio.listed_studies import STATE, ListedStudy
from portrayal.apps.studio.people.site_lines import SiteLines, read_lines
from portrayal.apps.studio.runs.run_state import process_mark
from portrayal.bundles import apps
from portrayal.csvfile import csv_text
from portrayal.errors import InputError, PortrayalError
from portrayal.inputfile import read_regular
from portrayal.language.translation import t
from portrayal.store.checksums.checked_json import read_checked_json, write_checked_json
from portrayal.store.files import write_atomic

__all__ = ["ARENA", "LABELS", "RELATIONS", "PeopleSite", "PeopleSites", "people_apps"]

_LARGEST = 200_000
_ITSELF = "studio"
LABELS, RELATIONS, ARENA = "labels", "graph", "arena"
"""Sites of which pages say more: the first two are asked for in more words than the study's folder."""
BEST = "100"
"""Pictures whose labels narrow shares the most."""
MOST_PEOPLE = 50
_PERSON = re.compile(r"[^\W_][\w .-]{0,59}")
_CLOSED_WITHIN = 10.0
"""Seconds that closing waits for: longer ones are said to go on."""
_LOOK_EVERY = 0.05


@dataclass(frozen=True, slots=True)
class PeopleSite:
    """A site for a study: what people do there, whether it runs, what it printed, or how to enable it."""

    name: str
    summary: str
    remedy: str = ""
    running: bool = False
    closing: bool = False
    lines: SiteLines = field(default_factory=SiteLines)

    @property
    def state(self) -> str:
        """Where it is: closed, starting, running, or closing."""
        if not self.running:
            return "closed"
        if self.closing:
            return "closing"
        return "running" if self.lines.ready else "starting"


def people_apps() -> dict[str, tuple[str, str]]:
    """Return by name the applications that serve pages for people: what these do there, and how to enable it."""
    return {
        name: (app.server.summary, app.server.remedy() if app.server.missing() else "")
        for name, app in apps().items()
        if app.server is not None and name != _ITSELF
    }


def _words(study: ListedStudy, name: str, wanted: Mapping[str, str], chosen: Path | None = None) -> list[str]:
    """Return what follows the name of the command."""
    if name == RELATIONS:
        people = [person.strip() for person in wanted.get("people", "").split(",") if person.strip()]
        if not people:
            raise InputError(t("Please name the people who annotate, with commas between them."))
        if not all(_PERSON.fullmatch(person) for person in people[:MOST_PEOPLE]):
            raise InputError(t("A name has at most 60 letters, digits, spaces, dots and dashes."))
        return [str(study.folder / RELATIONS), *(f"--annotator={person}" for person in people[:MOST_PEOPLE])]
    which = {"all": ["--all"], "worth": ["--next", BEST]}.get(wanted.get("which", ""), [])
    if chosen:
        which = ["--pictures", str(chosen)]
    return [str(study.folder), *(which if name == LABELS else [])]


@dataclass(frozen=True, slots=True)
class PeopleSites:
    """The sites of a folder of studies. They outlive the studio, and a new studio knows them."""

    root: Path
    _children: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def of(self, study: ListedStudy) -> list[PeopleSite]:
        """Return what can be started for a study, or runs."""
        return [
            PeopleSite(
                name,
                summary,
                remedy,
                self._pid(study, name) is not None,
                self._closing(study, name).exists(),
                self._lines(study, name),
            )
            for name, (summary, remedy) in people_apps().items()
        ]

    def label(self, study: ListedStudy, images: Sequence[str]) -> None:
        """Have people label these pictures."""
        if self._pid(study, LABELS) is not None:
            raise InputError(t("Labelling is under way with other pictures. Close it first; answers are kept."))
        folder = self._folder(study, LABELS)
        folder.mkdir(parents=True, exist_ok=True)
        chosen = folder / "chosen.csv"
        write_atomic(chosen, csv_text(["image"], [(image,) for image in images]).encode())
        self.start(study, LABELS, chosen=chosen)

    def start(
        self,
        study: ListedStudy,
        name: str,
        wanted: Mapping[str, str] | None = None,
        chosen: Path | None = None,
    ) -> None:
        """Start a site, on this machine alone; nothing where it runs.

        ``wanted`` is what a form says about it, and ``chosen`` a file that names the pictures to label.
        """
        words = _words(study, name, wanted or {}, chosen) if name in people_apps() else []
        if people_apps().get(name, ("", "missing"))[1]:
            raise InputError(t("{name} cannot be chosen here.", name=name))
        if self._pid(study, name) is not None:
            return
        folder = self._folder(study, name)
        folder.mkdir(parents=True, exist_ok=True)
        self._closing(study, name).unlink(missing_ok=True)
        with open(os.open(folder / "log.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as log:  # noqa: PTH123
            child = subprocess.Popen(  # noqa: S603 - our own command, and paths as arguments
                self._command(name, "serve", *words, "--port", "0"),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._children.append(child)
        write_checked_json(folder / "site.json", {"pid": child.pid, "mark": process_mark(child.pid)})

    def close(self, study: ListedStudy, name: str) -> None:
        """End a site as Ctrl-C does, and wait for its end: every answer that was acknowledged is stored."""
        if name not in people_apps() or (pid := self._pid(study, name)) is None:
            return
        self._closing(study, name).touch()
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGINT)
        until = time.monotonic() + _CLOSED_WITHIN
        for child in [child for child in self._children if child.pid == pid]:
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(_CLOSED_WITHIN)
        while self._pid(study, name) is not None and time.monotonic() < until:  # another studio's child
            time.sleep(_LOOK_EVERY)

    def _command(self, *words: str) -> list[str]:
        # -P: no folder that holds studies may hold modules that run.
        return [sys.executable, "-P", "-m", "portrayal", *words]

    def _folder(self, study: ListedStudy, name: str) -> Path:
        return self.root / STATE / study.key / f"people-{name}"

    def _closing(self, study: ListedStudy, name: str) -> Path:
        """Return the file that is there once somebody has closed the site."""
        return self._folder(study, name) / "closing"

    def _pid(self, study: ListedStudy, name: str) -> int | None:
        """Return the process of a site that runs; one of ours that has ended is let go of."""
        try:
            record = read_checked_json(self._folder(study, name) / "site.json", ("pid", "mark"), "start the site again")
            pid, mark = int(record["pid"]), record["mark"]
        except (OSError, PortrayalError, ValueError, KeyError, TypeError, OverflowError):
            return None
        lives = pid > 0 and bool(mark) and process_mark(pid) == mark
        self._children[:] = [child for child in self._children if child.poll() is None]
        return pid if lives else None

    def _lines(self, study: ListedStudy, name: str) -> SiteLines:
        try:
            text = read_regular(self._folder(study, name) / "log.txt", _LARGEST).decode("utf-8", "replace")
        except (OSError, InputError):
            return SiteLines()
        return read_lines((line for line in text.splitlines() if line.strip()), str(study.folder))
