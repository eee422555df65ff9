"""Votes as rows, for ratings and for other programs."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TextIO

from portrayal.apps.arena import APP
from portrayal.apps.arena.battles.battle import ASPECTS, Battle, Choice, ImagePool
from portrayal.apps.arena.database.image_pool import read_image_pool
from portrayal.apps.arena.ratings.model_names import NAME_COLUMNS
from portrayal.csvfile import write_csv
from portrayal.errors import StudyError
from portrayal.records import VOTE_SCHEMA, PartNames, Vote, to_table
from portrayal.store.workspace import Workspace
from portrayal.study.sql.rater import Rater
from portrayal.study.study import OpenStudy

__all__ = ["named_votes", "read_votes", "save_votes", "vote_rows", "votes_csv", "write_votes"]

_VOTE_VALUES: dict[Choice, str] = {"left": "0", "right": "1", "draw": "draw", "skip": "skip"}


def read_votes(study: OpenStudy, database: str = "", *, everyone: bool = False) -> list[Vote]:
    """Return the votes of a study's arena; with ``everyone`` also attention checks and excluded raters."""
    APP.need_server("arena")
    from portrayal.apps.arena.database.open_arena import read_arena

    arena = read_arena(database, study.root)
    return list(vote_rows(arena.raters, arena.battles, _pool(study), everyone=everyone, checks=everyone))


def vote_rows(
    raters: Iterable[Rater], battles: Iterable[Battle], pool: ImagePool, *, everyone: bool = False, checks: bool = False
) -> Iterator[Vote]:
    """Yield a row for every answered battle and aspect, in the order in which they were cast.

    Excluded raters and attention checks are left out unless asked for.
    """
    counted = {rater.id for rater in raters if everyone or not rater.excluded}
    chosen = [one for one in battles if one.rater in counted and (checks or not one.check) and one.choices is not None]
    for battle in sorted(chosen, key=lambda one: (one.cast_at or 0.0, one.rater, one.number)):
        yield from _rows(battle, pool)


def named_votes(rows: Iterable[Vote], names: PartNames) -> Iterator[Vote]:
    """Yield the votes by the names of the models, for what is shown at once."""
    for row in rows:
        yield replace(row, model_a=names.generator(row.model_a), model_b=names.generator(row.model_b))


def votes_csv(rows: Iterable[Vote], names: PartNames) -> str:
    """Return the votes as the text of a CSV file."""
    file = io.StringIO()
    write_votes(rows, file, names)
    return file.getvalue()


def write_votes(rows: Iterable[Vote], file: TextIO, names: PartNames) -> None:
    """Write votes with a header, as ``portrayal arena rate`` reads them; with the names of models where they have any.

    Votes go by identity, so that those before and after a change of name are about one model.
    """
    columns = VOTE_SCHEMA.names
    more = NAME_COLUMNS if names.generators else ()
    write_csv(
        file,
        (*columns, *more),
        (
            [
                *(getattr(row, column) for column in columns),
                *map(names.generator, (row.model_a, row.model_b)[: len(more)]),
            ]
            for row in rows
        ),
    )


def save_votes(workspace: Workspace, rows: Iterable[Vote]) -> None:
    """Make votes the whole content of the study's table ``votes``."""
    with workspace.writing():
        workspace.tables["votes"].replace([to_table(rows, VOTE_SCHEMA)])


def _pool(study: OpenStudy) -> ImagePool:
    """Return what the votes are about; votes on pictures that are gone are still votes."""
    try:
        return read_image_pool(study)
    except StudyError:
        return ImagePool({})


def _rows(battle: Battle, pool: ImagePool) -> Iterator[Vote]:
    prompt = pool.prompts.get(battle.prompt)
    choices = battle.choices or {}
    for aspect in ASPECTS:
        yield Vote(
            battle=battle.id,
            rater=battle.rater,
            number=battle.number,
            prompt=battle.prompt,
            term=prompt.term if prompt else "",
            category=prompt.category if prompt else "",
            language=prompt.language if prompt else "",
            variant=prompt.variant if prompt else "",
            aspect=aspect,
            model_a=battle.left_model,
            model_b=battle.right_model,
            image_a=battle.left_image,
            image_b=battle.right_image,
            vote=_VOTE_VALUES[choices[aspect]],
            seconds=battle.seconds or 0.0,
            at=battle.cast_at or 0.0,
        )
