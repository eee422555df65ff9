"""The studies of a folder: found by their study.toml, listed with what is known of each at a glance."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from portrayal.errors import PortrayalError
from portrayal.store.own_files import check_entries, check_own
from portrayal.study.config import CONFIG_NAME, parse_config, read_config

__all__ = ["STATE", "ListedStudy", "check_state", "find_folder", "list_studies", "listed_study", "study_key"]

STATE = ".portrayal-studio"
"""The folder, beside the studies, where the studio keeps what it knows of runs."""
DEEPEST = 3
MOST_STUDIES = 1_000


@dataclass(frozen=True, slots=True)
class ListedStudy:
    """A study of the folder. ``key`` stands for it in addresses; ``problem`` is why it cannot be opened, if so."""

    key: str
    name: str
    folder: Path
    title: str
    problem: str = ""

    @property
    def report(self) -> Path:
        """Where its report is, once there is one."""
        return self.folder / "report" / "index.html"


def list_studies(root: Path) -> list[ListedStudy]:
    """Return the studies at or below ``root``, sorted by name; links are not followed, hidden folders are passed by."""
    return [listed_study(root, folder) for folder in sorted(_folders(root, DEEPEST))[:MOST_STUDIES]]


def check_state(root: Path) -> None:
    """Raise an error when a link or a pipe is where the studio keeps its own files: the folder may be a stranger's."""
    check_own(root / STATE)
    for folder in check_entries(root / STATE):
        for inner in check_entries(folder):
            check_entries(inner)


def find_folder(root: Path, key: str, known: Path | None = None) -> Path | None:
    """Return the folder that ``key`` stands for, None where there is none (any more); ``known``: where it was last."""
    if known is not None and (known / CONFIG_NAME).is_file():
        return known
    return next((folder for folder in _folders(root, DEEPEST) if study_key(root, folder) == key), None)


def listed_study(root: Path, folder: Path) -> ListedStudy:
    """Return what is known at a glance of the study in a folder."""
    name = folder.name if folder == root else folder.relative_to(root).as_posix()
    key = study_key(root, folder)
    try:
        return ListedStudy(key, name, folder, _title(read_config(folder), folder) or name)
    except PortrayalError as error:
        return ListedStudy(key, name, folder, name, str(error))


def study_key(root: Path, folder: Path) -> str:
    """Return what stands for a study in addresses: the same as long as the folder is called so."""
    return hashlib.sha256(os.fsencode(folder.relative_to(root).as_posix())).hexdigest()[:12]


def _folders(folder: Path, deeper: int) -> Iterator[Path]:
    """Yield the folders that have a study.toml. Below a study there is no other."""
    if (folder / CONFIG_NAME).is_file():
        yield folder
        return
    if not deeper:
        return
    try:
        with os.scandir(folder) as entries:
            below = [
                entry.path
                for entry in entries
                if entry.is_dir(follow_symlinks=False) and not entry.name.startswith(".")
            ]
    except OSError:  # a folder that may not be read holds no study of this user
        return
    for path in below:
        yield from _folders(Path(path), deeper - 1)


@lru_cache(maxsize=MOST_STUDIES)
def _title(config: bytes, folder: Path) -> str:
    """Return a study's title; the same file is parsed once."""
    return parse_config(config, folder).study.title
