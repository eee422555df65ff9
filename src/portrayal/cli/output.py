"""Words and tables on the terminal; JSON for machines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Annotated

import typer

__all__ = ["Json", "say", "say_json", "say_table", "tell"]

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def say(text: str) -> None:
    """Print a result to standard output."""
    typer.echo(text)


def tell(text: str) -> None:
    """Print something about the work to standard error, where it does not mix with results."""
    typer.echo(text, err=True)


def say_json(data: object) -> None:
    """Print data as JSON."""
    typer.echo(json.dumps(data, indent=2, ensure_ascii=False))


def say_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows under a header, as wide as they need to be."""
    lines = [list(header), *(list(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    for line in lines:
        typer.echo("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
