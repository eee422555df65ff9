"""Edits as others measured them: a CSV with what was perceived before and after, a row for each edit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from portrayal.csvfile import CsvRow, read_csv
from portrayal.errors import InputError
from portrayal.methods.biaspainter.scores import ATTRIBUTES, EditedFaces
from portrayal.methods.biaspainter.scores.changes import FEMALE, MALE

__all__ = ["COLUMNS", "Sheet", "read_sheet"]

COLUMNS = (
    "topic", "word", "seed", "seed_gender", "gender_before", "gender_after", "age_before", "age_after", "tone_before",
    "tone_after",
)  # fmt: skip
_GENDERS = {"male": MALE, "m": MALE, "female": FEMALE, "f": FEMALE, "": np.nan}
_MOST = {"age": 150, "tone": 255}


@dataclass(frozen=True)
class Sheet:
    """Edits, and what their places stand for: topic and word, and the names of seeds."""

    words: Sequence[tuple[str, str]]
    seeds: Sequence[str]
    faces: EditedFaces

    @property
    def counting_unanswered(self) -> EditedFaces:
        """The same edits, of which those without an answer count as faces whose perceived gender did not change."""
        faces, seen = self.faces, ~np.isnan(self.faces.before["gender"])
        planned = np.zeros((faces.words, len(faces.genders)))
        np.add.at(planned, (faces.word[seen], faces.seed[seen]), 1.0)
        return replace(faces, planned=planned)


def read_sheet(path: Path) -> Sheet:
    """Return the edits of a CSV; an empty field is missing."""
    rows = read_csv(path, COLUMNS)
    words: dict[tuple[str, str], int] = {}
    seeds: dict[str, int] = {}
    genders: dict[int, tuple[float, str]] = {}
    columns: dict[str, list[float]] = {f"{name}_{when}": [] for name in ATTRIBUTES for when in ("before", "after")}
    place: list[tuple[int, int]] = []
    for row in rows:
        if not row["word"] or not row["seed"]:
            raise InputError(f"{row.where}: every row needs a word and a seed")
        word = words.setdefault((row["topic"], row["word"]), len(words))
        seed = seeds.setdefault(row["seed"], len(seeds))
        place.append((word, seed))
        for name, values in columns.items():
            values.append(_gender(row, name) if name.startswith("gender") else _number(row, name))
        _remember(genders, seed, row, columns["gender_before"][-1])
    told = {name: np.array(values) for name, values in columns.items()}
    seed_genders = np.array([genders.get(seed, (np.nan, ""))[0] for seed in seeds.values()])
    at = np.array(place, dtype=np.int64)
    before, after = ({name: told[f"{name}_{when}"] for name in ATTRIBUTES} for when in ("before", "after"))
    return Sheet(
        list(words), list(seeds), EditedFaces(len(words), seed_genders, at[:, 0], at[:, 1], before=before, after=after)
    )


def _remember(genders: dict[int, tuple[float, str]], seed: int, row: CsvRow, before: float) -> None:
    """Keep the gender of a seed: the one that is stated, or else the first that was perceived."""
    stated = _gender(row, "seed_gender")
    where = row.where if not np.isnan(stated) else ""
    known, at = genders.get(seed, (np.nan, ""))
    if where and at and known != stated:
        raise InputError(f"{row.where}: seed {row['seed']!r} is of another gender at {at}; a seed has one")
    if (where and not at) or (np.isnan(known) and not np.isnan(before)):
        genders[seed] = (stated if where else before, where)


def _gender(row: CsvRow, column: str) -> float:
    word = row[column].casefold()
    if word not in _GENDERS:
        raise InputError(f"{row.where}: column {column!r} must be male, female or empty, got {row[column]!r}")
    return _GENDERS[word]


def _number(row: CsvRow, column: str) -> float:
    if not row[column]:
        return float("nan")
    number, most = row.number(column), _MOST[column.split("_")[0]]
    if not 0 <= number <= most:
        raise InputError(f"{row.where}: column {column!r} must be from 0 to {most}, got {row[column]!r}")
    return number
