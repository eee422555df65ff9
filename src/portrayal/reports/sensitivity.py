"""How large a deviation must be to be told: what a page cannot see, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from statistics import median

from portrayal.reports.deviation import Deviation
from portrayal.reports.language import t
from portrayal.reports.words import count

__all__ = ["sensitivity"]


def sensitivity(deviations: Sequence[Deviation], needed: float) -> str:
    """Return how far off their reference numbers about a part of the prompts must lie to have the p-value ``needed``.

    Nothing is said where no share of a part of the prompts was compared. ``docs/validity.md`` has how often deviations
    of that size are told.
    """
    single = [(own.images, own.least(needed)) for own in deviations if not own.broad and own.least and own.images]
    if not single:
        return ""
    rests = t(
        "A number about a part of the prompts rests on {n|image|images} (the median).",
        n=round(median(images for images, _ in single)),
    )
    return f"{rests} {_needs([sizes for _, sizes in single])}"


def _needs(single: Sequence[Sequence[float]]) -> str:
    typical = median(max(sizes, default=inf) for sizes in single)
    if typical == inf:
        return t(
            "For at least half of these numbers that is too few: after the correction for all comparisons, no "
            "deviation could be told, however large it is."
        )
    possible = [size for sizes in single for size in sizes]
    points = {
        "points": count(round(100 * typical)),
        "least": count(round(100 * min(possible))),
        "most": count(round(100 * max(possible))),
    }
    return t(
        "To be told here, after the correction for all comparisons, it must lie about {points} points off its "
        "reference (the median; {least} to {most}, depending on the reference and the number of images). Of true "
        "deviations as large as that about half are told, of smaller ones fewer.",
        **points,
    )
