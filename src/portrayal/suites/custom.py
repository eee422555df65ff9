"""A user's own prompts, from a CSV or a TOML file.

CSV: a column ``text``, and optionally ``term``, ``category``, ``variant``, ``language``, ``weight``, ``kind``,
``edits``. TOML::

    templates = ["a photo of {a_term}", "a drawing of {a_term}"]
    [[terms]]
    term = "nurse"
    category = "health"
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from numbers import Real
from pathlib import Path
from sys import intern

from pydantic import Field

from portrayal.csvfile import CsvRow, csv_text, iter_csv
from portrayal.errors import InputError, did_you_mean
from portrayal.records import Prompt
from portrayal.settings import Settings, parse_settings
from portrayal.suites.prompt_wording import fill
from portrayal.suites.suite import LEAST_WEIGHT, MOST_WEIGHT, Suite, check_prompts, check_weight
from portrayal.tomlfile import read_toml

__all__ = ["FileOptions", "PromptRow", "prompt_file", "prompt_sheet"]

_OPTIONAL = ("term", "category", "variant", "language", "weight", "kind", "edits")


class FileOptions(Settings):
    """Where the prompts are."""

    path: Path


class _TermTable(Settings):
    term: str = Field(min_length=1)
    category: str = ""
    weight: float = Field(default=1.0, ge=LEAST_WEIGHT, le=MOST_WEIGHT, allow_inf_nan=False)


class _TomlSuite(Settings):
    templates: tuple[str, ...] = Field(min_length=1)
    terms: tuple[_TermTable, ...] = Field(min_length=1)
    language: str = "en"
    citation: str = ""


class _PromptFile:
    Options = FileOptions

    def __call__(self, options: FileOptions, folder: Path) -> Suite:
        path = folder / options.path
        if path.suffix.lower() == ".toml":
            return _from_toml(path)
        if path.suffix.lower() == ".csv":
            rows = iter_csv(path, ["text"], _OPTIONAL)
            return Suite(path.stem, check_prompts((row.where, _from_row(row, path.stem)) for row in rows))
        raise InputError(
            f"{path}: prompts are read from .csv or .toml files, not {path.suffix or 'a file without ending'}"
        )


prompt_file = _PromptFile()


PromptRow = Mapping[str, str | float | None]
"""A prompt by column, as a file of prompts has it."""


def prompt_sheet(prompts: Sequence[str | PromptRow]) -> str:
    """Return prompts, each its text or a row by column, as the text of a CSV file.

    >>> print(prompt_sheet(["a photo of one nurse", {"text": "a photo of one CEO", "term": "CEO"}]), end="")
    text,term
    a photo of one nurse,
    a photo of one CEO,CEO
    """
    if isinstance(prompts, str | bytes) or not isinstance(prompts, Sequence) or not prompts:
        given = "none" if isinstance(prompts, Sequence) and not prompts else f"a {type(prompts).__name__}"
        raise InputError(f"prompts must be a list of texts, such as ['a photo of one nurse'], and not {given}")
    rows = [CsvRow(f"prompts[{place}]", _columns(place, prompt)) for place, prompt in enumerate(prompts)]
    check_prompts([(row.where, _from_row(row, "prompts")) for row in rows])
    columns = ["text", *(name for name in _OPTIONAL if any(row[name] for row in rows))]
    return csv_text(columns, ([row[name] for name in columns] for row in rows))


def _columns(place: int, prompt: str | PromptRow) -> dict[str, str]:
    if not isinstance(prompt, str | Mapping):
        raise InputError(f"prompts[{place}]: a prompt is a text or a row by column, and not {prompt!r:.60}")
    given: PromptRow = {"text": prompt} if isinstance(prompt, str) else prompt
    for name in given:
        if name not in ("text", *_OPTIONAL):
            raise InputError(
                f"prompts[{place}]: unknown column {name!r}{did_you_mean(str(name), ['text', *_OPTIONAL])}"
            )
    return {name: _cell(f"prompts[{place}]: column {name!r}", value) for name, value in given.items()}


def _cell(where: str, value: object) -> str:
    """Return what a column holds as a text: nothing for None and NaN, which frames have where they have nothing."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool) or not isinstance(value, str | Real):
        raise InputError(f"{where} holds a text or a number, and not {value!r:.60}")
    return str(value).strip()


def _from_row(row: CsvRow, suite: str) -> Prompt:
    # A file may have a million rows: what many of them say is kept once.
    return Prompt(
        row["text"],
        intern(row["term"] or row["text"]),
        suite,
        category=intern(row["category"]),
        variant=intern(row["variant"]),
        language=intern(row["language"] or "en"),
        weight=check_weight(row.where, row.number("weight", default=1.0)),
        kind=row["kind"],
        edits=row["edits"] or None,
    )


def _from_toml(path: Path) -> Suite:
    table = parse_settings(_TomlSuite, read_toml(path), str(path))
    prompts = check_prompts(list(_expand(table, path)))
    return Suite(path.stem, prompts, (table.citation,) if table.citation else ())


def _expand(table: _TomlSuite, path: Path) -> Iterator[tuple[str, Prompt]]:
    for number, term in enumerate(table.terms, start=1):
        for variant, template in enumerate(table.templates, start=1):
            text = fill(template, term.term)
            label = str(variant) if len(table.templates) > 1 else ""
            yield (
                f"{path} term {number}",
                Prompt(
                    text,
                    term.term,
                    path.stem,
                    category=term.category,
                    variant=label,
                    language=table.language,
                    weight=term.weight,
                ),
            )
