"""What a study is compared with: another study, or a file that ``check --json`` or ``export`` wrote."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, asdict, fields, replace
from pathlib import Path
from typing import Any, get_type_hints

from pydantic import ConfigDict, ValidationError, create_model

from portrayal.apps.check.numbers import Numbers
from portrayal.apps.check.question import Question, Row
from portrayal.apps.check.selecting import ScenarioRows
from portrayal.errors import InputError
from portrayal.inputfile import read_text
from portrayal.jsonfile import parse_json
from portrayal.language.translation import t
from portrayal.records import Measurement

__all__ = ["beside_baseline", "numbers_from_file", "stored_row"]

_LEFT_OUT = frozenset({"notes", "target", "planted", "drawn", "like_low", "like_high"})
_KEPT = {field.name: field.default for field in fields(Measurement) if field.name not in _LEFT_OUT}
_TYPES = get_type_hints(Measurement)
_COLUMNS: dict[str, Any] = {
    **{name: (_TYPES[name], ... if default is MISSING else default) for name, default in _KEPT.items()},
    "generator_name": (str, ""),
    "annotator_name": (str, ""),
    "moved": (float | None, None),
}
_StoredRow = create_model("_StoredRow", __config__=ConfigDict(strict=True, allow_inf_nan=False), **_COLUMNS)
"""A row as a file holds it; further columns are no concern. ``moved`` is what missing images could do to it."""


def stored_row(row: Row) -> dict[str, Any]:
    """Return a row as it is written to a file, for a later check to compare with."""
    values = asdict(row.row)
    return {**{name: values[name] for name in _KEPT}, "moved": row.numbers.moved(row.row)}


def numbers_from_file(path: Path) -> Numbers:
    """Read the numbers of a baseline from JSON of ``check``, or JSON lines of ``export --table measurements``."""
    text = read_text(path)
    data: Any
    if path.suffix.lower() == ".jsonl":
        data = [parse_json(line, f"{path}:{n}") for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    else:
        data = parse_json(text, str(path))
    weights = str(data.get("weights", "")) if isinstance(data, dict) else ""
    rows = data.get("measurements") if isinstance(data, dict) else data
    if not isinstance(rows, list) or not rows:
        raise InputError(
            f"{path}: no measurements in it; give what 'portrayal check --json' printed, or a measurements.jsonl of "
            "'portrayal export --format jsonl'"
        )
    stored = [_stored(row, path, place) for place, row in enumerate(rows, 1)]
    measured = [_measurement(row) for row in stored]
    moved = {one: row["moved"] for one, row in zip(measured, stored, strict=True) if row["moved"] is not None}
    return Numbers(measured, weights=weights, lost=moved)


def _measurement(row: Mapping[str, Any]) -> Measurement:
    """Return a row with parts by name."""
    parts = {name: row[f"{name}_name"] or row[name] for name in ("generator", "annotator")}
    return Measurement(**{**{name: row[name] for name in _KEPT}, **parts})


def _stored(row: Any, path: Path, place: int) -> dict[str, Any]:
    try:
        stored: dict[str, Any] = _StoredRow.model_validate(row).model_dump()
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        key = ".".join(map(str, problem["loc"]))
        message = problem["msg"][:1].lower() + problem["msg"][1:]
        raise InputError(f"{path}: measurement {place}: {key + ': ' if key else ''}{message}") from None
    return stored


def beside_baseline(question: Question, rows: ScenarioRows, ours: Numbers) -> Question:
    """Return the question with the row of the baseline that says the same of the same prompts, or why there is none.

    Models of the same name are compared; where both have but one, these are, whatever they are called.
    """
    if question.one is None:
        return question
    theirs, model = rows.numbers, question.model
    if model not in theirs.models:
        if (len(theirs.models), len(ours.models)) != (1, 1):
            return replace(question, no_other=t("the baseline has no model {model}", model=repr(model)))
        model = theirs.models[0]
    other, row = rows.one(model, question.annotator), question.one.row
    if other is None or other.row.value is None:
        return replace(question, no_other=t("the baseline has no such number"))
    weighted = row.prompts <= 1 or not theirs.weights or theirs.weights == ours.weights
    if other.row.prompt_set != row.prompt_set or not weighted:
        unlike = t("the baseline's number is about other prompts, or gives them other weights; name another")
        return replace(question, no_other=unlike)
    return replace(question, other=other)
