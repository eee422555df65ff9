"""Whether the files and folders of a study are its own.

A study may come from somebody else. A link in it would let us write and delete wherever it points to, and a pipe would
keep us waiting for ever. So both are refused where a study keeps its own things, before anything is read or written.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from portrayal.errors import InputError, StudyError
from portrayal.store.files import storage_errors

__all__ = ["check_entries", "check_outside", "check_own", "check_subfolders"]


def check_own(path: Path) -> None:
    """Raise an error when ``path`` is a link, a pipe or a device; there may be nothing."""
    with storage_errors(path):
        try:
            mode = path.lstat().st_mode
        except (FileNotFoundError, NotADirectoryError):
            return
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise _not_own(path, link=stat.S_ISLNK(mode))


def check_entries(folder: Path) -> list[Path]:
    """Check everything that lies in ``folder``, and return the folders there; the listing says enough of each."""
    paths = []
    with storage_errors(folder):
        for entry in _listed(folder):
            if entry.is_dir(follow_symlinks=False):
                paths.append(Path(entry))
            elif not entry.is_file(follow_symlinks=False):
                check_own(Path(entry))  # looked at again: it may be gone by now
    return paths


def check_subfolders(folder: Path) -> None:
    """Check that no folder in ``folder``, however deep, is a link; files may be, for they are replaced."""
    with storage_errors(folder):
        for entry in _listed(folder):
            if entry.is_symlink() and entry.is_dir():
                raise _not_own(Path(entry), link=True)
            if entry.is_dir(follow_symlinks=False):
                check_subfolders(Path(entry))


def check_outside(root: Path, place: Path) -> None:
    """Raise an error when a place that somebody chose to write to is the study at ``root`` or lies in it.

    Files there would be mixed with the study's own, take the place of what it reads, or be imported as pictures.
    """
    whole = Path(os.path.realpath(place))
    for above in (whole, *whole.parents):
        with contextlib.suppress(OSError, ValueError):  # it is not there yet, or cannot be
            if above.samefile(root):
                raise InputError(
                    f"{place}: is the study's own folder or lies in it; choose a place outside of {root}, so that "
                    "nothing is mixed with what the study reads"
                )


def _listed(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except (FileNotFoundError, NotADirectoryError):
        return []


def _not_own(path: Path, *, link: bool) -> StudyError:
    if link:
        return StudyError(f"{path}: is a link, which could lead out of the study; put what it points to in its place")
    return StudyError(f"{path}: is neither a file nor a folder; remove it")
