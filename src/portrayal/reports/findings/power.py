"""What so many images can find: how large a deviation must be, and how many images would find a smaller one."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from portrayal.language.numbers import rounded_up
from portrayal.language.translation import t
from portrayal.reports.findings.deviations.deviation import Deviation
from portrayal.reports.text.words import count

if TYPE_CHECKING:
    from portrayal.stats.targets.target import ShareTest

__all__ = ["Reach", "enough_words", "points", "reach", "reach_words"]

HALF, MOSTLY, NEARLY = 0.5, 0.8, 0.9
"""How often deviations are found: half of the time, four times in five, nine times in ten."""


@dataclass(frozen=True, slots=True)
class Reach:
    """What comparisons of shares can find: of parts of the prompts where there are any (``parts``), else of all.

    ``images`` is the number of usable images behind a typical one, ``half``, ``mostly`` and ``nearly`` the deviations
    that it finds half of the time, four times in five and nine times in ten; inf: none is. ``short`` is how many of
    all ``comparisons`` do not find deviations of the ``tolerance`` four times in five, and ``needed`` how many usable
    images of each would; 0: images alone would not, since labels put shares right.
    """

    images: int
    half: float
    mostly: float
    nearly: float
    short: int
    comparisons: int
    needed: int
    tolerance: float
    parts: bool

    @property
    def enough(self) -> bool:
        """Whether every comparison has enough images."""
        return not self.short


def reach(deviations: Sequence[Deviation], p: float, tolerance: float) -> Reach | None:
    """Return what comparisons of one model can find at a p-value, or None where no share was compared."""
    from portrayal.stats.sample_size import Deviation as Question
    from portrayal.stats.sample_size import images_for
    from portrayal.stats.targets.target import ShareTest  # scipy takes a moment to load

    tests = [(deviation, getattr(deviation.test, "as_read", deviation.test)) for deviation in deviations]
    shares = [(deviation, test) for deviation, test in tests if isinstance(test, ShareTest) and deviation.images]
    of_parts = [(deviation, test) for deviation, test in shares if not deviation.broad]
    used = sorted(of_parts or shares, key=lambda pair: _independent(pair[1], p, tolerance) / max(pair[1].worth, 1e-9))
    if not used:
        return None
    # By how many times their images are too few: of the middle one and the worst what they find is exact.
    middle, typical = used[len(used) // 2]
    worst, hardest = used[-1]
    question = Question(_tolerated(hardest, tolerance), hardest.target, p)
    independent = images_for(question, MOSTLY) or _independent(hardest, p, tolerance)
    short = bisect_left(used, True, key=lambda pair: not _finds(pair[1], tolerance, p))
    return Reach(
        middle.images,
        typical.detectable(HALF, p),
        mostly=typical.detectable(MOSTLY, p),
        nearly=typical.detectable(NEARLY, p),
        short=len(used) - short,
        comparisons=len(used),
        # Of corrected shares more labels are needed too, and how many of which is another question.
        needed=0 if worst.corrected else rounded_up(independent * worst.images / max(hardest.worth, 1e-9)),
        tolerance=tolerance,
        parts=bool(of_parts),
    )


def _finds(test: ShareTest, tolerance: float, p: float) -> bool:
    """Return whether a comparison finds deviations of the tolerated size four times in five."""
    return test.detectable(MOSTLY, p) <= _tolerated(test, tolerance)


def _independent(test: ShareTest, p: float, tolerance: float) -> float:
    """Return about how many independent images a comparison needs."""
    from portrayal.stats.targets.target import images_about

    return images_about(test.target, _tolerated(test, tolerance), power=MOSTLY, p=p)


def _tolerated(test: ShareTest, tolerance: float) -> float:
    """Return the tolerated deviation, or the largest there can be."""
    return min(tolerance, max(test.target, 1 - test.target))


def points(share: float) -> str:
    """Return a share in whole points, rounded up."""
    return count(math.ceil(100 * share - 1e-9))


def reach_words(reach: Reach) -> str:
    """Say how large deviations must be for so many images to find them."""
    if reach.half == math.inf:
        return t(
            "A typical comparison has {n|usable image|usable images}: no deviation can be certain there, however "
            "large it is.",
            n=reach.images,
        )
    half = points(reach.half)
    if reach.nearly == math.inf:
        return t(
            "A typical comparison has {n|usable image|usable images}: deviations of about {half} points from the "
            "reference are found half of the time, and none nine times in ten.",
            n=reach.images,
            half=half,
        )
    return t(
        "A typical comparison has {n|usable image|usable images}: deviations of about {half} points from the reference "
        "are found half of the time, and {nearly} points nine times in ten. Smaller ones are usually missed.",
        n=reach.images,
        half=half,
        nearly=points(reach.nearly),
    )


def enough_words(reach: Reach) -> str:
    """Answer whether there are enough images to find deviations of the tolerated size four times in five."""
    tolerated = points(reach.tolerance)
    if reach.enough:
        return t("Yes: deviations of {points} points are found at least four times in five.", points=tolerated)
    if not reach.needed:
        more = t("More labelled pictures would find more; portrayal labels --next draws those that help most.")
        return f"{_too_few(reach, tolerated)} {more}"
    needed = t(
        "To find {points} points that often takes about {needed|usable image|usable images} for each comparison.",
        points=tolerated,
        needed=reach.needed,
    )
    return f"{_too_few(reach, tolerated)} {needed}"


def _too_few(reach: Reach, tolerated: str) -> str:
    if reach.mostly == math.inf:
        return t(
            "No: a typical comparison has {n|usable image|usable images}, and even the largest deviation is found less "
            "than four times in five.",
            n=reach.images,
        )
    if reach.mostly <= reach.tolerance:
        return t(
            "Not everywhere: in {short} of {n|comparison|comparisons}, deviations of {points} points are found less "
            "than four times in five.",
            short=count(reach.short),
            n=reach.comparisons,
            points=tolerated,
        )
    return t(
        "Not for deviations as small as {points} points: a typical comparison has {n|usable image|usable images}, and "
        "{mostly} points are found four times in five.",
        points=tolerated,
        n=reach.images,
        mostly=points(reach.mostly),
    )
