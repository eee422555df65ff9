"""A score as it was seen, and as it must be if the annotator errs as people's labels say."""

from __future__ import annotations

from dataclasses import dataclass

from portrayal.records import Measurement
from portrayal.reports.corrected_share import Change, Way

__all__ = ["CorrectedScore"]

_NO_DEVIATION = {"ratio": 1.0}


@dataclass(frozen=True, slots=True)
class CorrectedScore:
    """A distance from a reference, put right in one way; the other fields are as those of a corrected share."""

    seen: Measurement
    way: Way
    value: float | None
    low: float
    high: float
    labels: int
    decides: bool = False
    uneven: bool = False

    @property
    def change(self) -> Change:
        """What becomes of a deviation from the reference; empty where none was tested by an interval.

        >>> row = Measurement("", "total_variation", "g", "a", value=0.2, low=0.1, high=0.3)
        >>> [CorrectedScore(row, "matrix", 0.1, low, 0.2, 60).change for low in (0.02, 0.0)]
        ['stands', 'gone']
        """
        row, none = self.seen, _NO_DEVIATION.get(self.seen.metric, 0.0)
        if row.low is None:
            return ""
        # An unbounded end is None in a row.
        before = _side(row.low, float("inf") if row.high is None else row.high, none)
        after = _side(self.low, self.high, none)
        if not before:
            return "appears" if after else "undecided"
        return "stands" if after == before else "reversed" if after else "gone"


def _side(low: float, high: float, none: float) -> int:
    return (low > none) - (high < none)
