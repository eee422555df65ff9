"""Bradley-Terry: the strengths under which the votes are most likely, whatever their order."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from portrayal.arena.ratings.bradley_terry_fit import fit, linked
from portrayal.arena.ratings.votes import Votes
from portrayal.arena.ratings.win_counts import Tally, components_of, tally
from portrayal.errors import ConfigError
from portrayal.stats.intervals import Array

__all__ = ["CENTRE", "VIRTUAL", "Strengths", "Ties", "bradley_terry", "edges_of", "strengths", "supported", "to_rating"]

Ties = Literal["half", "davidson"]
"""What a draw is: half a win for each, or an outcome of its own as Davidson (1970) has it."""
CENTRE = 1000.0
"""The mean rating of models that were compared with each other, directly or by way of others."""
VIRTUAL = 0.5
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
    return np.asarray(CENTRE + _POINTS * strength)


def edges_of(found: Tally, ties: Ties) -> Tally:
    """Return the tally as it is fitted: with ``half``, a draw is half a win for each."""
    if ties == "davidson":
        return found
    if ties != "half":
        raise ConfigError(f"ties must be 'half' or 'davidson', got {ties!r}")
    return Tally(found.wins + found.ties / 2, np.zeros_like(found.ties))


def supported(found: Tally, met: Array) -> Tally:
    """Return the tally with half a virtual battle won on each side of every pair that ``met``."""
    return Tally(found.wins + VIRTUAL / 2 * (met > 0), found.ties)


def strengths(found: Tally, ties: Ties = "half") -> Strengths:
    """Return the strengths of one tally (models, models), each connected component on its own."""
    outcome = edges_of(found, ties)
    models = len(outcome.wins)
    count, component = components_of(found.battles)
    strength, separated, undecided = np.zeros(models), np.zeros(models, dtype=bool), np.zeros(models, dtype=bool)
    for number in range(count):
        members = np.flatnonzero(component == number)
        if len(members) == 1:
            continue
        inner = outcome.among(members)
        undecided[members] = not found.among(members).wins.any()
        if not linked(inner.wins):
            inner = supported(inner, inner.battles)
            separated[members] = True
        strength[members] = fit(Tally(inner.wins[None], inner.ties[None]))[0]
    return Strengths(strength, component, separated, undecided)


def bradley_terry(votes: Any, *, ties: Ties = "half") -> dict[str, float]:
    """Return each model's Bradley-Terry rating on Elo's scale.

    Parameters
    ----------
    votes
        As for :func:`portrayal.arena.elo`; their order does not matter.
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
    return dict(zip(given.models, strengths(tally(given), ties).rating.tolist(), strict=True))
