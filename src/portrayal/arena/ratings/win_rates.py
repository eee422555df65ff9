"""Who beat whom how often, as counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from portrayal.arena.ratings.win_counts import WinCounts

__all__ = ["WinRate", "win_rates"]


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
        rows.append(WinRate(models[one], models[two], met, won, lost, drawn, (won + drawn / 2) / met))
    return rows
