"""The files below a folder, in a fixed order: none that is hidden, none twice, nothing of a study that lies there."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from portrayal.records import plain_text
from portrayal.study.config import CONFIG_NAME

__all__ = ["files_below", "plain_name"]


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
