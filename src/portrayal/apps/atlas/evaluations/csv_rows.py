"""Evaluations and metadata from a CSV file: one row a model, and every column that is not known is a score."""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from portrayal.csvfile import finite, original_text
from portrayal.errors import InputError
from portrayal.methods.atlas_part import derived, score_kinds
from portrayal.records.evaluated_models.evaluation import Evaluation, ModelInfo, Score

__all__ = ["LARGEST", "CsvAtlas", "in_future", "parse_date", "read_atlas_csv"]

LARGEST = 10**15
"""Larger numbers are mistakes: no model has so many likes, and no score is so large."""

_INFO = ("category", "scheduler", "pipeline", "created", "likes", "downloads")
_ABOUT = ("protocol", "run", "source")
_KNOWN = ("model", *_INFO, *_ABOUT, "images")
_FIRST_YEAR = 1990
_BOUNDS = ("_low", "_high")
_DATE = re.compile(r"(\d{4}-(?:0[1-9]|1[0-2]))(-(?:0[1-9]|[12]\d|3[01]))?(?:T.*)?")


@dataclass(frozen=True, slots=True)
class CsvAtlas:
    """What a file holds; ``problems`` are rows that could not be read, each with file, line and column.

    ``repeats`` say which rows a later one of the same run takes the place of.
    """

    evaluations: Sequence[Evaluation]
    models: Sequence[ModelInfo]
    problems: Sequence[str]
    repeats: Sequence[str] = ()


class _CellError(Exception):
    """A cell that cannot be read."""


def read_atlas_csv(text: str, name: str, source: str = "", *, today: date) -> CsvAtlas:
    """Return the rows of the text of a CSV file; rows that cannot be read are named, and all others kept.

    Parameters
    ----------
    text
        The file: its first line names the columns, ``model`` among them.
    name
        What messages call the file.
    source
        Where the figures come from, for rows that do not say so.
    today
        No model is newer than this.
    """
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        header = [original_text(cell.strip()) for cell in next(reader, [])]
    except csv.Error as error:
        raise InputError(f"{name}:1: not a CSV file: {error}") from None
    _check_header(header, name)
    columns = {*header}
    scores = [column for column in header if column not in _KNOWN and not _is_bound(column, columns)]
    given: dict[int, Evaluation] = {}
    models, problems = [], []
    while True:
        try:
            line = next(reader, None)
        except csv.Error as error:
            problems.append(f"{name}:{reader.line_num}: not a row of a CSV file: {error}")
            continue
        if line is None:
            break
        if not any(cell.strip() for cell in line):
            continue
        try:
            if len(line) != len(header):
                raise _CellError(f"{len(line)} values, but the header has {len(header)} columns")
            row = {column: original_text(cell.strip()) for column, cell in zip(header, line, strict=True)}
            info, evaluation = _info(row, today), _evaluation(row, scores, source)
        except _CellError as problem:
            problems.append(f"{name}:{reader.line_num}: {problem}")
            continue
        models.append(info)
        if evaluation:
            given[reader.line_num] = evaluation
    return CsvAtlas(list(given.values()), models, problems, _repeats(given, name))


def _repeats(given: Mapping[int, Evaluation], name: str) -> list[str]:
    """Say which rows, by their lines, give a run other figures than a row before."""
    last: dict[tuple[str, str, str], int] = {}
    repeats = []
    for line, row in given.items():
        before = last.get(row.key)
        if before is not None and given[before].id != row.id:
            run = f"run {row.run!r}" if row.run else "a run without a name"
            repeats.append(
                f"{name}:{line}: {row.model!r}, {run}, stands in line {before} with other figures; line {line} counts"
            )
        last[row.key] = line
    return repeats


def _check_header(header: Sequence[str], name: str) -> None:
    if "model" not in header:
        has = f"; the file has {', '.join(header)}" if any(header) else ""
        raise InputError(f"{name}: column 'model' is missing{has}")
    times = Counter(header)
    for column in header:
        if not column or times[column] > 1:
            raise InputError(f"{name}: " + (f"column {column!r} stands twice" if column else "a column has no name"))


def _is_bound(column: str, header: Collection[str]) -> bool:
    return any(column.endswith(end) and column.removesuffix(end) in header for end in _BOUNDS)


def _info(row: Mapping[str, str], today: date) -> ModelInfo:
    if not row["model"]:
        raise _CellError("column 'model' is empty")
    return ModelInfo(
        row["model"],
        row.get("category", ""),
        scheduler=row.get("scheduler", ""),
        pipeline=row.get("pipeline", ""),
        created=_created(row.get("created", ""), today),
        likes=_count(row, "likes"),
        downloads=_count(row, "downloads"),
    )


def _evaluation(row: Mapping[str, str], columns: Sequence[str], source: str) -> Evaluation | None:
    scores = {column: score for column in columns if (score := _score(row, column)) is not None}
    if not scores:
        return None
    about = {name: row.get(name, "") for name in _ABOUT}
    about["source"] = about["source"] or source
    return Evaluation(row["model"], derived(scores), images=_count(row, "images"), **about)


def _score(row: Mapping[str, str], column: str) -> Score | None:
    value, low, high = (_possible(row, column, end) for end in ("", *_BOUNDS))
    if value is None:
        return None
    if low is not None and high is not None and low > high:
        raise _CellError(f"column '{column}_low' must not be above '{column}_high', got {low:g} and {high:g}")
    return Score(value, low, high)


def _possible(row: Mapping[str, str], score: str, end: str) -> float | None:
    """Return a score or a bound of it, within what the score can be."""
    number, kind = _number(row, score + end), score_kinds().get(score)
    if number is not None and kind is not None and not kind.lowest <= number <= kind.highest:
        span = (
            f"from {kind.lowest:g} to {kind.highest:g}" if math.isfinite(kind.highest) else f"{kind.lowest:g} or more"
        )
        raise _CellError(f"column '{score + end}' must be {span}, got {row[score + end]!r}")
    return number


def _number(row: Mapping[str, str], column: str) -> float | None:
    text = row.get(column, "")
    if not text:
        return None
    number = finite(text)
    if number is None:
        raise _CellError(f"column '{column}' must be a number, got {text!r}")
    if abs(number) > LARGEST:
        raise _CellError(f"column '{column}' must not be beyond {LARGEST:.0e}, got {text!r}")
    return number


def _count(row: Mapping[str, str], column: str) -> int | None:
    number = _number(row, column)
    if number is not None and (number < 0 or number != int(number)):
        raise _CellError(f"column '{column}' must be a whole number from 0 on, got {row[column]!r}")
    return None if number is None else int(number)


def _created(text: str, today: date) -> str:
    created = parse_date(text)
    if created is None:
        raise _CellError(f"column 'created' must be a date such as 2022-08-22 or 2022-08, got {text!r}")
    if in_future(created, today):
        raise _CellError(f"column 'created' must not be after today, {today}, got {text!r}")
    return created


def in_future(created: str, today: date) -> bool:
    """Return whether a date, or a month, only begins after ``today``: one such row bends a whole trend.

    >>> in_future("2024-05-02", date(2024, 5, 1)), in_future("2024-05", date(2024, 5, 1)), in_future("", date.min)
    (True, False, False)
    """
    return created > today.isoformat()[: len(created)]


def parse_date(text: str) -> str | None:
    """Return a date as year, month and perhaps day, without what may follow it; None: it is none; empty: empty.

    A day that its month does not have is none, nor is one before there were models.
    """
    if not text:
        return ""
    match = _DATE.fullmatch(text)
    if not match or int(match[1][:4]) < _FIRST_YEAR:
        return None
    try:
        date.fromisoformat(match[1] + (match[2] or "-01"))
    except ValueError:
        return None
    return match[1] + (match[2] or "")
