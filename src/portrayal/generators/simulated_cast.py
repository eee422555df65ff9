"""The people whom a simulated picture may show, and how chances turn into them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from portrayal.generators.asked import Shares
from portrayal.records import Person

__all__ = ["FIRST", "Cast"]

FIRST = 4
"""The chances before decide whether there is a picture, and of how many."""


@dataclass(frozen=True, slots=True)
class Cast:
    """The people a prompt may show, the extra one last: of each attribute the name, the groups and their bounds.

    After the last group stands the likeliest, for a chance above a last bound that rounding left below 1.
    """

    roles: Sequence[Sequence[tuple[str, Sequence[str], Sequence[float]]]]
    chances: int

    @classmethod
    def of(cls, people: Sequence[Mapping[str, Shares]]) -> Cast:
        """Return a cast of people drawn by these shares."""
        roles = [
            [
                (attribute, (*groups, max(groups, key=groups.__getitem__)), tuple(accumulate(groups.values())))
                for attribute, groups in shares.items()
            ]
            for shares in people
        ]
        return cls(roles, FIRST + len(roles) * max(map(len, roles)))

    def people(self, count: int, chance: Sequence[float]) -> list[Person]:
        """Return the first ``count`` people, as the chances of a job have it."""
        # Interleaved, so that neither another attribute nor an extra person moves what the others draw.
        step = len(self.roles)
        return [
            {
                attribute: groups[bisect_right(bounds, drawn)]
                for (attribute, groups, bounds), drawn in zip(role, chance[FIRST + place :: step], strict=False)
            }
            for place, role in enumerate(self.roles[:count])
        ]
