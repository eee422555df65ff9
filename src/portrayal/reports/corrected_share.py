"""A share as it was seen, and as it must be if the annotator errs as people's labels say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from portrayal.records import Measurement

__all__ = ["Change", "CorrectedShare", "Way", "deciding", "share_key"]

Way = Literal["matrix", "sample"]
"""By the confusion matrix of all labels, or by the labels among the images of the share itself."""
Change = Literal["stands", "gone", "reversed", "appears", "undecided", ""]
"""What becomes of a deviation from the reference; empty where there is no reference."""
Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CorrectedShare:
    """A share of one group, put right in one way.

    ``seen`` is the row as it was measured. ``value`` is the corrected share, None where the annotator reads groups too
    much alike to be put right; ``low`` and ``high`` bound its 95 % interval, in which labels and images both have their
    part. ``labels`` is how many labelled images it rests on, ``decides`` whether it is the one that counts of several.
    ``uneven`` is where the annotator's errors differ between prompts or models by more than chance: then the matrix,
    which takes them to be alike, decides nothing.
    """

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
        """What becomes of a deviation: by the intervals before and after."""
        row = self.seen
        if row.target is None or row.low is None or row.high is None:
            return ""
        before, after = _side(row.low, row.high, row.target), _side(self.low, self.high, row.target)
        if not before:
            return "appears" if after else "undecided"
        return "stands" if after == before else "reversed" if after else "gone"


def _side(low: float, high: float, target: float) -> int:
    """Return on which side of its reference a share surely lies; 0: on either."""
    return (low > target) - (high < target)


def deciding(corrections: Sequence[CorrectedShare]) -> Mapping[Key, CorrectedShare]:
    """Return the correction that counts of each share, by :func:`share_key`."""
    return {share_key(share.seen): share for share in corrections if share.decides}


def share_key(row: Measurement) -> Key:
    """Return what tells a share from all others."""
    about = (row.method, row.generator, row.annotator, row.attribute, row.group)
    return (*about, row.level, row.item, row.language, row.variant)
