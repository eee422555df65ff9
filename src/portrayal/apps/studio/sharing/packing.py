"""A study as files to take away: each made by the command that makes it in a terminal, in a process of its own."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from portrayal.apps.studio.listed_studies import STATE, ListedStudy
from portrayal.apps.studio.runs.run_state import process_mark
from portrayal.errors import InputError, PortrayalError
from portrayal.inputfile import read_regular
from portrayal.language.translation import spoken, t
from portrayal.store.checksums.checked_json import read_checked_json, write_checked_json

__all__ = ["FORMS", "Packed", "Packing", "PackingState"]

_LARGEST = 200_000


class PackingState(StrEnum):
    """Where the making of files is."""

    NONE = "none"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class _Form:
    """A command, with ``{study}``, ``{to}`` and ``{language}`` to be filled in, and what the file is called."""

    command: Sequence[str]
    ending: str
    is_folder: bool = True


FORMS: Mapping[str, _Form] = {
    "bundle": _Form(("publish", "{study}", "--as", "bundle", "--to", "{to}"), ".portrayal", is_folder=False),
    "tables": _Form(("export", "{study}", "--to", "{to}"), ".zip"),
    "figures": _Form(("figures", "{study}", "--to", "{to}"), ".zip"),
    "site": _Form(("publish", "{study}", "--as", "site", "--language", "{language}", "--to", "{to}"), ".zip"),
    "croissant": _Form(("publish", "{study}", "--as", "croissant", "--to", "{to}"), ".zip"),
}


@dataclass(frozen=True, slots=True)
class Packed:
    """One of the forms: where it is, what went wrong, and the file once it is there."""

    name: str
    state: PackingState = PackingState.NONE
    line: str = ""
    file: Path | None = None


@dataclass(frozen=True, slots=True)
class Packing:
    """The files of a folder of studies. What is being made outlives the studio."""

    root: Path
    _children: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def of(self, study: ListedStudy) -> list[Packed]:
        """Return what can be taken away."""
        return [self.one(study, name) for name in FORMS]

    def one(self, study: ListedStudy, name: str) -> Packed:
        """Return where one of the forms is."""
        self._children[:] = [child for child in self._children if child.poll() is None]
        folder = self._folder(study, name)
        try:
            record = read_checked_json(folder / "record.json", ("pid", "mark"), "make it anew")
            pid, mark = int(record["pid"]), record["mark"]
        except (OSError, PortrayalError, ValueError, KeyError, TypeError, OverflowError):
            return Packed(name)
        if mark and process_mark(pid) == mark:
            return Packed(name, PackingState.RUNNING)
        file = folder / f"{study.folder.name}{FORMS[name].ending}"
        if (folder / "done").exists() and file.is_file():
            return Packed(name, PackingState.DONE, file=file)
        return Packed(name, PackingState.FAILED, self._last_line(folder))

    def start(self, study: ListedStudy, name: str) -> None:
        """Make a form anew; nothing where it is just being made."""
        if name not in FORMS:
            raise InputError(t("{name} cannot be chosen here.", name=name or "–"))
        if self.one(study, name).state is PackingState.RUNNING:
            return
        folder, form = self._folder(study, name), FORMS[name]
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        file = folder / f"{study.folder.name}{form.ending}"
        to = folder / "made" / study.folder.name if form.is_folder else file
        places = {"study": str(study.folder), "to": str(to), "language": spoken()}
        words = [word.format(**places) for word in form.command]
        with (folder / "log.txt").open("wb") as log:
            child = subprocess.Popen(  # noqa: S603 - our own module, and paths as arguments
                # -P: no folder that holds studies may hold modules that run.
                [sys.executable, "-P", "-m", __spec__.name, str(folder), str(file), str(form.is_folder), *words],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._children.append(child)
        write_checked_json(folder / "record.json", {"pid": child.pid, "mark": process_mark(child.pid)})

    def _folder(self, study: ListedStudy, name: str) -> Path:
        return self.root / STATE / study.key / f"packed-{name}"

    def _last_line(self, folder: Path) -> str:
        with contextlib.suppress(OSError, InputError):
            lines = read_regular(folder / "log.txt", _LARGEST).decode("utf-8", "replace").split("\n")
            return next((line for line in reversed(lines) if line.strip()), "")
        return ""


def main() -> None:
    """Run a command of Portrayal, put a folder that it made into one file, and say that all of it is there."""
    folder, file, is_folder, *words = sys.argv[1:]
    subprocess.run([sys.executable, "-P", "-m", "portrayal", *words], check=True)  # noqa: S603 - our own command
    if is_folder == str(True):
        shutil.make_archive(file.removesuffix(".zip"), "zip", Path(folder) / "made")
        shutil.rmtree(Path(folder) / "made")
    (Path(folder) / "done").touch()


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)
