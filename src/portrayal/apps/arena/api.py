"""The arena in Python: what people voted in a study, and votes into ratings in one call."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from portrayal.api.rows.table_rows import Rows
from portrayal.api.study_tables import StudyTables
from portrayal.apps.arena.automatic_scores import read_scores
from portrayal.apps.arena.database.export import named_votes, save_votes, votes_csv
from portrayal.apps.arena.database.export import read_votes as read_arena_votes
from portrayal.apps.arena.ratings.bradley_terry import Ties
from portrayal.apps.arena.ratings.leaderboard import Leaderboard
from portrayal.apps.arena.ratings.rate import RateOptions, rate_votes
from portrayal.apps.arena.ratings.votes import Votes
from portrayal.apps.arena.ratings.votes_csv import parse_votes_csv
from portrayal.apps.arena.ratings.votes_json import parse_votes_json
from portrayal.errors import InputError
from portrayal.inputfile import read_bytes
from portrayal.records import VOTE_SCHEMA, to_table
from portrayal.store.checksums.handed_files import check_handed, write_handed
from portrayal.study.study import OpenStudy
from portrayal.terminal import from_here

__all__ = ["Arena", "rate", "read_votes"]

VoteRows = Iterable[tuple[str, str, Any] | Mapping[str, Any]]


class Arena:
    """The arena of a study, which a folder names; it needs the extra ``web``, and no server."""

    def __init__(self, study: StudyTables | str | os.PathLike[str]) -> None:
        self.folder = study.folder if isinstance(study, StudyTables) else Path(study).absolute()

    def votes(self, *, everyone: bool = False, database: str = "") -> Rows:
        """Return what people voted, one row per comparison and aspect, also while the server runs.

        ``portrayal.rate(arena.votes())`` rates the models. ``everyone`` adds attention checks and the raters that were
        left out; ``database`` is where votes are kept, as of ``portrayal arena serve``. ``model_a`` and ``model_b`` are
        what generators are called, ``model_a_id`` and ``model_b_id`` their identities.
        """
        study = OpenStudy.to_read(self.folder)
        given = read_arena_votes(study, database, everyone=everyone)
        table = to_table(named_votes(given, study.names), VOTE_SCHEMA)
        identities = to_table(given, VOTE_SCHEMA)
        for column in ("model_a", "model_b"):
            table = table.append_column(f"{column}_id", identities[column])
        return Rows(table)

    def export_votes(self, file: str | os.PathLike[str], *, everyone: bool = False, database: str = "") -> int:
        """Write the votes to a CSV file, as ``portrayal arena rate`` reads it, and return how many there are.

        Without ``everyone`` they are written to the study's tables too, from where ``Study.export`` has them.
        """
        study = OpenStudy.to_read(self.folder)
        given = read_arena_votes(study, database, everyone=everyone)
        write_handed(Path(file), votes_csv(given, study.names).encode())
        if not everyone:
            save_votes(study.workspace, given)
        return len(given)

    def __repr__(self) -> str:
        return f"Arena({str(from_here(self.folder))!r})"


def rate(  # noqa: PLR0913 - each is an option of the command
    votes: str | os.PathLike[str] | Votes | VoteRows,
    *,
    aspects: Sequence[str] = (),
    by: Sequence[str] = (),
    ties: Ties = "half",
    draws: int = 1000,
    orders: int | None = None,
    scores: Mapping[str, Mapping[str, float]] | str | os.PathLike[str] | None = None,
    seed: int = 0,
) -> Leaderboard:
    """Rate models by votes: Elo, and Bradley-Terry with intervals.

    Parameters
    ----------
    votes
        A ``.csv`` or ``.json`` file, or rows: tuples ``(model_a, model_b, vote)`` or mappings with these names and
        perhaps ``aspect`` and ``rater``. A vote is 0 (the first model), 1 (the second) or ``"draw"``.
    aspects
        Only these; each aspect is rated apart.
    by
        Columns by whose values votes are rated apart, such as ``language``.
    ties
        A draw is ``"half"`` a win for each, or an outcome of its own (``"davidson"``).
    draws, orders
        Resamples behind the intervals, and random orders of Elo (None: 100, fewer for very many votes).
    scores
        Automatic scores to compare with: by name and model, a CSV file ``model,score,value``, or a study's folder.
    seed
        Seed of the random numbers behind the intervals.

    >>> votes = [("a", "b", 0), ("b", "a", 1), ("a", "b", 0), ("b", "a", "draw")]
    >>> board = rate(votes, draws=100)
    >>> [(row.model, row.rank, row.wins) for row in board.sections[0].ratings]
    [('a', 1, 3), ('b', 2, 0)]
    """
    given = read_votes(Path(votes)) if isinstance(votes, str | os.PathLike) else _of_rows(votes, by)
    known = read_scores(Path(scores)) if isinstance(scores, str | os.PathLike) else scores or {}
    options = RateOptions(ties=ties, draws=draws, orders=orders, by=tuple(by), aspects=tuple(aspects), scores=known)
    board = rate_votes(given, options, rng=np.random.default_rng(seed))
    if not any(section.ratings for section in board.sections):
        where = f"{votes}: " if isinstance(votes, str | os.PathLike) else ""
        raise InputError(f"{where}no vote can be rated; all {given.skipped} were skipped")
    return replace(board, parameters={**board.parameters, "seed": seed})


def _of_rows(votes: Votes | VoteRows, by: Sequence[str]) -> Votes:
    if isinstance(votes, Votes):
        return votes
    rows = list(votes)
    told = rows and all(isinstance(row, Mapping) and "aspect" in row for row in rows)
    return Votes.of(rows, tuple(dict.fromkeys([*(["aspect"] if told else []), *by])))


def read_votes(path: Path) -> Votes:
    """Return the votes of a file."""
    check_handed(path)
    data = read_bytes(path)
    return parse_votes_json(data, str(path)) if path.suffix.lower() == ".json" else parse_votes_csv(data, str(path))
