"""What models are called on a leaderboard, where a file of votes tells names beside identities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from portrayal.apps.arena.ratings.votes import Votes

__all__ = ["NAME_COLUMNS", "model_names", "with_model_names"]

NAME_COLUMNS = ("name_a", "name_b")
"""The columns of a file of votes that tell what ``model_a`` and ``model_b`` are called."""
_TABLES: Mapping[str, tuple[str, ...]] = {
    "ratings": ("model",),
    "neighbours": ("higher", "lower"),
    "win_rates": ("model", "opponent"),
}


def model_names(votes: Votes) -> dict[str, str]:
    """Return the names by model: the last that a model was given, and none that two models were given.

    >>> from portrayal.apps.arena.ratings.votes_csv import parse_votes_csv
    >>> model_names(parse_votes_csv(b"model_a,model_b,vote,name_a,name_b\\nx@1,y,0,X,y\\n", "votes.csv"))
    {'x@1': 'X', 'y': 'y'}
    """
    names: dict[str, str] = {}
    for models, column in zip((votes.first, votes.second), NAME_COLUMNS, strict=True):
        if column in votes.columns:
            named = votes.columns[column]
            # Turned round, so that the first of each pair of codes is its last vote.
            pairs = np.stack([models, named.codes])[:, ::-1]
            places = np.sort(np.unique(pairs, axis=1, return_index=True)[1])[::-1]
            names |= {votes.models[pairs[0, place]]: named.names[pairs[1, place]] for place in places}
    given = Counter(names.values())
    return {model: name for model, name in names.items() if name and given[name] == 1}


def with_model_names(board: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return what ``portrayal arena rate --json`` prints with names in place of identities, for people to read."""
    renamed = {
        table: [{**row, **{key: names.get(row[key], row[key]) for key in keys}} for row in board[table]]
        for table, keys in _TABLES.items()
    }
    return {**board, **renamed}
