"""Pairs of images that were compared with each other: how alike they look, and how alike their captions are."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from portrayal.evidence.design import Plan
from portrayal.evidence.need import Batch, Requires
from portrayal.records import Prompt
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array

__all__ = ["Compared", "ComparedPairs"]

Couples = Callable[[Collection[Prompt]], Collection[tuple[str, str]]]


def _none() -> Ints:
    return np.zeros(0, dtype=np.int64)


def _nothing() -> Array:
    return np.zeros(0)


@dataclass(frozen=True)
class ComparedPairs:
    """One entry for each pair of images: their cells, their places among the images of their cells, and how alike they
    are, nan where that is not known.
    """

    cell: Ints = field(default_factory=_none)
    other: Ints = field(default_factory=_none)
    place: Ints = field(default_factory=_none)
    other_place: Ints = field(default_factory=_none)
    structure: Array = field(default_factory=_nothing)
    captions: Array = field(default_factory=_nothing)


@dataclass(frozen=True, slots=True)
class Compared:
    """The need: images of a generator compared with each other, by structure and by caption.

    ``couples`` returns prompts as two ids each: where both are the same, all its images are compared with one another;
    else each image with that of the same place. Pictures are compared in grey at ``size`` x ``size`` pixels.
    ``captioner`` names who writes the captions, by default the first annotator that writes any. The stage that lets
    annotators look does the comparing.
    """

    couples: Couples
    size: int = 256
    captioner: str = ""
    requires: ClassVar[Requires] = Requires()

    def begin(self, plan: Plan) -> ComparedSums:
        """Return what is known: it is no sum over observations."""
        return ComparedSums(plan.compared.get(self, ComparedPairs()))


@dataclass(frozen=True)
class ComparedSums:
    """The pairs, which the plan has already."""

    pairs: ComparedPairs

    def add(self, batch: Batch) -> None:
        """Leave observations alone."""

    def merge(self, other: ComparedSums) -> None:
        """Leave another's pairs alone: they are the same."""

    def result(self) -> ComparedPairs:
        """Return the pairs."""
        return self.pairs
