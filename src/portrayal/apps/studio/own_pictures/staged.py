"""Pictures that came in and are no study yet: each lot in a folder of its own, gone when the server starts anew."""

from __future__ import annotations

import re
import secrets
import shutil
from dataclasses import dataclass
from pathlib import Path

from portrayal.apps.studio.listed_studies import STATE
from portrayal.apps.studio.own_pictures.picture_drop import PictureDrop
from portrayal.store.files import storage_errors

__all__ = ["PICTURES", "StagedPictures", "StagedStore"]

PICTURES = "pictures"
"""The folder of a study in which the pictures lie that were brought to it."""
MOST_LOTS = 20
_KEY = re.compile(r"[0-9a-f]{16}", re.ASCII)


@dataclass(frozen=True, slots=True)
class StagedPictures:
    """A lot of pictures, in what becomes the folder of a study. ``key`` stands for it in addresses."""

    key: str
    folder: Path

    @property
    def study(self) -> Path:
        """What becomes the folder of the study."""
        return self.folder / "study"

    @property
    def pictures(self) -> Path:
        """Where the pictures lie."""
        return self.study / PICTURES

    @property
    def passed_over(self) -> str:
        """Which files had no use."""
        path = self.folder / "passed-over.txt"
        return path.read_text(encoding="utf-8") if path.is_file() else ""

    def remember(self, drop: PictureDrop) -> None:
        """Keep which files had no use, for the page."""
        (self.folder / "passed-over.txt").write_text(drop.passed_over_words, encoding="utf-8", errors="replace")

    def discard(self) -> None:
        """Take it away."""
        shutil.rmtree(self.folder, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class StagedStore:
    """The lots of one server."""

    root: Path

    @property
    def _folder(self) -> Path:
        return self.root / STATE / "uploads"

    def clear(self) -> None:
        """Take away what an earlier server left."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def new(self) -> StagedPictures:
        """Make room for a lot; of very many, the oldest goes."""
        lots = sorted(self._folder.glob("*"), key=lambda lot: lot.stat().st_mtime) if self._folder.is_dir() else []
        for lot in lots[: -MOST_LOTS + 1] if len(lots) >= MOST_LOTS else ():
            shutil.rmtree(lot, ignore_errors=True)
        key = secrets.token_hex(8)
        staged = StagedPictures(key, self._folder / key)
        with storage_errors(staged.pictures):
            staged.pictures.mkdir(parents=True)
        return staged

    def find(self, key: str) -> StagedPictures | None:
        """Return the lot that a key stands for; None where it is gone."""
        staged = StagedPictures(key, self._folder / key)
        return staged if _KEY.fullmatch(key) and staged.pictures.is_dir() else None
