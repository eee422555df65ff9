"""The commands of the atlas: evaluations of many models, with what is known of each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from portrayal.apps.atlas.commands.compare_command import Folder, Protocols, compare
from portrayal.apps.atlas.commands.list_command import list_models, show
from portrayal.commands.command_lists import ListedGroup
from portrayal.commands.options import PageLanguage
from portrayal.terminal import say, tell

if TYPE_CHECKING:
    from portrayal.apps.atlas.folder.change import AtlasChange

__all__ = ["atlas"]

_HELP = """Collect evaluations of many models, and compare them.

A new atlas begins with the evaluations that authors released. Add measured studies or tables, then write the page: by
kind, by scheduler, over the years, against popularity.

\b
  portrayal atlas add ATLAS STUDY
  portrayal atlas import ATLAS scores.csv --hub
  portrayal atlas report ATLAS
  portrayal atlas compare ATLAS MODEL MODEL
"""

atlas = typer.Typer(
    name="atlas",
    cls=ListedGroup,
    help=_HELP,
    rich_markup_mode=None,
)
Empty = Annotated[
    bool, typer.Option("--empty", help="Begin a new atlas without the evaluations that authors released.")
]


@atlas.command()
def add(
    folder: Folder,
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="A measured study's folder.")],
    run: Annotated[
        str, typer.Option(help="A name for this evaluation, to distinguish it from others of the same model.")
    ] = "",
    empty: Empty = False,
) -> None:
    """Add the overall numbers of a study's generators.

    Includes the numbers of all its methods.
    """
    from portrayal.apps.atlas.api import Atlas

    _show(Atlas(folder).add(study, run=run, empty=empty))


@atlas.command("import")
def import_files(
    folder: Folder,
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help="CSV files of models, metadata and scores, or saved JSON of the hub."),
    ] = None,
    hub: Annotated[
        bool, typer.Option("--hub", help="Ask the hub about every model of the atlas; needs a network.")
    ] = False,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Save what the hub says to a .json file, to be imported offline."),
    ] = None,
    empty: Empty = False,
) -> None:
    """Add evaluations and metadata from files or the hub.

    Rows that cannot be read are listed, and the exit code is then 1; the rest is kept.
    """
    from portrayal.apps.atlas.api import Atlas

    change = Atlas(folder).import_files(*files or (), hub=hub, save=save, empty=empty)
    _show(change)
    if change.problems:
        raise typer.Exit(1)


@atlas.command()
def report(
    folder: Folder,
    score: Annotated[str, typer.Option(help="The score to compare; by default the first that is known.")] = "",
    language: Annotated[PageLanguage, typer.Option(help="The page's language.")] = "en",
    compare_model: Annotated[
        list[str] | None,
        typer.Option(
            "--compare", metavar="MODEL", help="Show this model side by side with the others; may be repeated."
        ),
    ] = None,
    protocol: Protocols = None,
) -> None:
    """Write the page about all models.

    Kinds and schedulers, trends over time, popularity against bias.
    """
    from portrayal.apps.atlas.api import Atlas

    chosen, by = compare_model or (), protocol or ()
    say(str(Atlas(folder).report(score=score, language=language, compare=chosen, protocol=by)))


atlas.command("list")(list_models)
atlas.command()(show)
atlas.command()(compare)


def _show(change: AtlasChange) -> None:
    for line in (*change.problems, *change.remarks):
        tell(line)
    say(f"added: {change.new}; the atlas has evaluations: {change.evaluations}, models: {change.models}")
