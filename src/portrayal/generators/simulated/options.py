"""How often what happens in simulated pictures, and who is depicted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, field_validator

from portrayal.errors import did_you_mean
from portrayal.generators.planted_shares import Shares, split_aspect
from portrayal.records import SIDES
from portrayal.settings import Settings

__all__ = ["BALANCED", "WRITTEN", "SimulatedOptions"]

# Nothing may join these: a study that names no shares would get other people under the same name.
BALANCED: Mapping[str, Shares] = {
    "gender": {"male": 0.5, "female": 0.5},
    "age3": {"young": 0.4, "middle_aged": 0.4, "elderly": 0.2},
    "tone3": {"light": 0.4, "medium": 0.3, "dark": 0.3},
}

WRITTEN: Shares = {
    "a {term}": 0.5,
    "a {term} on a table": 0.25,
    "a person with a {term}": 0.15,
    "a {term} next to a tree": 0.05,
    "a tree": 0.05,
}
"""What is planted of an attribute that is told in words, unless shares say something else."""

Count = Annotated[int, Field(ge=1, le=100)]


class SimulatedOptions(Settings):
    """How often what happens, and who is depicted. ``terms`` overrides ``shares`` for single terms.

    Shares are by attribute, or for one of two people by aspect (``left.gender``); in a group, ``{term}`` is the term of
    the prompt, for what is told in words: ``"a {term} on a table"``. ``obey`` is how often a group that
    the prompt asks for is drawn whatever the shares. ``group`` is how many people, at least and at most,
    are drawn where a prompt leaves the number open. ``moves`` is what edits do: by term, attribute and group the
    probability that a person becomes one of that group; else they stay who they are in the source.
    """

    shares: Mapping[str, Shares] = BALANCED
    terms: Mapping[str, Mapping[str, Shares]] = {}
    obey: float = Field(default=1.0, ge=0, le=1)
    refused: float = Field(default=0.0, ge=0, le=1)
    failed: float = Field(default=0.0, ge=0, le=1)
    no_person: float = Field(default=0.0, ge=0, le=1)
    several: float = Field(default=0.0, ge=0, le=1)
    group: tuple[Count, Count] = (2, 6)
    moves: Mapping[str, Mapping[str, Shares]] = {}
    pixels: bool = True
    size: int = Field(default=8, ge=2, le=1024)

    @field_validator("shares", mode="before")
    @classmethod
    def _flat(cls, shares: Any) -> Any:
        """Accept ``left.gender = ...`` without quotes, of which TOML makes a table in a table."""
        if not isinstance(shares, Mapping):
            return shares
        flat: dict[str, Any] = {}
        for name, groups in shares.items():
            sided = name in SIDES and isinstance(groups, Mapping)
            flat |= {f"{name}.{attribute}": inner for attribute, inner in groups.items()} if sided else {name: groups}
        return flat

    @field_validator("terms", mode="before")
    @classmethod
    def _flat_terms(cls, terms: Any) -> Any:
        return {term: cls._flat(shares) for term, shares in terms.items()} if isinstance(terms, Mapping) else terms

    @field_validator("group")
    @classmethod
    def _in_order(cls, group: tuple[int, int]) -> tuple[int, int]:
        if group[0] > group[1]:
            raise ValueError("must be the smallest size, then the largest")
        return group

    @field_validator("shares")
    @classmethod
    def _sum_to_one(cls, shares: Mapping[str, Shares]) -> Mapping[str, Shares]:
        for name, groups in shares.items():
            if not abs(sum(groups.values()) - 1) <= 1e-6 or min(groups.values(), default=-1) < 0:
                raise ValueError(f"shares of {name!r} must be positive and add up to 1")
            if "." in split_aspect(name)[1]:
                side = name.partition(".")[0]
                raise ValueError(f"shares of {name!r}: no side {side!r}{did_you_mean(side, SIDES)}")
        return shares

    @field_validator("moves")
    @classmethod
    def _at_most_one(cls, moves: Mapping[str, Mapping[str, Shares]]) -> Mapping[str, Mapping[str, Shares]]:
        for term, attributes in moves.items():
            for name, groups in attributes.items():
                if not sum(groups.values()) <= 1 + 1e-6 or min(groups.values(), default=0) < 0:
                    raise ValueError(f"moves of {term!r}, {name!r} must be positive and add up to 1 or less")
        return moves

    @field_validator("terms")
    @classmethod
    def _terms_sum_to_one(cls, terms: Mapping[str, Mapping[str, Shares]]) -> Mapping[str, Mapping[str, Shares]]:
        for shares in terms.values():
            cls._sum_to_one(shares)
        return terms
