"""The newest pictures of a run with what was perceived in them, what is missing and why, and what was paid so far."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from portrayal.errors import PortrayalError
from portrayal.records import Attribute, reason_text
from portrayal.reports.text.words import human
from portrayal.store.ledger import spent_by_part
from portrayal.store.tables.parquet_bounds import open_parquet
from portrayal.store.tables.parquet_file import check_file
from portrayal.study.study import OpenStudy

__all__ = ["Newest", "NewestPicture", "NewestPictures"]

SHOWN = 8
EVERY = 10.0
"""Seconds between two looks, at least."""
RESTS = 100.0
"""So many times as long as a look takes nobody looks again: it costs 1 % of a core at most."""
_COLUMNS = ["job", "status", "reason", "detail", "image", "ext"]
_ASKED = """
    SELECT j.id AS job, p.text FROM jobs j SEMI JOIN chosen ON chosen.job = j.id JOIN prompts p ON p.id = j.prompt
"""
_SEEN = "SELECT image, attribute, mass, value, reason FROM observations SEMI JOIN chosen USING (image)"


@dataclass(frozen=True, slots=True)
class NewestPicture:
    """A picture, or why there is none; ``name`` is its file's. ``seen`` is what was perceived in it so far."""

    name: str
    prompt: str
    seen: str = ""
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Newest:
    """What came last, the newest first, and what was paid in all, in US dollars."""

    pictures: Sequence[NewestPicture] = ()
    paid: float = 0.0


@dataclass
class NewestPictures:
    """Looks now and then, whoever asks how often."""

    _known: dict[Path, tuple[Newest, float]] = field(default_factory=dict)

    def get(self, folder: Path) -> Newest:
        """Return the newest of a study, as they were at the last look."""
        newest, again = self._known.get(folder, (Newest(), 0.0))
        began = time.monotonic()
        if began < again:
            return newest
        # Where files are just being merged, the next look sees them.
        with contextlib.suppress(PortrayalError, OSError, pa.ArrowException):
            newest = _look(folder)
        took = time.monotonic() - began
        self._known[folder] = newest, began + max(EVERY, RESTS * took)
        return newest


def _look(folder: Path) -> Newest:
    study = OpenStudy.to_read(folder)
    rows = _last_rows(folder / "tables" / "outcomes")
    workspace = study.workspace
    jobs = pa.table({"job": pa.array([row["job"] for row in rows], pa.string())})
    asked = {row["job"]: row["text"] for row in workspace.query(_ASKED, chosen=jobs).to_pylist()}
    images = pa.table({"image": pa.array([row["image"] for row in rows if row["image"]], pa.string())})
    seen = _seen(workspace.query(_SEEN, chosen=images).to_pylist(), study.attributes)
    paid = sum(spent_by_part(workspace).values())
    return Newest([_picture(row, asked, seen) for row in rows], paid)


def _last_rows(folder: Path) -> list[dict[str, Any]]:
    """Return the last outcomes that were written, the newest first."""
    files = sorted(folder.glob("*.parquet"), key=lambda path: path.stat().st_mtime)
    rows: list[dict[str, Any]] = []
    for path in reversed(files):
        check_file(path)
        file = open_parquet(path)
        last = file.read_row_group(file.num_row_groups - 1, columns=_COLUMNS) if file.num_row_groups else None
        rows += reversed(last.slice(max(last.num_rows - SHOWN, 0)).to_pylist() if last else [])
        if len(rows) >= SHOWN:
            break
    return rows[:SHOWN]


def _picture(row: Mapping[str, Any], asked: Mapping[str, str], seen: Mapping[str, str]) -> NewestPicture:
    prompt, image = asked.get(row["job"], ""), row["image"]
    if not image:
        why = reason_text(row["status"], row["reason"] or "")
        return NewestPicture("", prompt, missing=human(why))
    return NewestPicture(f"{image}.{row['ext']}", prompt, seen.get(image, ""))


def _seen(rows: Sequence[Mapping[str, Any]], attributes: Mapping[str, Attribute]) -> dict[str, str]:
    said: dict[str, dict[str, None]] = {}
    for row in rows:
        attribute, mass = attributes.get(row["attribute"] or ""), row["mass"]
        words = said.setdefault(row["image"], {})
        if attribute and mass:
            words[human(attribute.groups[max(range(len(mass)), key=mass.__getitem__)])] = None
        elif row["reason"]:
            words[human(row["reason"])] = None
    return {image: ", ".join(words) for image, words in said.items()}
