"""Commands that bring images in and tables out."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from portrayal.cli.interrupt import stop_on_interrupt
from portrayal.cli.output import Json, say, say_json, say_table, tell
from portrayal.cli.progress import terminal_progress
from portrayal.cli.studies import Folder, Wait

__all__ = ["register"]


class Layout(StrEnum):
    """How the images are laid out."""

    faintbench = "faintbench"
    bafis = "bafis"
    manifest = "manifest"


class Form(StrEnum):
    """What tables are written as."""

    csv = "csv"
    jsonl = "jsonl"
    parquet = "parquet"


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    app.command("import")(import_)
    app.command()(export)


def import_(
    study: Folder,
    images: Annotated[Path, typer.Option(help="The folder that holds the images.")],
    layout: Annotated[
        Layout,
        typer.Option(help="faintbench: model/prompt/image.png; bafis: metadata.json; manifest: a CSV of paths."),
    ],
    manifest: Annotated[Path | None, typer.Option(help="The CSV, when it is not DIR/manifest.csv.")] = None,
    wait: Wait = False,
    as_json: Json = False,
) -> None:
    """Bring your own images: bytes are stored once, unreadable files become recorded failures."""
    from portrayal.study.hooks import Hooks
    from portrayal.study.importing import import_images
    from portrayal.study.layouts import read_layout
    from portrayal.study.study import Study

    opened = Study(study)
    opened.check()
    found = read_layout(layout.value, images, manifest)
    with (
        stop_on_interrupt() as stopped,
        opened.workspace.writing(wait=wait),
        terminal_progress() as progress,
    ):
        counts = import_images(opened, found, Hooks(progress, stopped))
    if as_json:
        say_json(counts)
    else:
        say_table(("imported", "files"), [(what, str(count)) for what, count in counts.items()])
    if stopped():
        tell("stopped; nothing is lost, run the same command to go on")
        raise typer.Exit(130)


def export(
    study: Folder,
    to: Annotated[Path, typer.Option(help="The folder to write to.")],
    form: Annotated[Form, typer.Option("--format", help="csv, jsonl or parquet.")] = Form.csv,
    table: Annotated[list[str] | None, typer.Option(help="Only this table; may be repeated.")] = None,
    as_json: Json = False,
) -> None:
    """Write the study's tables for other programs."""
    from portrayal.study.exporting import export_tables
    from portrayal.study.study import Study

    paths = [str(path) for path in export_tables(Study(study), to, form.value, table or ())]
    if as_json:
        say_json(paths)
    else:
        say("\n".join(paths))
