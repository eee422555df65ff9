"""The command that recomputes what a paper prints."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from portrayal.cli.output import Json
from portrayal.cli.registered import RegisteredCommand
from portrayal.terminal import say, say_json, say_table

if TYPE_CHECKING:
    from portrayal.methods.reproduction import PrintedNumber, Reproduction

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command(cls=RegisteredCommand)(reproduce)


def reproduce(
    method: Annotated[
        str, typer.Argument(metavar="METHOD", help="The method whose paper is recomputed: {reproductions}.")
    ],
    as_json: Json = False,
) -> None:
    """Recompute the totals that a method's paper prints.

    They are computed from the single numbers that the paper prints. Errata are marked.
    """
    from portrayal.methods import REPRODUCTIONS

    found = REPRODUCTIONS.load(method)()
    if as_json:
        say_json(_json(found))
    else:
        _show(found)
    if not found.holds:
        raise typer.Exit(1)


def _json(found: Reproduction) -> dict[str, Any]:
    return {
        "cells": [cell.as_json() for cell in found.cells],
        "agree": sum(cell.agrees for cell in found.cells),
        "errata": sum(cell.erratum for cell in found.cells),
        "further": [cell.as_json() for cell in found.further],
        "outside": [asdict(outlier) for outlier in found.outside],
    }


def _show(found: Reproduction) -> None:
    say_table(
        ("table", "row", "model", "computed", "printed", "difference", ""),
        [_line(cell) for cell in (*found.cells, *(cell for cell in found.further if not cell.agrees))],
    )
    for outlier in found.outside:
        say(
            f"Table {outlier.table}, {outlier.row}, {outlier.model}: {outlier.printed:.6f} is printed, but what it is "
            f"an average of lies between {outlier.low:.6f} and {outlier.high:.6f}"
        )
    say(_summary(found))


def _line(cell: PrintedNumber) -> tuple[str, ...]:
    verdict = f"erratum: {cell.note}" if cell.erratum else "agrees" if cell.agrees else "DIFFERS"
    numbers = (f"{cell.computed:.7f}", f"{cell.printed:.7f}", f"{cell.difference:+.7f}")
    return (str(cell.table), cell.row, cell.model, *numbers, verdict)


def _summary(found: Reproduction) -> str:
    agree, errata = sum(cell.agrees for cell in found.cells), sum(cell.erratum for cell in found.cells)
    again = sum(cell.agrees for cell in found.further)
    return (
        f"{agree} of {len(found.cells)} totals agree, {errata} are errata of the paper; {again} of "
        f"{len(found.further)} further checks agree; {len(found.outside)} averages lie outside what they average"
    )
