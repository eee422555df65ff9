"""The command that prints what a study found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from portrayal.commands.options import Folder, Json
from portrayal.terminal import say, say_json

if TYPE_CHECKING:
    from portrayal.api.rows.findings import Findings

__all__ = ["findings"]


def findings(
    study: Folder,
    everything: Annotated[
        bool, typer.Option("--all", help="Also print findings that may be chance, which the report folds away.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Print what was found, as on the report's first screen.

    First how models differ, then how each model deviates from the reference, with the same numbers as in the report.
    """
    from portrayal.api.study import Study

    found = Study(study).findings()
    if as_json:
        say_json({"summary": found.summary, "not_over": found.not_over, "findings": found.to_arrow().to_pylist()})
    else:
        _print(found, everything=everything)


def _print(found: Findings, *, everything: bool) -> None:
    rows = [row for row in found if row["open"] or everything]
    for place, row in enumerate(rows):
        if row["kind"] in ("answer", "verdict") and (not place or rows[place - 1]["model"] != row["model"]):
            say("", row["model"])
        say(*_lines(row))
    if found.not_over:
        say("", found.not_over)
    folded = len(found) - len(rows)
    if folded:
        say("", f"{folded} more; --all prints {'it' if folded == 1 else 'them'}")


def _lines(row: dict[str, Any]) -> list[str]:
    said = f"{row['about']}: {row['sentence']}" if row["about"] else row["sentence"]
    below = [row["basis"], *row["cautions"]]
    return [line.replace("\xa0", " ") for line in (said, *(f"  {line}" for line in below if line))]
