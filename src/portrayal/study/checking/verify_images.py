"""Verify: every picture of a study compared with its name, whether its store lists it or not."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from portrayal.engines import cpu_count
from portrayal.errors import DamagedError, PortrayalError
from portrayal.picturefile import ImageFile
from portrayal.store.images.image_store import read_image
from portrayal.store.tables.key_index import KeySet
from portrayal.store.workspace import Workspace
from portrayal.study.run_control import RunControl

__all__ = ["Damage", "StudyFolder", "UnlistedImages", "look", "look_at_images"]

_PICTURE = "put a copy back, or delete it: then it counts as missing"
_LOST = "put copies back; annotators that have not looked yet abstain from those that stay missing"
_NAMED = "SELECT count(*) AS n FROM (SELECT DISTINCT image, ext FROM outcomes WHERE image <> '' AND ext <> '')"
_READERS = 16
"""Pictures asked for at the same time where waiting, not work, takes the time."""


class StudyFolder(Protocol):
    """What is asked of a study to compare its files: none of its parts."""

    @property
    def root(self) -> Path:
        """Its folder."""
        ...

    @property
    def workspace(self) -> Workspace:
        """What is in it."""
        ...


@dataclass(frozen=True, slots=True)
class Damage:
    """A file, from the study's folder on, what is wrong with it, and what to do."""

    path: str
    what: str
    remedy: str


def look(study: StudyFolder, path: ImageFile, remedy: str, read: Callable[[], object]) -> list[Damage]:
    """Return what is wrong with a file; one that a writer has merged or replaced meanwhile is not missed."""
    try:
        read()
    except FileNotFoundError:
        return []
    except (PortrayalError, OSError, sqlite3.Error) as error:
        return [_damage(study, path, remedy, error)]
    return []


def _damage(study: StudyFolder, path: ImageFile, remedy: str, error: Exception) -> Damage:
    if not isinstance(path, Path) and not isinstance(error, DamagedError):
        raise error  # a store that does not answer tells nothing about its pictures
    what = _in_short(error, path) if isinstance(error, DamagedError) else str(error)
    return Damage(shown(study, path), what, remedy)


def shown(study: StudyFolder, path: ImageFile) -> str:
    """Return where a file is: from the study's folder on, if it is in there."""
    inside = isinstance(path, Path) and path.is_relative_to(study.root)
    return path.relative_to(study.root).as_posix() if isinstance(path, Path) and inside else str(path)


def _in_short(error: DamagedError, path: ImageFile) -> str:
    """Return what is wrong, without the path and without what to do, which are told beside it."""
    said = str(error).removeprefix(f"{path}: ")
    said = said.removeprefix(f"{path.parent}: ") if isinstance(path, Path) else said
    return said.rpartition(";")[0] or said


def look_at_images(study: StudyFolder, control: RunControl) -> tuple[KeySet, int, list[Damage]]:
    """Compare every picture that is listed with its name; return those that are there, how many, and what is wrong."""
    images, there, damage, count = study.workspace.images, KeySet(0), [], 0
    folders = images.folders()
    control.progress.start("verify images", len(folders))
    with ThreadPoolExecutor(_READERS if images.shared else cpu_count()) as pool:
        for folder in folders:
            paths = images.paths(folder)
            looked = [*pool.map(partial(_look_at, study), paths)]
            seen = [path.name for path, damaged in zip(paths, looked, strict=True) if damaged is not None]
            there.add(pa.array(seen, pa.string()))
            count += len(seen)
            damage += [each for damaged in looked for each in damaged or ()]
            control.progress.advance(1)
    control.progress.finish()
    return there, count, damage


class UnlistedImages:
    """The pictures that the tables name: what a store did not list is asked for by its name.

    A listing may lack what is there: it is out of date, of another account, or a lie.
    """

    def __init__(self, study: StudyFolder, remedy: str) -> None:
        self._study, self._remedy = study, remedy
        self.images = self.named = self.read = self._missing = 0
        self.damage: list[Damage] = []
        self._first = ""
        self._asked: set[str] = set()

    def look(self, there: KeySet) -> None:
        """Read each that is not among those that were listed and read; say in one line which are missing."""
        images = self._study.workspace.images
        (counted,) = self._study.workspace.query(_NAMED).to_pylist()
        self.named = counted["n"]
        with ThreadPoolExecutor(_READERS if images.shared else cpu_count()) as pool:
            for batch in self._study.workspace.tables["outcomes"].scan(("image", "ext")):
                names = zip(batch["image"].to_pylist(), batch["ext"].to_pylist(), strict=True)
                try:
                    paths = {name: images.path(*name) for name in dict.fromkeys(names) if all(name)}
                except DamagedError as error:
                    what = str(error).partition(": ")[2].rpartition(";")[0]
                    self.damage = [Damage("tables/outcomes", what, self._remedy)]
                    return
                known = there.has(pa.array([path.name for path in paths.values()], pa.string())).tolist()
                self._ask(pool, [path for path, seen in zip(paths.values(), known, strict=True) if not seen])
        self.read = self.named - self._missing
        if self._missing:
            what = "not there" if self._missing == 1 else f"not there, like {self._missing - 1} more"
            self.damage.append(Damage(self._first, what, _LOST))

    def _ask(self, pool: ThreadPoolExecutor, unlisted: Sequence[ImageFile]) -> None:
        paths = [path for path in unlisted if path.name not in self._asked]
        self._asked.update(path.name for path in paths)
        for path, damaged in zip(paths, pool.map(partial(_look_at, self._study), paths), strict=True):
            if damaged is None:
                self._first = self._first or shown(self._study, path)
                self._missing += 1
            else:
                self.images += 1
                self.damage += damaged


def _look_at(study: StudyFolder, path: ImageFile) -> list[Damage] | None:
    """Return what is wrong with a picture; None: it is not there, whatever was listed."""
    try:
        read_image(path)
    except FileNotFoundError:
        return None
    except (PortrayalError, OSError) as error:
        return [_damage(study, path, _PICTURE, error)]
    return []
