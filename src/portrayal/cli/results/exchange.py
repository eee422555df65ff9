"""Commands that take sheets, tables and charts out of a study."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from portrayal.commands.options import Folder, Json, Picture, given_path
from portrayal.terminal import say, say_json

__all__ = ["export", "figures", "labels_"]


def labels_(  # noqa: PLR0913 - Typer wants a parameter for each option
    study: Folder,
    to: Annotated[
        Path, typer.Option(parser=given_path, metavar="FILE", help="The CSV to write; must not be there yet.")
    ],
    prompts: Annotated[int, typer.Option(min=1, help="Prompts to ask about, chosen at random.")] = 265,
    images: Annotated[int, typer.Option(min=1, help="Images of each of these prompts by each model.")] = 20,
    best: Annotated[
        int,
        typer.Option("--next", min=0, help="Instead, this many whose labels narrow corrected shares the most."),
    ] = 0,
    seed: Annotated[int, typer.Option(min=0, help="Another seed, another sample.")] = 0,
    annotator: Annotated[
        str, typer.Option(help="Who will label: NAME of an annotator imported:NAME, added if there is none.")
    ] = "",
    show_models: Annotated[bool, typer.Option("--show-models", help="Add a column that says who drew it.")] = False,
) -> None:
    """Write a sheet of random pictures for people to label.

    It does not say which model drew a picture, unless you ask for that. With --next they are drawn where labels say
    the most about the annotator's errors, from every prompt at random.
    """
    from portrayal.study.importing.labels.by_others import write_label_sheet
    from portrayal.study.importing.labels.label_sheet import Sample
    from portrayal.study.study import OpenStudy

    sample = Sample(prompts, images, seed, models=show_models, worthiest=best)
    count = write_label_sheet(OpenStudy.to_read(study), to, annotator, sample, say)
    say(f"{to} written: {count} image{'' if count == 1 else 's'} to label; filled in, import it with --labels")


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
            help="Only this table: METHOD.NAME for a method's own, images for what was perceived in each; repeatable.",
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
        typer.Option("--format", help="What charts are written as: svg, pdf or png; repeatable; svg by default."),
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
