"""MAGBIG: how far from parity each language lies, how languages and ways of asking differ, how well images fit.

Per generator and annotator, for every language and way of asking: shares of groups, the mean absolute deviation from
parity over terms, the largest deviation that a user is to expect, what is missing, and the mean CLIP score; then how
much shares differ between languages and ways of asking, over pairs of images with the same seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from portrayal.evidence import Design, Evidence, Need, SeedPairs
from portrayal.methods.by_language.paired import PairedRows, Side, couples
from portrayal.methods.by_language.share_rows import ShareRows
from portrayal.methods.by_language.views import View, by_occupation, levels, occupations, views
from portrayal.methods.cells import CellEvidence, CellNeeds
from portrayal.methods.comparing_method import ComparingMethod
from portrayal.methods.magbig.alignment import ALIGNMENT, mean_rows
from portrayal.methods.magbig.options import MagbigOptions
from portrayal.methods.magbig.parity import deviation_rows, largest_deviation, mean_deviation
from portrayal.methods.magbig.suite.options import CITATION
from portrayal.records import Attribute, Measurement
from portrayal.stats.shares.cells import PromptShares

__all__ = ["Magbig"]


class Magbig(ComparingMethod):
    """See the module's description and :class:`MagbigOptions`."""

    Options = MagbigOptions
    name = "magbig"
    options: MagbigOptions
    citations: Sequence[str] = (
        CITATION,
        "Alan Agresti, Yongyi Min (2005): Simple improved confidence intervals for comparing matched proportions. "
        "Statistics in Medicine 24. (paired differences)",
    )

    def __init__(self, options: MagbigOptions, folder: Path) -> None:
        super().__init__(options, folder)
        base = Side(options.language, options.variant)
        self._cells = CellNeeds.of(options)
        self._pairs = SeedPairs(options.rule, options.evidence, partial(couples, base=base))

    @property
    def needs(self) -> Sequence[Need[object]]:
        """Counts per prompt, and pairs of the prompts that are compared."""
        return [*self._cells, self._pairs]

    def check(self, design: Design) -> None:
        """Refuse references for attributes that nobody knows, but for the one that is set without being asked."""
        if "references" in self.options.model_fields_set:
            super().check(design)

    def measure(self, evidence: Evidence, *, rng: np.random.Generator) -> Iterator[Measurement]:
        """Yield all measurements, generator by generator: first each language and variant, then the pairs."""
        design = evidence.plan.design
        self.check(design)
        references = self.references(design)
        cells = CellEvidence(evidence, self._cells)
        by_view = _ViewRows(ShareRows(cells, references, self.options), cells, self.options, rng)
        paired = PairedRows(evidence.plan, evidence[self._pairs], self.options)
        for generator, asked in evidence.plan.generators.items():
            prompts = [design.prompts[prompt] for prompt in asked]
            for annotator, names in design.annotators.items():
                grouped = [design.attributes[name] for name in names if name in references]
                blank = Measurement(self.name, "", generator, annotator)
                for view in views(prompts):
                    for attribute in grouped:
                        yield from by_view.measure(blank, view, attribute)
                    if ALIGNMENT in names:
                        yield from mean_rows(cells, blank, design.attributes[ALIGNMENT], view)
                for attribute in grouped:
                    yield from paired.measure(replace(blank, attribute=attribute.name), prompts, rng)


@dataclass(frozen=True, slots=True)
class _ViewRows:
    """The rows of languages and ways of asking."""

    shares: ShareRows
    cells: CellEvidence
    options: MagbigOptions
    rng: np.random.Generator

    def measure(self, blank: Measurement, view: View, attribute: Attribute) -> Iterator[Measurement]:
        """Yield the rows of one attribute: of all terms, of each kind, of single terms over neutral wordings."""
        single = () if view.variant else occupations(view.prompts)
        for level in (*levels(view.prompts), *single):
            row = replace(blank, language=view.language, variant=view.variant, level=level.level, item=level.item)
            row = replace(row, attribute=attribute.name)
            used = self.cells.used(row.generator, row.annotator, attribute, level.prompts)
            cell = self._terms(row, attribute, used) if used else None
            seen = mean_deviation(cell.shares, cell.weights) if cell else None
            yield from deviation_rows(self.shares.measure(row, attribute, level.prompts, self.rng), seen)
            if cell and level.level != "term":
                images = self.cells.images(row.generator, row.annotator, attribute, used)
                filled = replace(row, n=int(images.sum()), prompts=len(used))
                yield largest_deviation(filled, cell.shares, self.options.occupations, self.options.images, self.rng)

    def _terms(self, row: Measurement, attribute: Attribute, used: Sequence[str]) -> PromptShares:
        """Return the shares by term: one asked about in several ways is one."""
        terms = [self.cells.plan.design.prompts[prompt].term for prompt in used]
        return by_occupation(self.cells.shares(row.generator, row.annotator, attribute, used), terms)[0]
