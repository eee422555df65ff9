"""What a share is compared with: a distribution over groups, per term, with its source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa

__all__ = ["TRUTH_SCHEMA", "Reference", "UncoveringReference"]

TRUTH_SCHEMA = pa.schema(
    [
        ("generator", pa.string()),
        ("prompt", pa.string()),
        ("attribute", pa.string()),
        ("group", pa.string()),
        ("share", pa.float64()),
    ]
)
"""Planted truth, for generators that know it: the probability of each group for each prompt."""


@dataclass(frozen=True, slots=True)
class Reference:
    """Target shares of one attribute. ``by_term`` wins over ``default``; without either there is no comparison."""

    name: str
    attribute: str
    by_term: Mapping[str, Mapping[str, float]]
    default: Mapping[str, float] | None = None
    source: str = ""

    def shares(self, term: str) -> Mapping[str, float] | None:
        """Return the target shares for ``term``, or None when the reference does not cover it."""
        return self.by_term.get(term.casefold(), self.default)


@dataclass(frozen=True, slots=True)
class UncoveringReference:
    """A reference that a study asks for and that covers none of its ``terms``, so many in number.

    ``known`` is how many terms it does cover, ``examples`` are some of them.
    """

    name: str
    attributes: tuple[str, ...]
    terms: int
    known: int
    examples: tuple[str, ...]
