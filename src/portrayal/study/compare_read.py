"""What several annotators said about the same people, side by side; a slice of the images at a time.

Of an image that a prompt of one person is about, only one described person counts, whatever number it has. Of two
people asked for, subject 0 stands at the left and subject 1 at the right, so equal numbers mean the same person.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from portrayal.records import PERSON, SIDES
from portrayal.stats.intervals import Array
from portrayal.study.compare_panel import Panel
from portrayal.study.pivot import Ints
from portrayal.study.study import Study

__all__ = ["CLUSTERS", "Reader", "Seen"]

CLUSTERS = 1024
"""Prompts beyond this number are put together at random, which keeps memory small and intervals right."""
ROWS = 4_000_000
"""About as many observations are held at a time."""
TIE, SEVERAL, UNSEEN, NOTHING = "tie", "several_people", "not annotated", "nothing_observed"

_NUMBERS = ("number", "rater", "subject", "attribute", "label", "value")
_IMAGE, _OTHER, _PERSON = -1, -2, -3
_TIED = -2
_PROMPTS = """
    SELECT jobs.prompt, coalesce(any_value(prompts.people), 1) AS people FROM jobs
    JOIN (SELECT job FROM outcomes WHERE status = 'made') AS made ON made.job = jobs.id
    LEFT JOIN prompts ON prompts.id = jobs.prompt GROUP BY ALL ORDER BY ALL
"""
_PICTURES = """
    SELECT image, CAST({cluster} AS INTEGER) AS cluster, CAST(people AS INTEGER) AS people FROM (
        SELECT image, min(prompt) AS prompt FROM outcomes JOIN jobs ON jobs.id = outcomes.job
        WHERE status = 'made' AND hash(image) % {slices} = {slice} GROUP BY image
    ) JOIN (SELECT prompt, people, (row_number() OVER (ORDER BY prompt) - 1) % {clusters} AS own FROM asked_prompts)
    USING (prompt)
"""
# A mass whose largest part stands there twice says nothing of which group it is.
_ROWS = f"""
    SELECT CAST(number AS INTEGER) AS number, CAST(rater AS TINYINT) AS rater,
           CAST(coalesce(subject, {_IMAGE}) AS INTEGER) AS subject,
           CAST(CASE WHEN attribute IS NULL THEN {_IMAGE} ELSE coalesce(place, {_OTHER}) END AS INTEGER) AS attribute,
           CAST(CASE WHEN len(mass) IS DISTINCT FROM size OR isnan(list_max(mass)) THEN -1
                     WHEN list_position(mass, list_max(mass)) + list_position(list_reverse(mass), list_max(mass))
                          <> size + 1 THEN {_TIED}
                     ELSE coalesce(list_position(mass, list_max(mass)) - 1, -1) END AS TINYINT) AS label,
           CASE WHEN isfinite(value) THEN value END AS value, reason
    FROM observations JOIN pictures USING (image) JOIN raters USING (annotator) LEFT JOIN wanted USING (attribute)
"""


@dataclass(frozen=True, slots=True)
class Seen:
    """A slice of the images as all annotators saw them.

    ``labels`` (annotators, grouped attributes, images, 2) are places of groups, or -1; ``values`` likewise for numeric
    attributes, or nan. ``reasons`` (annotators, attributes, images) tell why there is nothing, where there is nothing.
    """

    labels: NDArray[np.int8]
    values: Array
    reasons: NDArray[np.int16]
    looked: NDArray[np.bool_]
    cluster: Ints


@dataclass
class Reader:
    """Reads the planned images of a study for one panel. ``names`` are the reasons met so far, by their number."""

    study: Study
    panel: Panel
    names: dict[str, int] = field(default_factory=lambda: {NOTHING: 0, TIE: 1, SEVERAL: 2, UNSEEN: 3})

    @cached_property
    def prompts(self) -> pa.Table:
        """The prompts that have images, and how many people each asks for."""
        return self.study.workspace.query(_PROMPTS)

    @property
    def clusters(self) -> int:
        """How many clusters there may be: prompts, or where there is but one, images."""
        return min(self.prompts.num_rows, CLUSTERS) if self.prompts.num_rows > 1 else CLUSTERS

    def slices(self) -> Iterator[Seen]:
        """Yield all images, so many at a time that about ``ROWS`` observations are about them."""
        slices = max(1, math.ceil(self.study.workspace.tables["observations"].count() / ROWS))
        cluster = "own" if self.prompts.num_rows > 1 else f"(hash(image) >> 16) % {CLUSTERS}"
        for number in range(slices):
            sql = _PICTURES.format(cluster=cluster, clusters=CLUSTERS, slices=slices, slice=number)
            pictures = self.study.workspace.query(sql, asked_prompts=self.prompts)
            if pictures.num_rows:
                yield self._arrange(self._rows(pictures), _Pictures.of(pictures))

    def _rows(self, pictures: pa.Table) -> dict[str, Any]:
        numbered = pa.table({"image": pictures["image"], "number": pa.array(np.arange(pictures.num_rows))})
        annotators, attributes = self.panel.annotators, self.panel.attributes
        numbers = {PERSON: _PERSON, **{attribute.name: place for place, attribute in enumerate(attributes)}}
        sizes = {attribute.name: len(attribute.groups) or None for attribute in attributes}
        wanted = {
            "attribute": pa.array(list(numbers), pa.string()),
            "place": pa.array(list(numbers.values()), pa.int32()),
            "size": pa.array([sizes.get(name) for name in numbers], pa.int32()),
        }
        raters = {"annotator": pa.array(list(annotators)), "rater": pa.array(np.arange(len(annotators)))}
        rows = self.study.workspace.query(_ROWS, pictures=numbered, raters=pa.table(raters), wanted=pa.table(wanted))
        reason = rows["reason"].combine_chunks().dictionary_encode()
        codes = [self.names.setdefault(name, len(self.names)) for name in reason.dictionary.to_pylist()]
        places = reason.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        return {**{name: rows[name].to_numpy() for name in _NUMBERS}, "reason": np.array([*codes, -1])[places]}

    def _arrange(self, rows: dict[str, Any], pictures: _Pictures) -> Seen:
        raters, images = len(self.panel.annotators), len(pictures.cluster)
        rater, number, attribute, subject = (rows[name] for name in ("rater", "number", "attribute", "subject"))
        person = next((place for place, own in enumerate(self.panel.grouped) if own.name == PERSON), _PERSON)
        described = (subject >= 0) & (attribute != _IMAGE) & (attribute != person)
        lowest, highest = _extent(raters, images, rater[described], number[described], subject[described])
        two = pictures.people > 1
        # Of two people the number tells the side; of one it may be any, as people too small to judge are counted too.
        place = np.where(two[number], subject, subject > lowest[rater, number])
        place = np.where(attribute == person, 0, place)
        several = np.where(two, highest >= len(SIDES), highest > lowest)
        blocked = np.where(several, self.names[SEVERAL], -1)
        whole = (subject == _IMAGE) & (rows["reason"] >= 0)
        blocked[rater[whole], number[whole]] = rows["reason"][whole]
        looked = np.zeros((raters, images), dtype=bool)
        looked[rater, number] = True
        told = (attribute >= 0) & (subject >= 0) & (place < len(SIDES))
        labels, values = self._tables(rows, told, place, images)
        free = [own.name == PERSON for own in self.panel.grouped]
        labels[(blocked[:, None] >= 0) & ~np.array(free, dtype=bool)[:, None]] = -1
        values[np.broadcast_to(blocked[:, None] >= 0, values.shape[:-1])] = np.nan
        reasons = self._reasons(rows, blocked, looked)
        return Seen(labels, values, reasons, looked, pictures.cluster)

    def _tables(self, rows: dict[str, Any], told: Any, place: Ints, images: int) -> tuple[NDArray[np.int8], Array]:
        raters, grouped = len(self.panel.annotators), len(self.panel.grouped)
        rater, attribute, number = (rows[name] for name in ("rater", "attribute", "number"))
        labels = np.full((raters, grouped, images, len(SIDES)), -1, dtype=np.int8)
        own = np.flatnonzero(told & (rows["label"] >= 0))
        labels[rater[own], attribute[own], number[own], place[own]] = rows["label"][own]
        values = np.full((raters, len(self.panel.numeric), images, len(SIDES)), np.nan)
        own = np.flatnonzero(told & (attribute >= grouped))
        values[rater[own], attribute[own] - grouped, number[own], place[own]] = rows["value"][own]
        return labels, values

    def _reasons(self, rows: dict[str, Any], blocked: Ints, looked: NDArray[np.bool_]) -> NDArray[np.int16]:
        """Return why there may be nothing; a reason about the whole image comes before one about an attribute."""
        shape = (len(self.panel.annotators), len(self.panel.attributes), looked.shape[1])
        reasons = np.full(shape, self.names[NOTHING], dtype=np.int16)
        rater, number, attribute, reason = (rows[name] for name in ("rater", "number", "attribute", "reason"))
        tied = (attribute >= 0) & (rows["label"] == _TIED)
        reasons[rater[tied], attribute[tied], number[tied]] = self.names[TIE]
        nobody = (attribute == _IMAGE) & (reason >= 0)
        reasons[rater[nobody], :, number[nobody]] = reason[nobody, None]
        single = (attribute >= 0) & (reason >= 0)
        reasons[rater[single], attribute[single], number[single]] = reason[single]
        reasons = np.where(blocked[:, None] >= 0, blocked[:, None], reasons)
        return np.where(looked[:, None], reasons, self.names[UNSEEN]).astype(np.int16)


@dataclass(frozen=True, slots=True)
class _Pictures:
    cluster: Ints
    people: Ints

    @classmethod
    def of(cls, table: pa.Table) -> _Pictures:
        return cls(*(table[name].to_numpy().astype(np.int64) for name in ("cluster", "people")))


def _extent(raters: int, images: int, rater: Ints, number: Ints, subject: Ints) -> tuple[Ints, Ints]:
    """Return the lowest and the highest number of the people that each annotator describes in each image."""
    lowest = np.full((raters, images), np.iinfo(np.int32).max, dtype=np.int64)
    highest = np.full((raters, images), -1, dtype=np.int64)
    np.minimum.at(lowest, (rater, number), subject)
    np.maximum.at(highest, (rater, number), subject)
    return lowest, highest
