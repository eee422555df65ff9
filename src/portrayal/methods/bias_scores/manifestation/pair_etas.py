"""Eta of pairs of prompts: where their shares stand, and what the manifestation factor makes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from portrayal.methods.bias_scores.manifestation.term_pairs import Pair, Side, resolve
from portrayal.methods.bias_scores.prompt_sets import PromptSet
from portrayal.metrics import pair_manifestation, weighted_mean
from portrayal.records import Prompt, aspect
from portrayal.stats.intervals import Array, Interval, t_value

__all__ = ["Compared", "Eta", "Factor", "compared_pairs", "pair_etas"]


@dataclass(frozen=True, slots=True)
class Compared:
    """A pair that the suite has prompts for; both sides may be people of one prompt."""

    pair: Pair
    sides: tuple[Side, Side]

    @property
    def prompts(self) -> list[Prompt]:
        """The prompts of both sides, each once."""
        return list({prompt.id: prompt for prompt, _ in self.sides}.values())


@dataclass(frozen=True, slots=True)
class Factor:
    """How eta is computed: weights of the groups by attribute, and which reading of the paper."""

    group_weights: Mapping[str, Sequence[float]]
    variant: str

    def excess(self, same_way: Array, variance: Array, k: Sequence[float]) -> Array:
        """Return what to add to redrawn etas, whose squares are too large by the noise of the images and of redrawing.

        The script's variant has no squares, and nothing to correct.
        """
        lean = (np.asarray(k) * same_way * 2 * variance).sum(axis=-1)
        return np.asarray({"definition": lean, "published": -lean}.get(self.variant, np.zeros_like(lean)))


@dataclass(frozen=True, slots=True, eq=False)
class Eta:
    """Eta of pairs and attributes, nan where a prompt has no data: (pairs, attributes), redrawn ones after draws.

    ``once`` is eta of redrawn shares, corrected for what their noise adds to squares.
    """

    weights: Array
    seen: Array
    planted: Array
    once: Array

    def score(self, pair: int | None, attribute: int | None) -> tuple[float, Interval, float]:
        """Return eta, interval and planted eta of one pair or of all (None), in one attribute or the mean of all.

        Eta jumps where a share crosses its reference. A share that may lie on either side of it counts for both in the
        redrawn etas, so the interval lies around their mean; with few images that need not be the value.
        """
        seen, planted = (float(self._mean(etas, pair, attribute)) for etas in (self.seen, self.planted))
        drawn = self._mean(self.once, pair, attribute)
        middle, reach = float(drawn.mean()), t_value(0.95) * float(drawn.std())
        return seen, Interval(middle - reach, middle + reach), planted

    def known(self, attribute: int | None) -> list[int]:
        """Return the pairs that have an eta, of one attribute or of any."""
        chosen = self.seen if attribute is None else self.seen[:, [attribute]]
        return [int(place) for place in np.flatnonzero(~np.isnan(chosen).all(axis=1))]

    def each(self, attribute: int | None) -> Array:
        """Return eta of every pair as unlimited images would give it, in one attribute or the mean of all."""
        drawn = self.once.mean(axis=0)
        return np.asarray(drawn.mean(axis=1) if attribute is None else drawn[:, attribute])

    def _mean(self, etas: Array, pair: int | None, attribute: int | None) -> Array:
        chosen = etas[..., pair, :] if pair is not None else weighted_mean(np.moveaxis(etas, -2, -1), self.weights)
        # Plain mean: no eta for the model where an attribute has none.
        return np.asarray(chosen.mean(axis=-1) if attribute is None else chosen[..., attribute])


def compared_pairs(pairs: Sequence[Pair], prompts: Sequence[Prompt]) -> list[Compared]:
    """Return the pairs whose terms are both among the prompts."""
    resolved = ((pair, resolve(pair, prompts)) for pair in pairs)
    return [Compared(pair, sides) for pair, sides in resolved if sides]


def pair_etas(
    prompt_sets: Sequence[PromptSet], pairs: Sequence[Compared], factor: Factor, draws: int, rng: np.random.Generator
) -> Eta:
    """Return eta of every pair; only prompts that stand in pairs are redrawn, each once for all its pairs."""
    needed = {prompt.id for pair in pairs for prompt in pair.prompts}
    rows = [[row for row, prompt in enumerate(one.prompts) if prompt.id in needed] for one in prompt_sets]
    paired = [one.take(chosen) for one, chosen in zip(prompt_sets, rows, strict=True) if chosen]
    sides = [_Gather.of(paired, [pair.sides[side] for pair in pairs]) for side in (0, 1)]

    def etas(shares: Sequence[Array], variances: Sequence[Array] = ()) -> Array:
        columns = []
        for attribute, k in factor.group_weights.items():
            (p, q), (p_ref, q_ref) = (
                [side.shares(each, attribute, len(k)) for side in sides]
                for each in (shares, [o.wanted for o in paired])
            )
            eta = pair_manifestation(p, p_ref, q, q_ref, k=k, variant=factor.variant)
            if variances:
                noise = np.sum([side.shares(variances, attribute, len(k)) for side in sides], axis=0)
                eta = eta + factor.excess(np.sign(p - p_ref) * np.sign(q - q_ref), noise, k)
            columns.append(eta)
        return np.stack(columns, axis=-1)

    seen = etas([one.moments.mean for one in paired])
    # Of the pairs that were scored only: else value and truth would be about different ones.
    planted = np.where(np.isnan(seen), np.nan, etas([one.planted for one in paired]))
    once = [one.moments.mean + one.moments.noise(draws, rng) for one in paired]
    variances = [np.diagonal(one.moments.covariance, axis1=1, axis2=2) for one in paired]
    return Eta(np.array([each.pair.weight for each in pairs]), seen, planted, etas(once, variances))


@dataclass(frozen=True, slots=True)
class _Gather:
    """Where one side of each pair stands: its prompt set, row and subject; None where it has no usable image."""

    prompt_sets: Sequence[PromptSet]
    places: Sequence[tuple[int, int, int] | None]

    @classmethod
    def of(cls, prompt_sets: Sequence[PromptSet], sides: Sequence[Side]) -> _Gather:
        rows = {
            prompt.id: (place, row) for place, one in enumerate(prompt_sets) for row, prompt in enumerate(one.prompts)
        }
        return cls(prompt_sets, [(*rows[prompt.id], who) if prompt.id in rows else None for prompt, who in sides])

    def shares(self, shares: Sequence[Array], attribute: str, groups: int) -> Array:
        """Return the shares of the sides (..., pairs, groups) from those of each set (..., prompts, columns)."""
        before = shares[0].shape[:-2] if shares else ()
        gathered = np.full((*before, len(self.places), groups), np.nan)
        for number, place in enumerate(self.places):
            if place is not None:
                number_of_set, row, subject = place
                prompt_set = self.prompt_sets[number_of_set]
                columns = prompt_set.moments.slice(aspect(attribute, subject, prompt_set.people))
                gathered[..., number, :] = shares[number_of_set][..., row, columns]
        return gathered
