"""What annotators write about images, such as captions: how often each text stands in each cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from portrayal.evidence.design import Plan
from portrayal.evidence.need import Batch, Requires
from portrayal.evidence.usable import Rule
from portrayal.stats.exact import Ints

__all__ = ["CellTexts", "Texts"]


@dataclass(frozen=True, slots=True)
class Texts:
    """The need: the words of one attribute. The result maps annotators to :class:`CellTexts`."""

    rule: Rule
    attribute: str
    requires: ClassVar[Requires] = Requires(texts=True)

    def begin(self, plan: Plan) -> TextSums:
        """Return sums of nothing."""
        return TextSums(self, plan)


@dataclass(frozen=True)
class CellTexts:
    """Different texts in alphabetical order; in cell ``cell`` stands that of number ``text`` in ``images`` images."""

    texts: Sequence[str]
    cell: Ints
    text: Ints
    images: Ints


@dataclass
class _Written:
    """Texts as they come: a number for each, and a cell and a number for every image."""

    numbers: dict[str, int] = field(default_factory=dict)
    cells: list[Ints] = field(default_factory=list)
    texts: list[Ints] = field(default_factory=list)

    def add(self, cells: Ints, spelled: Sequence[str], chosen: Ints) -> None:
        """Add an entry for each of ``cells``; ``chosen`` are places in ``spelled``."""
        different, place = np.unique(chosen, return_inverse=True)
        numbers = [self.numbers.setdefault(spelled[number], len(self.numbers)) for number in different.tolist()]
        self.cells.append(cells)
        self.texts.append(np.array(numbers, dtype=np.int64)[place])

    def result(self) -> CellTexts:
        """Return the texts in order, so that it does not show in which they came."""
        order = sorted(self.numbers)
        rank = np.empty(len(order), dtype=np.int64)
        rank[[self.numbers[text] for text in order]] = np.arange(len(order))
        pairs = np.concatenate(self.cells) * len(order) + rank[np.concatenate(self.texts)]
        different, images = np.unique(pairs, return_counts=True)
        return CellTexts(order, different // len(order), different % len(order), images)


@dataclass
class TextSums:
    """Texts by annotator."""

    need: Texts
    plan: Plan
    written: dict[str, _Written] = field(default_factory=dict)

    def add(self, batch: Batch) -> None:
        """Add a batch of images."""
        rows, numbers = batch.images.texts(self.need.attribute)
        entries, chosen = batch.of_rows(rows, self.need.rule)
        if len(entries):
            written = self.written.setdefault(batch.images.annotator, _Written())
            written.add(batch.cell[entries], batch.images.spelled, numbers[chosen])

    def merge(self, other: TextSums) -> None:
        """Add what another has collected."""
        for annotator, theirs in other.written.items():
            written, spelled = self.written.setdefault(annotator, _Written()), list(theirs.numbers)
            for cells, texts in zip(theirs.cells, theirs.texts, strict=True):
                written.add(cells, spelled, texts)

    def result(self) -> Mapping[str, CellTexts]:
        """Return the texts by annotator."""
        names = self.plan.design.annotators
        return {name: self.written[name].result() for name in names if name in self.written}
