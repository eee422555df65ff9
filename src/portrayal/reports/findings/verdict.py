"""What is to be said of a model as a whole: deviations found, none of a stated size, or too few images to tell.

That there is no deviation is never said. That there is none of some size is, where the intervals of all comparisons
together leave none so large, also if all missing images were of one group: even if many images make smaller ones sure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from portrayal.reports.findings.deviation import Deviation
from portrayal.reports.findings.power import Reach, reach
from portrayal.reports.findings.selection import Selection

__all__ = ["Verdict", "Word", "verdict"]


class Word(Enum):
    """The verdict in a word."""

    FOUND = "found"
    NONE = "none found"
    INCONCLUSIVE = "inconclusive"
    NOT_COMPARED = "not compared"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on one model.

    ``possible`` is the largest deviation of a share that the images leave possible, all comparisons together; inf: any,
    or no share was compared. ``hidden`` is the same without missing images: where that is smaller, it is the missing
    images that hide the rest. ``elsewhere`` is the same of those shares that are not sure to deviate. ``reach`` is what
    the images can find.
    """

    word: Word
    possible: float = math.inf
    hidden: float = math.inf
    elsewhere: float = math.inf
    reach: Reach | None = None

    @property
    def enough(self) -> bool | None:
        """Whether there are enough images to find deviations of the tolerated size; None: that cannot be told."""
        return self.reach.enough if self.reach else None


def verdict(generator: str, selection: Selection, tolerance: float) -> Verdict:
    """Return the verdict on a model, whose deviations up to ``tolerance`` are of no concern."""
    mine = [deviation for deviation in selection.compared if deviation.generator == generator]
    if not mine:
        return Verdict(Word.NOT_COMPARED)
    can_find = reach(mine, selection.threshold, tolerance)
    shares = [deviation for deviation in mine if _in_points(deviation)]
    unsure = [deviation for deviation in mine if not selection.is_sure(deviation)]
    sure = len(unsure) < len(mine)
    if _largest(mine, selection.together) <= tolerance and (not sure or len(shares) == len(mine)):
        word = Word.NONE
    else:
        word = Word.FOUND if sure else Word.INCONCLUSIVE
    return Verdict(
        word,
        _largest(shares, selection.together),
        _largest(shares, selection.together, bounded=False),
        _largest([deviation for deviation in unsure if _in_points(deviation)], selection.together),
        can_find,
    )


def _in_points(deviation: Deviation) -> bool:
    """Return whether it is a share of images beside a reference: what is tolerated, and points, are about these."""
    from portrayal.stats.target import ShareTest  # scipy takes a moment to load

    return isinstance(deviation.test, ShareTest) and deviation.images > 0


def _largest(deviations: Sequence[Deviation], confidence: float, *, bounded: bool = True) -> float:
    """Return the largest deviation that intervals leave possible, ``bounded`` for what is missing; inf of none."""
    sizes = [_possible(deviation, confidence, deviation.lost if bounded else 0.0) for deviation in deviations]
    return max(sizes, default=math.inf)


def _possible(deviation: Deviation, confidence: float, lost: float) -> float:
    """Return how large a deviation may be, if a share ``lost`` of the images may be of any group."""
    bounds = deviation.test.bounds(confidence)
    target: float | None = getattr(deviation.test, "target", None)
    if not lost or target is None:
        return max(-bounds.low, bounds.high)
    kept = 1 - lost
    low, high = (bounds.low + target) * kept - target, (bounds.high + target) * kept + lost - target
    return max(-low, high)
