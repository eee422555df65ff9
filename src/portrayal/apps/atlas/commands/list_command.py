"""The commands that list the models of an atlas, and show one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from portrayal.apps.atlas.commands.compare_command import Folder
from portrayal.commands.options import Json
from portrayal.errors import UnknownNameError, did_you_mean
from portrayal.terminal import say, say_json, say_table

if TYPE_CHECKING:
    from portrayal.records.evaluated_models.evaluation import Evaluation, Score

__all__ = ["list_models", "show"]


def list_models(folder: Folder, as_json: Json = False) -> None:
    """List the models, and how many evaluations each has.

    Also shows what is known about them: category, scheduler, age and popularity.
    """
    from portrayal.apps.atlas.api import Atlas

    models = list(Atlas(folder).models())
    if as_json:
        say_json(models)
        return
    header = ("model", "category", "scheduler", "created", "likes", "downloads", "evaluations")
    say_table(header, [[_text(model[name]) for name in header] for model in models])


def show(
    folder: Folder,
    model: Annotated[str, typer.Argument(metavar="MODEL", help="The model's name.")],
    as_json: Json = False,
) -> None:
    """Show a model's metadata and all its evaluations.

    Each evaluation is shown with its protocol and its source.
    """
    from dataclasses import asdict

    from portrayal.apps.atlas.evaluations.columns import protocol_titles
    from portrayal.apps.atlas.folder.atlas_store import AtlasStore

    rows = AtlasStore(folder).read()
    if model not in rows.models:
        raise UnknownNameError(f"{folder}: no model {model!r}{did_you_mean(model, rows.models)}")
    evaluations = [row for row in rows.evaluations if row.model == model]
    if as_json:
        say_json({"model": asdict(rows.models[model]), "evaluations": [_json(row) for row in evaluations]})
        return
    for name, value in asdict(rows.models[model]).items():
        say(f"{name:<12}{_text(value) or 'not known'}")
    titles = protocol_titles([row.protocol for row in evaluations])
    for row in evaluations:
        images = "number of images not known" if row.images is None else f"images: {row.images}"
        say("", f"{titles[row.protocol] or 'no protocol named'}, {images}")
        for name, score in row.scores.items():
            say(f"  {name}: {_score_text(score)}")
        say(f"  source: {row.source or 'not named'}", f"  run: {row.run or 'not named'}")
        if titles[row.protocol] != row.protocol:
            say(f"  protocol: {row.protocol}")


def _json(row: Evaluation) -> dict[str, Any]:
    from dataclasses import asdict

    return {**asdict(row), "id": row.id}


def _score_text(score: Score) -> str:
    if score.low is None or score.high is None or score.low == score.high:
        return f"{score.value:.4g}"
    return f"{score.value:.4g} ({score.low:.4g} to {score.high:.4g})"


def _text(value: object) -> str:
    return "" if value is None else str(value)
