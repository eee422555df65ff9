"""A user's own prompts, from a CSV or a TOML file.

CSV: a column ``text``, and optionally ``term``, ``category``, ``variant``, ``language``, ``weight``, ``kind``,
``edits``. TOML::

    templates = ["a photo of {a_term}", "a drawing of {a_term}"]
    [[terms]]
    term = "nurse"
    category = "health"
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import Field

from portrayal.csvfile import CsvRow, read_csv
from portrayal.errors import InputError
from portrayal.records import Prompt
from portrayal.settings import Settings, parse_settings
from portrayal.suites.base import LEAST_WEIGHT, MOST_WEIGHT, Suite, check_prompts, check_weight
from portrayal.suites.wording import fill
from portrayal.tomlfile import read_toml

__all__ = ["FileOptions", "prompt_file"]

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
            rows = read_csv(path, ["text"], _OPTIONAL)
            return Suite(path.stem, check_prompts([(row.where, _from_row(row, path.stem)) for row in rows]))
        raise InputError(
            f"{path}: prompts are read from .csv or .toml files, not {path.suffix or 'a file without ending'}"
        )


prompt_file = _PromptFile()


def _from_row(row: CsvRow, suite: str) -> Prompt:
    return Prompt(
        row["text"],
        row["term"] or row["text"],
        suite,
        row["category"],
        row["variant"],
        row["language"] or "en",
        check_weight(row.where, row.number("weight", default=1.0)),
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
                Prompt(text, term.term, path.stem, term.category, label, table.language, term.weight),
            )
