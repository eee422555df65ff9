"""BAFIS: shares of perceived groups by language, way of asking and category, beside a reference, and paired.

Per generator and annotator, for every perceived attribute with groups and every language and variant, overall and by
occupational category: shares, differences from and ratios to the reference, and total variation; what is missing; and
how much the shares differ between languages and between ways of asking, over pairs of images with the same seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from portrayal.errors import ConfigError, did_you_mean
from portrayal.evidence import Design
from portrayal.methods.by_language.language_method import LanguageMethod
from portrayal.methods.by_language.options import LanguageOptions
from portrayal.methods.by_language.share_rows import ShareRows
from portrayal.methods.by_language.views import View, levels, occupations
from portrayal.records import Attribute, Measurement

__all__ = ["Bafis", "BafisOptions"]


class BafisOptions(LanguageOptions):
    """See :class:`~portrayal.methods.by_language.options.LanguageOptions`; groups are counted person by person."""

    people: Literal["one", "each", "asked"] = "asked"


class Bafis(LanguageMethod):
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

    def check(self, design: Design) -> None:
        """Refuse references for attributes that nobody knows, and comparisons with what nobody is asked."""
        super().check(design)
        for name in self.options.model_fields_set & {"language", "variant"}:
            chosen, asked = getattr(self.options, name), {getattr(prompt, name) for prompt in design.prompts.values()}
            if asked and chosen not in asked:
                raise ConfigError(f"method 'bafis': no prompt has the {name} {chosen!r}{did_you_mean(chosen, asked)}")

    def view_rows(
        self,
        shares: ShareRows,
        blank: Measurement,
        view: View,
        attributes: Sequence[Attribute],
        rng: np.random.Generator,
    ) -> Iterator[Measurement]:
        """Yield shares beside the reference, and what is missing: of all occupations, of categories, of single ones."""
        # Of single occupations each wording would have a handful of images: there all neutral ones count together.
        single = () if view.variant else occupations(view.prompts)
        for level in (*levels(view.prompts), *single):
            row = replace(blank, language=view.language, variant=view.variant, level=level.level, item=level.item)
            yield from shares.missing(row, level.prompts)
            for attribute in attributes:
                yield from shares.measure(replace(row, attribute=attribute.name), attribute, level.prompts, rng)
