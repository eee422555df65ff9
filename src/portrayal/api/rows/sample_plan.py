"""How many images answer the question: a table of what so many show, a curve, and what they take."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from portrayal.api.plot import Plot
from portrayal.api.rows.table_rows import Rows
from portrayal.errors import InputError
from portrayal.language.translation import speaking
from portrayal.records import schema_of
from portrayal.reports.figures.sample_chart import sample_svg
from portrayal.study.parts.payment import known_sum
from portrayal.study.plan.sample_assumptions import Assumptions
from portrayal.study.plan.sample_plan import (
    QUESTIONS,
    SampleRow,
    deviations_seen,
    first_of_a_term,
    images_a_prompt,
    sample_row,
)
from portrayal.study.plan.sample_words import answer_words, assumption_words, rounds_words, row_words, sees_words
from portrayal.study.plan.workload import LOOKS, Workload, workloads
from portrayal.study.sampling.settings import LEAST_TOLERANCE
from portrayal.study.study import OpenStudy

__all__ = ["SamplePlan", "plan_sample"]

USUAL = (5, 10, 20, 50, 100, 200)
"""Images of a prompt that a table always has."""
MOST = 100_000
_SIZES = ("half_width", "half_width_like", "deviation", "difference", "decision")
_SCHEMA = schema_of(
    "images_a_prompt:int images_of_a_number:int half_width:float half_width_like:float deviation:float "
    "difference:float decision:float answers:text images:int seconds:float usd:float"
)
_COSTS = schema_of("images_a_prompt:int who:text does:text images:int seconds:float usd:float")


class SamplePlan(Rows):
    """Rows of what so many images of a prompt will show; see :meth:`portrayal.Study.power`.

    ``sentences`` are the answer in words, ``answers`` has the images of a prompt for each question asked, None where no
    number does. ``assumptions`` are what it rests on. ``costs`` has a row for each part and number of images.
    """

    def __init__(self, study: OpenStudy, given: Assumptions, power: float, wanted: Mapping[str, float]) -> None:
        now = [role.images for role in study.generators.values() if role.images]
        self.assumptions = given
        self.answers = {name: images_a_prompt(given, name, size, power) for name, size in wanted.items()}
        answered = [images for images in self.answers.values() if images is not None]
        steps = sorted({*USUAL, *now, *(images for images in answered if images <= MOST)})
        self._rows = [sample_row(given, images, power) for images in steps]
        self._work = {images: list(workloads(study, images)) for images in {*steps, *answered}}
        self._study = study
        first = first_of_a_term(given, study.config.sampling)
        super().__init__(pa.Table.from_pylist([self._row(row) for row in self._rows], _SCHEMA))
        self.sentences = [
            *assumption_words(given),
            sees_words(*deviations_seen(given, min(now), power), power),
            *(line for row in self._rows if row.images == min(now) for line in row_words(row, power)),
            *(answer_words(name, wanted[name], images, self._drawn(images)) for name, images in self.answers.items()),
            *(
                rounds_words(size, first)
                for name, size in wanted.items()
                if name == "half_width" and size >= LEAST_TOLERANCE
            ),
        ]

    @property
    def costs(self) -> Rows:
        """What each part has to do, how long that takes on two cores and what it costs at most; null: not known."""
        every = [(images, work) for images, parts in sorted(self._work.items()) for work in parts]
        named = [name for name in _COSTS.names if name != "images_a_prompt"]
        rows = [{"images_a_prompt": images, **{name: getattr(work, name) for name in named}} for images, work in every]
        return Rows(pa.Table.from_pylist(rows, _COSTS))

    def plot(self) -> Plot:
        """Return the curves: sizes that are answered, in points, against images of a prompt."""
        curves = {name: [(row.images, float(getattr(row, name))) for row in self._rows] for name in QUESTIONS}
        with speaking(self._study.config.report.language):
            return Plot(sample_svg(curves, self._study.config.study.title))

    def _row(self, row: SampleRow) -> dict[str, Any]:
        work = self._work[row.images]
        sizes = (row.half_width, row.like_half_width, row.deviation, row.difference, row.decision)
        return {
            "images_a_prompt": row.images,
            "images_of_a_number": row.of_a_number,
            **{name: size if math.isfinite(size) else None for name, size in zip(_SIZES, sizes, strict=True)},
            "answers": ", ".join(name for name, images in self.answers.items() if images == row.images),
            "images": self._drawn(row.images),
            "seconds": known_sum(*(part.seconds for part in work)),
            "usd": known_sum(*(part.usd for part in work)),
        }

    def _drawn(self, images: int | None) -> int:
        return 0 if images is None else sum(part.images for part in self._work[images] if _makes(part))


def plan_sample(study: OpenStudy, wanted: Mapping[str, float | None], given: Assumptions, power: float) -> SamplePlan:
    """Return the plan for the questions that have a size."""
    asked = {name: size for name, size in wanted.items() if size is not None}
    for name, size in {**asked, "power": power}.items():
        if isinstance(size, bool) or not isinstance(size, int | float) or not 0 < size < 1:
            raise InputError(f"{name}: a number between 0 and 1, such as 0.1 for 10 points (got {size!r})")
    for name, told, number in (("deviation", "target", given.target), ("difference", "share", given.share)):
        if asked.get(name, 0.0) > max(number, 1 - number):
            room = f"{100 * max(number, 1 - number):.3g}"
            raise InputError(
                f"{name}: with a {told} of {number:.3g} none is larger than {room} points (got {asked[name]:.3g}); "
                f"state another {told}"
            )
    return SamplePlan(study, given, power, asked)


def _makes(part: Workload) -> bool:
    return part.does != LOOKS
