"""Draws the people of a simulated picture: chances in, people out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from portrayal.generators.planted_shares import Shares
from portrayal.records import Person

__all__ = ["FIRST", "PeopleSampler"]

FIRST = 4
"""The chances before decide whether there is a picture, and of how many."""


@dataclass(frozen=True, slots=True)
class PeopleSampler:
    """Draws the people of a prompt; ``subjects`` are all whom it may show, the extra one last.

    Of each attribute of a subject there are the name, the groups and their bounds. After the last group stands
    the likeliest, for a chance above a last bound that rounding left below 1.
    """

    subjects: Sequence[Sequence[tuple[str, Sequence[str], Sequence[float]]]]
    chances: int

    @classmethod
    def of(cls, people: Sequence[Mapping[str, Shares]]) -> PeopleSampler:
        """Return a sampler of people, each drawn by the shares at their place."""
        subjects = [
            [
                (attribute, (*groups, max(groups, key=groups.__getitem__)), tuple(accumulate(groups.values())))
                for attribute, groups in shares.items()
            ]
            for shares in people
        ]
        return cls(subjects, FIRST + len(subjects) * max(map(len, subjects)))

    def people(self, count: int, chance: Sequence[float]) -> list[Person]:
        """Return the first ``count`` people, as the chances of a job have it."""
        # Interleaved, so that neither another attribute nor an extra person moves what the others draw.
        step = len(self.subjects)
        return [
            {
                attribute: groups[bisect_right(bounds, drawn)]
                for (attribute, groups, bounds), drawn in zip(subject, chance[FIRST + place :: step], strict=False)
            }
            for place, subject in enumerate(self.subjects[:count])
        ]
