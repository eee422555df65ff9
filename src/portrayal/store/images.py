"""The image store: every picture once, under the SHA-256 of its bytes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from portrayal.errors import DamagedError, InputError
from portrayal.inputfile import read_regular
from portrayal.store.files import TEMPORARY, storage_errors, write_atomic
from portrayal.store.own_files import check_entries

__all__ = ["ImageStore", "check_image", "read_image"]

_WRITERS = 8
_ENDING = re.compile(r"[A-Za-z0-9]{0,8}")
_NAME = re.compile(r"[0-9a-f]{64}")


class ImageStore:
    """Pictures in ``images/ab/<sha256>.<ext>``. Storing the same bytes twice writes nothing the second time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, image: str, ext: str) -> Path:
        """Return where ``image`` is or would be; names come from tables, which may be somebody else's.

        Raises
        ------
        DamagedError
            It is no name of a picture, and could lead anywhere.
        """
        if not (_NAME.fullmatch(image) and _ENDING.fullmatch(ext)):
            shown = f"{image[:80]}.{ext[:20]}"
            raise DamagedError(
                f"{self.folder}: the tables name an image {shown!r}, and no image is called so; "
                "'portrayal verify' on the study says what to do"
            )
        return self.folder / image[:2] / f"{image}.{ext}"

    def folders(self) -> list[Path]:
        """Return the folders that pictures lie in."""
        return sorted(self.folder.glob("[0-9a-f][0-9a-f]"))

    def paths(self, folder: Path) -> list[Path]:
        """Return the pictures in one of the folders."""
        return sorted(path for path in folder.iterdir() if _promised(path))

    def add(self, pictures: Mapping[tuple[str, str], bytes]) -> None:
        """Store pictures by name and file ending; when this returns, all of them are safe on disk."""
        paths = {self.path(image, ext): data for (image, ext), data in pictures.items()}
        # Threads let the file system flush its journal once for several files: ten times faster than one by one.
        with ThreadPoolExecutor(_WRITERS) as pool:
            list(pool.map(_add, paths.keys(), paths.values()))

    def clean(self) -> None:
        """Delete what a crash left half-written."""
        check_entries(self.folder)
        with storage_errors(self.folder):
            for path in self.folder.glob(f"*/{TEMPORARY}*"):
                path.unlink(missing_ok=True)


def read_image(path: Path) -> bytes:
    """Return the bytes of a picture's file; one of the image store is compared with its name."""
    try:
        data = read_regular(path)
    except InputError as error:
        raise _damaged(str(error)) if _promised(path) else error from None
    check_image(path, data)
    return data


def check_image(path: Path, data: bytes | bytearray) -> None:
    """Raise an error when a file of the image store holds other bytes than its name promises."""
    promised = _promised(path)
    if promised and hashlib.sha256(data).hexdigest() != promised:
        raise _damaged(f"{path}: the image is damaged: its bytes are not those that were stored")


def _damaged(what: str) -> DamagedError:
    return DamagedError(f"{what}; put a copy back, or delete it: then it counts as missing")


def _promised(path: Path) -> str:
    """Return the SHA-256 that a file of an image store must have, nothing for any other file."""
    name = path.stem
    return name if path.parent.name == name[:2] and _NAME.fullmatch(name) else ""


def _add(path: Path, data: bytes) -> None:
    """Write a picture, unless it is there already; one that is damaged is not."""
    try:
        there = read_regular(path) == data
    except (OSError, InputError):
        there = False
    if not there:
        write_atomic(path, data)
