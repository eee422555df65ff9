"""An image store in a folder: the study's own, or one that several machines share."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from portrayal.errors import InputError, StudyError
from portrayal.inputfile import read_regular
from portrayal.store.files import TEMPORARY, storage_errors, write_own
from portrayal.store.images.image_name import image_name, promised
from portrayal.store.own_files import check_entries

__all__ = ["ImageFolder"]

_WRITERS = 8


@dataclass(frozen=True, slots=True)
class ImageFolder:
    """Pictures in ``folder/ab/<sha256>.<ext>``. Storing the same bytes twice writes nothing the second time."""

    folder: Path
    shared: bool = False

    @property
    def where(self) -> str:
        """Where it is."""
        return str(self.folder) if self.shared else self.folder.name

    def path(self, image: str, ext: str) -> Path:
        """Return where ``image`` is or would be."""
        return self.folder / image_name(str(self.folder), image, ext)

    def add(self, pictures: Mapping[tuple[str, str], bytes]) -> None:
        """Store pictures by name and file ending; when this returns, all of them are safe on disk."""
        paths = {self.path(image, ext): data for (image, ext), data in pictures.items()}
        # Threads let the file system flush its journal once for several files: ten times faster than one by one.
        with ThreadPoolExecutor(_WRITERS) as pool:
            list(pool.map(_add, paths.keys(), paths.values()))

    def folders(self) -> list[str]:
        """Return the names of the folders that pictures lie in."""
        return sorted(path.name for path in self.folder.glob("[0-9a-f][0-9a-f]"))

    def paths(self, folder: str) -> list[Path]:
        """Return the pictures in one of the folders."""
        return sorted(path for path in (self.folder / folder).iterdir() if promised(path))

    def check(self) -> None:
        """Raise an error when a shared folder is not there: where nothing is mounted, nothing must be written."""
        if self.shared and not self.folder.is_dir():
            raise StudyError(
                f"{self.folder}: [storage] in study.toml names this folder, and it is not there; mount or create it"
            )

    def clean(self) -> None:
        """Delete what a crash left half-written; not in a shared folder, where others may be writing."""
        if self.shared:
            return
        check_entries(self.folder)
        with storage_errors(self.folder):
            for path in self.folder.glob(f"*/{TEMPORARY}*"):
                path.unlink(missing_ok=True)


def _add(path: Path, data: bytes) -> None:
    """Write a picture, unless it is there already; one that is damaged is not."""
    try:
        there = read_regular(path) == data
    except (OSError, InputError):
        there = False
    if not there:
        write_own(path, data)
