"""What the section finds in a report's data: scores by metric and generator, and the rows of the tables of words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from portrayal.methods.tbyb.words.reading import shipped_pairs
from portrayal.records import Measurement
from portrayal.reports.data import Picture, ReportData

__all__ = ["TBYB", "captioners", "counted_words", "overall", "pictures_with", "table_rows"]

TBYB = "tbyb"
Row = Mapping[str, Any]


def captioners(data: ReportData, rows: Iterable[Measurement]) -> list[str]:
    """Return the annotators whose captions were read, in the order of the study."""
    writers = {row.annotator for row in rows if row.metric == "jaccard_hallucination"}
    return [name for name in dict.fromkeys([*data.annotators, *sorted(writers)]) if name in writers]


def overall(rows: Iterable[Measurement], metric: str, annotator: str) -> dict[str, Measurement]:
    """Return the rows of a score over all prompts, by generator; misses are told by whoever judged them."""
    return {
        row.generator: row
        for row in rows
        if row.metric == metric and row.level == "overall" and (row.annotator == annotator or metric == "miss_rate")
    }


def table_rows(data: ReportData, name: str, **wanted: str) -> list[Row]:
    """Return the rows of one of the method's tables that are about something."""
    rows = data.own_rows.get(f"{TBYB}.{name}", ())
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


def counted_words(data: ReportData, generator: str, annotator: str) -> list[Row]:
    """Return the words that the distribution bias counts; studies of earlier versions have them as uninvited ones."""
    wanted = {"generator": generator, "annotator": annotator}
    return table_rows(data, "words", **wanted) or [
        row for row in table_rows(data, "uninvited", **wanted) if "height" in row
    ]


def pictures_with(pictures: Sequence[Picture], word: str, generator: str, most: int) -> list[Picture]:
    """Return pictures of a generator whose caption names a word, in any of its forms that begin like it."""
    forms = "|".join(map(re.escape, (word, *_others(word))))
    pattern = re.compile(rf"\b(?:{forms})", re.IGNORECASE)
    named = [
        picture
        for picture in pictures
        if picture.generator == generator and picture.thumbnail and pattern.search(_caption(picture))
    ]
    return named[:most]


@cache
def _others(word: str) -> tuple[str, ...]:
    """Return the words that count as ``word`` wherever they stand: man and woman as person."""
    return tuple(other for other, name in shipped_pairs("counted_as.csv", "word", "object").items() if name == word)


def _caption(picture: Picture) -> str:
    told = (finding.text for face in picture.faces for finding in face.findings if finding.attribute == "caption")
    return " ".join(told)
