"""Verify: compare every file of a study with what was written, and say what to do about those that are damaged."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from portrayal.errors import DamagedError, PortrayalError
from portrayal.store.tables.parquet_file import has_checksum
from portrayal.store.tables.segment import Segment
from portrayal.study.checking.verify_images import Damage, StudyFolder, UnlistedImages, look, look_at_images
from portrayal.study.plan.plan_file import require_whole_plan
from portrayal.study.run_control import RunControl
from portrayal.study.sql.sqlite_file import check_beside, only_rows
from portrayal.study.tables.counted_files import gone_files

__all__ = ["Damage", "Verified", "verify"]

_PLANNED = "portrayal plan writes it again"
_GONE = "put a copy back; without one portrayal measure computes the numbers of what is left"
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
    "precision": "delete it: portrayal annotate compares again what rounding costs",
    "spending": "put a copy back if there is one, for nothing makes it again; without it, what it says was spent no "
    "longer counts towards --budget",
    "rounds": "put a copy back if there is one; without it portrayal run decides anew about each round, draws no image "
    "again, and looks made before no longer count",
    "votes": "delete it: portrayal arena export writes it again",
}
"""What to do about a damaged file of a table."""
_ANSWERS = {
    "arena/votes.sqlite": "put a copy back; portrayal arena export saves what can still be read",
    "labels/labels.sqlite": "put a copy back; portrayal labels export saves what can still be read",
}
"""Databases of people's answers in a study's folder, and what to do about one that is damaged."""


@dataclass(frozen=True, slots=True)
class Verified:
    """How many files were looked at; ``unchecked`` have no checksum, since an older version wrote them.

    ``named`` are the different images that the tables name, and ``read`` those of them that were looked at. Among the
    ``images`` that were looked at may be others, of other studies in the same store or of an earlier plan.
    """

    files: int
    images: int
    named: int
    read: int
    unchecked: int
    damage: list[Damage]

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


def verify(study: StudyFolder, control: RunControl) -> Verified:
    """Read everything that a study holds and that cannot simply be made again; nothing is changed."""
    tables = [*_tables(study)]
    control.progress.start("verify tables", len(tables))
    damage = []
    for path, remedy, read in tables:
        damage += look(study, path, remedy, read)
        control.progress.advance(1)
    control.progress.finish()
    damage += _plan(study)
    damage += _gone(study)
    for answers, remedy in _ANSWERS.items():
        damage += _answers(study, study.root / answers, remedy)
    there, images, damaged = look_at_images(study, control)
    unlisted = UnlistedImages(study, REMEDIES["outcomes"])
    if not any(file.path.startswith("tables/outcomes/") for file in damage):
        unlisted.look(there)
    unchecked = sum(not has_checksum(path) for path, *_ in tables)
    counts = {"images": images + unlisted.images, "named": unlisted.named, "read": unlisted.read}
    return Verified(len(tables), unchecked=unchecked, damage=[*damage, *damaged, *unlisted.damage], **counts)


def _tables(study: StudyFolder) -> Iterator[tuple[Path, str, Callable[[], object]]]:
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


def _read_segment(study: StudyFolder, name: str, segment: Segment) -> None:
    study.workspace.tables[name].check_segment(segment)
    if name == "measurements":
        study.workspace.own_tables.names()
        gone_files(study.workspace)  # for their names


def _plan(study: StudyFolder) -> list[Damage]:
    try:
        require_whole_plan(study.workspace)
    except PortrayalError:
        return [Damage("tables/plan.json", "the files of the plan are not those that were written", _PLANNED)]
    return []


def _gone(study: StudyFolder) -> list[Damage]:
    try:
        gone = gone_files(study.workspace)
    except DamagedError:
        return []  # the measurements, which name them, are damaged
    return [Damage(str(path), "it is gone, and the numbers were computed from it", _GONE) for path in gone]


def _answers(study: StudyFolder, path: Path, remedy: str) -> list[Damage]:
    """Let SQLite look at people's answers; it finds most damage to its own structure, and none to what a cell says."""

    def read() -> None:
        # Without a log no server is at work, and SQLite need not make the files by which several share one.
        check_beside(path)
        how = "mode=ro" if path.with_name(f"{path.name}-wal").exists() else "immutable=1"
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True)
        try:
            only_rows(connection)
            (said,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        finally:
            connection.close()
        if said != "ok":
            raise DamagedError(said)
        if not tables:
            raise DamagedError("the file is empty")

    return look(study, path, remedy, read) if path.exists() else []
