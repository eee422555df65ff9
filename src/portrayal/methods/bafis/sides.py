"""Which prompts are compared pair by pair: languages within a way of asking, ways of asking within a language."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from portrayal.records import Prompt

__all__ = ["Side", "Versus", "couples", "versus"]


@dataclass(frozen=True, slots=True)
class Side:
    """A language and a variant."""

    language: str
    variant: str

    def __str__(self) -> str:
        return f"{self.language} {self.variant}".strip()


@dataclass(frozen=True, slots=True)
class Versus:
    """Two sides, and the prompts that belong together: of each term one of either side."""

    side: Side
    against: Side
    couples: Sequence[tuple[Prompt, Prompt]]


def versus(prompts: Collection[Prompt], base: Side) -> list[Versus]:
    """Return what is compared: every language with the base's, variant by variant, and every variant with the base's.

    Sides without a common term are left out.
    """
    sides: dict[Side, dict[str, list[Prompt]]] = defaultdict(lambda: defaultdict(list))
    for prompt in prompts:
        sides[Side(prompt.language, prompt.variant)][prompt.term.casefold()].append(prompt)
    found = []
    for side in sides:
        for against in (Side(base.language, side.variant), Side(side.language, base.variant)):
            if against != side and against in sides:
                own, other = sides[side], sides[against]
                pairs = [(x, y) for term in own if term in other for x in own[term] for y in other[term]]
                found += [Versus(side, against, pairs)] if pairs else []
    return found


def couples(prompts: Collection[Prompt], base: Side) -> list[tuple[str, str]]:
    """Return the ids of the prompts to pair, each two once."""
    return list(dict.fromkeys((x.id, y.id) for each in versus(prompts, base) for x, y in each.couples))
