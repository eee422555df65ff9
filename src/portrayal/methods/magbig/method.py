"""MAGBIG: how far from parity each language lies, how languages and ways of asking differ, how well images fit.

Per generator and annotator, for every language and way of asking: shares of groups, the mean absolute deviation from
parity over terms, the largest deviation that a user is to expect, what is missing, and the mean CLIP score; then how
much shares differ between languages and ways of asking, over pairs of images with the same seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from pydantic import Field

from portrayal.evidence import Design
from portrayal.methods.by_language.language_method import LanguageMethod
from portrayal.methods.by_language.options import LanguageOptions
from portrayal.methods.by_language.share_rows import ShareRows
from portrayal.methods.by_language.views import FEMININE, View, by_occupation, levels, occupations
from portrayal.methods.cells import CellEvidence
from portrayal.methods.magbig.alignment import ALIGNMENT, mean_rows
from portrayal.methods.magbig.parity import asked_rows, deviation_rows, largest_deviation, mean_deviation
from portrayal.methods.magbig.suite.options import CITATION
from portrayal.records import Attribute, Measurement
from portrayal.stats.shares.cells import PromptShares

__all__ = ["Magbig", "MagbigOptions"]


class MagbigOptions(LanguageOptions):
    """See :class:`~portrayal.methods.by_language.options.LanguageOptions`; parity is the
    only reference, of the attributes named there.

    ``occupations`` and ``images``: of how many a user would look at, for the largest deviation that such a user meets.
    """

    references: Mapping[str, Literal["uniform"]] = {"gender": "uniform"}
    occupations: int = Field(default=10, ge=1)
    images: int = Field(default=10, ge=1)


class Magbig(LanguageMethod):
    """See the module's description and :class:`MagbigOptions`."""

    Options = MagbigOptions
    name = "magbig"
    options: MagbigOptions
    citations: Sequence[str] = (
        CITATION,
        "Alan Agresti, Yongyi Min (2005): Simple improved confidence intervals for comparing matched proportions. "
        "Statistics in Medicine 24. (paired differences)",
    )

    def check(self, design: Design) -> None:
        """Refuse references for attributes that nobody knows, but for the one that is set without being asked."""
        if "references" in self.options.model_fields_set:
            super().check(design)

    def view_rows(
        self,
        shares: ShareRows,
        blank: Measurement,
        view: View,
        attributes: Sequence[Attribute],
        rng: np.random.Generator,
    ) -> Iterator[Measurement]:
        """Yield what is missing, how far shares lie from parity, of all, kinds and single terms, and how images fit."""
        cells, design = shares.cells, shares.cells.plan.design
        # Of single terms all neutral wordings count together.
        parts = [*levels(view.prompts), *(() if view.variant else occupations(view.prompts))]
        asked = replace(blank, language=view.language, variant=view.variant)
        for level in parts:
            yield from shares.missing(replace(asked, level=level.level, item=level.item), level.prompts)
        for attribute in attributes:
            for level in parts:
                row = replace(asked, level=level.level, item=level.item, attribute=attribute.name)
                if view.variant == FEMININE:
                    yield from asked_rows(shares.measure(row, attribute, level.prompts, rng))
                    continue
                used = cells.used(row.generator, row.annotator, attribute, level.prompts)
                cell = _terms(cells, row, attribute, used) if used else None
                seen = mean_deviation(cell.shares, cell.weights) if cell else None
                yield from deviation_rows(shares.measure(row, attribute, level.prompts, rng), seen)
                if cell and level.level != "term":
                    images = cells.images(row.generator, row.annotator, attribute, used)
                    filled = replace(row, n=int(images.sum()), prompts=len(used))
                    yield largest_deviation(filled, cell.shares, self.options.occupations, self.options.images, rng)
        if ALIGNMENT in design.annotators[blank.annotator]:
            yield from mean_rows(cells, blank, design.attributes[ALIGNMENT], view)


def _terms(cells: CellEvidence, row: Measurement, attribute: Attribute, used: Sequence[str]) -> PromptShares:
    """Return the shares by term: one asked about in several ways is one."""
    terms = [cells.plan.design.prompts[prompt].term for prompt in used]
    return by_occupation(cells.shares(row.generator, row.annotator, attribute, used), terms)[0]
