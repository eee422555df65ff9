"""Whether the files of a folder lie in it: a list or a link may lead to any other place of the machine."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from portrayal.errors import InputError

__all__ = ["check_inside", "leads_up"]


def leads_up(folder: Path) -> bool:
    """Return whether a folder is a link to one that it lies in: what is there was come across already."""
    return folder.is_symlink() and Path(os.path.realpath(folder.parent)).is_relative_to(os.path.realpath(folder))


def check_inside(folder: Path, files: Sequence[Path]) -> None:
    """Refuse files that lie elsewhere, with the first of them and where it leads."""
    root = Path(os.path.realpath(folder))
    outside = [(path, place) for path in files if (place := _place(path)) and not place.is_relative_to(root)]
    if outside:
        path, place = outside[0]
        more = f" ({len(outside):,} files here lead out of it)" if len(outside) > 1 else ""
        raise InputError(
            f"{path}: leads out of {folder}, to {place}{more}; if that is meant, add --outside "
            "(in Python: outside=True)"
        )


def _place(path: Path) -> Path | None:
    try:
        return Path(os.path.realpath(path))
    except ValueError:
        return None  # no file can have such a name; reading it says so
