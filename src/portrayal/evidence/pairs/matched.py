"""The same images as an annotator and as people saw them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from portrayal.evidence.counts.moments import ByPeople, GroupMoments, PromptMoments, mass_matrix
from portrayal.evidence.design import Plan
from portrayal.evidence.need import Batch, Requires
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array
from portrayal.store.tables.keys import Keys

__all__ = ["Matched", "MatchedMoments"]


@dataclass(frozen=True, eq=False)
class MatchedMoments:
    """The need: moments of what each annotator saw, and of what ``human`` said, over the images that both can use."""

    moments: GroupMoments
    human: str

    @property
    def requires(self) -> Requires:
        """Which images people judged must be known: only those are kept."""
        return Requires(judged_by=self.human)

    def begin(self, plan: Plan) -> MatchedSums:
        """Return sums of nothing."""
        return MatchedSums(self, plan)


@dataclass(frozen=True)
class Matched:
    """``human`` is the annotator of people's labels; ``seen`` and ``labelled`` are both by the other annotators."""

    human: str
    seen: Mapping[str, Sequence[PromptMoments]]
    labelled: Mapping[str, Sequence[PromptMoments]]


@dataclass(frozen=True)
class _Kept:
    """Usable images with their cells and masses."""

    key: Keys
    cell: Ints
    mass: Array

    @classmethod
    def joined(cls, parts: Sequence[_Kept]) -> _Kept:
        """Return all of them, in an order that does not depend on who came first."""
        if not parts:
            return cls(np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.int64), np.zeros((0, 0, 0)))
        key, cell, mass = (np.concatenate([getattr(part, name) for part in parts]) for name in ("key", "cell", "mass"))
        order = np.lexsort((cell, key))
        return cls(key[order], cell[order], mass[order])

    @property
    def names(self) -> NDArray[np.void]:
        """Image and cell as one value, to compare by."""
        return np.rec.fromarrays([self.key, self.cell])


@dataclass
class MatchedSums:
    """What is kept of each annotator until all is known: only images that people judged, which are few."""

    need: MatchedMoments
    plan: Plan
    kept: dict[str, list[_Kept]] = field(default_factory=dict)

    def add(self, batch: Batch) -> None:
        """Add a batch of images."""
        judged = np.isin(batch.images.keys, self.plan.judged[self._human])
        chosen = batch.usable(self.need.moments.rule) & judged[batch.image]
        if chosen.any():
            image = batch.image[chosen]
            mass = mass_matrix(batch.images, self.need.moments, self._human)
            kept = _Kept(batch.images.keys[image], batch.cell[chosen], mass[:, :, image].transpose(2, 0, 1))
            self.kept.setdefault(batch.images.annotator, []).append(kept)

    def merge(self, other: MatchedSums) -> None:
        """Add what another has kept."""
        for annotator, kept in other.kept.items():
            self.kept.setdefault(annotator, []).extend(kept)

    def result(self) -> Matched:
        """Return the moments of images that both could use."""
        seen, labelled = (ByPeople(self.need.moments.columns, self.plan) for _ in range(2))
        human = _Kept.joined(self.kept.get(self._human, ()))
        for annotator, kept in self.kept.items():
            if annotator != self._human:
                judged = _Kept.joined(kept)
                mine, theirs = np.isin(judged.names, human.names), np.isin(human.names, judged.names)
                seen.add(annotator, judged.cell[mine], np.flatnonzero(mine), judged.mass.transpose(1, 2, 0))
                labelled.add(annotator, human.cell[theirs], np.flatnonzero(theirs), human.mass.transpose(1, 2, 0))
        return Matched(self._human, seen.result(), labelled.result())

    @property
    def _human(self) -> str:
        return self.plan.design.annotator(self.need.human)
