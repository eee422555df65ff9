"""What is to be said of a model as a whole: deviations found, none of a stated size, or too few images to tell.

That there is no deviation is never said. That there is none of some size is, where the intervals of all comparisons
together leave none so large, also if all missing images were of one group: even if many images make smaller ones sure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from portrayal.reports.findings.deviations.deviation import Deviation
from portrayal.reports.findings.deviations.selection import Selection
from portrayal.reports.findings.power import Reach, reach
from portrayal.stats.shares.missing import filled

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
    or no share was compared. ``hidden`` is the same without missing images, ``read_right`` without the annotator's
    errors: where that is smaller, it is these that hide the rest. ``elsewhere`` is the same of those shares that are
    not sure to deviate. ``reach`` is what the images can find. ``explained`` is whether the annotator's errors could
    have made all that is sure, ``opposed`` how far a typical prompt lies from its reference at least, where that is
    more than is tolerated. ``errors_known`` is whether it is known how often the annotators err. ``stated`` is how far
    shares of missing images were stated to lie from those of the others at most, where any of this rests on it; else 1.
    ``by_labels`` is whether any share was corrected by labels: then few labels may be what hides the rest.
    """

    word: Word
    possible: float = math.inf
    hidden: float = math.inf
    read_right: float = math.inf
    elsewhere: float = math.inf
    reach: Reach | None = None
    complete: bool = True
    explained: bool = False
    opposed: float = 0.0
    errors_known: bool = True
    stated: float = 1.0
    by_labels: bool = False

    @property
    def enough(self) -> bool | None:
        """Whether there are enough images to find deviations of the tolerated size; None: that cannot be told."""
        return self.reach.enough if self.reach else None


def verdict(
    generator: str, selection: Selection, tolerance: float, *, complete: bool = True, typical: float = 0.0
) -> Verdict:
    """Return the verdict on a model, whose deviations up to ``tolerance`` are of no concern.

    Not ``complete`` is one of whose terms some were not compared. ``typical`` is how far a typical prompt lies from its
    reference at least, whatever the direction: prompts of one term may be off in opposite ones.
    """
    mine = [deviation for deviation in selection.compared if deviation.generator == generator]
    if not mine:
        return Verdict(Word.NOT_COMPARED)
    can_find = reach(mine, selection.threshold, tolerance)
    shares = [deviation for deviation in mine if _in_points(deviation)]
    unsure = [deviation for deviation in mine if not selection.is_sure(deviation)]
    sure = len(unsure) < len(mine)
    explained = sure and all(deviation.explained for deviation in mine if selection.is_sure(deviation))
    opposed = typical if typical > tolerance else 0.0
    # What is tolerated is a size of shares: numbers of other units alone can rule nothing out.
    ruled_out = (
        bool(shares) and _largest(mine, selection.together) <= tolerance and (not sure or len(shares) == len(mine))
    )
    if ruled_out and complete and not opposed:
        word = Word.NONE
    elif (sure and not explained) or opposed:
        word = Word.FOUND
    else:
        word = Word.INCONCLUSIVE
    judged = Verdict(
        word,
        _largest(shares, selection.together),
        hidden=_largest(shares, selection.together, bounded=False),
        read_right=_largest(shares, selection.together, misread=False),
        elsewhere=_largest([deviation for deviation in unsure if _in_points(deviation)], selection.together),
        reach=can_find,
        complete=complete,
        explained=explained,
        opposed=opposed,
        by_labels=any(deviation.corrected for deviation in shares),
        errors_known=all(deviation.error is not None for deviation in shares),
    )
    return replace(judged, stated=_stated(judged, mine, unsure, selection))


def _stated(judged: Verdict, mine: Sequence[Deviation], unsure: Sequence[Deviation], selection: Selection) -> float:
    """Return the range in which missing images are stated to lie, where the verdict or a size in it rests on that."""
    within = min(deviation.within for deviation in mine)
    if within >= 1:
        return 1.0
    free = [replace(deviation, within=1.0) for deviation in mine if _in_points(deviation)]
    others = [replace(deviation, within=1.0) for deviation in unsure if _in_points(deviation)]
    held = [deviation for deviation in mine if selection.is_sure(deviation) and not deviation.explained]
    if judged.word is Word.FOUND and not judged.opposed and all(deviation.stated for deviation in held):
        return within
    sizes = [(judged.elsewhere, others)] if judged.word is Word.FOUND else [(judged.possible, free)]
    larger = any(_largest(rows, selection.together) > size + 1e-9 for size, rows in sizes if rows)
    return within if larger else 1.0


def _in_points(deviation: Deviation) -> bool:
    """Return whether it is a share of images beside a reference: what is tolerated, and points, are about these."""
    from portrayal.stats.targets.target import CorrectedShareTest, ShareTest  # scipy takes a moment to load

    return isinstance(deviation.test, ShareTest | CorrectedShareTest) and deviation.images > 0


def _largest(
    deviations: Sequence[Deviation], confidence: float, *, bounded: bool = True, misread: bool = True
) -> float:
    """Return the largest deviation that intervals leave possible, with what is missing and misread; inf of none."""
    sizes = [_possible(deviation, confidence, bounded=bounded, misread=misread) for deviation in deviations]
    return max(sizes, default=math.inf)


def _possible(deviation: Deviation, confidence: float, *, bounded: bool, misread: bool) -> float:
    """Return how large a deviation may be with what missing images may show, if the annotator errs as it does."""
    bounds = deviation.test.bounds(confidence)
    if not _in_points(deviation):
        return max(-bounds.low, bounds.high)
    target: float = getattr(deviation.test, "target", 0.0)
    low, high = bounds.low + target, bounds.high + target
    if bounded and deviation.missing:
        low, high = _with_missing(deviation, low)[0], _with_missing(deviation, high)[1]
    if misread:
        low, high = _read_right(low, high, *deviation.misread)
    return max(target - low, high - target)


def _with_missing(deviation: Deviation, share: float) -> tuple[float, float]:
    return filled(share, deviation.images, deviation.missing, prompts=deviation.prompts, within=deviation.within)


def _read_right(low: float, high: float, taken: float, lost: float) -> tuple[float, float]:
    """Return the ends of a share if it was seen by who misreads at least so many: as it was seen, and as it must be."""
    right = 1 - taken - lost
    if right <= 0.05:
        return (0.0, 1.0) if taken or lost else (low, high)
    return max(min(low, (low - taken) / right), 0.0), min(max(high, (high - taken) / right), 1.0)
