"""What people's labels make of a comparison of the models of one study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from portrayal.records import Measurement
from portrayal.reports.corrected_difference import CorrectedDifference, Place, differences_by_place
from portrayal.reports.corrected_share import CorrectedShare
from portrayal.reports.counted_rows import speaking_rows
from portrayal.reports.text.display_names import with_part_names
from portrayal.study.correction import reported_corrections, reported_differences
from portrayal.study.report.labelled_part import labelled_part
from portrayal.study.study import OpenStudy

__all__ = ["Labels", "rows_by_labels"]

Labels = tuple[Mapping[Place, CorrectedDifference], Sequence[CorrectedShare]]
"""What people's labels make of differences, and of the shares."""


def rows_by_labels(study: OpenStudy, rows: Sequence[Measurement]) -> tuple[list[Measurement], Labels | None]:
    """Return the rows that speak for the images, and what people's labels make of differences, where they correct any.

    Of two studies nothing is corrected: the labels of each say nothing of the other's pictures.
    """
    shares = reported_corrections(study)
    if not shares:
        return list(rows), None
    named = with_part_names(shares, reported_differences(study, shares), study.names)
    if part := labelled_part(study):
        rows = speaking_rows(rows, replace(part, annotator=study.names.annotator(part.annotator)))
    return list(rows), (differences_by_place(named[1]), named[0])
