"""How annotators are to judge: what each relation means, where the line is drawn, and what a sheet is."""

from __future__ import annotations

import textwrap
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable

from portrayal.graph.typed_graph import Schema

__all__ = ["Guidelines", "Meaning", "read_guidelines", "sheet_guidelines"]

_WIDTH = 118
_SHEET = (
    "Several relations in one cell stand with ; between them. Leave the cell empty where nothing stands out: an empty "
    "cell says that you see no relation. Remove a row that you do not want to judge."
)


@dataclass(frozen=True, slots=True)
class Meaning:
    """A type of relation in one direction: what people call it, and when it holds."""

    title: str
    means: str


@dataclass(frozen=True)
class Guidelines:
    """What annotators read, in one language: ``about`` is what it is all for, ``judge`` what they judge by.

    ``line`` tells relations apart, and ``alone`` says why they are not to talk about it. Each direction has a question;
    in it the types that lead that way have meanings.
    """

    about: str
    judge: str
    line: str
    alone: str
    questions: Mapping[str, str]
    meanings: Mapping[str, Mapping[str, Meaning]]


def read_guidelines(file: Traversable, directions: Sequence[str]) -> Guidelines:
    """Return the guidelines of a TOML file with the tables ``there`` and ``back``, for these two directions."""
    sheet = tomllib.loads(file.read_text(encoding="utf-8"))
    ways = dict(zip(directions, (sheet["there"], sheet["back"]), strict=True))
    meanings = {
        way: {name: Meaning(**meaning) for name, meaning in table.items() if name != "question"}
        for way, table in ways.items()
    }
    questions = {way: str(table["question"]) for way, table in ways.items()}
    said = {name: str(sheet[name]) for name in ("about", "judge", "line", "alone")}
    return Guidelines(**said, questions=questions, meanings=meanings)


def sheet_guidelines(guidelines: Guidelines, schema: Schema) -> str:
    """Return how to fill in a sheet."""
    lines = ["How to fill in a sheet", "", *_filled(f"Every row is a question about one pair. {guidelines.judge}")]
    for way in schema.directions:
        lines += ["", f"Rows with the direction {way}: {guidelines.questions[way]}"]
        lines += [f"  {name:<22}{meaning.means}" for name, meaning in guidelines.meanings[way].items()]
    for paragraph in (f"Where to draw the line: {guidelines.line}", _SHEET, guidelines.alone):
        lines += ["", *_filled(paragraph)]
    return "\n".join(lines)


def _filled(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH)
