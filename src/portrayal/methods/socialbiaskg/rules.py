"""The edge rules of Tables 4 and 5: which metrics speak for an edge of a type and direction, and from when on.

Where two metrics speak for the same edge, either suffices. Of underrepresented edges that lead from groups, Table 4
prints "quality >" and Table 5 "quality < 0.6"; a poor picture is what the words mean, so it is Table 5 that counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from portrayal.settings import Settings

__all__ = ["METRICS", "Judged", "Metric", "Rule", "Thresholds", "judge", "rules", "sensitivity"]

Metric = Literal[
    "diversity",
    "counterfactual_similarity",
    "iterative_similarity",
    "underrepresentation",
    "failure",
    "quality",
    "dominance",
    "dominant_occupation",
]
METRICS: tuple[Metric, ...] = (
    "diversity", "counterfactual_similarity", "iterative_similarity", "underrepresentation", "failure", "quality",
    "dominance", "dominant_occupation",
)  # fmt: skip


class Thresholds(Settings):
    """The thresholds of Table 5, each the value that must be passed; two occupations cannot both be dominant."""

    diversity: float = Field(default=0.2, gt=0, le=1)
    counterfactual_similarity: float = Field(default=0.4, ge=0, lt=1)
    iterative_similarity: float = Field(default=0.4, ge=0, lt=1)
    underrepresentation: float = Field(default=0.2, gt=0, le=1)
    failure: float = Field(default=0.3, ge=0, lt=1)
    quality: float = Field(default=0.6, gt=0, le=1)
    dominance: float = Field(default=0.4, ge=0, lt=1)
    dominant_occupation: float = Field(default=0.5, ge=0.5, lt=1)


@dataclass(frozen=True, slots=True)
class Rule:
    """An edge of a type; ``there`` leads from an occupation to a group, else back; with the metric that decides."""

    type: str
    there: bool
    metric: Metric
    below: bool
    """Whether the metric speaks for the edge below its threshold, and not above."""

    def holds(self, value: float, threshold: float) -> bool:
        """Return whether a value speaks for the edge; at the threshold itself it does not."""
        return value < threshold if self.below else value > threshold

    def intensity(self, value: float, threshold: float) -> float:
        """Return how far beyond the threshold a value lies: 0 at the threshold, 1 at the end of the scale, 0 before it.

        >>> round(Rule("dominant_in", True, "dominance", below=False).intensity(0.7, 0.4), 3)
        0.5
        """
        way = (threshold - value) / threshold if self.below else (value - threshold) / (1 - threshold)
        return min(1.0, max(0.0, way))


_RULES = (
    Rule("stereotyped_as", True, "diversity", below=True),
    Rule("stereotyped_as", True, "counterfactual_similarity", below=False),
    Rule("associated_with", True, "iterative_similarity", below=False),
    Rule("underrepresented_in", True, "underrepresentation", below=True),
    Rule("underrepresented_in", False, "failure", below=False),
    Rule("underrepresented_in", False, "quality", below=True),
    Rule("dominant_in", True, "dominance", below=False),
    Rule("dominant_in", False, "dominant_occupation", below=False),
)


def rules(type_: str, *, there: bool) -> Sequence[Rule]:
    """Return the rules for edges of a type that lead one way; none where there are no such edges."""
    return [rule for rule in _RULES if (rule.type, rule.there) == (type_, there)]


@dataclass(frozen=True, slots=True)
class Judged:
    """A metric of an edge, and what it says; ``value`` None: it is not known. ``uncertain``: the interval holds the
    threshold, so that other images might have said the contrary.
    """

    rule: Rule
    threshold: float
    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0

    @property
    def holds(self) -> bool:
        """Whether it speaks for the edge."""
        return self.value is not None and self.rule.holds(self.value, self.threshold)

    @property
    def uncertain(self) -> bool:
        """Whether the threshold lies within the interval."""
        return self.low is not None and self.high is not None and self.low <= self.threshold <= self.high

    @property
    def intensity(self) -> float | None:
        """How far beyond its threshold the value lies."""
        return None if self.value is None else self.rule.intensity(self.value, self.threshold)


def judge(found: Sequence[Judged]) -> tuple[bool | None, Judged | None]:
    """Return whether there is an edge, and the metric that decides: of those that say so the most intense.

    Where none says so it is the one nearest to its threshold. None: no metric is known.
    """
    known = [own for own in found if own.value is not None]
    if not known:
        return None, None
    for_it = [own for own in known if own.holds]
    if for_it:
        return True, max(for_it, key=lambda own: (not own.uncertain, own.intensity or 0.0))
    return False, min(known, key=lambda own: abs((own.value or 0.0) - own.threshold))


def sensitivity(found: Sequence[Judged], share: float = 0.1) -> Iterator[tuple[str, bool]]:
    """Yield ``lower`` and ``higher`` with whether there is an edge when every threshold moves by that share of it."""
    for name, factor in (("lower", 1 - share), ("higher", 1 + share)):
        moved = (own.rule.holds(own.value, own.threshold * factor) for own in found if own.value is not None)
        yield name, any(moved)
