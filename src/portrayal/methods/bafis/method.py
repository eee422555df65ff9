"""BAFIS: shares of perceived groups by language, way of asking and category, beside a reference, and paired.

Per generator and annotator, for every perceived attribute with groups and every language and variant, overall and by
occupational category: shares, differences from and ratios to the reference, and total variation; what is missing; and
how much the shares differ between languages and between ways of asking, over pairs of images with the same seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from portrayal.errors import ConfigError, did_you_mean
from portrayal.evidence import Design, Evidence, Need, SeedPairs
from portrayal.methods.bafis.options import BafisOptions
from portrayal.methods.by_language.paired import PairedRows, Side, couples
from portrayal.methods.by_language.share_rows import ShareRows
from portrayal.methods.by_language.views import View, levels, occupations, views
from portrayal.methods.cells import CellEvidence, CellNeeds
from portrayal.methods.comparing_method import ComparingMethod
from portrayal.records import Attribute, Measurement

__all__ = ["Bafis"]


class Bafis(ComparingMethod):
    """See the module's description and :class:`BafisOptions`."""

    Options = BafisOptions
    name = "bafis"
    options: BafisOptions
    citations: Sequence[str] = (
        "Alan Agresti, Yongyi Min (2005): Simple improved confidence intervals for comparing matched proportions. "
        "Statistics in Medicine 24. (paired differences)",
        "Edwin B. Wilson (1927): Probable Inference, the Law of Succession, and Statistical Inference. JASA 22. "
        "(intervals of shares)",
        "C. J. Clopper and Egon S. Pearson (1934): The Use of Confidence or Fiducial Limits Illustrated in the Case of "
        "the Binomial. Biometrika 26. (intervals of shares over several prompts)",
        "Tim C. Hesterberg (2015): What Teachers Should Know About the Bootstrap. The American Statistician 69. "
        "(cluster bootstrap over occupations, expanded percentiles)",
    )

    def __init__(self, options: BafisOptions, folder: Path) -> None:
        super().__init__(options, folder)
        base = Side(options.language, options.variant)
        self._cells = CellNeeds.of(options)
        self._pairs = SeedPairs(options.rule, options.evidence, partial(couples, base=base))

    @property
    def needs(self) -> Sequence[Need[object]]:
        """Counts per prompt, and pairs of the prompts that are compared."""
        return [*self._cells, self._pairs]

    def check(self, design: Design) -> None:
        """Refuse references for attributes that nobody knows, and comparisons with what nobody is asked."""
        super().check(design)
        for name in self.options.model_fields_set & {"language", "variant"}:
            chosen, asked = getattr(self.options, name), {getattr(prompt, name) for prompt in design.prompts.values()}
            if asked and chosen not in asked:
                raise ConfigError(f"method 'bafis': no prompt has the {name} {chosen!r}{did_you_mean(chosen, asked)}")

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
                    yield from _view(shares, blank, view, grouped, rng)
                for attribute in grouped:
                    yield from paired.measure(replace(blank, attribute=attribute.name), prompts, rng)


def _view(
    shares: ShareRows, blank: Measurement, view: View, attributes: Sequence[Attribute], rng: np.random.Generator
) -> Iterator[Measurement]:
    # Of single occupations each wording would have a handful of images: there all neutral ones count together.
    single = () if view.variant else occupations(view.prompts)
    for level in (*levels(view.prompts), *single):
        row = replace(blank, language=view.language, variant=view.variant, level=level.level, item=level.item)
        yield from shares.missing(row, level.prompts)
        for attribute in attributes:
            yield from shares.measure(replace(row, attribute=attribute.name), attribute, level.prompts, rng)
