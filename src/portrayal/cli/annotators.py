"""Commands about annotators: who can look, and how far those of a study agree."""

from __future__ import annotations

from typing import Annotated

import typer

from portrayal.cli.output import Json
from portrayal.cli.paths import Folder
from portrayal.terminal import say, say_json, say_table

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    annotators = typer.Typer(help="List annotators, or compare those of a study.", rich_markup_mode=None)
    annotators.callback(invoke_without_command=True)(list_annotators)
    annotators.command("compare")(compare_annotators)
    app.add_typer(annotators, name="annotators")


def list_annotators(context: typer.Context, as_json: Json = False) -> None:
    """List the annotators."""
    if context.invoked_subcommand:
        return
    from portrayal.annotators import ANNOTATORS

    entries = {name: entry.summary for name, entry in ANNOTATORS.entries().items()}
    if as_json:
        say_json([{"name": name, "summary": summary} for name, summary in entries.items()])
    else:
        say_table(("annotator", "what it sees"), entries.items())


def compare_annotators(
    study: Folder,
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="ANNOTATOR...", help="Two or more of the study's annotators, as study.toml calls them."),
    ] = None,
    reference: Annotated[
        str, typer.Option(help="Whose word counts; without it the only imported: one, if there is one.")
    ] = "",
    by: Annotated[
        list[str] | None,
        typer.Option(metavar="ATTRIBUTE", help="Only the groups of this attribute, such as tone3; may be repeated."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Tell how far annotators agree with one another and with people's labels, and in which groups they are worse."""
    from portrayal.cli.agreement import lines
    from portrayal.study.compare import compare
    from portrayal.study.study import OpenStudy

    found = compare(OpenStudy.to_read(study), names or [], reference, by or ())
    if as_json:
        say_json(found.as_json())
    else:
        say(*lines(found))
