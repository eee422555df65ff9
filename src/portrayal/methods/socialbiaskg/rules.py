"""The edge rules of Tables 4 and 5: which metrics speak for an edge of a type and direction, and from when on.

Where two metrics speak for the same edge, either suffices; that there is no edge needs both of them: no or not known is
not known. Of underrepresented edges that lead from groups, Table 4
prints "quality >" and Table 5 "quality < 0.6"; a poor picture is what the words mean, so it is Table 5 that counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic import Field

from portrayal.methods.socialbiaskg.certainty import Certainty, p_value, times_needed
from portrayal.settings import Settings

__all__ = ["METRICS", "Judged", "Metric", "Rule", "Thresholds", "Untold", "judge", "rules", "sensitivity"]

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
Untold = Literal["", "not_measured", "too_few_images", "too_few_groups"]
"""Why a metric decides nothing; empty: it does."""
_DIGITS = 12


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
        """Return whether a value speaks for the edge; at the threshold itself it does not.

        >>> Rule("underrepresented_in", True, "underrepresentation", below=True).holds(11 / 50, 0.2 * 1.1)
        False
        """
        # A threshold that was moved is not exact: 0.2 * 1.1 is more than 0.22.
        value, threshold = round(value, _DIGITS), round(threshold, _DIGITS)
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
    """A metric of an edge, and what it says; ``value`` None: it is not known.

    ``reach`` is from the least to the greatest value that so many images and groups can give.
    """

    rule: Rule
    threshold: float
    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    reach: tuple[float, float] = (0.0, 1.0)
    certainty: Certainty | None = field(default=None, compare=False)

    def untold(self, factor: float = 1.0) -> Untold:
        """Return why it decides nothing, with the threshold times a factor; empty: it does.

        A rule that could not have failed, or could not have held, whatever the images show, says nothing about them.
        """
        if self.value is None:
            return "not_measured"
        ends = {self.rule.holds(end, self.threshold * factor) for end in self.reach}
        if len(ends) == 2:
            return ""
        return "too_few_images" if ends == {True} else "too_few_groups"

    def says(self, factor: float = 1.0) -> bool | None:
        """Return whether it speaks for the edge, with the threshold times a factor; None: that cannot be told."""
        if self.value is None or self.untold(factor):
            return None
        return self.rule.holds(self.value, self.threshold * factor)

    @property
    def holds(self) -> bool | None:
        """Whether it speaks for the edge; None: that cannot be told."""
        return self.says()

    @property
    def uncertain(self) -> bool:
        """Whether other images might have said the contrary: the interval holds the threshold, or there is none."""
        if self.untold():
            return False
        return self.low is None or self.high is None or self.low <= self.threshold <= self.high

    @property
    def p(self) -> float | None:
        """How surprising the value would be if the truth were the threshold; None: that cannot be told."""
        return p_value(self.certainty, self.threshold) if self.certainty and not self.untold() else None

    def times(self, confidence: float) -> float | None:
        """Return how many times as many images like these would decide; None: no such number is known."""
        return times_needed(self.certainty, self.threshold, confidence) if self.certainty else None

    @property
    def intensity(self) -> float | None:
        """How far beyond its threshold the value lies."""
        return None if self.value is None else self.rule.intensity(self.value, self.threshold)


def judge(metrics: Sequence[Judged]) -> tuple[bool | None, Judged | None]:
    """Return whether there is an edge, and the metric that decides: of those that say so the most intense.

    Where none says so it is the least certain one, then the one nearest to its threshold. None: that cannot be told,
    since a metric that might speak for the edge decides nothing.
    """
    there = _either(metrics)
    if there is None:
        return None, None
    if there:
        return True, max(
            (metric for metric in metrics if metric.holds),
            key=lambda metric: (not metric.uncertain, metric.intensity or 0.0),
        )
    return False, min(metrics, key=lambda metric: (not metric.uncertain, abs((metric.value or 0.0) - metric.threshold)))


def sensitivity(metrics: Sequence[Judged], share: float = 0.1) -> Iterator[tuple[str, bool | None]]:
    """Yield ``lower`` and ``higher`` with whether there is an edge when every threshold moves by that share of it."""
    for name, factor in (("lower", 1 - share), ("higher", 1 + share)):
        yield name, _either(metrics, factor)


def _either(metrics: Sequence[Judged], factor: float = 1.0) -> bool | None:
    said = [metric.says(factor) for metric in metrics]
    return True if True in said else None if None in said or not said else False
