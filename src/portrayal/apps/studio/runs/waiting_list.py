"""Which studies wait for their run: kept in a file, so that a studio which is killed forgets none."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from portrayal.apps.studio.listed_studies import STATE, ListedStudy, find_folder, listed_study
from portrayal.errors import PortrayalError
from portrayal.store.checksums.checked_json import read_checked_json, write_checked_json

__all__ = ["Waiting", "read_waiting", "write_waiting"]

Waiting = dict[str, tuple[ListedStudy, str]]
"""Studies in their order by key, each with its budget, or ``-``."""


def read_waiting(root: Path) -> Waiting:
    """Return what waited when the last studio of this folder ended; studies that are gone are passed over."""
    try:
        kept = read_checked_json(_path(root), ["waiting"], "ask for the runs again")["waiting"]
        asked = [(str(key), str(budget)) for key, budget in kept]
        _ = [float(budget) for _, budget in asked if budget != "-"]
    except (OSError, PortrayalError, ValueError, TypeError):
        return {}
    folders = ((key, budget, find_folder(root, key)) for key, budget in asked)
    return {key: (listed_study(root, folder), budget) for key, budget, folder in folders if folder is not None}


def write_waiting(root: Path, waiting: Mapping[str, tuple[ListedStudy, str]]) -> None:
    """Keep what waits, instead of what waited before."""
    if waiting or _path(root).exists():
        write_checked_json(_path(root), {"waiting": [[key, budget] for key, (_, budget) in waiting.items()]})


def _path(root: Path) -> Path:
    return root / STATE / "waiting.json"
