"""Methods that ask the same in several languages: what they need, and the order of their measurements."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from portrayal.evidence import Evidence, Need, SeedPairs
from portrayal.methods.by_language.options import LanguageOptions
from portrayal.methods.by_language.paired import PairedRows, Side, couples
from portrayal.methods.by_language.share_rows import ShareRows
from portrayal.methods.by_language.views import View, views
from portrayal.methods.cells import CellEvidence, CellNeeds
from portrayal.methods.comparing_method import ComparingMethod
from portrayal.records import Attribute, Measurement

__all__ = ["LanguageMethod"]


class LanguageMethod(ComparingMethod):
    """Measures each language and way of asking by itself, then how they differ over pairs of images with one seed."""

    options: LanguageOptions

    def __init__(self, options: LanguageOptions, folder: Path) -> None:
        super().__init__(options, folder)
        base = Side(options.language, options.variant)
        self._cells = CellNeeds.of(options)
        self._pairs = SeedPairs(options.rule, options.evidence, partial(couples, base=base))

    @property
    def needs(self) -> Sequence[Need[object]]:
        """Counts per prompt, and pairs of the prompts that are compared."""
        return [*self._cells, self._pairs]

    def measure(self, evidence: Evidence, *, rng: np.random.Generator) -> Iterator[Measurement]:
        """Yield all measurements, generator by generator: first each language and variant, then the pairs."""
        design = evidence.plan.design
        self.check(design)
        references = self.references(design)
        shares = ShareRows(CellEvidence(evidence, self._cells), references, self.options)
        paired = PairedRows(evidence.plan, evidence[self._pairs], self.options)
        for generator, asked in evidence.plan.generators.items():
            prompts = [design.prompts[prompt] for prompt in asked]
            for annotator, names in design.annotators.items():
                grouped = [design.attributes[name] for name in names if name in references]
                blank = Measurement(self.name, "", generator, annotator)
                for view in views(prompts):
                    yield from self.view_rows(shares, blank, view, grouped, rng)
                for attribute in grouped:
                    yield from paired.measure(replace(blank, attribute=attribute.name), prompts, rng)

    @abstractmethod
    def view_rows(
        self,
        shares: ShareRows,
        blank: Measurement,
        view: View,
        attributes: Sequence[Attribute],
        rng: np.random.Generator,
    ) -> Iterator[Measurement]:
        """Yield what the images of one language and way of asking show of the attributes that have groups."""
