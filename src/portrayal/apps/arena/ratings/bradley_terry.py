"""Bradley-Terry: the strengths under which the votes are most likely, whatever their order."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from portrayal.apps.arena.ratings.bradley_terry_fit import fit_strengths, strongly_connected
from portrayal.apps.arena.ratings.votes import Votes
from portrayal.apps.arena.ratings.win_counts import WinCounts, count_wins, find_components
from portrayal.errors import ConfigError
from portrayal.stats.intervals import Array

__all__ = [
    "MEAN_RATING",
    "VIRTUAL_DRAW_WEIGHT",
    "Strengths",
    "Ties",
    "add_virtual_draws",
    "bradley_terry",
    "split_ties",
    "strengths",
    "to_rating",
]

Ties = Literal["half", "davidson"]
"""What a draw is: half a win for each, or an outcome of its own as Davidson (1970) has it."""
MEAN_RATING = 1000.0
"""The mean rating of models that were compared with each other, directly or by way of others."""
VIRTUAL_DRAW_WEIGHT = 0.5
"""The weight of the drawn battle that is added for each pair that met, where there is no maximum without it."""
_POINTS = 400 / math.log(10)


@dataclass(frozen=True, slots=True)
class Strengths:
    """The most likely strengths (natural log of odds) and the component of each model.

    ``separated`` marks components that have no maximum without virtual draws, ``undecided`` those of draws alone.
    """

    strength: Array
    component: NDArray[np.int64]
    separated: NDArray[np.bool_]
    undecided: NDArray[np.bool_]

    @property
    def rating(self) -> Array:
        """The strengths on Elo's scale."""
        return to_rating(self.strength)


def to_rating(strength: Array) -> Array:
    """Return strengths on Elo's scale: 400 points are odds of 10 to 1, and the mean is 1000."""
    return np.asarray(MEAN_RATING + _POINTS * strength)


def split_ties(counts: WinCounts, ties: Ties) -> WinCounts:
    """Return the counts as they are fitted: with ``half``, a draw is half a win for each."""
    if ties == "davidson":
        return counts
    if ties != "half":
        raise ConfigError(f"ties must be 'half' or 'davidson', got {ties!r}")
    return WinCounts(counts.wins + counts.ties / 2, np.zeros_like(counts.ties))


def add_virtual_draws(counts: WinCounts, met: Array) -> WinCounts:
    """Return the counts with half a virtual battle won on each side of every pair that ``met``."""
    return WinCounts(counts.wins + VIRTUAL_DRAW_WEIGHT / 2 * (met > 0), counts.ties)


def strengths(counts: WinCounts, ties: Ties = "half") -> Strengths:
    """Return the strengths of one table of wins (models, models), each connected component on its own."""
    fitted = split_ties(counts, ties)
    models = len(fitted.wins)
    count, component = find_components(counts.battles)
    strength, separated, undecided = np.zeros(models), np.zeros(models, dtype=bool), np.zeros(models, dtype=bool)
    for number in range(count):
        members = np.flatnonzero(component == number)
        if len(members) == 1:
            continue
        inner = fitted.among(members)
        undecided[members] = not counts.among(members).wins.any()
        if not strongly_connected(inner.wins):
            inner = add_virtual_draws(inner, inner.battles)
            separated[members] = True
        strength[members] = fit_strengths(WinCounts(inner.wins[None], inner.ties[None]))[0]
    return Strengths(strength, component, separated, undecided)


def bradley_terry(votes: Any, *, ties: Ties = "half") -> dict[str, float]:
    """Return each model's Bradley-Terry rating on Elo's scale.

    Parameters
    ----------
    votes
        As for :func:`portrayal.apps.arena.ratings.elo`; their order does not matter.
    ties
        ``half``: a draw is half a win for each, so that this is what Elo converges to. ``davidson``: the model of
        Davidson (1970), in which draws are the likelier the closer two models are.

    Examples
    --------
    >>> rating = bradley_terry([("x", "y", 0)] * 10 + [("x", "y", 1)])
    >>> {name: round(value, 6) for name, value in rating.items()}  # odds of 10 to 1
    {'x': 1200.0, 'y': 800.0}
    """
    given = Votes.of(votes).rated()
    if not given.models:
        return {}
    return dict(zip(given.models, strengths(count_wins(given), ties).rating.tolist(), strict=True))
