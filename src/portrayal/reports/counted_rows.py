"""Whose numbers speak for the images: labels of a part of them correct what others read, and are no further reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from portrayal.records import Measurement
from portrayal.reports.data import ReportData
from portrayal.reports.reading_errors import LabelledPart

__all__ = ["counted_rows", "is_partly_labelled", "speaking_rows"]


def is_partly_labelled(data: ReportData, annotator: str) -> bool:
    """Return whether these are labels of a part of the images: the others are not missing, nobody labelled them."""
    return data.labelled is not None and annotator == data.labelled.annotator and not data.labelled.is_all


def counted_rows(data: ReportData) -> ReportData:
    """Return the page's data with the rows that speak for the images: see :func:`speaking_rows`."""
    rows = speaking_rows(data.measurements, data.labelled)
    if len(rows) == len(data.measurements):
        return data
    seen = {row.annotator for row in rows}
    return replace(data, measurements=rows, annotators=[name for name in data.annotators if name in seen])


def speaking_rows(rows: Sequence[Measurement], labelled: LabelledPart | None) -> list[Measurement]:
    """Return the rows of those who speak for all images.

    Labels are the truth for the images they cover. Of a part of these they say how others err, which corrects what the
    others read; beside them they would be counted twice. Labels of all images leave nothing to read.
    """
    if labelled is None:
        return list(rows)
    people, is_all = labelled.annotator, labelled.is_all
    by_people, by_others = (
        {row.attribute for row in rows if (row.annotator == people) is wanted and row.value is not None}
        for wanted in (True, False)
    )
    both = {name for name in by_people & by_others if name}

    def speaks(row: Measurement) -> bool:
        is_label = row.annotator == people
        if not row.attribute:
            return not row.annotator or is_label is (is_all and by_others <= by_people)
        return row.attribute not in both or is_label is is_all

    return [row for row in rows if speaks(row)] if both else list(rows)
