"""The command that shows what changed over releases of a model."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from portrayal.commands.options import Json, given_path
from portrayal.terminal import say, say_json, say_table

if TYPE_CHECKING:
    from portrayal.apps.history.api import History

__all__ = ["app"]

app = typer.Typer(add_completion=False, rich_markup_mode=None)
SHOWN = 20
"""Rows that are printed; --json has the others."""


class Order(StrEnum):
    """In which order releases follow each other."""

    given = "given"
    date = "date"


@app.command("history")
def history(
    folders: Annotated[
        list[Path],
        typer.Argument(
            parser=given_path, metavar="FOLDER", help="Measured studies, one for each release, or a folder of them."
        ),
    ],
    order: Annotated[
        Order,
        typer.Option(
            help="given: in the order given, and folders within a folder by name; date: by when they were measured."
        ),
    ] = Order.given,
    model: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Only this model; may be repeated.")] = None,
    margin: Annotated[
        float | None,
        typer.Option(help="Changes of shares up to this size do not matter; by default the last study's tolerance."),
    ] = None,
    page: Annotated[
        Path | None, typer.Option(parser=given_path, metavar="FILE", help="Write the charts and tables as a page.")
    ] = None,
    language: Annotated[str, typer.Option(help="The page's language, en or de; by default that of the report.")] = "",
    as_json: Json = False,
) -> None:
    """Show what changed between releases of a model.

    Compares each number of each release with the release before and with the first, corrected for the number of
    comparisons and for looking again at every release.
    """
    from portrayal.apps.history.api import History

    found = History(folders, order=order.value, models=model or (), margin=margin)
    written = found.save(page, language=language) if page else None
    if as_json:
        say_json(found.as_json())
        return
    _print(found)
    if written:
        say(str(written))


def _print(found: History) -> None:
    plain = [line.replace("\xa0", " ") for line in (*found.sentences, found.summary)]
    say(*plain, "")
    rows = [row for row in reversed(found.to_arrow().to_pylist()) if row["verdict"] in ("more", "less")]
    if rows:
        header = ("release", "since", "about", "what", "before", "now", "change", "95 % interval", "p, corrected")
        say_table(header, [_cells(row) for row in rows[:SHOWN]])
    if len(rows) > SHOWN:
        say(f"and {len(rows) - SHOWN} more changes; --json has them")
    for line in found.not_compared:
        say(f"not compared with the release before: {line}".replace("\xa0", " "))


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    from portrayal.reports.text.words import human

    share = bool(row["group"])
    before, now = (
        f"{value:.0%} of {n}" if share else f"{value:.3f}"
        for value, n in ((row["earlier_value"], row["earlier_n"]), (row["value"], row["n"]))
    )
    p = "<0.001" if row["p_corrected"] < 0.001 else f"{row['p_corrected']:.3f}"
    change, low, high = (
        f"{100 * row[name]:+.0f}" if share else f"{row[name]:+.3f}" for name in ("difference", "low", "high")
    )
    about, what = row["item"] or "all prompts", human(row["group"] or row["metric"])
    change += " points" if share else ""
    return row["release"], row["earlier"], about, what, before, now, change, f"{low} to {high}", p
