"""How many images to draw, before anything is drawn: what each number can show, in words, and how long it takes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from portrayal.api.study import Study
from portrayal.errors import PortrayalError
from portrayal.language.translation import t

__all__ = ["SampleChoice", "sample_choices"]

_MINUTE, _HOUR = 60, 3600


@dataclass(frozen=True, slots=True)
class SampleChoice:
    """A number of images of each prompt: sizes in points, None where none is found; seconds None where not known."""

    images: int
    in_all: int
    deviation: int | None
    half_width: int | None
    seconds: float | None

    @property
    def time(self) -> str:
        """How long drawing and looking takes on two cores."""
        if self.seconds is None:
            return ""
        if self.seconds < _MINUTE:
            return t("under a minute")
        if self.seconds < _HOUR:
            return t("about {n|minute|minutes}", n=round(self.seconds / _MINUTE))
        return t("about {n|hour|hours}", n=round(self.seconds / _HOUR))


def sample_choices(folder: Path) -> Sequence[SampleChoice]:
    """Return what several numbers of images can show; nothing where shares of people are not what is asked."""
    try:
        plan = Study(folder).power()
    except PortrayalError:
        return []
    return [
        SampleChoice(
            row["images_a_prompt"], row["images"], _points(row["deviation"]), _points(row["half_width"]), row["seconds"]
        )
        for row in plan
    ]


def _points(size: float | None) -> int | None:
    return None if size is None else math.ceil(100 * size - 0.01)
