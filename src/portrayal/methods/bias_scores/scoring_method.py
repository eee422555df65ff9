"""A benchmark as a method: which images it needs, the groups it scores, and the order of its measurements."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from portrayal.errors import ConfigError, did_you_mean
from portrayal.evidence import Correction, Design, GroupMoments, Missing, Need, PromptMoments, Rule
from portrayal.methods.base import Method
from portrayal.methods.bias_scores.context import Contexts, by_generator
from portrayal.methods.bias_scores.explicit.explicit_rows import explicit_rows
from portrayal.methods.bias_scores.hallucination import hallucination_rows, unknown_rows
from portrayal.methods.bias_scores.implicit.implicit_rows import implicit_rows
from portrayal.methods.bias_scores.manifestation.eta import manifestation_rows
from portrayal.methods.bias_scores.manifestation.term_pairs import Pair
from portrayal.methods.bias_scores.options import ScoringOptions
from portrayal.records import Measurement

__all__ = ["ScoringMethod"]


class ScoringMethod(Method):
    """Scores prompts: ``pairs`` of terms are what the manifestation factor compares, ``own_pairs`` those of the user.

    ``citation`` is where the references of the suite come from. ``pooled``: explicit totals are over all prompts alike,
    else they weigh attributes.
    """

    options: ScoringOptions
    citation: ClassVar[str]
    own_pairs: bool = False
    pooled: bool = False

    def __init__(self, options: Any, folder: Path) -> None:
        super().__init__(options, folder)
        for name in options.weights:
            if name not in options.group_weights:
                hint = did_you_mean(name, options.group_weights)
                raise ConfigError(f"method {self.name!r}: no group_weights for attribute {name!r}{hint}")
        self.groups = {name: tuple(options.group_weights[name]) for name in options.weights}
        columns = [(name, len(groups)) for name, groups in self.groups.items()]
        rule = Rule("exactly", options.person)
        self._moments = GroupMoments(columns, self.correction, rule)
        self._missing = Missing(rule)

    @property
    @abstractmethod
    def correction(self) -> Correction:
        """What is done to masses before they are added up."""

    @property
    @abstractmethod
    def pairs(self) -> Sequence[Pair]:
        """The pairs that the manifestation factor compares."""

    @property
    def needs(self) -> Sequence[Need[Any]]:
        """Moments of corrected masses, of images that show as many people as asked for."""
        return [self._moments, self._missing]

    def sources(self, design: Design) -> Mapping[str, str]:  # noqa: ARG002 - the same for all
        """Name the source of the references."""
        return {"suite": self.citation}

    def check(self, design: Design) -> None:
        """Check that annotators and options speak of the same groups: what only one knows would silently not count."""
        for name, groups in self.groups.items():
            if name in design.attributes and design.attributes[name].groups != groups:
                told = ", ".join(design.attributes[name].groups) or "a number"
                raise ConfigError(
                    f"method {self.name!r}: group_weights of {name!r} are for {', '.join(groups)}, but the annotators "
                    f"tell {told}; name the same groups in the same order"
                )

    def scores(self, contexts: Contexts, moments: Mapping[str, Sequence[PromptMoments]]) -> Iterator[Measurement]:
        """Yield all scores, annotator by annotator and generator by generator, coarse levels first."""
        for annotator in contexts.plan.design.annotators:
            cells = by_generator(moments.get(annotator, ()))
            for generator in contexts.plan.generators:
                context = contexts.of(cells, generator, annotator)
                for rows in (implicit_rows, explicit_rows, manifestation_rows, hallucination_rows, unknown_rows):
                    yield from rows(context)
