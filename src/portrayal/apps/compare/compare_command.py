"""The command that compares models."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from portrayal.commands.options import Folder, Json, given_path
from portrayal.terminal import say, say_json, say_table

if TYPE_CHECKING:
    from portrayal.api.rows.comparison import Differences

__all__ = ["app"]

app = typer.Typer(add_completion=False, rich_markup_mode=None)
_SIGN = "\N{SUPERSCRIPT PLUS SIGN}"
SHOWN = 20
"""Rows that are printed; --all prints the others, --json has them."""


class Correction(StrEnum):
    """How p-values are corrected for looking at many."""

    list = "benjamini-hochberg"
    few = "holm"


class Sides(StrEnum):
    """What two sides differ in."""

    model = "model"
    mitigation = "mitigation"
    language = "language"
    annotator = "annotator"
    gender = "gender"


@app.command("compare")
def compare(  # noqa: PLR0913 - each is an option
    study: Folder,
    other: Annotated[
        Path | None,
        typer.Argument(parser=given_path, metavar="OTHER", help="Another study; models of the same name are compared."),
    ] = None,
    by: Annotated[
        Sides,
        typer.Option(help="model, or within each model mitigation (way of asking), language, annotator, or gender."),
    ] = Sides.model,
    model: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Only this model; may be repeated.")] = None,
    margin: Annotated[
        float | None,
        typer.Option(help="Differences of shares up to this size do not matter; by default the study's tolerance."),
    ] = None,
    correction: Annotated[
        Correction | None,
        typer.Option(
            help="benjamini-hochberg for looking through a list, holm for a few comparisons named beforehand."
        ),
    ] = None,
    about: Annotated[
        list[str] | None, typer.Option(metavar="TERM", help="Only this term or category; may be repeated.")
    ] = None,
    attribute: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this attribute; may be repeated.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Print every row, not only the first ones.")] = False,
    as_json: Json = False,
) -> None:
    """Show where two models differ, in one study or two.

    For each share and score, shows both values, the difference with its interval, and one of five verdicts: more,
    fewer, within the margin, no difference found, too few images.
    """
    from portrayal.api.study import Study

    found = Study(study).compare(
        other,
        by=by.value,
        models=model or (),
        margin=margin,
        correction=correction.value if correction else None,
        about=about or (),
        attributes=attribute or (),
    )
    if as_json:
        say_json({"sentences": found.sentences, "summary": found.summary, "not_compared": found.incomplete,
                  "not_over": found.not_over,                  "rows": found.to_arrow().to_pylist()})  # fmt: skip
    else:
        _print(found, None if everything else SHOWN)


def _print(found: Differences, shown: int | None) -> None:
    say(*(sentence.replace("\xa0", " ") for sentence in found.sentences), found.summary.replace("\xa0", " "), "")
    rows = found.to_arrow().to_pylist()
    if rows:
        _print_rows(rows, shown)
    if found.not_over:
        say(found.not_over.replace("\xa0", " "))
    for line in found.incomplete:
        say(f"not compared: {line}")


def _print_rows(rows: list[dict[str, Any]], shown: int | None) -> None:
    header = ("about", "what", "one", "", "other", "", "difference", "95 % interval", "p, corrected", "verdict")
    annotators = len({row["annotator"] for row in rows}) > 1
    say_table(header, [_cells(row, annotators) for row in rows[:shown]])
    if shown is not None and len(rows) > shown:
        say(f"and {len(rows) - shown} more rows; --all prints them")
    if any(row["wide"] for row in rows[:shown]):
        say(f"{_SIGN} few images show the group, or few do not: this interval is wider than it need be")


def _cells(row: dict[str, Any], annotators: bool) -> tuple[str, ...]:
    from portrayal.reports.text.words import human

    share = bool(row["group"])
    bounds = "" if row["low"] is None else f"{_number(row['low'], share)} to {_number(row['high'], share)}"
    bounds += _SIGN if row["wide"] else ""
    p = "" if row["p_corrected"] is None else "<0.001" if row["p_corrected"] < 0.001 else f"{row['p_corrected']:.3f}"
    return (
        (row["item"] or "all prompts") + (f", {row['annotator']}" if annotators else ""),
        human(row["group"] or row["metric"]),
        row["one"],
        f"{row['value']:.0%} of {row['n']}" if share else f"{row['value']:.3f}",
        row["other"],
        f"{row['other_value']:.0%} of {row['other_n']}" if share else f"{row['other_value']:.3f}",
        _number(row["difference"], share) + (" points" if share else ""),
        bounds,
        p,
        row["words"].replace("\xa0", " "),
    )


def _number(value: float, share: bool) -> str:
    text = f"{100 * value:+.0f}" if share else f"{value:+.3f}"
    return text if text.strip("+-0.") else text[1:]  # nothing is neither more nor less
