"""The method: what it needs, and the order of its measurements.

The questions of the benchmark are scored, each over all its wordings: implicit ones beside demographic shares, explicit
ones by the group they ask for, pairs of questions against each other. What the authors' scripts leave open is decided
in ``docs/methods/biasig.md``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from portrayal.evidence import Correction, Evidence
from portrayal.methods.bias_scores.context import Contexts
from portrayal.methods.bias_scores.manifestation.term_pairs import Pair
from portrayal.methods.bias_scores.options import changed_weights
from portrayal.methods.bias_scores.scoring_method import ScoringMethod
from portrayal.methods.biasig.labels import Labels, Masses
from portrayal.methods.biasig.options import BiasigOptions
from portrayal.methods.biasig.suite.options import CITATION
from portrayal.methods.biasig.suite.released_prompts import RELEASED
from portrayal.methods.biasig.suite.truth_files import read_pairs
from portrayal.methods.biasig.wordings import Questions
from portrayal.records import Adjustment, Measurement, Note

__all__ = ["Biasig"]


class Biasig(ScoringMethod):
    """See the module's description and :class:`BiasigOptions`."""

    Options = BiasigOptions
    name = "biasig"
    options: BiasigOptions
    citation = CITATION
    citations: Sequence[str] = (
        CITATION,
        "Leslie Kish (1965): Survey Sampling. Wiley. (design effect of images that share a wording)",
        "Peter Hall and Michael A. Martin (1988): On Bootstrap Resampling and Iteration. Biometrika 75. (correction of "
        "scores for the number of images)",
    )

    def __init__(self, options: BiasigOptions, folder: Path) -> None:
        super().__init__(options, folder)
        self.pooled = options.totals == "questions"

    @property
    def correction(self) -> Correction:
        """Labels count, as in the authors' scripts, or probabilities as they were told."""
        return Labels() if self.options.evidence == "label" else Masses()

    @cached_property
    def pairs(self) -> Sequence[Pair]:
        """The pairs that the manifestation factor compares."""
        return () if self.options.path is None else read_pairs(RELEASED.clone(self.options.path, self.folder))

    @property
    def adjusted(self) -> Sequence[Adjustment]:
        """How the options differ from the authors' scripts."""
        published = BiasigOptions()
        adjusted = changed_weights(self.options, published)
        for name in ("evidence", "totals", "manifestation"):
            if (value := getattr(self.options, name)) != getattr(published, name):
                adjusted.append(Adjustment(Note.of("other_option", name=name, value=value)))
        return adjusted

    def measure(self, evidence: Evidence, *, rng: np.random.Generator) -> Iterator[Measurement]:
        """Yield all measurements of questions, each over all its wordings."""
        self.check(evidence.plan.design)
        asked = Questions.of(evidence.plan)
        sampled = self.options.resample == "wordings"
        worded = evidence[self._moments]
        moments = {name: asked.moments(seen, sampled=sampled) for name, seen in worded.items()}
        yield from self.scores(Contexts(self, asked.plan, asked.missing(evidence[self._missing]), rng), moments)
