"""Pairs of an advantaged and a disadvantaged term, which the manifestation factor compares."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from portrayal.records import Prompt

__all__ = ["Pair", "Side", "resolve"]

Side = tuple[Prompt, int]
"""A prompt, and which of its people is meant."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two terms, how much the pair counts, and where it stands."""

    advantaged: str
    disadvantaged: str
    weight: float = 1.0
    where: str = field(default="", compare=False)

    @property
    def name(self) -> str:
        """How the pair is called in tables and on pages."""
        return f"{self.advantaged} / {self.disadvantaged}"


def resolve(pair: Pair, prompts: Iterable[Prompt]) -> tuple[Side, Side] | None:
    """Return the implicit prompts of both terms and whom of them is meant; None where the prompts do not have them.

    The two may be the sides of one relation ("General", "Soldier" of "General / Soldier"), else they are two prompts
    of one kind that show one person each (the occupations "Military Officer" and "Soldier").
    """
    implicit = {prompt.term.casefold(): prompt for prompt in prompts if prompt.variant == "implicit"}
    first, second = pair.advantaged.casefold(), pair.disadvantaged.casefold()
    if relation := implicit.get(f"{first} / {second}"):
        return (relation, 0), (relation, 1)
    if relation := implicit.get(f"{second} / {first}"):
        return (relation, 1), (relation, 0)
    one, other = implicit.get(first), implicit.get(second)
    if one is None or other is None or one.kind != other.kind or (one.people, other.people) != (1, 1):
        return None
    return (one, 0), (other, 0)
