"""Commands that list: what is installed, what there is to ask."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from portrayal.commands.command_lists import command_group
from portrayal.commands.options import Json
from portrayal.csvfile import csv_text
from portrayal.errors import StudyError
from portrayal.terminal import say_json, say_table, say_text

if TYPE_CHECKING:
    from portrayal.registry import Registry
    from portrayal.suites import Suite

__all__ = ["doctor", "list_parts", "suites"]

_SUITES = """List suites of prompts, or print one.

Without a command, lists the suites and what each asks. Look at the prompts of a suite, then use it in a study. To ask
prompts of your own, write a file with the columns text and term:

\b
  portrayal suites show SUITE
  portrayal init STUDY --suite SUITE
  portrayal init STUDY --suite prompts.csv
"""

_COLUMNS = (
    "id", "text", "term", "category", "variant", "language", "weight", "kind", "people", "requested", "reference",
    "drawn_text", "edits",
)  # fmt: skip


Format = Literal["csv", "jsonl", "txt"]
"""How prompts are printed."""


def doctor(as_json: Json = False) -> None:
    """Show what is installed, and how to enable the rest.

    Lists every generator, annotator, suite and method: ready, or the one command that enables it.
    """
    from portrayal.api.doctor import doctor as examine

    health = examine()
    if as_json:
        say_json(health)
    else:
        say_text(repr(health))


def list_suites(context: typer.Context, as_json: Json = False) -> None:
    """List the suites of prompts."""
    if context.invoked_subcommand:
        return
    from portrayal.suites import SUITES

    list_parts(SUITES, "what it asks", as_json=as_json)


def list_parts(registry: Registry[Any], does: str, *, as_json: bool) -> None:
    """Print the parts of a kind, each with its summary; ``does`` stands above those."""
    entries = {name: entry.summary for name, entry in registry.entries().items()}
    if as_json:
        say_json([{"name": name, "summary": summary} for name, summary in entries.items()])
    else:
        say_table((registry.kind, does), entries.items())


def show_suite(
    name: Annotated[
        str, typer.Argument(metavar="SUITE", help="A suite's name, a .csv or .toml file, or the folder of a study.")
    ],
    layout: Annotated[
        Format, typer.Option("--format", help="csv, jsonl, or txt with one prompt per line, as generators get it.")
    ] = "csv",
    as_json: Json = False,
) -> None:
    """Print the prompts of a suite or of a study.

    A study's prompts are those that its suite gives with the options in study.toml.
    """
    suite = _find(name)
    if as_json:
        say_json(_rows(suite))
    else:
        say_text(_layout(suite, layout).rstrip("\n"))


def _find(name: str) -> Suite:
    from portrayal.study.config import CONFIG_NAME
    from portrayal.study.create.create_study import suite_config
    from portrayal.study.parts.specs import build_suite
    from portrayal.study.study import OpenStudy
    from portrayal.suites import SUITES

    if name in SUITES.entries() or not (Path(name) / CONFIG_NAME).is_file():
        return build_suite(suite_config(name), Path())
    suite = OpenStudy(Path(name)).suite
    if suite is None:
        raise StudyError(f"{Path(name) / CONFIG_NAME}: no [suite] here, so there are no prompts to show")
    return suite


def _rows(suite: Suite) -> list[dict[str, Any]]:
    return [{name: getattr(prompt, name) for name in _COLUMNS} for prompt in suite.prompts]


def _layout(suite: Suite, layout: Format) -> str:
    if layout == "txt":
        return "\n".join(prompt.drawn_text for prompt in suite.prompts if not prompt.edits)
    if layout == "jsonl":
        return "\n".join(json.dumps(row, ensure_ascii=False) for row in _rows(suite))
    return csv_text(_COLUMNS, (map(_cell, row.values()) for row in _rows(suite)))


def _cell(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, Mapping) else value


suites = command_group(_SUITES, list_suites, show=show_suite)
