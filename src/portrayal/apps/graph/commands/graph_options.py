"""What the commands on graphs share: which domain they are about, sheets of annotators, and writing a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from portrayal.apps.graph.annotations.sheets import Sheet
    from portrayal.graph.domain import Domain

__all__ = ["Kind", "Tables", "check_new", "find_domain", "read_sheets", "write_text"]

Tables = Annotated[
    Path | None,
    typer.Option("--vertices", metavar="FOLDER", help="A folder with occupations.csv, groups.csv or both of your own."),
]
Kind = Annotated[
    str,
    typer.Option(
        metavar="KIND",
        help="What your own groups are groups of, such as religion; NAME:KIND for the domain of another package.",
    ),
]


def find_domain(tables: Path | None, kind: str) -> Domain:
    """Return what graphs are about: the domain that ``kind`` names before a colon, or the first that is known."""
    from portrayal.graph.domain import DOMAINS

    name, _, groups = kind.rpartition(":")
    return DOMAINS.load(name or next(iter(DOMAINS.entries())))(tables, groups)


def read_sheets(paths: Sequence[Path], domain: Domain) -> list[Sheet]:
    """Return filled sheets; each is called after its annotator."""
    from portrayal.apps.graph.annotations.sheets import read_sheet
    from portrayal.errors import InputError
    from portrayal.store.checksums.handed_files import check_handed

    names = [path.stem for path in paths]
    if double := [name for name in names if names.count(name) > 1]:
        raise InputError(f"two sheets are called {double[0]!r}; a sheet is called after its annotator")
    for path in paths:
        check_handed(path)
    return [read_sheet(path, path.stem, domain.vertices, domain.schema) for path in paths]


def check_new(*paths: Path | None) -> None:
    """Refuse names under which something lies already, or that are given twice: nothing that people wrote is lost."""
    from portrayal.errors import InputError

    given = [path for path in paths if path]
    for place, path in enumerate(given):
        if path.exists():
            raise InputError(f"{path}: is there already; choose another name")
        if path.resolve() in {other.resolve() for other in given[:place]}:
            raise InputError(f"{path}: is to be written twice; choose another name")


def write_text(path: Path, text: str) -> None:
    """Write a file, whole or not at all."""
    from portrayal.store.checksums.handed_files import write_handed

    write_handed(path, text.encode())
