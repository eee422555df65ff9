"""The commands of the atlas: evaluations of many models, with what is known of each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from portrayal.cli.atlas_compare import Folder, PageLanguage, Protocols, compare
from portrayal.cli.atlas_list import list_models, show
from portrayal.cli.command_lists import ListedGroup
from portrayal.errors import InputError
from portrayal.terminal import say, tell

if TYPE_CHECKING:
    from portrayal.atlas.csv_rows import CsvAtlas
    from portrayal.atlas.evaluation import AtlasRows
    from portrayal.study.atlas.store import Added

__all__ = ["register"]

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


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    app.add_typer(atlas)


@atlas.command()
def add(
    folder: Folder,
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="A measured study's folder.")],
    run: Annotated[str, typer.Option(help="What to call this evaluation among those of the same model.")] = "",
    empty: Empty = False,
) -> None:
    """Add the overall numbers of a study's generators.

    Those of all its methods.
    """
    from portrayal.study.atlas.from_study import study_evaluations
    from portrayal.study.atlas.store import AtlasStore

    evaluations, models = study_evaluations(study, run)
    store = AtlasStore(folder)
    with store.writing():
        added = store.add(evaluations, models, empty=empty)
    _say_added(added, added.rows)


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

    Rows that cannot be read are named and the rest is kept; then the exit code is 1.
    """
    from portrayal.study.atlas.store import AtlasStore

    if not files and not hub:
        raise InputError("nothing to import; name a .csv or .json file, or ask the hub with --hub")
    read = [_read(path) for path in files or ()]
    store = AtlasStore(folder)
    with store.writing():
        evaluations = [row for found in read for row in found.evaluations]
        added = store.add(evaluations, [info for found in read for info in found.models], empty=empty)
        rows, problems = added.rows, [problem for found in read for problem in found.problems]
        if hub:
            asked = _ask_hub(list(rows.models), save)
            problems += asked.problems
            rows = store.add((), asked.models).rows
    for line in (*problems, *(line for found in read for line in found.repeats)):
        tell(line)
    _say_added(added, rows)
    if problems:
        raise typer.Exit(1)


@atlas.command()
def report(
    folder: Folder,
    score: Annotated[str, typer.Option(help="The score to compare; without it the first that is known.")] = "",
    language: Annotated[PageLanguage, typer.Option(help="The page's language.")] = PageLanguage.en,
    compare_model: Annotated[
        list[str] | None,
        typer.Option("--compare", metavar="MODEL", help="Set this model side by side with the others; repeatable."),
    ] = None,
    protocol: Protocols = None,
) -> None:
    """Write the page about all models.

    Kinds and schedulers, trends over time, popularity against bias.
    """
    from portrayal.study.atlas.report import write_report
    from portrayal.study.atlas.store import AtlasStore

    store = AtlasStore(folder)
    say(str(write_report(store, score, language.value, compare=compare_model or (), by=protocol or ())))


atlas.command("list")(list_models)
atlas.command()(show)
atlas.command()(compare)


def _read(path: Path) -> CsvAtlas:
    from datetime import date

    from portrayal.atlas.csv_rows import read_atlas_csv
    from portrayal.atlas.hub_metadata import read_hub_json
    from portrayal.inputfile import read_text

    text, today = read_text(path), date.today()
    if path.suffix.lower() == ".json":
        return read_hub_json(text, str(path), today=today)
    return read_atlas_csv(text, str(path), path.name, today=today)


def _ask_hub(models: list[str], save: Path | None) -> CsvAtlas:
    import json
    from datetime import date

    from portrayal.atlas.csv_rows import CsvAtlas
    from portrayal.atlas.hub_metadata import read_hub_json
    from portrayal.store.files import write_atomic
    from portrayal.study.atlas.hub import fetch_records

    found = list(fetch_records(models))
    text = json.dumps([record for record in found if not isinstance(record, str)], indent=2, ensure_ascii=False)
    if save is not None:
        write_atomic(save, text.encode())
    read = read_hub_json(text, "the hub", today=date.today())
    return CsvAtlas((), read.models, [*(problem for problem in found if isinstance(problem, str)), *read.problems])


def _say_added(added: Added, rows: AtlasRows) -> None:
    for before, row in added.replaced:
        run = f"run {row.run!r}" if row.run else "a run without a name"
        come = f"now from {row.source or 'an unnamed source'}, before from {before.source or 'an unnamed source'}"
        tell(f"{row.model!r}, {run}, was in the atlas with other figures; the last ones given count ({come})")
    held = f"the atlas has evaluations: {len(rows.evaluations)}, models: {len(rows.models)}"
    say(f"added: {added.new}; {held}")
