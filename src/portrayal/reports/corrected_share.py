"""A share or a distance as it was seen, and as it must be if the annotator errs as people's labels say."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from portrayal.records import Measurement

__all__ = ["WORST_FIRST", "Change", "CorrectedScore", "CorrectedShare", "Way", "deciding", "share_key", "what_becomes"]

Way = Literal["matrix", "sample"]
"""By the confusion matrix of all labels, or by the labels among the images of the share itself."""
Change = Literal["stands", "gone", "reversed", "appears", "undecided", ""]
"""What becomes of a deviation from the reference; empty where there is no reference."""
WORST_FIRST: Sequence[Change] = ("reversed", "gone", "appears", "stands", "undecided")
Key = tuple[str, ...]


def what_becomes(before: tuple[float, float], after: tuple[float, float], none: float = 0.0) -> Change:
    """Return what becomes of a deviation from ``none``, by the intervals before and after the correction.

    >>> what_becomes((0.01, 0.2), (-0.02, 0.12)), what_becomes((0.01, 0.2), (0.01, 0.12))
    ('gone', 'stands')
    >>> what_becomes((-0.3, -0.1), (0.01, 0.12)), what_becomes((-0.1, 0.1), (0.01, 0.12))
    ('reversed', 'appears')
    >>> what_becomes((0.1, 0.3), (0.2, 0.4), 0.25)
    'undecided'
    """
    was, now = ((low > none) - (high < none) for low, high in (before, after))
    if not was:
        return "appears" if now else "undecided"
    return "stands" if now == was else "reversed" if now else "gone"


@dataclass(frozen=True, slots=True)
class Corrected:
    """A number put right in one way.

    ``seen`` is the row as it was measured. ``value`` is the corrected number, None where the annotator reads groups too
    much alike to be put right; ``low`` and ``high`` bound its 95 % interval, in which labels and images both have their
    part. ``labels`` is how many labelled images it rests on, ``decides`` whether it is the one that counts of several.
    ``uneven`` is where the annotator's errors differ between prompts or models by more than chance: then the matrix,
    which takes them to be alike, decides nothing. ``chosen`` is where people labelled other images than chance would
    draw, by what the annotator reads in them: then nothing decides. ``wide`` is where the interval holds the truth more
    often than it says, because few labels stand behind it.
    """

    seen: Measurement
    way: Way
    value: float | None
    low: float
    high: float
    labels: int
    decides: bool = False
    uneven: bool = False
    chosen: bool = False
    wide: bool = False

    @property
    def matrix_holds(self) -> bool:
        """Whether nothing is known that rules the confusion matrix out."""
        return not (self.uneven or self.chosen)


@dataclass(frozen=True, slots=True)
class CorrectedShare(Corrected):
    """A share of one group, put right in one way."""

    @property
    def change(self) -> Change:
        """What becomes of a deviation from the reference."""
        row = self.seen
        if row.target is None or row.low is None or row.high is None:
            return ""
        return what_becomes((row.low, row.high), (self.low, self.high), row.target)


@dataclass(frozen=True, slots=True)
class CorrectedScore(Corrected):
    """A distance from a reference, put right in one way."""

    @property
    def change(self) -> Change:
        """What becomes of a deviation from the reference; empty where none was tested by an interval.

        >>> row = Measurement("", "total_variation", "g", "a", value=0.2, low=0.1, high=0.3)
        >>> [CorrectedScore(row, "matrix", 0.1, low, 0.2, 60).change for low in (0.02, 0.0)]
        ['stands', 'gone']
        """
        row = self.seen
        if row.low is None:
            return ""
        # An unbounded end is None in a row.
        seen = row.low, math.inf if row.high is None else row.high
        return what_becomes(seen, (self.low, self.high), 1.0 if row.metric == "ratio" else 0.0)


def deciding(corrections: Sequence[CorrectedShare]) -> Mapping[Key, CorrectedShare]:
    """Return the correction that counts of each share, by :func:`share_key`."""
    return {share_key(share.seen): share for share in corrections if share.decides}


def share_key(row: Measurement) -> Key:
    """Return what tells a share from all others."""
    about = (row.method, row.generator, row.annotator, row.attribute, row.group)
    return (*about, row.level, row.item, row.language, row.variant)
