"""May an annotator of a study stand in for people? By what single raters answered on a sheet, and what it read."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from portrayal.errors import InputError, StudyError
from portrayal.stats.annotation.alt_test import NOBODY, AltTest, alt_test
from portrayal.study.importing.labels.find_image import find_images
from portrayal.study.importing.labels.imported_annotator import labelling_annotator
from portrayal.study.importing.labels.read_sheet import Answer, read_sheet
from portrayal.study.study import OpenStudy

__all__ = ["StandIn", "stand_in"]

_READ = """
    WITH single AS (
        SELECT annotator, image, attribute, any_value(mass) AS mass FROM observations SEMI JOIN chosen USING (image)
        WHERE len(mass) > 0 GROUP BY annotator, image, attribute HAVING count(*) = 1
    )
    SELECT annotator, image, attribute, list_position(mass, list_max(mass)) - 1 AS place FROM single
    WHERE len(list_filter(mass, lambda part: part = list_max(mass))) = 1
"""
Readings = Mapping[tuple[str, str], Mapping[str, int]]
"""Annotator and attribute to image to the place of the group it reads."""


@dataclass(frozen=True, slots=True)
class StandIn:
    """The test of one annotator and attribute; ``raters`` are named in the order of their numbers."""

    annotator: str
    attribute: str
    raters: Sequence[str]
    items: int
    allowance: float
    test: AltTest

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data; what is not known is null."""
        test = self.test
        duels = [
            {
                "rater": self.raters[duel.rater],
                "items": duel.items,
                "advantage": duel.advantage,
                "rater_advantage": duel.rater_advantage,
                "p": duel.p,
                "wins": duel.wins,
            }
            for duel in test.duels
        ]
        return {
            "annotator": self.annotator,
            "attribute": self.attribute,
            "items": self.items,
            "allowance": self.allowance,
            "enough": test.enough,
            "passes": test.passes if test.enough else None,
            "winning_rate": _known(test.winning_rate),
            "advantage": _known(test.advantage),
            "items_needed": _known(test.items_needed),
            "raters": duels,
        }


def stand_in(study: OpenStudy, sheet: Path, annotator: str = "", allowance: float = 0.2) -> list[StandIn]:
    """Return, for each annotator and attribute that raters answered, whether it may stand in for them.

    ``annotator`` is for whom the sheet would be imported, whose attributes it may have. Images of two people are left
    out, and so is who could not tell.
    """
    if not 0 <= allowance < 1:
        raise InputError(f"an allowance lies from 0 to below 1, got {allowance}")
    labeller = labelling_annotator(study, annotator)
    answers = [answer for answer in read_sheet(sheet, labeller.attributes) if answer.filled]
    for answer in answers:
        if not answer.rater:
            raise InputError(f"{answer.row.where}: who judged this? The test compares raters; fill the column 'rater'")
    targets = find_images(study, [answer.row for answer in answers])
    alone = [(answer, target.image) for answer, target in zip(answers, targets, strict=True) if target.people < 2]
    images = sorted({image for _, image in alone})
    found = list(_tests(study, labeller.name, alone, images, allowance))
    if not found:
        raise StudyError(f"{sheet}: no annotator of {study.root} reads what these raters answered, in the same images")
    return found


def _tests(
    study: OpenStudy, people: str, answers: Sequence[tuple[Answer, str]], images: Sequence[str], allowance: float
) -> Iterator[StandIn]:
    raters = sorted({answer.rater for answer, _ in answers})
    order = {image: place for place, image in enumerate(images)}
    names = list(dict.fromkeys(name for answer, _ in answers for name in answer.groups))
    readings = _readings(study, images)
    for attribute in names:
        groups = study.attributes[attribute].groups if attribute in study.attributes else ()
        said = np.full((len(raters), len(images)), NOBODY)
        for answer, image in answers:
            group = answer.groups[attribute]
            if group in groups:
                said[raters.index(answer.rater), order[image]] = groups.index(group)
        for who in study.annotators:
            read = readings.get((who, attribute))
            if read and who != people:
                own = np.array([read.get(image, NOBODY) for image in images])
                test = alt_test(said, own, allowance)
                items = int(((said != NOBODY).any(axis=0) & (own != NOBODY)).sum())
                yield StandIn(
                    study.names.annotator(who),
                    attribute=attribute,
                    raters=raters,
                    items=items,
                    allowance=allowance,
                    test=test,
                )


def _readings(study: OpenStudy, images: Sequence[str]) -> Readings:
    read: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for row in study.workspace.query(_READ, chosen=pa.table({"image": list(images)})).to_pylist():
        read[row["annotator"], row["attribute"]][row["image"]] = row["place"]
    return read


def _known(number: float) -> float | None:
    return number if math.isfinite(number) else None
