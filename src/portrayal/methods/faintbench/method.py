"""The method: its options, what it needs, and the order of its measurements.

Masses are corrected by a profile and averaged over a prompt's images. Implicit prompts are compared with demographic
shares, explicit ones with the group they ask for, pairs of prompts with each other. What is open or contradictory in
the paper is decided in ``docs/methods/faintbench.md``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np

from portrayal.errors import ConfigError
from portrayal.evidence import Design, Evidence, MatchedMoments, Need
from portrayal.methods.bias_scores.context import Contexts, by_generator
from portrayal.methods.bias_scores.manifestation.term_pairs import Pair
from portrayal.methods.bias_scores.options import changed_weights
from portrayal.methods.bias_scores.scoring_method import ScoringMethod
from portrayal.methods.faintbench.alignment import OPTIMISED, Profile, load_profile
from portrayal.methods.faintbench.human import human_rows
from portrayal.methods.faintbench.options import FaintbenchOptions
from portrayal.methods.faintbench.suite.term_pairs import check_pairs, load_pairs
from portrayal.methods.faintbench.suite.terms import CITATION
from portrayal.records import Adjustment, Attribute, Measurement, Note

__all__ = ["Faintbench"]


class Faintbench(ScoringMethod):
    """See the module's description and :class:`FaintbenchOptions`."""

    Options = FaintbenchOptions
    name = "faintbench"
    options: FaintbenchOptions
    citation = CITATION
    citations: Sequence[str] = (
        CITATION,
        "Peter Hall and Michael A. Martin (1988): On Bootstrap Resampling and Iteration. Biometrika 75. (correction of "
        "scores for the number of images)",
    )

    def __init__(self, options: FaintbenchOptions, folder: Path) -> None:
        super().__init__(options, folder)
        self.own_pairs = options.pairs is not None
        self._moments = replace(self._moments, uncorrected=options.human)
        self._matched = MatchedMoments(self._moments, options.human) if options.human else None

    @property
    def needs(self) -> Sequence[Need[object]]:
        """Moments of corrected masses, of images that show as many people as asked for."""
        return [*super().needs, *([self._matched] if self._matched else [])]

    @cached_property
    def correction(self) -> Profile:
        """The profile by which masses are corrected."""
        return self._profile(self.options.profile)

    @cached_property
    def pairs(self) -> Sequence[Pair]:
        """The pairs that the manifestation factor compares."""
        return load_pairs(None if self.options.pairs is None else self.folder / self.options.pairs)

    @property
    def adjusted(self) -> Sequence[Adjustment]:
        """How the options differ from the published benchmark."""
        adjusted = changed_weights(self.options, FaintbenchOptions())
        if self.pairs != (published := load_pairs()):
            adjusted.append(Adjustment(Note.of("own_pairs", n=len(self.pairs), m=len(published))))
        return [*adjusted, *self.correction.differences(self._profile(OPTIMISED))]

    @property
    def settings(self) -> Mapping[str, str]:
        """The profile by which observations are corrected before they are scored."""
        return {"profile": self.correction.name}

    def check(self, design: Design) -> None:
        """Check that annotators, suite and options speak of the same groups, and of the same people's labels."""
        if self.options.human:
            design.annotator(self.options.human)
        super().check(design)
        check_pairs(self.pairs, design.prompts.values())
        for prompt in design.prompts.values():
            for key, shares in (
                *prompt.reference.items(),
                *((key, [group]) for key, group in prompt.requested.items()),
            ):
                name = key.rpartition(".")[2]
                other = set(shares) - set(self.groups.get(name, shares))
                if prompt.kind and other:
                    raise ConfigError(
                        f"method 'faintbench': group_weights of {name!r} are for {', '.join(self.groups[name])}, but "
                        f"the suite also has {', '.join(sorted(other))}; name the same groups in both"
                    )

    def measure(self, evidence: Evidence, *, rng: np.random.Generator) -> Iterator[Measurement]:
        """Yield all scores, then what people's labels make of them."""
        plan = evidence.plan
        self.check(plan.design)
        contexts = Contexts(self, plan, evidence[self._missing], rng)
        yield from self.scores(contexts, evidence[self._moments])
        if self._matched is None:
            return
        matched = evidence[self._matched]
        for annotator, seen in matched.seen.items():
            mine, human = by_generator(seen), by_generator(matched.labelled[annotator])
            for generator in plan.generators:
                ours, theirs = contexts.of(mine, generator, annotator), contexts.of(human, generator, matched.human)
                yield from human_rows(ours, theirs)

    def _profile(self, name: str) -> Profile:
        known = {name: Attribute(name, f"perceived {name}", groups) for name, groups in self.groups.items()}
        return load_profile(name, self.folder, known)
