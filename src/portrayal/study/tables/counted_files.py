"""Which files the measurements were computed from: once some are gone, those numbers are not what the study holds.

The names are written with the measurements, as metadata of their schema, so both are replaced in one step. A file that
was merged into a larger one is not gone.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from portrayal.errors import DamagedError, StudyError
from portrayal.store.tables.segment import Segment, named_segment
from portrayal.store.workspace import Workspace
from portrayal.terminal import counted, from_here

__all__ = ["COUNTED_FILES", "counted_files", "gone_files", "gone_words", "require_counted_files"]

COUNTED_FILES = "counted_files"
"""Under which name they stand in the metadata."""
_TABLES = ("imports", "outcomes", "observations", "comparisons")
"""The tables that grow while a study is drawn and looked at; for those of the plan see ``plan_file``."""


def counted_files(workspace: Workspace) -> str:
    """Return the names of the files there are now, as they are written with the measurements."""
    return json.dumps({name: [segment.path.name for segment in workspace.tables[name].segments()] for name in _TABLES})


def gone_files(workspace: Workspace) -> list[Path]:
    """Return the files that the measurements were computed from and that are gone; an older version names none."""
    # A second look, for a writer may merge files while their names are read.
    return _gone(workspace) and _gone(workspace)


def require_counted_files(workspace: Workspace) -> None:
    """Raise an error when such files are gone: the numbers would be shown as if the study still held them."""
    try:
        gone = gone_files(workspace)
    except DamagedError:
        return  # whoever reads the numbers says so; others need none
    if gone:
        folder = shlex.quote(str(from_here(workspace.root)))
        raise StudyError(
            f"{workspace.root}: {gone_words(gone)}; put copies back, or compute the numbers of what is left: portrayal "
            f"measure {folder} (in Python: study.measure())"
        )


def gone_words(gone: Sequence[Path]) -> str:
    """Return in words that files are gone."""
    tables = ", ".join(dict.fromkeys(path.parent.name for path in gone))
    are = "is" if len(gone) == 1 else "are"
    return f"{counted(len(gone), 'file')} that the numbers were computed from {are} gone, of {tables}"


def _gone(workspace: Workspace) -> list[Path]:
    gone = []
    for name, files in _written(workspace).items():
        live = workspace.tables[name].segments()
        for file in files:
            counted = named_segment(Path("tables", name, file))
            if counted is not None and not any(_holds(segment, counted) for segment in live):
                gone.append(counted.path)
    return gone


def _holds(segment: Segment, counted: Segment) -> bool:
    """Return whether a file is the other, or one into which the other was merged."""
    if segment.path.name == counted.path.name:
        return True
    return segment.first <= counted.first and counted.last <= segment.last and segment.width > counted.width


def _written(workspace: Workspace) -> Mapping[str, list[str]]:
    """Return what the measurements name; they may be somebody else's."""
    measurements = workspace.tables["measurements"]
    try:
        said = json.loads(measurements.metadata().get(COUNTED_FILES, "{}"))
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict) or not all(
        name in _TABLES and isinstance(files, list) and all(isinstance(file, str) for file in files)
        for name, files in said.items()
    ):
        raise DamagedError(
            f"{measurements.folder}: the file names what it was computed from as Portrayal never does; delete it: "
            "portrayal measure computes it again"
        )
    return said
