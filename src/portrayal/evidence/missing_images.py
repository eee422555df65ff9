"""Why images are not used: how many of each cell, for each reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from portrayal.evidence.described_images import NONE
from portrayal.evidence.design import Plan
from portrayal.evidence.need import Batch, Requires
from portrayal.evidence.usable import Rule, gaps
from portrayal.records import PERSON, Attribute
from portrayal.stats.exact import Ints

__all__ = ["NOT_ANNOTATED", "Missing", "MissingCounts"]

NOT_ANNOTATED = "not annotated"
Key = tuple[str, str, str]
"""Annotator ("": there is no image), attribute ("": the whole image) and reason."""


@dataclass(frozen=True, slots=True)
class Missing:
    """The need: images that cannot be used, and usable ones in which an attribute is not told."""

    rule: Rule
    requires: ClassVar[Requires] = Requires()

    def begin(self, plan: Plan) -> MissingSums:
        """Return sums of nothing."""
        return MissingSums(self.rule, plan)


@dataclass(frozen=True)
class MissingCounts:
    """How many images of each cell are missing, by annotator, attribute and reason."""

    counts: Mapping[Key, Ints]

    def of(self, annotator: str, attribute: str) -> dict[str, Ints]:
        """Return what one annotator misses of an attribute ("": of whole images), by reason in alphabetical order."""
        return {key[2]: self.counts[key] for key in sorted(self.counts) if key[:2] == (annotator, attribute)}


@dataclass
class MissingSums:
    """Counts by key; ``seen`` counts the images that each annotator looked at."""

    rule: Rule
    plan: Plan
    counts: dict[Key, Ints] = field(default_factory=dict)
    seen: dict[str, Ints] = field(default_factory=dict)

    def add(self, batch: Batch) -> None:
        """Add a batch of images."""
        annotator = batch.images.annotator
        self.seen[annotator] = self.seen.get(annotator, 0) + self._by_cell(batch.cell)
        once = np.flatnonzero(~batch.repeats)
        self._count(batch, "", batch.reasons(self.rule)[once], batch.cell[once])
        entries = np.flatnonzero(batch.usable(self.rule))
        for attribute in self._attributes(annotator):
            why = gaps(batch.images, batch.image[entries], attribute.name, batch.images.told(attribute))
            self._count(batch, attribute.name, why, batch.cell[entries])

    def merge(self, other: MissingSums) -> None:
        """Add what another has counted."""
        for key, counts in other.counts.items():
            self.counts[key] = self.counts.get(key, 0) + counts
        for annotator, seen in other.seen.items():
            self.seen[annotator] = self.seen.get(annotator, 0) + seen

    def result(self) -> MissingCounts:
        """Return the counts, with the images that were not made and those that nobody looked at."""
        unmade: dict[Key, Ints] = {("", "", reason): counts for reason, counts in self.plan.unmade.items()}
        unseen: dict[Key, Ints] = {
            (annotator, "", NOT_ANNOTATED): self.plan.made - self.seen.get(annotator, 0)
            for annotator in self.plan.design.annotators
        }
        missing = unmade | unseen | self.counts
        return MissingCounts({key: missing[key] for key in sorted(missing) if missing[key].any()})

    def _attributes(self, annotator: str) -> Iterator[Attribute]:
        """Yield what an annotator tells of people, but for words."""
        for name in self.plan.design.annotators[annotator]:
            attribute = self.plan.design.attributes[name]
            if name != PERSON and not attribute.is_text:
                yield attribute

    def _count(self, batch: Batch, attribute: str, reasons: Ints, cells: Ints) -> None:
        for code in np.flatnonzero(np.bincount(reasons[reasons != NONE])).tolist():
            key = (batch.images.annotator, attribute, batch.images.names[code])
            self.counts[key] = self.counts.get(key, 0) + self._by_cell(cells[reasons == code])

    def _by_cell(self, cells: Ints) -> Ints:
        return np.bincount(cells, minlength=len(self.plan.cells))
