"""A share as images show it, with those that are missing: its interval, and on which side of a limit it surely lies.

Bounds are those of Clopper and Pearson (1934) on as many independent images as the share is worth. They hold at least
as often as they say for any number of images, so that no scenario is decided by an approximation. Missing images are
bounded: the low bound takes none of them to show the group, the high one all.
"""

from __future__ import annotations

from dataclasses import dataclass

from portrayal.apps.check.decisions.limits import Limits, Verdict
from portrayal.stats.intervals import Interval, clopper_pearson

__all__ = ["SeenImages"]


@dataclass(frozen=True, slots=True)
class SeenImages:
    """``seen`` images show the group and ``others`` do not, both as independent ones; they need not be whole.

    ``missing`` images may show it or not. Where images of several prompts are missing, nobody knows which counted how
    much: ``moved`` is then how far they could move the share, and ``missing`` is 0.
    """

    seen: float
    others: float
    missing: float = 0.0
    moved: float = 0.0

    @property
    def images(self) -> float:
        """As many independent images as were seen."""
        return self.seen + self.others

    @property
    def value(self) -> float:
        """The share among the images seen."""
        return self.seen / self.images

    @property
    def complete(self) -> SeenImages:
        """The same as if nothing were missing."""
        return SeenImages(self.seen, self.others)

    def interval(self, tail: float, upper_tail: float | None = None) -> Interval:
        """Return the bounds, each of which fails with a chance of at most its tail, whatever the missing images show.

        >>> found = SeenImages(10, 90, missing=5).interval(0.025)
        >>> round(found.low, 3), round(found.high, 3)
        (0.047, 0.225)
        """
        other_tail = tail if upper_tail is None else upper_tail
        low = _lower(self.seen, self.others + self.missing, tail)
        high = 1 - _lower(self.others, self.seen + self.missing, other_tail)
        return Interval(max(low - self.moved, 0.0), min(high + self.moved, 1.0))

    def grown(self, seen: int, further: int) -> SeenImages:
        """Return what ``further`` images make of it of which ``seen`` show the group; as large a part is missing."""
        missing = self.missing * (1 + further / self.images)
        return SeenImages(self.seen + seen, self.others + further - seen, missing, self.moved)

    def judge(self, limits: Limits, tail: float) -> Verdict:
        """Return the verdict on the interval, without finding its bounds: quick enough to be asked many times."""
        if self._at_least(limits.least, tail) and self.turned._at_least(1 - limits.most, tail):
            return Verdict.PASS
        outside = self._above(limits.most, tail) or self.turned._above(1 - limits.least, tail)
        return Verdict.FAIL if outside else Verdict.UNDECIDED

    def chance_of_more(self, share: float) -> float:
        """Return how likely as many images of the group, or more, are if its true share is ``share``.

        >>> round(SeenImages(3, 0).chance_of_more(0.5), 3)
        0.125
        """
        from scipy.special import betainc  # scipy takes a moment to load

        if self.seen <= 0:
            return 1.0
        among_seen = min(max(share + self.moved, 0.0), 1.0)
        return float(betainc(self.seen, self.others + self.missing + 1, among_seen))

    @property
    def turned(self) -> SeenImages:
        """The same seen from the other groups."""
        return SeenImages(self.others, self.seen, self.missing, self.moved)

    def _at_least(self, bound: float, tail: float) -> bool:
        """Return whether the low bound is not below ``bound``."""
        return bound <= 1e-12 or self._above(bound, tail)

    def _above(self, bound: float, tail: float) -> bool:
        return bound + self.moved < 1 - 1e-12 and self.chance_of_more(bound) <= tail


def _lower(seen: float, others: float, tail: float) -> float:
    return float(clopper_pearson(seen / (seen + others), seen + others, 1 - 2 * tail)[0])
