"""Verify: compare every file of a study with what was written, and say what to do about those that are damaged."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from portrayal.engines import cpu_count
from portrayal.errors import DamagedError, PortrayalError
from portrayal.picturefile import ImageFile
from portrayal.store.image_store import read_image
from portrayal.store.key_index import KeySet
from portrayal.store.parquet_file import has_checksum
from portrayal.store.segment import Segment
from portrayal.study.plan.plan_file import require_whole_plan
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

__all__ = ["Damage", "Verified", "verify"]

_PLANNED = "portrayal plan writes it again"
_MEASURED = "delete it: portrayal measure computes it again"
REMEDIES: Mapping[str, str] = {
    "prompts": _PLANNED,
    "truths": _PLANNED,
    "jobs": _PLANNED,
    "imports": "delete it and import the same files again; until then their images are not counted",
    "outcomes": "delete it: portrayal generate draws those images again, and pays again for those that cost money; "
    "imported ones must be imported again",
    "observations": "delete it: portrayal annotate looks at those images again, and pays again where that costs money; "
    "labels from outside must be imported again",
    "comparisons": "delete it: portrayal annotate compares those images again",
    "measurements": _MEASURED,
    "spending": "put a copy back if there is one, for nothing makes it again; without it, what it says was spent no "
    "longer counts towards --budget",
    "votes": "delete it: portrayal arena export writes it again",
}
"""What to do about a damaged file of a table."""
_PICTURE = "put a copy back, or delete it: then it counts as missing"
_LOST = "put copies back; annotators that have not looked yet abstain from those that stay missing"
_READERS = 16
"""Pictures asked for at the same time where waiting, not work, takes the time."""
_VOTES = "put a copy back; portrayal arena export saves what can still be read"


@dataclass(frozen=True, slots=True)
class Damage:
    """A file, from the study's folder on, what is wrong with it, and what to do."""

    path: str
    what: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Verified:
    """How many files were looked at; ``unchecked`` have no checksum, since an older version wrote them."""

    files: int
    images: int
    unchecked: int
    damage: list[Damage]

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


def verify(study: OpenStudy, control: RunControl) -> Verified:
    """Read everything that a study holds and that cannot simply be made again; nothing is changed."""
    tables = [*_tables(study)]
    control.progress.start("verify tables", len(tables))
    damage = []
    for path, remedy, read in tables:
        damage += _look(study, path, remedy, read)
        control.progress.advance(1)
    control.progress.finish()
    damage += _plan(study)
    damage += _votes(study)
    there, images, damaged = _images(study, control)
    if not any(file.path.startswith("tables/outcomes/") for file in damage):
        damaged += _missing(study, there)
    unchecked = sum(not has_checksum(path) for path, *_ in tables)
    return Verified(len(tables), images, unchecked, damage + damaged)


def _tables(study: OpenStudy) -> Iterator[tuple[Path, str, Callable[[], object]]]:
    """Yield the files of all tables, what to do about each if it is damaged, and how it is read."""
    for name, table in study.workspace.tables.items():
        for segment in table.segments():
            yield segment.path, REMEDIES[name], partial(_read_segment, study, name, segment)
    own_tables = study.workspace.own_tables
    try:
        for name in own_tables.names():
            yield own_tables.path(name), _MEASURED, partial(own_tables.check, name)
    except DamagedError:
        return  # the measurements, which name them, are damaged


def _read_segment(study: OpenStudy, name: str, segment: Segment) -> None:
    study.workspace.tables[name].check_segment(segment)
    if name == "measurements":
        study.workspace.own_tables.names()


def _look(study: OpenStudy, path: ImageFile, remedy: str, read: Callable[[], object]) -> list[Damage]:
    """Return what is wrong with a file; one that a writer has merged or replaced meanwhile is not missed."""
    try:
        read()
    except FileNotFoundError:
        return []
    except (PortrayalError, OSError, sqlite3.Error) as error:
        if not isinstance(path, Path) and not isinstance(error, DamagedError):
            raise  # a store that does not answer tells nothing about its pictures
        what = _in_short(error, path) if isinstance(error, DamagedError) else str(error)
        return [Damage(_shown(study, path), what, remedy)]
    return []


def _shown(study: OpenStudy, path: ImageFile) -> str:
    """Return where a file is: from the study's folder on, if it is in there."""
    inside = isinstance(path, Path) and path.is_relative_to(study.root)
    return path.relative_to(study.root).as_posix() if isinstance(path, Path) and inside else str(path)


def _in_short(error: DamagedError, path: ImageFile) -> str:
    """Return what is wrong, without the path and without what to do, which are told beside it."""
    said = str(error).removeprefix(f"{path}: ")
    said = said.removeprefix(f"{path.parent}: ") if isinstance(path, Path) else said
    return said.rpartition(";")[0] or said


def _plan(study: OpenStudy) -> list[Damage]:
    try:
        require_whole_plan(study.workspace)
    except PortrayalError:
        return [Damage("tables/plan.json", "the files of the plan are not those that were written", _PLANNED)]
    return []


def _votes(study: OpenStudy) -> list[Damage]:
    """Let SQLite look at the arena's votes; it finds most damage to its own structure, and none to what a cell says."""
    path = study.root / "arena" / "votes.sqlite"

    def look() -> None:
        # Without a log no server is at work, and SQLite need not make the files by which several share one.
        how = "mode=ro" if path.with_name(f"{path.name}-wal").exists() else "immutable=1"
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True)
        try:
            (said,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        finally:
            connection.close()
        if said != "ok":
            raise DamagedError(said)
        if not tables:
            raise DamagedError("the file is empty")

    return _look(study, path, _VOTES, look) if path.exists() else []


def _images(study: OpenStudy, control: RunControl) -> tuple[KeySet, int, list[Damage]]:
    """Compare every picture with its name; return those that are there, how many, and those that are damaged."""
    images, there, damage, count = study.workspace.images, KeySet(0), [], 0
    folders = images.folders()
    control.progress.start("verify images", len(folders))
    with ThreadPoolExecutor(_READERS if images.shared else cpu_count()) as pool:
        for folder in folders:
            paths = images.paths(folder)
            there.add(pa.array([path.name for path in paths], pa.string()))
            count += len(paths)
            for damaged in pool.map(lambda path: _look(study, path, _PICTURE, partial(read_image, path)), paths):
                damage += damaged
            control.progress.advance(1)
    control.progress.finish()
    return there, count, damage


def _missing(study: OpenStudy, there: KeySet) -> list[Damage]:
    """Return in one line the pictures that outcomes speak of and that are not there."""
    images, missing, first = study.workspace.images, 0, ""
    for batch in study.workspace.tables["outcomes"].scan(("image", "ext")):
        names = zip(batch["image"].to_pylist(), batch["ext"].to_pylist(), strict=True)
        try:
            paths = [images.path(image, ext) for image, ext in names if image and ext]
        except DamagedError as error:
            what = str(error).partition(": ")[2].rpartition(";")[0]
            return [Damage("tables/outcomes", what, REMEDIES["outcomes"])]
        listed = there.has(pa.array([path.name for path in paths], pa.string()))
        # Stored since the folder was listed: not missing.
        gone = [path for path, known in zip(paths, listed.tolist(), strict=True) if not known and not path.is_file()]
        missing += len(gone)
        first = first or (_shown(study, gone[0]) if gone else "")
    return (
        [Damage(first, "not there" if missing == 1 else f"not there, like {missing - 1} more", _LOST)]
        if missing
        else []
    )
