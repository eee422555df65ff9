"""What is said on the terminal about a sample: what so many images will show, and how many answer a question."""

from __future__ import annotations

import math

from portrayal.stats.sequential.fixed_width import images_in_rounds
from portrayal.study.plan.sample_assumptions import Assumptions
from portrayal.study.plan.sample_plan import SampleRow

__all__ = ["answer_words", "assumption_words", "often", "points", "rounds_words", "row_words", "sees_words"]

_ASKED = {
    "half_width": "a share known to {size} points",
    "deviation": "deviations of {size} points from the reference found",
    "difference": "differences of {size} points between two models found",
    "decision": "a share that meets its target found to lie within {size} points of it",
}
_OFTEN = {0.5: "half of the time", 0.8: "four times in five", 0.9: "nine times in ten", 0.95: "19 times in 20"}

_FOUND_TO = 0.01
"""Sizes are found to a hundredth of a point."""


def points(size: float) -> str:
    """Return a size in whole points, rounded up.

    >>> points(0.123), points(float("inf"))
    ('13', 'none')
    """
    return f"{math.ceil(100 * size - _FOUND_TO)}" if math.isfinite(size) else "none"


def often(power: float) -> str:
    """Return how often something is found, as one would say it.

    >>> often(0.8), often(0.85)
    ('four times in five', '85 times in 100')
    """
    return _OFTEN.get(power, f"{100 * power:.3g} times in 100")


def sees_words(images: int, over_all: float, of_a_term: float | None, power: float) -> str:
    """Say how large a deviation must be for so many images of a prompt; None: all prompts are about one term."""
    begin = f"with {_images(images)} a prompt"
    if not math.isfinite(over_all):
        return f"{begin} no deviation from a reference will be certain, however large it is"
    seen = f"{begin} you will see deviations from a reference of {_points(over_all)} or more"
    if of_a_term is None:
        return f"{seen}, {often(power)}"
    single = f"{_points(of_a_term)} or more" if math.isfinite(of_a_term) else "none will be certain, however large"
    return f"{seen} over all prompts, {often(power)}; for a single term {single}"


def row_words(row: SampleRow, power: float) -> list[str]:
    """Say what so many images of a prompt will show beside deviations."""
    lines = []
    if math.isfinite(row.difference):
        lines.append(f"differences of {_points(row.difference)} or more between two models, {often(power)}")
    if math.isfinite(row.half_width):
        lines.append(f"the share of a term will be known to {_points(row.half_width)} on either side")
    return lines


def answer_words(name: str, size: float, images: int | None, in_all: int) -> str:
    """Say how many images answer a question."""
    asked = _ASKED[name].format(size=f"{100 * size:.3g}")
    if images is None:
        return f"{asked}: no number of images that could be drawn answers that"
    return f"{asked}: {_images(images)} a prompt, {in_all:,} in all"


def rounds_words(half: float, first: int) -> str:
    """Say how many images a share takes where they are drawn in rounds, ``first`` of a term in the first one.

    >>> rounds_words(0.2, 10)[38:]
    'known to 20 points takes about 13, 16, 22, 30 images of a term where it is 5, 10, 20, 50 %'
    """
    shares = (0.05, 0.1, 0.2, 0.5)
    images = ", ".join(f"{round(images_in_rounds(half, share, first)):,}" for share in shares)
    named = ", ".join(f"{100 * share:.0f}" for share in shares)
    return (
        f"drawn in rounds ([sampling]), a share known to {100 * half:.3g} points takes about {images} images of a term "
        f"where it is {named} %"
    )


def assumption_words(given: Assumptions) -> list[str]:
    """Say what is assumed, and where it comes from."""
    source = f"as {given.pilot:,} numbers of this study show it" if given.pilot else "nothing is measured yet"
    if given.lost:
        source = f"all {given.lost:,} images of this study are missing, which is not assumed to go on"
    seen = "" if given.seen is None or given.seen > 0 else " (0% or 100% seen, which few images do not prove)"
    prompts = "1 prompt" if given.prompts == 1 else f"{given.prompts} prompts"
    return [
        f"assumed ({source}): {prompts} a term, a share of {given.share:.0%}{seen}, a reference of {given.target:.0%}, "
        f"{given.missing:.0%} of images missing, a correlation between prompts of {given.icc:.2f}, "
        f"{given.comparisons:,} comparisons to correct for"
    ]


def _points(size: float) -> str:
    return f"{points(size)} point" + ("" if points(size) == "1" else "s")


def _images(number: int) -> str:
    return f"{number:,} image" + ("" if number == 1 else "s")
