"""The files below a folder, in a fixed order: none that is hidden, none twice, nothing of a study that lies there."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path

from portrayal.errors import InputError
from portrayal.records import plain_text
from portrayal.study.config import CONFIG_NAME

__all__ = ["check_inside", "files_below", "leads_up", "plain_name"]


def files_below(folder: Path) -> Iterator[Path]:
    """Yield all that is no folder, at any depth: a link to nothing, or a pipe, is recorded as what it is.

    Links to folders are followed, but to each folder once.
    """
    seen = {os.path.realpath(folder)}
    for place, folders, files in os.walk(folder, followlinks=True, onerror=_raise):
        folders[:] = sorted(name for name in folders if _enters(Path(place) / name, seen))
        yield from (Path(place) / name for name in sorted(files) if not name.startswith("."))


def plain_name(name: str) -> str:
    """Return a name as text that compares equal however a system writes letters with accents."""
    return unicodedata.normalize("NFC", plain_text(name)).strip()


def _enters(folder: Path, seen: set[str]) -> bool:
    place = os.path.realpath(folder)
    if folder.name.startswith(".") or place in seen or (folder / CONFIG_NAME).is_file():
        return False
    seen.add(place)
    return True


def _raise(error: OSError) -> None:
    raise error


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
