"""Which image of the study a row of a sheet is about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from portrayal.csvfile import CsvRow
from portrayal.errors import InputError, did_you_mean
from portrayal.records import plain_prompt
from portrayal.study.measure.counting import COUNTING
from portrayal.study.study import OpenStudy

__all__ = ["Target", "find_images"]

SHORTEST = 8
"""Characters of an image's name that are enough, if no other image begins with them."""
_LONGEST = 64

_NAMED = pa.schema([("row", pa.int64()), ("name", pa.string())])
_COUNTED = pa.schema([("row", pa.int64()), ("generator", pa.string()), ("prompt", pa.string()), ("index", pa.int32())])
# Only images of the plan that count: those that were replaced or rejected are kept but no longer meant.
_FIND = f"""
    WITH made AS ({COUNTING}), found AS (
        SELECT "row", job, image FROM named JOIN made ON left(image, {SHORTEST}) = left(name, {SHORTEST})
        WHERE starts_with(image, name) AND length(name) >= {SHORTEST}
        UNION
        SELECT "row", job, image FROM files JOIN imports ON source = name JOIN made ON job = imports.id
        UNION
        SELECT "row", job, image FROM counted JOIN jobs USING (generator, prompt, "index") JOIN made ON job = jobs.id
    )
    SELECT "row", image, max(people) AS people
    FROM found JOIN jobs ON jobs.id = job JOIN prompts ON prompts.id = jobs.prompt
    GROUP BY "row", image ORDER BY "row", image
"""


@dataclass(frozen=True, slots=True)
class Target:
    """An image, and how many people its prompt asked for."""

    image: str
    people: int


def find_images(study: OpenStudy, rows: Sequence[CsvRow]) -> list[Target]:
    """Return the image of each row; one that is unknown, or could be several, is an error."""
    cells = {number: row["image"] for number, row in enumerate(rows) if row["image"]}
    counted = _counted(study, {number: row for number, row in enumerate(rows) if not row["image"]})
    tables = {
        "named": _table(_NAMED, [(number, _name(cell)) for number, cell in cells.items()]),
        "files": _table(_NAMED, [(number, path) for number, cell in cells.items() for path in _paths(cell)]),
        "counted": _table(_COUNTED, counted),
    }
    targets: dict[int, list[Target]] = defaultdict(list)
    for match in study.workspace.query(_FIND, **tables).to_pylist():
        targets[match["row"]].append(Target(match["image"], match["people"]))
    for number, row in enumerate(rows):
        if len(targets[number]) != 1:
            raise InputError(f"{row.where}: {_problem(row, len(targets[number]))}")
    return [targets[number][0] for number in range(len(rows))]


def _name(cell: str) -> str:
    # The path of a picture in the study's own folder holds the image's name, so it will do too.
    stem = Path(cell).stem
    return (stem if len(stem) == _LONGEST else cell).lower()


def _paths(cell: str) -> set[str]:
    return {cell, str(Path(cell).absolute())}


def _table(schema: pa.Schema, rows: Sequence[tuple[object, ...]]) -> pa.Table:
    return pa.Table.from_pylist([dict(zip(schema.names, row, strict=True)) for row in rows], schema)


def _counted(study: OpenStudy, rows: dict[int, CsvRow]) -> list[tuple[object, ...]]:
    if not rows:
        return []
    prompts = study.workspace.query("SELECT id, text FROM prompts").to_pylist()
    ids = {plain_prompt(prompt["text"]): prompt["id"] for prompt in prompts}
    models = study.workspace.query("SELECT DISTINCT generator FROM jobs")["generator"].to_pylist()
    called = {study.names.generator(model): model for model in models}
    return [_place(number, row, ids, {**called, **{model: model for model in models}}) for number, row in rows.items()]


def _place(number: int, row: CsvRow, prompts: dict[str, str], models: dict[str, str]) -> tuple[object, ...]:
    for column in ("model", "prompt", "index"):
        if not row[column]:
            raise InputError(f"{row.where}: which image? give 'image', or all of 'model', 'prompt' and 'index'")
    text = plain_prompt(row["prompt"])
    if text not in prompts:
        raise InputError(f"{row.where}: no prompt {row['prompt']!r} in this study{did_you_mean(text, prompts)}")
    if row["model"] not in models:
        raise InputError(f"{row.where}: no model {row['model']!r} in this study{did_you_mean(row['model'], models)}")
    if not (row["index"].isascii() and row["index"].isdecimal() and len(row["index"]) < 10):
        raise InputError(f"{row.where}: column 'index' must be a whole number from 0, got {row['index']!r}")
    return number, models[row["model"]], prompts[text], int(row["index"])


def _problem(row: CsvRow, count: int) -> str:
    if row["image"]:
        if count:
            return f"{count} images fit {row['image']!r}; give the whole SHA-256 name"
        return (
            f"no image {row['image']!r} in this study; give its SHA-256 name, {SHORTEST} characters of it or more, "
            "or the path it was imported from"
        )
    asked = f"image {row['index']} of this prompt by {row['model']!r}"
    return f"{count} images are {asked}; name them in column 'image'" if count else f"there is no {asked}"
