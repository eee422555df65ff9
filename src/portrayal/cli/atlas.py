"""The commands of the atlas: evaluations of many models, with what is known of each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from portrayal.cli.atlas_compare import Folder, PageLanguage, Protocols, compare
from portrayal.cli.output import Json
from portrayal.errors import InputError, UnknownNameError, did_you_mean
from portrayal.terminal import say, say_json, say_table, tell

if TYPE_CHECKING:
    from portrayal.atlas.csv_rows import CsvAtlas
    from portrayal.atlas.evaluation import AtlasRows, Evaluation, Score
    from portrayal.study.atlas.store import Added

__all__ = ["register"]

atlas = typer.Typer(
    name="atlas",
    help="Evaluations of many models: by kind, by scheduler, over the years, against their popularity.",
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
    """Add the overall numbers of a study's generators, of all its methods."""
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
    """Add evaluations and metadata; rows that cannot be read are named and the rest is kept (exit code 1)."""
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


@atlas.command("list")
def list_models(folder: Folder, as_json: Json = False) -> None:
    """List the models with what is known of them, and how many evaluations each has."""
    from dataclasses import asdict

    from portrayal.study.atlas.store import AtlasStore

    rows = AtlasStore(folder).read()
    counts: dict[str, int] = {}
    for row in rows.evaluations:
        counts[row.model] = counts.get(row.model, 0) + 1
    if as_json:
        say_json([{**asdict(info), "evaluations": counts.get(info.model, 0)} for info in rows.models.values()])
        return
    header = ("model", "category", "scheduler", "created", "likes", "downloads", "evaluations")
    table = [
        (
            info.model,
            info.category,
            info.scheduler,
            info.created,
            _text(info.likes),
            _text(info.downloads),
            str(counts.get(name, 0)),
        )
        for name, info in rows.models.items()
    ]
    say_table(header, table)


@atlas.command()
def show(
    folder: Folder,
    model: Annotated[str, typer.Argument(metavar="MODEL", help="The model's name.")],
    as_json: Json = False,
) -> None:
    """Show what is known of a model and all its evaluations, each with where it comes from."""
    from dataclasses import asdict

    from portrayal.atlas.titles import protocol_titles
    from portrayal.study.atlas.store import AtlasStore

    rows = AtlasStore(folder).read()
    if model not in rows.models:
        raise UnknownNameError(f"{folder}: no model {model!r}{did_you_mean(model, rows.models)}")
    own = [row for row in rows.evaluations if row.model == model]
    if as_json:
        say_json({"model": asdict(rows.models[model]), "evaluations": [_json(row) for row in own]})
        return
    for name, value in asdict(rows.models[model]).items():
        say(f"{name:<12}{_text(value) or 'not known'}")
    titles = protocol_titles([row.protocol for row in own])
    for row in own:
        images = "number of images not known" if row.images is None else f"images: {row.images}"
        say("", f"{titles[row.protocol] or 'no protocol named'}, {images}")
        for name, score in row.scores.items():
            say(f"  {name}: {_score_text(score)}")
        say(f"  source: {row.source or 'not named'}", f"  run: {row.run or 'not named'}")
        if titles[row.protocol] != row.protocol:
            say(f"  protocol: {row.protocol}")


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
    """Write the page: all models, kinds and schedulers, trends over time, popularity against bias."""
    from portrayal.study.atlas.report import write_report
    from portrayal.study.atlas.store import AtlasStore

    store = AtlasStore(folder)
    say(str(write_report(store, score, language.value, compare=compare_model or (), by=protocol or ())))


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


def _json(row: Evaluation) -> dict[str, Any]:
    from dataclasses import asdict

    return {**asdict(row), "id": row.id}


def _score_text(score: Score) -> str:
    if score.low is None or score.high is None or score.low == score.high:
        return f"{score.value:.4g}"
    return f"{score.value:.4g} ({score.low:.4g} to {score.high:.4g})"


def _text(value: object) -> str:
    return "" if value is None else str(value)
