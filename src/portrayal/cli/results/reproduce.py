"""The command that recomputes what a paper prints."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from portrayal.commands.options import Json
from portrayal.terminal import say, say_json, say_table

if TYPE_CHECKING:
    from portrayal.methods.reproduction import PrintedNumber, Reproduction

__all__ = ["reproduce"]


def reproduce(
    method: Annotated[
        str, typer.Argument(metavar="METHOD", help="The method whose paper is recomputed: {reproductions}.")
    ],
    as_json: Json = False,
) -> None:
    """Recompute the totals that a method's paper prints.

    Computes them from the individual numbers that the paper prints, and marks errata.
    """
    from portrayal.methods import REPRODUCTIONS

    reproduction = REPRODUCTIONS.load(method)()
    if as_json:
        say_json(_json(reproduction))
    else:
        _show(reproduction)
    if not reproduction.holds:
        raise typer.Exit(1)


def _json(reproduction: Reproduction) -> dict[str, Any]:
    return {
        "cells": [cell.as_json() for cell in reproduction.cells],
        "agree": sum(cell.agrees for cell in reproduction.cells),
        "errata": sum(cell.erratum for cell in reproduction.cells),
        "further": [cell.as_json() for cell in reproduction.further],
        "outside": [asdict(outlier) for outlier in reproduction.outside],
    }


def _show(reproduction: Reproduction) -> None:
    say_table(
        ("table", "row", "model", "computed", "printed", "difference", ""),
        [_line(cell) for cell in (*reproduction.cells, *(cell for cell in reproduction.further if not cell.agrees))],
    )
    for outlier in reproduction.outside:
        say(
            f"Table {outlier.table}, {outlier.row}, {outlier.model}: {outlier.printed:.6f} is printed, but what it is "
            f"an average of lies between {outlier.low:.6f} and {outlier.high:.6f}"
        )
    say(_summary(reproduction))


def _line(cell: PrintedNumber) -> tuple[str, ...]:
    verdict = f"erratum: {cell.note}" if cell.erratum else "agrees" if cell.agrees else "DIFFERS"
    numbers = (f"{cell.computed:.7f}", f"{cell.printed:.7f}", f"{cell.difference:+.7f}")
    return (str(cell.table), cell.row, cell.model, *numbers, verdict)


def _summary(reproduction: Reproduction) -> str:
    agree, errata = sum(cell.agrees for cell in reproduction.cells), sum(cell.erratum for cell in reproduction.cells)
    again = sum(cell.agrees for cell in reproduction.further)
    return (
        f"{agree} of {len(reproduction.cells)} totals agree, {errata} are errata of the paper; {again} of "
        f"{len(reproduction.further)} further checks agree; {len(reproduction.outside)} averages lie outside what they "
        "average"
    )
