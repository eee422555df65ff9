"""The usable pictures of a study, and which of two sides belong together: prompt by prompt, in pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from portrayal.evidence import Evidence, PictureShares, Plan, UsablePictures
from portrayal.methods.base import Counting, Method
from portrayal.records import Attribute
from portrayal.reports.comparisons.pairing import COMPLETE, PairedShare
from portrayal.stats.exact import Ints
from portrayal.stats.shares.cells import PromptShares
from portrayal.stats.two_sides.paired import Pairs
from portrayal.store.tables.keys import Keys

__all__ = ["PAIRED_AT_MOST", "ComparedPictures", "Drawn", "need_of", "paired_share"]

PAIRED_AT_MOST = 3_000_000
"""Observations up to which pictures are put together in pairs: of more it would take minutes, and much memory."""
LEAST_PAIRS = 5


def need_of(method: Method) -> PictureShares | None:
    """Return which pictures a method counts, and how; None where it does not count pictures by group."""
    options = getattr(method, "options", None)
    return PictureShares(options.rule, options.evidence) if isinstance(options, Counting) else None


@dataclass
class ComparedPictures:
    """Pictures by annotator and attribute; those of a cell stand together."""

    plan: Plan
    pictures: Mapping[tuple[str, str], UsablePictures]
    _bounds: dict[tuple[str, str], Ints] = field(default_factory=dict)

    def showing(self, attribute: str, group: int) -> ComparedPictures:
        """Return those in which most people are of one group, as the annotator saw them that tells the others."""
        kept: dict[tuple[str, str], UsablePictures] = {}
        for (annotator, name), every in self.pictures.items():
            if (sides := self.pictures.get((annotator, attribute))) is not None:
                here = np.isin(_keys(every), _keys(sides)[sides.shares[:, group] > 0.5])
                kept[annotator, name] = UsablePictures(
                    every.cell[here], every.seed[here], every.image[here], every.shares[here]
                )
        return ComparedPictures(self.plan, kept)

    @classmethod
    def of(cls, evidence: Evidence, need: PictureShares) -> ComparedPictures:
        """Return the pictures that were gathered for a need."""
        return cls(evidence.plan, evidence[need])

    def bounds(self, key: tuple[str, str]) -> Ints:
        """Return where the pictures of each cell begin."""
        if key not in self._bounds:
            self._bounds[key] = np.searchsorted(self.pictures[key].cell, np.arange(len(self.plan.cells) + 1))
        return self._bounds[key]


@dataclass(frozen=True, slots=True)
class Drawn:
    """Pictures of one side: who drew them, who looked, and of each stratum the prompt that they answer.

    A stratum is what both sides were asked alike: the prompt itself, or its term where it is worded in two ways.
    """

    pictures: ComparedPictures
    generator: str
    annotator: str
    prompts: Mapping[str, str]
    whole: ComparedPictures | None = None
    """All pictures of the prompts, where the side is some of them."""

    def of(self, attribute: str, stratum: str) -> slice:
        """Return which of the pictures that tell an attribute are those of a stratum."""
        cell = self.pictures.plan.places.get((self.generator, self.prompts.get(stratum, "")))
        if cell is None or (self.annotator, attribute) not in self.pictures.pictures:
            return slice(0, 0)
        start, end = self.pictures.bounds((self.annotator, attribute))[[cell, cell + 1]].tolist()
        return slice(start, end)

    def used(self, attribute: str) -> list[str]:
        """Return the strata that have pictures."""
        places = {stratum: self.of(attribute, stratum) for stratum in self.prompts}
        return [stratum for stratum, place in places.items() if place.stop > place.start]

    def shares(self, attribute: Attribute, strata: Sequence[str]) -> PromptShares:
        """Return the shares of strata that have pictures, of which each counts as one."""
        every = self.told(attribute.name).shares
        places = [self.of(attribute.name, stratum) for stratum in strata]
        shares = np.array([every[place].mean(axis=0) for place in places]).reshape(-1, len(attribute.groups))
        counts = [place.stop - place.start for place in places]
        return PromptShares.of(shares, counts, [self.weight(stratum) for stratum in strata])

    def told(self, attribute: str) -> UsablePictures:
        """Return the pictures that tell an attribute."""
        return self.pictures.pictures[self.annotator, attribute]

    def weight(self, stratum: str) -> float:
        """Return what the prompt of a stratum weighs."""
        return self.pictures.plan.design.prompts[self.prompts[stratum]].weight

    def names(self, attribute: str, stratum: str, *, by_seed: bool) -> Ints | Keys | None:
        """Return what pictures go by in pairs; None where that is not known, or several go by one name."""
        pictures, place = self.told(attribute), self.of(attribute, stratum)
        names = pictures.seed[place] if by_seed else pictures.image[place]
        once = len(np.unique(names)) == len(names)
        return names if once and not (by_seed and (names == 0).any()) else None


def _keys(pictures: UsablePictures) -> Keys:
    """Return the pictures' names in their cells: one picture may answer two prompts."""
    keys: Keys = pictures.image ^ (pictures.cell.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15))
    return keys


def paired_share(
    one: Drawn, other: Drawn, attribute: Attribute, group: str, strata: Sequence[str]
) -> PairedShare | None:
    """Return the pairs of two sides: the same pictures where two annotators look, else those of the same seed.

    None where too few pictures have a partner.
    """
    place, name, by_seed = attribute.groups.index(group), attribute.name, one.annotator == other.annotator
    gaps, sizes = [], []
    for stratum in strata:
        mine, theirs = (side.names(name, stratum, by_seed=by_seed) for side in (one, other))
        if mine is None or theirs is None:
            return None
        _, first, second = np.intersect1d(mine, theirs, assume_unique=True, return_indices=True)
        here, there = (side.told(name).shares[side.of(name, stratum), place] for side in (one, other))
        gaps.append(here[first] - there[second])
        sizes.append((len(mine), len(theirs)))
    counts, total = [len(gap) for gap in gaps], sum(map(sum, sizes))
    if not counts or min(counts) == 0 or sum(counts) < max(COMPLETE * sum(map(max, sizes)), LEAST_PAIRS):
        return None
    squares = np.array([[(gap**2).sum()] for gap in gaps])
    pairs = Pairs.of(counts, np.array([[gap.sum()] for gap in gaps]), squares, [one.weight(each) for each in strata])
    mean, square = pairs.moments()
    n = sum(counts)
    return PairedShare(
        float(mean[0]), float(square[0]), float(pairs.worth()[0]), n, alone=total - 2 * n, same=not by_seed
    )
