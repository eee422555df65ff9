"""Labels of a part of the images correct what others read, and count among no comparisons; labels of all do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from portrayal.records import Measurement
from portrayal.reports.counted_rows import speaking_rows
from portrayal.reports.reading_errors import LabelledPart

READ = Measurement("representation", "share", "g", "eye", "gender", "female", value=0.4, n=60)
TOLD = replace(READ, annotator="people", value=0.6, n=5, missing=55)
LOST = Measurement("representation", "missing", "g", "people", group="not_annotated", value=55 / 60, n=60, missing=55)
REFUSED = replace(LOST, annotator="", group="refused")
AGE = replace(READ, attribute="age3", group="young")
PART, ALL = (LabelledPart("people", {"g": (labelled, 60)}) for labelled in (5, 60))


@pytest.mark.parametrize(
    ("labelled", "left_out"),
    [(None, []), (PART, [TOLD, LOST]), (ALL, [READ, LOST]), (replace(PART, annotator="nobody"), [])],
)
def test_who_speaks_for_the_images(labelled: LabelledPart | None, left_out: list[Measurement]) -> None:
    """Five labels of 60 pictures doubled the comparisons, and made 55 pictures missing ones."""
    rows = [READ, TOLD, LOST, REFUSED, AGE]
    assert speaking_rows(rows, labelled) == [row for row in rows if row not in left_out]


def test_labels_of_what_nobody_else_tells_stand() -> None:
    smile = replace(TOLD, attribute="smiling", group="smiling")
    assert speaking_rows([READ, TOLD, smile], PART) == [READ, smile]
    assert speaking_rows([AGE, TOLD], PART) == [AGE, TOLD]


def test_of_labels_of_everything_the_missing_ones_are_theirs() -> None:
    read_lost = replace(LOST, annotator="eye")
    assert speaking_rows([READ, TOLD, LOST, read_lost], ALL) == [TOLD, LOST]
    assert speaking_rows([READ, TOLD, LOST, read_lost], PART) == [READ, read_lost]
