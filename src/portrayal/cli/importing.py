"""The command that brings in what exists already: images, results of others, labels."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from portrayal.api.running.interrupt import stop_on_interrupt
from portrayal.api.running.progress import show_progress
from portrayal.cli.image_folder import look_at
from portrayal.cli.registered import RegisteredCommand
from portrayal.cli.run_options import Wait
from portrayal.commands.interrupt import end_stopped
from portrayal.commands.made_options import made_options
from portrayal.commands.options import Folder, Json, given_path
from portrayal.errors import InputError
from portrayal.terminal import say_json, say_table, tell

if TYPE_CHECKING:
    from portrayal.study.importing.folders.folder import CheckedFolder
    from portrayal.study.importing.labels.by_others import Work
    from portrayal.study.study import OpenStudy

__all__ = ["ImportCommand", "import_"]

_RESULTS = "portrayal.results"
"""Where the context keeps files of results, by the names of their readers."""
_HELP = "; see: portrayal import --help"


class ImportCommand(RegisteredCommand):
    """A command that has an option for each registered reader of results."""

    @cached_property
    def _results(self) -> list[Any]:
        from portrayal.study.importing.results import RESULTS

        return _options({name: entry.summary for name, entry in RESULTS.entries().items()})

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the arguments and options, with those of the readers."""
        params = super().get_params(ctx)
        place = [param.name for param in params].index("model")
        return [*params[:place], *self._results, *params[place:]]


def import_(  # noqa: PLR0913 - Typer wants a parameter for each option
    context: typer.Context,
    study: Folder,
    images: Annotated[
        Path | None, typer.Option(parser=given_path, metavar="DIR", help="The folder that holds the images.")
    ] = None,
    layout: Annotated[
        str | None, typer.Option(help="How the folder is organised, if Portrayal cannot work that out. {layouts}.")
    ] = None,
    manifest: Annotated[
        Path | None,
        typer.Option(parser=given_path, metavar="FILE", help="The CSV file, if it is not DIR/manifest.csv."),
    ] = None,
    outside: Annotated[
        bool, typer.Option("--outside", help="Also take files outside DIR that the CSV or a link points to.")
    ] = False,
    model: Annotated[
        str | None,
        typer.Option(help="Which model drew the images, if DIR does not say; or whose images the results are about."),
    ] = None,
    prompt: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="The prompt of all images in DIR, if the folder does not say."),
    ] = None,
    labels: Annotated[
        Path | None,
        typer.Option(parser=given_path, metavar="FILE", help="A CSV of labels by people; see: portrayal labels."),
    ] = None,
    annotator: Annotated[
        str | None, typer.Option(help="Whose labels or results these are: NAME of an annotator imported:NAME.")
    ] = None,
    wait: Wait = False,
    as_json: Json = False,
) -> None:
    """Bring in images, labels or results that you already have.

    Nothing is imported twice.
    """
    from portrayal.study.importing.folders.folder import check_folder
    from portrayal.study.importing.folders.recognise import GivenFolder
    from portrayal.study.importing.labels.by_others import checked_labels, checked_results
    from portrayal.study.report.coverage import coverage_remarks
    from portrayal.study.run_control import RunControl
    from portrayal.study.study import OpenStudy

    results: Mapping[str, Path] = context.meta.get(_RESULTS, {})
    files = {"--images": images, **{f"--{name}": path for name, path in results.items()}, "--labels": labels}
    extra = {"--layout": layout, "--manifest": manifest, "--outside": outside or None}
    extra |= {"--model": model, "--prompt": prompt, "--annotator": annotator}
    _check_options([name for name, value in {**files, **extra}.items() if value is not None])
    opened = OpenStudy(study)
    opened.check()
    if images is not None:
        given = GivenFolder(
            images, layout or "", manifest, outside=outside, model=(model or "").strip(), prompt=(prompt or "").strip()
        )
        work = _images(opened, check_folder(opened, look_at(given, tell)))
    elif labels is not None:
        work = checked_labels(opened, labels, annotator or "", tell)
    else:
        ((reader, path),) = results.items()
        work = checked_results(opened, reader, path, model or "", annotator or "")
    with (
        stop_on_interrupt() as stopped,
        opened.workspace.writing(wait=wait),
        show_progress() as progress,
    ):
        counts = work(RunControl(progress, stopped, remark=tell))
    for said in coverage_remarks(opened):
        tell(said)
    if as_json:
        say_json(counts)
    else:
        say_table(("imported", "count"), [(what, str(n)) for what, n in counts.items()])
    if stopped():
        end_stopped()


def _options(readers: Mapping[str, str]) -> list[Any]:
    """Return an option for each reader."""
    return made_options({name.replace("-", "_"): _option(name, about) for name, about in readers.items()})


def _option(name: str, about: str) -> Any:
    def keep(context: typer.Context, value: Path | None) -> None:
        if value is not None:
            context.meta.setdefault(_RESULTS, {})[name] = value

    about = f"{about[:1].upper()}{about[1:]}."
    option = typer.Option(f"--{name}", parser=given_path, metavar="FILE", callback=keep, expose_value=False, help=about)
    return Annotated[Path | None, option]


def _check_options(given: list[str]) -> None:
    """Each way to import has its own options; say so in one line where they are mixed up."""
    from portrayal.study.importing.results import RESULTS

    readers = [f"--{name}" for name in RESULTS.entries()]
    ways = {
        "--images": ("--layout", "--manifest", "--outside", "--model", "--prompt"),
        **dict.fromkeys(readers, ("--model", "--annotator")),
        "--labels": ("--annotator",),
    }
    chosen = [name for name in given if name in ways]
    if not chosen:
        listed = ", ".join(readers)
        raise InputError(f"nothing to import; give --images, {listed}, or --labels{_HELP}")
    if len(chosen) > 1:
        raise InputError(f"{' and '.join(chosen)} exclude each other; import one after the other{_HELP}")
    for name in given:
        if name not in (*chosen, *ways[chosen[0]]):
            fitting = " or ".join(way for way, options in ways.items() if name in options)
            raise InputError(f"{name} goes with {fitting}, not with {chosen[0]}{_HELP}")


def _images(study: OpenStudy, checked: CheckedFolder) -> Work:
    from portrayal.study.importing.folders.folder import import_folder

    for said in checked.remarks:
        tell(said)
    return lambda control: import_folder(study, checked, control)
