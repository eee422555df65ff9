"""What is missing of a model's pictures, in its own box."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from portrayal.records import Measurement
from portrayal.reports.findings.missing_words import missing_lines
from portrayal.reports.language import NBSP

if TYPE_CHECKING:
    from tests.reports.findings.conftest import Row, StudyOf


def lost(reason: str, missing: int, n: int, item: str = "", **more: Any) -> Measurement:
    level = "term" if item else "overall"
    return Measurement(
        "representation", "missing", "g", "a", group=reason, level=level, item=item, n=n, missing=missing, **more
    )


def lines(study: StudyOf, *rows: Measurement) -> list[str]:
    asked = {"g": {"nurse": 30, "diver": 30}}
    data = study(*rows, outcomes={"g": {"made": 57, "refused: policy": 3}}, asked=asked)
    return [line.replace(NBSP, " ") for line in missing_lines(data, "g")]


def test_reasons_and_the_worst_term_are_named(study: StudyOf) -> None:
    rows = [
        lost("no_face", 10, 60), lost("refused: policy", 3, 60),
        lost("no_face", 9, 30, "diver"), lost("no_face", 1, 30, "nurse"), lost("refused: policy", 3, 30, "nurse"),
    ]  # fmt: skip
    assert lines(study, *rows) == [
        "13 of 60 pictures do not count (no face 10, refused: policy 3). Most of them in “diver”: 9 of 30."
    ]


def test_one_picture_is_one(study: StudyOf) -> None:
    assert lines(study, lost("no_face", 1, 60), lost("no_face", 1, 30, "diver")) == [
        "1 of 60 pictures does not count (no face), in “diver”."
    ]


def test_many_reasons_are_added_up(study: StudyOf) -> None:
    rows = [
        lost(name, 10 - place, 60) for place, name in enumerate(("no_face", "tiny_face", "tie", "pending", "other"))
    ]
    (line,) = lines(study, *rows)
    assert "(no face 10, tiny face 9, tie 8, others 13)" in line


def test_nothing_missing_is_nothing_to_say(study: StudyOf, share: Row) -> None:
    assert lines(study, share()) == []


def test_attributes_and_other_models_are_no_pictures(study: StudyOf) -> None:
    of_age, other = replace(lost("tie", 5, 60), attribute="age3"), replace(lost("no_face", 5, 60), generator="h")
    assert lines(study, of_age, other) == []
