"""``tables/own_parts.json``: digests of the code of a user's own parts: a change without a new version is told."""

from __future__ import annotations

import functools
import hashlib
import inspect
import textwrap
from pathlib import Path
from typing import Any

from portrayal.annotators.function import FunctionAnnotator
from portrayal.errors import DamagedError
from portrayal.store.checksums.checked_json import read_checked_json, write_checked_json
from portrayal.store.workspace import Workspace
from portrayal.study.run_control import RunControl

__all__ = ["compare_code", "remember_code"]


def compare_code(workspace: Workspace, name: str, part: object, control: RunControl) -> None:
    """Tell when a part is about to work whose code is not what worked under its name before.

    Only the text of the function or class itself is compared: what it calls may change too. Where the text is not
    known, as of code that was typed into an interpreter, nothing is.
    """
    digest, known = _digest(part), _read(workspace)
    if digest and name in known and known[name] != digest:
        control.remark(
            f"{name}: its code is not what worked under this name before; if it gives other results, give it a new "
            "version, else they are mixed"
        )


def remember_code(workspace: Workspace, name: str, part: object) -> None:
    """Write down which code worked, once something of it is stored."""
    digest, known = _digest(part), _read(workspace)
    if digest and known.get(name) != digest:
        write_checked_json(_path(workspace), {**known, name: digest})


def _path(workspace: Workspace) -> Path:
    return workspace.root / "tables" / "own_parts.json"


def _read(workspace: Workspace) -> dict[str, str]:
    """Return the digests by name; a file that is not there, or damaged, only means that nothing is known."""
    try:
        return read_checked_json(_path(workspace))
    except (FileNotFoundError, DamagedError):
        return {}


def _digest(part: object) -> str:
    code: Any = part.function if isinstance(part, FunctionAnnotator) else type(part)
    while isinstance(code, functools.partial):
        code = code.func
    try:
        text = inspect.getsource(code if inspect.isroutine(code) or isinstance(code, type) else type(code))
    except (OSError, TypeError, ValueError):
        return ""
    return hashlib.sha256(textwrap.dedent(text).encode()).hexdigest()[:16]
