"""``tables/plan.json``: what the plan was made from, and which files hold it.

It is deleted before a plan is written and written after it, and believed only as far as the tables bear it out: the
names of their files end in checksums, so the same names mean the same rows.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from portrayal.errors import DamagedError, StudyError
from portrayal.store.checksums.checked_json import read_checked_json, write_checked_json
from portrayal.store.files import storage_errors
from portrayal.store.workspace import Workspace

__all__ = ["begin_plan", "end_plan", "is_planned", "require_whole_plan"]

_TABLES = ("prompts", "truths", "jobs")


def is_planned(workspace: Workspace, fingerprint: str) -> bool:
    """Return whether the tables hold the plan of this fingerprint, whole and undamaged."""
    try:
        said = _read(workspace)
        if said.get("fingerprint") != fingerprint or said.get("files") != _files(workspace):
            return False
        _check(workspace)
    except DamagedError:
        return False
    return True


def begin_plan(workspace: Workspace) -> None:
    """Say that there is no plan: whoever reads or crashes meanwhile must not believe the last one."""
    with storage_errors(_path(workspace)):
        _path(workspace).unlink(missing_ok=True)


def end_plan(workspace: Workspace, fingerprint: str) -> None:
    """Say that the plan is written."""
    write_checked_json(_path(workspace), {"fingerprint": fingerprint, "files": _files(workspace)})


def require_whole_plan(workspace: Workspace) -> None:
    """Raise an error when files of the plan are gone, others or damaged: less would be counted, and nobody told."""
    said, files = _read(workspace), _files(workspace)
    # Written by an older version, it names no files; being replaced, it is not what it was a moment ago.
    if said.get("files", files) != files and _read(workspace) == said:
        raise StudyError(
            f"{workspace.root}: files of the plan, of the tables {', '.join(_TABLES)}, are gone or are not those that "
            f"were written; {_again(workspace)}"
        )
    _check(workspace)


def _check(workspace: Workspace) -> None:
    for name in _TABLES:
        with workspace.tables[name].opened():
            pass  # compared with its checksum


def _again(workspace: Workspace) -> str:
    return f"plan again with: portrayal plan {shlex.quote(str(workspace.root))} (in Python: study.plan())"


def _path(workspace: Workspace) -> Path:
    return workspace.root / "tables" / "plan.json"


def _read(workspace: Workspace) -> Mapping[str, Any]:
    """Return what the file says; one that is not there says nothing."""
    path = _path(workspace)
    try:
        said = read_checked_json(path, ("fingerprint", "files"), _again(workspace))
    except FileNotFoundError:
        return {}
    if not isinstance(said.get("fingerprint"), str):
        # Not taken for one of an older version, which named no files: then nobody would miss any.
        raise DamagedError(f"{path}: the file is damaged; {_again(workspace)}")
    return said


def _files(workspace: Workspace) -> dict[str, list[str]]:
    return {name: [segment.path.name for segment in workspace.tables[name].segments()] for name in _TABLES}
