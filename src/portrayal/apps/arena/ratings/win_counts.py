"""How often each model beat each other one, from votes: all that Bradley-Terry needs to know, and win rates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from portrayal.apps.arena.ratings.vote_values import B_WINS, DRAW
from portrayal.apps.arena.ratings.votes import Votes
from portrayal.stats.intervals import Array

__all__ = ["WinCounts", "WinRate", "count_wins", "find_components", "vote_cells", "win_rates"]


@dataclass(frozen=True, slots=True)
class WinCounts:
    """``wins[..., i, j]``: how often i beat j. ``ties[..., i, j]``: how often they drew, the same either way round."""

    wins: Array
    ties: Array

    @classmethod
    def of_cells(cls, counts: Array, models: int) -> WinCounts:
        """Return what ``counts`` (..., 2 models²) of cells say: the first half are wins, the second draws."""
        both = counts.reshape(*counts.shape[:-1], 2, models, models)
        ties = both[..., 1, :, :]
        return cls(both[..., 0, :, :], ties + np.swapaxes(ties, -1, -2))

    def among(self, models: NDArray[np.int64]) -> WinCounts:
        """Return the counts of some of the models."""
        inner = (..., models[:, None], models[None, :])
        return WinCounts(self.wins[inner], self.ties[inner])

    @property
    def battles(self) -> Array:
        """How often two models met."""
        return np.asarray(self.wins + np.swapaxes(self.wins, -1, -2) + self.ties)


def vote_cells(votes: Votes) -> NDArray[np.int64]:
    """Return the cell of each vote: winner and loser, or the two that drew; -1 for a model against itself.

    ``votes`` must hold no skipped ones.
    """
    models = len(votes.models)
    winner = np.where(votes.outcome == B_WINS, votes.second, votes.first)
    loser = np.where(votes.outcome == B_WINS, votes.first, votes.second)
    cell = winner * models + loser
    cell[votes.outcome == DRAW] += models * models
    cell[votes.first == votes.second] = -1
    return cell


def count_wins(votes: Votes) -> WinCounts:
    """Return the counts of ``votes``, without those of a model against itself.

    >>> count_wins(Votes.of([("x", "y", 0), ("x", "y", "draw")])).wins.tolist()
    [[0.0, 1.0], [0.0, 0.0]]
    """
    cells = vote_cells(votes)
    models = len(votes.models)
    return WinCounts.of_cells(np.bincount(cells[cells >= 0], minlength=2 * models**2).astype(float), models)


def find_components(edges: Array, *, strong: bool = False) -> tuple[int, NDArray[np.int64]]:
    """Return how many parts a graph falls into, and the part of each model; ``strong``: by directed ways."""
    count, part = connected_components(csr_array(edges > 0), directed=True, connection="strong" if strong else "weak")
    return int(count), np.asarray(part, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class WinRate:
    """How ``model`` fared against ``opponent``; in ``rate`` a draw is half a win."""

    model: str
    opponent: str
    battles: int
    wins: int
    losses: int
    draws: int
    rate: float


def win_rates(counts: WinCounts, models: Sequence[str]) -> list[WinRate]:
    """Return the cells of the win-rate matrix, row by row; pairs that never met have none.

    >>> wins = WinCounts(np.array([[0.0, 3.0], [1.0, 0.0]]), np.zeros((2, 2)))
    >>> [cell.rate for cell in win_rates(wins, ["x", "y"])]
    [0.75, 0.25]
    """
    battles = counts.battles
    rows = []
    for one, two in zip(*np.nonzero(battles), strict=True):
        won, lost, drawn = (int(number[one, two]) for number in (counts.wins, counts.wins.T, counts.ties))
        met = won + lost + drawn
        rows.append(WinRate(models[one], models[two], met, won, losses=lost, draws=drawn, rate=(won + drawn / 2) / met))
    return rows
