"""Commands that bring images and labels in, and sheets and tables out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from portrayal.cli.interrupt import stop_on_interrupt
from portrayal.cli.output import Json, say, say_json, say_table, tell
from portrayal.cli.progress import terminal_progress
from portrayal.cli.registered import RegisteredCommand
from portrayal.cli.studies import Folder, Wait
from portrayal.errors import InputError

if TYPE_CHECKING:
    from portrayal.study.run_control import RunControl
    from portrayal.study.study import Study

__all__ = ["register"]

Work = Callable[["RunControl"], Counter[str]]
"""What is left to do when all that was given is checked, under the study's lock."""


class Form(StrEnum):
    """What tables are written as."""

    csv = "csv"
    jsonl = "jsonl"
    parquet = "parquet"


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    app.command("import", cls=RegisteredCommand)(import_)
    app.command("labels")(labels_)
    app.command()(export)


def import_(  # noqa: PLR0913 - Typer wants a parameter for each option
    study: Folder,
    images: Annotated[Path | None, typer.Option(help="The folder that holds the images.")] = None,
    layout: Annotated[str | None, typer.Option(help="How they lie in it. {layouts}.")] = None,
    manifest: Annotated[Path | None, typer.Option(help="The CSV, when it is not DIR/manifest.csv.")] = None,
    faintbench_json: Annotated[
        Path | None, typer.Option(help="What FAIntbench's alignment wrote about each image.")
    ] = None,
    model: Annotated[str | None, typer.Option(help="Whose images FAIntbench's file is about; else its name.")] = None,
    labels: Annotated[Path | None, typer.Option(help="A CSV of labels by people; see: portrayal labels.")] = None,
    annotator: Annotated[str | None, typer.Option(help="Who saw it: NAME of an annotator imported:NAME.")] = None,
    wait: Wait = False,
    as_json: Json = False,
) -> None:
    """Bring in what exists already: images, or what others saw in images. Nothing is taken twice."""
    from portrayal.study.run_control import RunControl
    from portrayal.study.study import Study

    files = {"--images": images, "--faintbench-json": faintbench_json, "--labels": labels}
    extra = {"--layout": layout, "--manifest": manifest, "--model": model, "--annotator": annotator}
    _check_options([name for name, value in {**files, **extra}.items() if value is not None])
    opened = Study(study)
    opened.check()
    if images is not None and layout is not None:
        work = _images(opened, images, layout, manifest)
    elif faintbench_json is not None:
        work = _faintbench(opened, faintbench_json, model or "", annotator or "")
    else:
        assert labels is not None
        work = _labels(opened, labels, annotator or "")
    with (
        stop_on_interrupt() as stopped,
        opened.workspace.writing(wait=wait),
        terminal_progress() as progress,
    ):
        counts = work(RunControl(progress, stopped))
    if as_json:
        say_json(counts)
    else:
        say_table(("imported", "files" if images else "count"), [(what, str(n)) for what, n in counts.items()])
    if stopped():
        tell("stopped; nothing is lost, run the same command to go on")
        raise typer.Exit(130)


def labels_(
    study: Folder,
    to: Annotated[Path, typer.Option(help="The CSV to write; must not be there yet.")],
    prompts: Annotated[int, typer.Option(min=1, help="Prompts to ask about, chosen at random.")] = 265,
    images: Annotated[int, typer.Option(min=1, help="Images of each of these prompts by each model.")] = 20,
    seed: Annotated[int, typer.Option(min=0, help="Another seed, another sample.")] = 0,
    annotator: Annotated[str, typer.Option(help="Who will label: NAME of an annotator imported:NAME.")] = "",
    show_models: Annotated[bool, typer.Option("--show-models", help="Add a column that tells who drew it.")] = False,
) -> None:
    """Write a sheet for people to fill in: a random sample of pictures that does not tell which model drew them."""
    from portrayal.study.importing.annotator import imported_annotator
    from portrayal.study.importing.sample import Sample, write_sheet
    from portrayal.study.study import Study

    opened = Study(study)
    sample = Sample(prompts, images, seed, models=show_models)
    count = write_sheet(opened, to, imported_annotator(opened, annotator), sample)
    say(f"{to} written: {count} images to label; filled in, import it with --labels")


def _check_options(given: list[str]) -> None:
    """Each way to import has its own options; say so in one line where they are mixed up."""
    ways = {
        "--images": ("--layout", "--manifest"),
        "--faintbench-json": ("--model", "--annotator"),
        "--labels": ("--annotator",),
    }
    chosen = [name for name in given if name in ways]
    help_ = "; see: portrayal import --help"
    if not chosen:
        raise InputError(f"nothing to import; give --images and --layout, --faintbench-json, or --labels{help_}")
    if len(chosen) > 1:
        raise InputError(f"{' and '.join(chosen)} exclude each other; import one after the other{help_}")
    for name in given:
        if name not in (*chosen, *ways[chosen[0]]):
            fitting = " or ".join(way for way, options in ways.items() if name in options)
            raise InputError(f"{name} goes with {fitting}, not with {chosen[0]}{help_}")
    if chosen == ["--images"] and "--layout" not in given:
        from portrayal.study.importing.layouts import LAYOUTS

        raise InputError(f"--images needs --layout, one of {', '.join(LAYOUTS.entries())}{help_}")


def _images(study: Study, folder: Path, layout: str, manifest: Path | None) -> Work:
    from portrayal.study.importing.images import import_images
    from portrayal.study.importing.layouts import read_layout

    found = read_layout(layout, folder, manifest)
    return lambda control: import_images(study, found, control)


def _faintbench(study: Study, path: Path, model: str, annotator: str) -> Work:
    from portrayal.study.importing.annotator import imported_annotator
    from portrayal.study.importing.results import check_faintbench, import_faintbench

    checked = check_faintbench(study, path, model, imported_annotator(study, annotator))
    return lambda control: import_faintbench(study, checked, control)


def _labels(study: Study, path: Path, annotator: str) -> Work:
    from portrayal.study.importing.annotator import imported_annotator
    from portrayal.study.importing.labels import check_labels, import_labels

    checked = check_labels(study, path, imported_annotator(study, annotator))
    return lambda _: import_labels(study, checked)


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
