"""The shares behind implicit scores: as seen, as demographic tables have them, and as planted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from portrayal.evidence import Planted
from portrayal.metrics import implicit_score
from portrayal.records import Prompt, aspect
from portrayal.stats.intervals import Array
from portrayal.stats.moments import Moments

__all__ = ["Groups", "PromptSet", "Scores", "seen_scores"]

Groups = Mapping[str, Sequence[str]]
"""Attribute to its groups, in the order of the masses."""


@dataclass(frozen=True, slots=True, eq=False)
class PromptSet:
    """Prompts that ask for equally many people, with the moments of their images; columns are groups of aspects.

    ``wanted`` (prompts, columns) are demographic shares, ``planted`` the true ones where a generator knows them, both
    nan where there is none.
    """

    prompts: Sequence[Prompt]
    moments: Moments
    wanted: Array
    planted: Array

    @classmethod
    def of(cls, prompts: Sequence[Prompt], moments: Moments, planted: Planted, groups: Groups) -> PromptSet:
        """Return the set of ``prompts``, whose moments stand in the same order."""
        wanted = _columns([prompt.reference for prompt in prompts], moments, groups)
        true = _columns([planted.get(prompt.id, {}) for prompt in prompts], moments, groups)
        return cls(prompts, moments, wanted, true)

    @property
    def people(self) -> int:
        """How many people each prompt asks for."""
        return self.prompts[0].people

    def take(self, rows: Sequence[int]) -> PromptSet:
        """Return some of the prompts."""
        prompts = [self.prompts[row] for row in rows]
        return PromptSet(prompts, self.moments.take(rows), self.wanted[list(rows)], self.planted[list(rows)])

    def score(self, shares: Array, attributes: Sequence[str]) -> Array:
        """Return implicit scores (..., prompts, attributes) of shares (..., prompts, columns).

        Left and right of a two-person prompt count half each; a side without a score leaves the prompt without one.
        """
        scored = []
        for name in attributes:
            columns = [self.moments.slice(aspect(name, side, self.people)) for side in range(self.people)]
            sides = [implicit_score(shares[..., side], self.wanted[:, side]) for side in columns]
            scored.append(np.mean(sides, axis=0))
        return np.stack(scored, axis=-1)

    def images(self, attributes: Sequence[str]) -> Array:
        """Return how many images tell each attribute, of two people for both: (prompts, attributes)."""
        names = [[aspect(name, side, self.people) for side in range(self.people)] for name in attributes]
        return np.stack([np.min([self.moments.count(side) for side in sides], axis=0) for sides in names], axis=-1)


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Implicit scores (prompts, attributes), nan where there is no data, and how many images are behind each."""

    prompts: Sequence[Prompt]
    images: Array
    seen: Array
    planted: Array

    @property
    def weights(self) -> Array:
        """The prompts' weights."""
        return np.array([prompt.weight for prompt in self.prompts])


def seen_scores(prompt_sets: Sequence[PromptSet], attributes: Sequence[str]) -> Scores:
    """Return the scores of all sets as the images have them: the published formula, nothing redrawn."""
    empty = np.zeros((0, len(attributes)))
    seen = [each.score(each.moments.mean, attributes) for each in prompt_sets]
    planted = [each.score(each.planted, attributes) for each in prompt_sets]
    return Scores(
        [prompt for each in prompt_sets for prompt in each.prompts],
        np.concatenate([each.images(attributes) for each in prompt_sets] or [empty]),
        known := np.concatenate(seen or [empty]),
        # Of the prompts that were scored only: else value and truth would be about different ones.
        np.where(np.isnan(known), np.nan, np.concatenate(planted or [empty])),
    )


def _columns(shares: Sequence[Mapping[str, Mapping[str, float]]], moments: Moments, groups: Groups) -> Array:
    """Return shares by aspect and group as a row of columns for each prompt, nan where one is not known."""
    names = [(name, group) for name, _ in moments.aspects for group in groups[name.rpartition(".")[2]]]
    rows = [[known.get(name, {}).get(group, np.nan) for name, group in names] for known in shares]
    return np.array(rows, dtype=float).reshape(len(shares), len(names))
