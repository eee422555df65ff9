"""How much one more battle of each pair of models would teach us, by the Bradley-Terry model."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from portrayal.apps.arena.battles.battle_counts import BattleCounts

__all__ = ["InformationGain"]

Floats = npt.NDArray[np.float64]

_PRIOR = 0.5
"""Precision of a model's strength before any vote, in logits: without it the first votes would make it infinite."""
_STEPS = 2
"""Newton steps at each refresh. They begin where the last ones ended, so that few are enough."""
_REFRESH_SHARE = 0.02
"""Refresh when this share of the battles is new."""


class InformationGain:
    """The expected information of one more battle of each pair, kept up to date with the counts.

    It is high for pairs of models that are close to each other and for pairs that met seldom.
    """

    def __init__(self, counts: BattleCounts) -> None:
        self._counts = counts
        models = len(counts.model_numbers)
        self._first = np.array([counts.model_numbers[first] for first, _ in counts.pairs], np.int64)
        self._second = np.array([counts.model_numbers[second] for _, second in counts.pairs], np.int64)
        self._strengths: Floats = np.zeros((len(counts.wins), models))
        self._gains: Floats = np.ones(len(counts.pairs))
        self._battles_at_refresh = -1

    def by_pair(self) -> Floats:
        """Return the gain of each pair, in the order in which the counts number them."""
        battles = int(self._counts.by_pair.sum())
        if (
            self._battles_at_refresh < 0
            or abs(battles - self._battles_at_refresh) > _REFRESH_SHARE * self._battles_at_refresh
        ):
            self._gains = np.mean([self._refresh(aspect) for aspect in range(len(self._strengths))], axis=0)
            self._battles_at_refresh = battles
        return self._gains

    def _refresh(self, aspect: int) -> Floats:
        wins = self._counts.wins[aspect]
        met = wins + wins.T
        for _ in range(_STEPS):
            strengths = self._strengths[aspect]
            chances = _chances(strengths)
            slope = wins.sum(axis=1) - (met * chances).sum(axis=1) - _PRIOR * strengths
            step = np.linalg.solve(_information(met * chances * chances.T), slope)
            self._strengths[aspect] = strengths + np.clip(step, -1, 1)
        return self._gain(_chances(self._strengths[aspect]))

    def _gain(self, chances: Floats) -> Floats:
        first, second = self._first, self._second
        doubt = (chances * chances.T)[first, second]
        # Battles that are dealt and not answered yet will teach something too.
        weights = np.zeros_like(chances)
        weights[first, second] = weights[second, first] = self._counts.by_pair * doubt
        spread = np.linalg.inv(_information(weights))
        variance = spread[first, first] + spread[second, second] - 2 * spread[first, second]
        gains: Floats = np.log1p(doubt * variance)
        return gains


def _chances(strengths: Floats) -> Floats:
    chances: Floats = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    return chances


def _information(weights: Floats) -> Floats:
    information: Floats = np.diag(weights.sum(axis=1) + _PRIOR) - weights
    return information
