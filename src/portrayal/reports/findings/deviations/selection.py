"""Which of many deviations are found, and in which order: corrected for all that were compared.

What a page says openly is *sure*: if nothing deviated, 49 of 50 pages would say nothing (Bonferroni, 2 %). That is
stricter than usual, since what stands in the largest type is quoted, and since among few findings one false one is a
large part. Further ones are *possible*: by the false discovery rate of Benjamini and Hochberg (1995), so that where
nothing deviates one page in twenty lists any. Deviations stand in the order of what remains certain of them: the end
nearest to the reference of an interval that allows for their having been selected (Benjamini and Yekutieli 2005).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from portrayal.reports.findings.deviations.deviation import Deviation

__all__ = ["FALSE_ALARMS", "FALSE_HEADLINES", "Selection", "select"]

FALSE_ALARMS = 0.05
FALSE_HEADLINES = 0.02


@dataclass(frozen=True)
class Selection:
    """All comparisons of a page, and those that chance does not explain: ``found`` holds the sure and the possible.

    Where images were drawn in rounds, each of ``looks`` looks might have been the last, and has its part of every error
    rate.
    """

    compared: Sequence[Deviation]
    found: Sequence[Deviation]
    looks: int = 1

    @property
    def threshold(self) -> float:
        """The p-value from which on a deviation is sure."""
        return FALSE_HEADLINES / self.looks / max(len(self.compared), 1)

    @property
    def together(self) -> float:
        """The confidence of single intervals of which all hold together in 19 of 20 studies (Bonferroni)."""
        return 1 - FALSE_ALARMS / self.looks / max(len(self.compared), 1)

    @cached_property
    def in_order(self) -> Sequence[Deviation]:
        """What was found, of each subject one, that of which most is certain first."""
        first: dict[tuple[str, ...], Deviation] = {}
        for deviation in sorted(self.found, key=self._order):
            before = first.setdefault(deviation.subject, deviation)
            # Of two annotators who are both sure, the one who errs less speaks.
            if self.is_sure(deviation) and (deviation.error or 0.0) < (before.error or 0.0):
                first[deviation.subject] = deviation
        return list(first.values())

    def is_sure(self, deviation: Deviation) -> bool:
        """Return whether a deviation may be said openly."""
        return deviation.test.p <= self.threshold

    def _order(self, deviation: Deviation) -> tuple[object, ...]:
        selected = 1 - FALSE_ALARMS / self.looks * max(len(self.found), 1) / max(len(self.compared), 1)
        surely, likely = (_at_least(deviation, level) for level in (1 - self.threshold, selected))
        size = abs(deviation.test.deviation)
        sure, explained = self.is_sure(deviation), deviation.explained
        return not sure, explained, -surely, -likely, -size, not deviation.broad, deviation.subject


def _at_least(deviation: Deviation, confidence: float) -> float:
    """Return how far off a number is at least."""
    bounds = deviation.test.bounds(confidence)
    return max(bounds.low, -bounds.high, 0.0)


def select(deviations: Sequence[Deviation], looks: int = 1) -> Selection:
    """Return which deviations are found, after correction for all of them together, and for ``looks``."""
    if not deviations:
        return Selection((), (), looks)
    from portrayal.stats.multiple import benjamini_hochberg  # numpy takes a moment to load

    adjusted = benjamini_hochberg([deviation.test.p for deviation in deviations])
    unlikely = [deviation for deviation, q in zip(deviations, adjusted, strict=True) if q <= FALSE_ALARMS / looks]
    return Selection(deviations, unlikely, looks)
