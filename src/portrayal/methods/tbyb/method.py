"""Try Before You Bias: what else captions name beside the prompts' objects, what they leave out, what is missed.

Per generator and annotator that writes captions: distribution bias B_D, Jaccard hallucination H_J with its parts by
addition and by omission, miss rate M_G and the log bias B_log made of the three, overall and by category; H_J by term;
B_D at a common number of images where generators differ; and the words behind all of it as tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np

from portrayal.errors import ConfigError
from portrayal.evidence import Design, Evidence, GroupCounts, Missing, MissingCounts, Need, Plan, Rule, Texts
from portrayal.methods.base import Method, OwnTable
from portrayal.methods.cells import levels
from portrayal.methods.filled_rows import missing_rows
from portrayal.methods.tbyb.model_rows import CAPTION, MATCH, ModelRows, StudyCaptions
from portrayal.methods.tbyb.options import TbybOptions
from portrayal.methods.tbyb.word_tables import own_tables
from portrayal.methods.tbyb.words import Analyser
from portrayal.records import Adjustment, Measurement, Note
from portrayal.stats.shares.cells import PromptShares

__all__ = ["Tbyb"]

_EACH = Rule("each")


class Tbyb(Method):
    """See the module's description and :class:`~portrayal.methods.tbyb.options.TbybOptions`."""

    Options = TbybOptions
    name = "tbyb"
    options: TbybOptions
    version = 2
    citations: Sequence[str] = (
        "Jordan Vice, Naveed Akhtar, Richard Hartley, Ajmal Mian (2025): Exploring Bias in over 100 Text-to-Image "
        "Generative Models. (H_J, B_D, M_G, B_log)",
        "Tim C. Hesterberg (2015): What Teachers Should Know About the Bootstrap. The American Statistician 69. "
        "(cluster bootstrap over prompts, expanded percentiles)",
        "Princeton University (2010): About WordNet. (synonyms)",
    )

    def __init__(self, options: TbybOptions, folder: Path) -> None:
        super().__init__(options, folder)
        self._texts, self._groups, self._missing = Texts(_EACH, CAPTION), GroupCounts(_EACH), Missing(_EACH)

    @property
    def needs(self) -> Sequence[Need[object]]:
        """Captions by prompt, whether images show their prompt, and what is missing."""
        return [self._texts, self._groups, self._missing]

    @property
    def adjusted(self) -> Sequence[Adjustment]:
        """Return how the reading of captions was changed."""
        options, adjusted = self.options, []
        if not options.similarity:
            adjusted.append(Adjustment(Note("no_similarity")))
        elif options.similarity != TbybOptions().similarity:
            adjusted.append(Adjustment(Note.of("similarity_threshold", value=f"{options.similarity:g}")))
        if options.left_out:
            adjusted.append(Adjustment(Note.listing("own_left_out", [options.left_out.name])))
        if options.people != "released":
            adjusted.append(Adjustment(Note("people_merged")))
        return adjusted

    @property
    def settings(self) -> Mapping[str, str]:
        """How objects were found."""
        return self._analyser.settings

    def check(self, design: Design) -> None:
        """Refuse annotators that tell something else, and a study in which nobody writes captions."""
        if self.options.captions:
            self._told(design, self.options.captions, CAPTION)
        if self.options.misses:
            self._told(design, self.options.misses, MATCH)
        if design.annotators and not self._captioners(design):
            raise ConfigError(
                "method 'tbyb' reads captions, and no annotator writes any; add one, such as caption:<model>"
            )

    def measure(self, evidence: Evidence, *, rng: np.random.Generator) -> Iterator[Measurement | OwnTable]:
        """Yield the scores of each generator, then the tables of words."""
        plan, design = evidence.plan, evidence.plan.design
        self.check(design)
        judge = self._judge(design)
        misses = evidence[self._groups].get((judge, MATCH)) if judge else None
        studied = [
            StudyCaptions.of(plan, annotator, evidence[self._texts].get(annotator), self._analyser)
            for annotator in self._captioners(design)
        ]
        for captions in studied:
            rows = ModelRows(plan, captions, judge, misses, self.options)
            for generator in plan.generators:
                blank = Measurement(self.name, "", generator, captions.annotator, CAPTION)
                for level in levels(evidence, generator):
                    row = replace(blank, level=level.level, item=level.item)
                    yield from _missing(row, evidence[self._missing], plan, level.prompts)
                    yield from rows.measure(row, level.prompts, rng)
            yield from rows.at_common_size(Measurement(self.name, "", "", captions.annotator, CAPTION), rng)
        yield from own_tables(plan, studied)

    @cached_property
    def _analyser(self) -> Analyser:
        return Analyser(self.options, self.folder)

    def _captioners(self, design: Design) -> list[str]:
        """Return the annotators whose captions are read."""
        if self.options.captions:
            return [design.annotator(self.options.captions)]
        return [name for name, told in design.annotators.items() if CAPTION in told]

    def _judge(self, design: Design) -> str:
        """Return who tells whether images show their prompt; nobody: empty."""
        if self.options.misses:
            return design.annotator(self.options.misses)
        return next((name for name, told in design.annotators.items() if MATCH in told), "")

    def _told(self, design: Design, name: str, attribute: str) -> None:
        if attribute not in design.annotators[design.annotator(name)]:
            raise ConfigError(f"method 'tbyb': annotator {name!r} does not tell {attribute!r}; name one that does")


def _missing(row: Measurement, missing: MissingCounts, plan: Plan, prompts: Sequence[str]) -> Iterator[Measurement]:
    """Yield which share of the planned images has no caption, by reason: not made, or the annotator wrote none."""
    cells = np.array([plan.places[row.generator, prompt] for prompt in prompts], dtype=np.int64)
    lost = missing.of("", "") | missing.of(row.annotator, "")
    reasons = {reason: counts[cells] for reason, counts in lost.items() if counts[cells].any()}
    if reasons:
        planned = plan.planned[cells].astype(float)
        shares = np.column_stack(list(reasons.values())) / planned[:, None]
        counts = {reason: int(by_cell.sum()) for reason, by_cell in reasons.items()}
        yield from missing_rows(replace(row, attribute=""), counts, PromptShares.of(shares, planned, planned))
