"""Where the files that a browser sends come to lie: only pictures and lists of them, inside one folder, few enough."""

from __future__ import annotations

import re
import shutil
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from portrayal.errors import InputError
from portrayal.language.translation import t
from portrayal.study.importing.folders.image_files import is_picture_name

__all__ = ["MOST_BYTES", "MOST_FILES", "PictureDrop", "safe_parts"]

MOST_BYTES = 4_000_000_000
"""Of all files together, unpacked."""
MOST_FILES = 20_000
_MOST_LIST_BYTES = 50_000_000
_FREE_BYTES = 500_000_000
"""That stay free on the disk."""
_LISTS = (".csv", ".tsv", ".json")
_DEEPEST, _LONGEST = 8, 150
_SHOWN = 5
_DRIVE = re.compile(r"[A-Za-z]:", re.ASCII)


@dataclass
class PictureDrop:
    """Takes files one after the other. ``passed_over`` are the names of those that it has no use for."""

    folder: Path
    most_bytes: int = MOST_BYTES
    most_files: int = MOST_FILES
    files: int = 0
    passed_over: list[str] = field(default_factory=list)
    _bytes: int = 0
    _numbers: dict[Path, int] = field(default_factory=dict)
    """The last number of files of one name."""

    def wants(self, name: str) -> tuple[str, ...] | None:
        """Return where a file of this name is to lie, below the folder; None where it is passed over."""
        parts = safe_parts(name)
        if parts is None or any(part.startswith((".", "__MACOSX")) for part in parts):
            return None  # what systems leave in folders and archives, and names that lead elsewhere
        ends = PurePosixPath(parts[-1]).suffix.lower()
        if is_picture_name(Path(parts[-1])) or ends in _LISTS:
            return parts
        self.passed_over.append("/".join(parts))
        return None

    @contextmanager
    def writing(self, parts: tuple[str, ...]) -> Iterator[CountedFile]:
        """Open a new file; one of the same name stays."""
        self.files += 1
        if self.files > self.most_files:
            raise InputError(t("That is more than {n} files. Please send fewer at once.", n=self.most_files))
        place = self.folder.joinpath(*parts[:-1])
        try:
            place.mkdir(parents=True, exist_ok=True)
            with self._unused(place / parts[-1]) as file:
                yield CountedFile(file, self, _MOST_LIST_BYTES if parts[-1].lower().endswith(_LISTS) else None)
        except (FileExistsError, NotADirectoryError):
            raise InputError(t("A file and a folder have the same name: {name}.", name="/".join(parts))) from None

    def _unused(self, path: Path) -> BinaryIO:
        """Open a new file: of this name, or with a number where there is one already."""
        while True:
            number = self._numbers[path] = self._numbers.get(path, 0) + 1
            chosen = path if number == 1 else path.with_name(f"{path.stem} ({number}){path.suffix}")
            try:
                return chosen.open("xb")
            except FileExistsError:
                if chosen.is_dir():
                    raise

    def count(self, size: int) -> None:
        """Count bytes; too many, or more than the disk has room for, are an error."""
        self._bytes += size
        if self._bytes > self.most_bytes:
            most = self.most_bytes // 1_000_000
            raise InputError(t("Those are more than {n} MB. Please send fewer at once.", n=most))

    def has_room(self) -> None:
        """Say so where the disk is nearly full."""
        if shutil.disk_usage(self.folder).free < _FREE_BYTES:
            raise InputError(t("This machine's disk is nearly full. Make room, then try again."))

    @property
    def passed_over_words(self) -> str:
        """The first names that were passed over, and how many more there are."""
        names = ", ".join(self.passed_over[:_SHOWN])
        more = len(self.passed_over) - _SHOWN
        return t("{names} and {n} more", names=names, n=more) if more > 0 else names


@dataclass(frozen=True, slots=True)
class CountedFile:
    """A file that is written, as long as there may be more."""

    file: BinaryIO
    drop: PictureDrop
    most: int | None

    def write(self, data: bytes) -> None:
        """Write some bytes."""
        self.drop.count(len(data))
        if self.most is not None and self.file.tell() + len(data) > self.most:
            raise InputError(t("A list of pictures has more than {n} MB.", n=self.most // 1_000_000))
        self.drop.has_room()
        self.file.write(data)


def safe_parts(name: str) -> tuple[str, ...] | None:
    """Return the steps of a path as names of files that are safe anywhere below a folder; None: it leads elsewhere.

    >>> safe_parts("sdxl/a nurse/1.png"), safe_parts("../1.png"), safe_parts("C:/1.png"), safe_parts("/etc/1.png")
    (('sdxl', 'a nurse', '1.png'), None, None, ('etc', '1.png'))
    """
    steps = [_name(step) for step in name.replace("\\", "/").split("/") if step.strip() not in ("", ".")]
    if not steps or len(steps) > _DEEPEST or any(step in ("", "..") or _DRIVE.fullmatch(step) for step in steps):
        return None
    return tuple(steps)


def _name(step: str) -> str:
    """Return a name without what no name should hold, and not longer than any system takes."""
    plain = "".join(letter for letter in unicodedata.normalize("NFC", step) if letter.isprintable()).strip()
    ends = PurePosixPath(plain).suffix if len(PurePosixPath(plain).suffix) < 10 else ""
    stem = plain[: len(plain) - len(ends)].encode("utf-8", "replace")[:_LONGEST].decode("utf-8", "ignore")
    return stem + ends
