"""Usable pictures one by one, with the share of each group among their people: what can be put together in pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from portrayal.evidence.counts.group_counts import Weighing
from portrayal.evidence.design import Plan
from portrayal.evidence.need import Batch, Requires
from portrayal.evidence.usable import Rule
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array
from portrayal.store.tables.keys import Keys

__all__ = ["PictureShares", "UsablePictures"]

Key = tuple[str, str]
"""Annotator and attribute."""


@dataclass(frozen=True, slots=True)
class PictureShares:
    """The need: every usable picture. It costs some 30 bytes a picture and attribute, so it is for studies that fit.

    The result has, by annotator and attribute, the pictures in an order that does not depend on how they came.
    """

    rule: Rule
    weighing: Weighing = "label"
    requires: ClassVar[Requires] = Requires(seeds=True)

    def begin(self, plan: Plan) -> PictureShareSums:
        """Return what is known of no picture."""
        return PictureShareSums(self, plan)


@dataclass(frozen=True)
class UsablePictures:
    """Of each picture its cell, its seed (0: not known), its key, and the shares of groups among its people."""

    cell: Ints
    seed: Ints
    image: Keys
    shares: Array


@dataclass(frozen=True)
class _People:
    cell: Ints
    seed: Ints
    image: Keys
    mass: Array


@dataclass
class PictureShareSums:
    """People of usable pictures, by annotator and attribute."""

    need: PictureShares
    plan: Plan
    kept: dict[Key, list[_People]] = field(default_factory=dict)

    def add(self, batch: Batch) -> None:
        """Add a batch of images."""
        for key, groups in self.plan.design.groups_of(batch.images.annotator):
            self._add(batch, key, groups)

    def merge(self, other: PictureShareSums) -> None:
        """Add what another has kept."""
        for key, kept in other.kept.items():
            self.kept.setdefault(key, []).extend(kept)

    def result(self) -> Mapping[Key, UsablePictures]:
        """Return the pictures."""
        return {key: _pictures(kept) for key, kept in self.plan.design.ordered(self.kept).items()}

    def _add(self, batch: Batch, key: Key, groups: int) -> None:
        assert batch.seed is not None
        rows, masses = batch.images.masses(key[1], groups, raw=True)
        entries, chosen = batch.of_rows(rows, self.need.rule)
        if not len(entries):
            return
        mass = masses[chosen]
        if self.need.weighing == "label":
            mass = np.eye(groups, dtype=np.uint8)[mass.argmax(axis=1)]
        images = batch.images.keys[batch.image[entries]]
        people = _People(batch.cell[entries].astype(np.int32), batch.seed[entries], images, mass)
        self.kept.setdefault(key, []).append(people)


def _pictures(kept: list[_People]) -> UsablePictures:
    names = ("cell", "seed", "image", "mass")
    cell, seed, image, mass = (np.concatenate([getattr(part, name) for part in kept]) for name in names)
    order = np.lexsort((image, seed, cell))
    cell, seed, image, mass = cell[order], seed[order], image[order], mass[order].astype(float)
    new = (cell[1:] != cell[:-1]) | (seed[1:] != seed[:-1]) | (image[1:] != image[:-1])
    starts = np.flatnonzero(np.r_[True, new])
    people = np.diff(np.r_[starts, len(cell)])
    shares = np.add.reduceat(mass, starts) / people[:, None]
    return UsablePictures(cell[starts], seed[starts], image[starts], shares)
