"""Which pictures people are to label: a random sample, those worth the most, named ones, or all; drawn once."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from portrayal.annotators import Annotator
from portrayal.apps.labels.labelling.picture import Picture, PictureKey
from portrayal.csvfile import iter_csv
from portrayal.errors import InputError
from portrayal.records import SIDES
from portrayal.study.importing.labels.label_sheet import Row, Sample, drawn_pictures
from portrayal.study.importing.labels.read_sheet import PROBABILITY
from portrayal.study.study import OpenStudy

__all__ = ["DEFAULT_SAMPLE", "Drawn", "draw_pictures", "wanted_sample"]

DEFAULT_SAMPLE = Sample(prompts=265, images=20, seed=0)
"""As ``portrayal labels sheet`` draws it."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """Pictures to label, and what their labels are worth where that is known."""

    pictures: list[Picture]
    worth: str


def wanted_sample(best: int, *, every: bool, listed: Path | None = None) -> Sample | None:
    """Return the sample that is asked for: those worth the most, all, or the images that a file lists.

    None: what there is, or a random sample.
    """
    if best and every:
        raise InputError("--next draws some pictures and --all takes them all; give one of the two")
    if listed is not None:
        if best or every:
            raise InputError("--pictures names the pictures, --next and --all choose them; give one of the three")
        images = tuple(dict.fromkeys(row["image"] for row in iter_csv(listed, ["image"], others=True)))
        return Sample(DEFAULT_SAMPLE.prompts, DEFAULT_SAMPLE.images, 0, pictures=images)
    if every:
        return Sample(prompts=sys.maxsize, images=sys.maxsize, seed=0)
    return Sample(DEFAULT_SAMPLE.prompts, DEFAULT_SAMPLE.images, 0, worthiest=best) if best else None


def draw_pictures(
    study: OpenStudy, annotator: Annotator, sample: Sample, known: Collection[PictureKey], now: float
) -> Drawn:
    """Return the pictures of a sample that are not among the ``known`` ones, numbered after these."""
    rows, worth = drawn_pictures(study, annotator, sample)
    new = [(row, side) for row in rows for side in _sides(row) if (row["image"], side) not in known]
    pictures = [
        Picture(
            row["image"],
            side=side,
            ext=row["ext"],
            prompt=row["text"],
            probability=float(row[PROBABILITY]) if row[PROBABILITY] else None,
            number=len(known) + number,
            drawn_at=now,
        )
        for number, (row, side) in enumerate(new, 1)
    ]
    return Drawn(pictures, worth)


def _sides(row: Row) -> Iterator[str]:
    yield from SIDES if row["people"] == len(SIDES) else ("",)
