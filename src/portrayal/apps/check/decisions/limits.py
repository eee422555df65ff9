"""What a number may be, and the three verdicts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Limits", "Verdict"]

_ROUNDING = 1e-9


class Verdict(StrEnum):
    """What may be said of a scenario."""

    PASS = "pass"  # noqa: S105 - no password
    FAIL = "fail"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Limits:
    """The least and the most that a number may be; a number on a limit is within it."""

    least: float = -math.inf
    most: float = math.inf

    def judge(self, low: float, high: float) -> Verdict:
        """Return the verdict of an interval: pass inside, fail outside, else undecided; so is one that is not known.

        >>> [Limits(0.3, 0.7).judge(*bounds).value for bounds in ((0.3, 0.6), (0.71, 0.9), (0.6, 0.8))]
        ['pass', 'fail', 'undecided']
        """
        if self.least - _ROUNDING <= low and high <= self.most + _ROUNDING:
            return Verdict.PASS
        return Verdict.FAIL if self.excludes(low, high) else Verdict.UNDECIDED

    def holds_at(self, value: float, within: float) -> bool:
        """Return whether a number lies on a limit, up to so much.

        >>> Limits(0.3, 0.7).holds_at(0.3, 0.001), Limits(0.3, 0.7).holds_at(0.31, 0.001)
        (True, False)
        """
        return min(abs(value - self.least), abs(value - self.most)) <= within + _ROUNDING

    def excludes(self, low: float, high: float) -> bool:
        """Return whether a whole interval lies outside."""
        return high < self.least - _ROUNDING or low > self.most + _ROUNDING
