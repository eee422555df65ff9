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

from portrayal.errors import ConfigError, did_you_mean
from portrayal.evidence import Design, Evidence, GroupMoments, Missing, Need, Rule
from portrayal.methods.base import Method
from portrayal.methods.bias_scores.context import Contexts, Scoring, by_generator
from portrayal.methods.bias_scores.explicit import explicit_rows
from portrayal.methods.bias_scores.hallucination import hallucination_rows, unknown_rows
from portrayal.methods.bias_scores.implicit import implicit_rows
from portrayal.methods.bias_scores.manifestation.eta import manifestation_rows
from portrayal.methods.bias_scores.manifestation.term_pairs import Pair
from portrayal.methods.bias_scores.options import changed_weights
from portrayal.methods.biasig.labels import Labels, Masses
from portrayal.methods.biasig.options import BiasigOptions
from portrayal.methods.biasig.suite.options import CITATION
from portrayal.methods.biasig.suite.released_prompts import clone_folder
from portrayal.methods.biasig.suite.truth_files import read_pairs
from portrayal.methods.biasig.wordings import Questions
from portrayal.records import Adjustment, Measurement, Note

__all__ = ["Biasig"]


class Biasig(Method):
    """See the module's description and :class:`BiasigOptions`."""

    Options = BiasigOptions
    name = "biasig"
    options: BiasigOptions
    citations: Sequence[str] = (
        CITATION,
        "Leslie Kish (1965): Survey Sampling. Wiley. (design effect of images that share a wording)",
        "Peter Hall and Michael A. Martin (1988): On Bootstrap Resampling and Iteration. Biometrika 75. (correction of "
        "scores for the number of images)",
    )

    def __init__(self, options: BiasigOptions, folder: Path) -> None:
        super().__init__(options, folder)
        for name in options.weights:
            if name not in options.group_weights:
                hint = did_you_mean(name, options.group_weights)
                raise ConfigError(f"method 'biasig': no group_weights for attribute {name!r}{hint}")
        self.groups = {name: tuple(options.group_weights[name]) for name in options.weights}
        columns = [(name, len(groups)) for name, groups in self.groups.items()]
        rule = Rule("exactly", options.person)
        self._moments = GroupMoments(columns, Labels() if options.evidence == "label" else Masses(), rule)
        self._missing = Missing(rule)

    @property
    def needs(self) -> Sequence[Need[object]]:
        """Moments of labels, of images that show as many people as asked for."""
        return [self._moments, self._missing]

    @cached_property
    def pairs(self) -> Sequence[Pair]:
        """The pairs that the manifestation factor compares."""
        return () if self.options.path is None else read_pairs(clone_folder(self.options.path, self.folder))

    @property
    def adjusted(self) -> Sequence[Adjustment]:
        """How the options differ from the authors' scripts."""
        published = BiasigOptions()
        adjusted = changed_weights(self.options, published)
        for name in ("evidence", "totals", "manifestation"):
            if (value := getattr(self.options, name)) != getattr(published, name):
                adjusted.append(Adjustment(Note.of("other_option", name=name, value=value)))
        return adjusted

    def sources(self, design: Design) -> dict[str, str]:  # noqa: ARG002 - the same for all
        """Name the source of the references."""
        return {"suite": CITATION}

    def check(self, design: Design) -> None:
        """Check that annotators and options speak of the same groups: what only one knows would silently not count."""
        for name, groups in self.groups.items():
            if name in design.attributes and design.attributes[name].groups != groups:
                raise ConfigError(
                    f"method 'biasig': group_weights of {name!r} are for {', '.join(groups)}, but the annotators "
                    f"report {', '.join(design.attributes[name].groups) or 'a number'}; name the same groups in the "
                    "same order"
                )

    def measure(self, evidence: Evidence, *, rng: np.random.Generator) -> Iterator[Measurement]:
        """Yield all measurements, annotator by annotator and generator by generator, coarse levels first."""
        self.check(evidence.plan.design)
        asked = Questions.of(evidence.plan)
        scoring = Scoring(self.name, self.options, self.groups, self.pairs, pooled=self.options.totals == "questions")
        contexts = Contexts(scoring, plan=asked.plan, missing=asked.missing(evidence[self._missing]), rng=rng)
        sampled = self.options.resample == "wordings"
        for annotator in asked.plan.design.annotators:
            moments = by_generator(asked.moments(evidence[self._moments].get(annotator, ()), sampled=sampled))
            for generator in asked.plan.generators:
                context = contexts.of(moments, generator, annotator)
                for rows in (implicit_rows, explicit_rows, manifestation_rows, hallucination_rows, unknown_rows):
                    yield from rows(context)
