"""Pictures of two sides that belong together: drawn with the same seed, or the same ones seen by two annotators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from portrayal.records import Measurement

__all__ = ["COMPLETE", "PairedShare", "Pairing"]

COMPLETE = 0.8
"""Which part of the pictures of either side must have a partner, that a comparison is one of pairs."""


@dataclass(frozen=True, slots=True)
class PairedShare:
    """A share of both sides, pair by pair.

    ``difference`` is the mean of the pairs' differences, ``apart`` that of their squares: the part of pairs that
    disagree. ``worth`` is as many pairs of one prompt as know it as well, ``n`` how many pairs there are, and ``alone``
    how many usable pictures of both sides have no partner. ``same``: both sides are the same pictures.
    """

    difference: float
    apart: float
    worth: float
    n: int
    alone: int
    same: bool = False


class Pairing(Protocol):
    """Finds the pairs behind two rows; ``required``: rows without pairs must not be compared at all."""

    @property
    def required(self) -> bool:
        """Whether both sides are the same pictures, which are never independent."""
        ...

    def __call__(self, one: Measurement, other: Measurement) -> PairedShare | None:
        """Return the pairs; None where pictures of these rows do not belong together, or too few do."""
        ...
