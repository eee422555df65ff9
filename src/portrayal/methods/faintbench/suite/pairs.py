"""Pairs of an advantaged and a disadvantaged term, which the manifestation factor compares."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from portrayal.csvfile import read_csv
from portrayal.errors import InputError
from portrayal.records import Prompt
from portrayal.suites.base import check_weight

__all__ = ["Pair", "Side", "load_pairs", "resolve"]

Side = tuple[Prompt, int]
"""A prompt, and which of its people is meant."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two terms, and how much the pair counts."""

    advantaged: str
    disadvantaged: str
    weight: float = 1.0


def load_pairs(path: Path | None = None) -> tuple[Pair, ...]:
    """Return the pairs of a CSV with the columns ``advantaged, disadvantaged, weight``; without one, the shipped 36."""
    if path is None:
        with resources.as_file(resources.files("portrayal.methods.faintbench") / "data" / "pairs.csv") as shipped:
            return load_pairs(Path(shipped))
    pairs: dict[frozenset[str], Pair] = {}
    for row in read_csv(path, ["advantaged", "disadvantaged", "weight"]):
        pair = Pair(row["advantaged"], row["disadvantaged"], row.number("weight"))
        key = frozenset((pair.advantaged.casefold(), pair.disadvantaged.casefold()))
        if "" in key or len(key) == 1:
            raise InputError(f"{row.where}: a pair needs two different terms")
        check_weight(row.where, pair.weight)
        if key in pairs:
            raise InputError(f"{row.where}: {pair.advantaged} and {pair.disadvantaged} are a pair already; keep one")
        pairs[key] = pair
    return tuple(pairs.values())


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
