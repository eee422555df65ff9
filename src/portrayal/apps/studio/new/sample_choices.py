"""How many images to draw, before anything is drawn: what each number can show, in words, and how long it takes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from portrayal.api.study import Study
from portrayal.errors import PortrayalError
from portrayal.language.translation import t
from portrayal.stats.sequential.fixed_width import images_in_rounds
from portrayal.study.parts.payment import known_sum
from portrayal.study.plan.sample_assumptions import assumptions
from portrayal.study.plan.sample_plan import first_of_a_term
from portrayal.study.sampling.settings import TOLERANCE
from portrayal.study.study import OpenStudy

__all__ = ["SampleChoice", "rounds_choice", "sample_choices", "time_words"]

_MINUTE, _HOUR = 60, 3600
_RARE = 0.05


@dataclass(frozen=True, slots=True)
class SampleChoice:
    """A number of images of each prompt: sizes in points, None where none is found; seconds None where not known."""

    images: int
    in_all: int
    deviation: int | None
    half_width: int | None
    seconds: float | None
    usd: float | None = 0.0
    """What paid services cost at most; None where nobody knows."""

    @property
    def time(self) -> str:
        """How long drawing and looking takes on two cores."""
        return "" if self.seconds is None else time_words(self.seconds)


def time_words(seconds: float) -> str:
    """Return how long something takes, as one would say it."""
    if seconds < _MINUTE:
        return t("under a minute")
    if seconds < _HOUR:
        return t("about {n|minute|minutes}", n=round(seconds / _MINUTE))
    return t("about {n|hour|hours}", n=round(seconds / _HOUR))


def sample_choices(folder: Path) -> Sequence[SampleChoice]:
    """Return what several numbers of images can show; nothing where shares of people are not what is asked."""
    try:
        plan = Study(folder).power()
    except PortrayalError:
        return []
    costs: dict[int, list[float | None]] = {row["images_a_prompt"]: [] for row in plan}
    for row in plan.costs:
        costs[row["images_a_prompt"]].append(row["usd"])
    return [
        SampleChoice(
            row["images_a_prompt"],
            row["images"],
            _points(row["deviation"]),
            _points(row["half_width"]),
            row["seconds"],
            known_sum(*costs[row["images_a_prompt"]]),
        )
        for row in plan
    ]


def rounds_choice(study: OpenStudy) -> str:
    """Return what drawing in rounds would take to know a share of a term; nothing where a study does so already."""
    try:
        given = assumptions(study)
    except PortrayalError:
        return ""
    if study.config.sampling:
        return ""
    few, many = (images_in_rounds(TOLERANCE, share, first_of_a_term(given, None)) for share in (_RARE, 0.5))
    return t(
        "Or drawn in rounds, only as many as needed: a share known to ± {n|point|points} takes about {few} images of a "
        "term of which few show the group (1 in 20), and about {many} where half do. A table [sampling] in study.toml "
        "asks for that.",
        n=round(100 * TOLERANCE),
        few=round(few),
        many=round(many),
    )


def _points(size: float | None) -> int | None:
    return None if size is None else math.ceil(100 * size - 0.01)
