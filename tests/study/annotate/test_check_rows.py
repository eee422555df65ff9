"""Rows of annotators are checked before anything is stored."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.samples.deadly import Looker

from portrayal.records import Abstention, Observation
from portrayal.study.annotate.ask_annotator import check_rows

LOOKER = Looker()
SEEN = Observation("a", LOOKER.name, 0, "gender", mass=(1.0, 0.0))


@pytest.mark.parametrize(
    "row",
    [
        SEEN,
        replace(SEEN, image="b", mass=None, value=1.0),
        replace(SEEN, attribute="person", mass=(0.9, 0.1)),
        Abstention("a", LOOKER.name, "no_face"),
        Abstention("a", LOOKER.name, "too_dark", 0, "gender"),
    ],
)
def test_a_row_is_taken(row: Any) -> None:
    check_rows(LOOKER, ["a", "b"], [row])


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (None, "it gave None; give Observation(image.id, …) or Abstention(image.id, …)"),
        ("female", "it gave 'female'; give Observation("),
        (replace(SEEN, image="c"), "it speaks of the image 'c', which it was not shown; give image.id"),
        (replace(SEEN, annotator="other"), "it calls itself 'other' and is 'looker@1'; give self.name"),
        (replace(SEEN, attribute="nope"), "it tells 'nope', which is none of its attributes: person, gender"),
        (Abstention("a", LOOKER.name, "dark", 0, "nope"), "it tells 'nope', which is none of its attributes"),
        (replace(SEEN, mass=(1.0,)), "its masses of gender: 1, and there are 2 groups"),
    ],
)
def test_a_row_that_nobody_could_read_is_refused(row: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError)) as refused:
        check_rows(LOOKER, ["a", "b"], [SEEN, row])
    assert message in str(refused.value)
