"""Commands that take tables and charts out of a study."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from portrayal.commands.options import Folder, Json, Picture, given_path
from portrayal.terminal import say, say_json

__all__ = ["export", "figures"]


def export(
    study: Folder,
    to: Annotated[Path, typer.Option(parser=given_path, metavar="FOLDER", help="The folder to write to.")],
    form: Annotated[
        Literal["csv", "jsonl", "parquet"], typer.Option("--format", help="csv, jsonl or parquet.")
    ] = "csv",
    table: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TABLE",
            help="Only this table: METHOD.NAME for a method's own table, images for what was perceived in each "
            "image; may be repeated.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Write the study's tables for other programs."""
    from portrayal.api.study import Study

    paths = [str(path) for path in Study(study).export(to, format=form, tables=table or ())]
    if as_json:
        say_json(paths)
    else:
        say(*paths)


def figures(
    study: Folder,
    to: Annotated[Path, typer.Option(parser=given_path, metavar="FOLDER", help="The folder to write to.")],
    form: Annotated[
        list[Picture] | None,
        typer.Option("--format", help="Format of the charts: svg, pdf or png; svg by default; may be repeated."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Write the report's charts and tables for a paper.

    Charts as SVG, PDF or PNG; tables as LaTeX, CSV and Markdown.
    """
    from portrayal.api.study import Study

    formats = list(dict.fromkeys(chosen.value for chosen in form or (Picture.svg,)))
    paths = Study(study).figures(to, formats=formats)
    if as_json:
        say_json([str(path) for path in paths])
    else:
        charts = sum(path.suffix.removeprefix(".") in formats for path in paths)
        say(f"{to} written: {charts} files of charts, {len(paths) - charts} of tables")
