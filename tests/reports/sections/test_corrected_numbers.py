"""Distances before and after the correction: those that do not survive first, and no value where 0 is possible."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from portrayal.language.translation import speaking
from portrayal.records import Measurement, attribute_table
from portrayal.reports import ReportData
from portrayal.reports.corrected_share import CorrectedScore
from portrayal.reports.findings.words.correction_words import distance_does_not_survive
from portrayal.reports.sections.corrected_numbers import score_errors


def score(item: str, seen: tuple[float, float], after: tuple[float, float], **more: Any) -> CorrectedScore:
    about: dict[str, Any] = {"attribute": "gender", "level": "term", "item": item, "n": 200}
    metric = more.pop("metric", "total_variation")
    numbers: dict[str, Any] = {"value": sum(seen) / 2, "low": seen[0], "high": seen[1]}
    row = Measurement("representation", metric, "g", "a", **about, **numbers)
    facts: dict[str, Any] = {"decides": True, **more}
    return CorrectedScore(row, "matrix", sum(after) / 2, after[0], after[1], 60, **facts)


STANDS = score("CEO", (0.1, 0.3), (0.05, 0.35))
GONE = score("nurse", (0.1, 0.3), (0.0, 0.22))
NEW = score("chef", (0.0, 0.1), (0.02, 0.3))
OPEN = score("judge", (0.0, 0.1), (0.0, 0.3))


def data(*scores: CorrectedScore) -> ReportData:
    return ReportData(
        "T", ["g"], ["a"], [("CEO", "office", "a CEO")], 60, {"gender": attribute_table()["gender"]}, [],
        {"g": {"made": 200}}, {}, corrected_scores=scores,
    )  # fmt: skip


def test_what_does_not_survive_comes_first_and_is_at_most() -> None:
    found = score_errors(data(OPEN, STANDS, NEW, GONE))
    assert found is not None
    assert found.sentence.replace("\xa0", " ") == (
        "Distances from the reference that survive the correction: 1 of 2. 1 distance appears only after it."
    )
    assert [line.becomes for line in found.lines] == [
        "does not survive", "appears", "survives", "undecided before and after"
    ]  # fmt: skip
    assert [line.doubtful for line in found.lines] == [True, False, False, False]
    assert (found.lines[0].seen, found.lines[0].corrected) == ("0.20 (0.10 to 0.30)", "at most 0.22")
    assert found.lines[1].seen == "at most 0.10"
    assert found.lines[0].about == "Nurse · perceived gender: total variation"


def test_where_no_distance_was_sure_it_says_so() -> None:
    found = score_errors(data(OPEN))
    assert found is not None
    assert found.sentence == "As it was read, no distance from a reference is surely above 0."


def test_a_correction_that_decides_nothing_and_other_scores_are_left_out() -> None:
    difference = score("CEO", (0.1, 0.3), (0.0, 0.2), metric="difference")
    assert score_errors(data(replace(GONE, decides=False), difference)) is None


def test_in_german() -> None:
    with speaking("de"):
        found = score_errors(data(GONE))
    assert found is not None
    assert found.sentence.endswith("die der Berichtigung standhalten: 0 von 1.")
    assert found.lines[0].corrected == "höchstens 0,22"


def test_beside_a_distance_it_is_said_only_if_that_one_does_not_survive() -> None:
    said = distance_does_not_survive([STANDS, GONE], [None, GONE.seen])
    assert said.replace("\xa0", " ") == (
        "This distance does not survive the correction for the annotator’s errors (60 labelled pictures): it may be 0, "
        "and is at most 0.22."
    )
    assert distance_does_not_survive([STANDS, GONE], [STANDS.seen]) == ""
    assert distance_does_not_survive([replace(GONE, decides=False)], [GONE.seen]) == ""
