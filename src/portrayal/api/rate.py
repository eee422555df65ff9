"""Votes into ratings, in one call."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from portrayal.api.scores import read_scores
from portrayal.arena.ratings.bradley_terry import Ties
from portrayal.arena.ratings.leaderboard import Leaderboard
from portrayal.arena.ratings.rate import RateOptions, rate_votes
from portrayal.arena.ratings.votes import Votes
from portrayal.arena.ratings.votes_csv import parse_votes_csv
from portrayal.arena.ratings.votes_json import parse_votes_json
from portrayal.errors import InputError
from portrayal.inputfile import read_bytes

__all__ = ["rate", "read_votes"]

VoteRows = Iterable[tuple[str, str, Any] | Mapping[str, Any]]


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
        Decides what is drawn.

    >>> votes = [("a", "b", 0), ("b", "a", 1), ("a", "b", 0), ("b", "a", "draw")]
    >>> board = rate(votes, draws=100)
    >>> [(row.model, row.rank, row.wins) for row in board.sections[0].ratings]
    [('a', 1, 3), ('b', 2, 0)]
    """
    given = read_votes(Path(votes)) if isinstance(votes, str | os.PathLike) else _of_rows(votes, by)
    known = read_scores(Path(scores)) if isinstance(scores, str | os.PathLike) else scores or {}
    options = RateOptions(ties, draws, orders, tuple(by), tuple(aspects), known)
    found = rate_votes(given, options, rng=np.random.default_rng(seed))
    if not any(section.ratings for section in found.sections):
        where = f"{votes}: " if isinstance(votes, str | os.PathLike) else ""
        raise InputError(f"{where}no vote can be rated; all {given.skipped} were skipped")
    return replace(found, parameters={**found.parameters, "seed": seed})


def _of_rows(votes: Votes | VoteRows, by: Sequence[str]) -> Votes:
    if isinstance(votes, Votes):
        return votes
    rows = list(votes)
    told = rows and all(isinstance(row, Mapping) and "aspect" in row for row in rows)
    return Votes.of(rows, tuple(dict.fromkeys([*(["aspect"] if told else []), *by])))


def read_votes(path: Path) -> Votes:
    """Return the votes of a file."""
    data = read_bytes(path)
    return parse_votes_json(data, str(path)) if path.suffix.lower() == ".json" else parse_votes_csv(data, str(path))
