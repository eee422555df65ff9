"""The section on annotators' errors: what becomes of each finding, the doubtful ones first."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from typing import Any

import pytest

from portrayal.records import Measurement, attribute_table
from portrayal.reports import ReportData, render_report
from portrayal.reports.corrected_difference import CorrectedDifference
from portrayal.reports.corrected_share import CorrectedShare
from portrayal.reports.sections import annotator_errors as module
from portrayal.reports.sections.annotator_errors import annotator_errors


def row(item: str, group: str = "female", **more: Any) -> Measurement:
    numbers: dict[str, Any] = {"value": 0.2, "low": 0.15, "high": 0.26, "target": 0.4, "n": 200, "worth": 200.0, **more}
    about: dict[str, Any] = {
        "attribute": "gender",
        "group": group,
        "level": "term",
        "item": item,
        "reference": "census",
    }
    return Measurement("representation", "share", "g", "a", **about, **numbers)


def put_right(
    seen: Measurement, low: float, high: float, way: Any = "matrix", *, decides: bool = True
) -> CorrectedShare:
    return CorrectedShare(seen, way, (low + high) / 2, low, high, 60, decides=decides)


def data(*corrections: CorrectedShare, **more: Any) -> ReportData:
    base = ReportData(
        "T", ["g"], ["a"], [("CEO", "office", "a CEO")], 60, {"gender": attribute_table()["gender"]},
        [share.seen for share in corrections], {"g": {"made": 200}}, {}, judged={"a": 200}, perceived={"a": 200},
        reference_sources={"census": "a census"}, corrections=corrections,
    )  # fmt: skip
    return replace(base, **more)


def section(page: ReportData) -> str:
    part = render_report(page).split('<section id="errors">')[1].split("</section>")[0]
    text = re.sub(r"<[^>]+>", " ", re.sub(r"</?span[^>]*>", "", part))
    return re.sub(r"\s+", " ", html.unescape(text)).replace("\xa0", " ")


STANDS = put_right(row("CEO"), 0.2, 0.3)
GONE = put_right(row("nurse"), 0.3, 0.5)
TURNED = put_right(row("pilot"), 0.5, 0.6)
NEW = put_right(row("chef", low=0.1, high=0.5), 0.1, 0.3)
OPEN = put_right(row("judge", low=0.1, high=0.5), 0.1, 0.5)


def test_an_interval_that_is_wider_than_it_need_be_has_the_sign_and_it_is_explained() -> None:
    wide = replace(put_right(row("CEO"), 0.2, 0.3, "sample"), wide=True)
    assert "25 % (20–30 %\N{SUPERSCRIPT PLUS SIGN})" in section(data(wide))
    assert "\N{SUPERSCRIPT PLUS SIGN} This interval is wider than it need be" in section(data(wide))
    assert "\N{SUPERSCRIPT PLUS SIGN}" not in section(data(STANDS))


def test_what_does_not_survive_comes_first() -> None:
    found = annotator_errors(data(STANDS, OPEN, GONE, NEW, TURNED))
    assert found is not None
    assert [line.about.split(" ")[0] for line in found.lines] == ["Pilot", "Nurse", "Chef", "CEO", "Judge"]
    assert [line.doubtful for line in found.lines] == [True, True, False, False, False]
    assert found.sentence.replace("\xa0", " ") == (
        "Deviations from the reference that survive the correction: 1 of 3. 1 changes to the other side of the "
        "reference. 1 deviation appears only after it."
    )


def test_where_there_was_no_finding_it_says_so() -> None:
    found = annotator_errors(data(OPEN))
    assert found is not None
    assert found.sentence == "Before the correction no share differs from its reference by its interval."


def test_both_ways_stand_in_one_line() -> None:
    seen = row("CEO")
    both = [put_right(seen, 0.25, 0.35, decides=False), put_right(seen, 0.3, 0.5, "sample")]
    text = section(data(*both))
    assert "CEO · perceived gender: female does not survive 20 % (15–26 %) 30 % (25–35 %) 40 % (30–50 %) 40 %" in text
    assert "not available" not in text
    assert "not available" in section(data(GONE))


def test_nothing_is_shown_where_nothing_decides_or_nothing_is_compared() -> None:
    assert annotator_errors(data()) is None
    assert annotator_errors(data(replace(GONE, decides=False))) is None
    assert annotator_errors(data(put_right(row("CEO", target=None), 0.1, 0.2))) is None
    assert '<section id="errors">' not in render_report(data())


def test_of_two_groups_one_stands_for_both() -> None:
    found = annotator_errors(
        data(GONE, put_right(row("nurse", "male", value=0.8, low=0.74, high=0.85, target=0.6), 0.5, 0.7))
    )
    assert found is not None
    assert [line.about for line in found.lines] == ["Nurse · perceived gender: female"]


def test_what_is_not_listed_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LISTED", 2)
    assert "3 further shares are not listed" in section(data(STANDS, OPEN, GONE, NEW, TURNED))


def test_errors_that_differ_between_prompts_are_said() -> None:
    uneven = [replace(GONE, decides=False, uneven=True), replace(STANDS, way="sample", uneven=True)]
    text = section(data(*uneven))
    assert "The errors of a, perceived gender differ between prompts or models by more than chance explains." in text
    assert "CEO · perceived gender: female survives" in text
    assert "Nurse" not in text
    alone = section(data(uneven[0]))
    assert "No share can be corrected by these labels." in alone
    assert "The deviation" not in alone
    assert "differ between prompts" not in section(data(GONE))


def test_labels_that_were_chosen_are_said_to_decide_nothing() -> None:
    text = section(data(replace(GONE, decides=False, chosen=True)))
    assert "The labelled pictures were not chosen at random:" in text
    assert "by more than chance explains (a, perceived gender)." in text
    assert "Nurse" not in text
    assert "not chosen at random:" not in section(data(GONE))
    german = section(data(replace(GONE, decides=False, chosen=True), language="de"))
    assert "nicht zufällig ausgewählt" in german


def test_in_german() -> None:
    text = section(data(GONE, STANDS, language="de"))
    assert "Abweichungen von der Referenz, die der Berichtigung standhalten: 1 von 2." in text
    assert "hält nicht stand" in text


def two_models(low: float, high: float, value: float | None = 0.02) -> ReportData:
    """Return a page of two models that differ as they were read, with the difference corrected."""
    sides = []
    for generator, share in (("g", 0.2), ("h", 0.5)):
        numbers: dict[str, Any] = {"value": share, "low": share - 0.07, "high": share + 0.07}
        both = [replace(row("CEO", **numbers), generator=generator)]
        numbers = {"value": 1 - share, "low": 0.93 - share, "high": 1.07 - share, "target": 0.6}
        both.append(replace(row("CEO", "male", **numbers), generator=generator))
        sides.append([put_right(each, 0.3, 0.4) for each in both])
    corrected = CorrectedDifference(sides[0][0], sides[1][0], "matrix", value, low, high)
    page = data(*sides[0], *sides[1], corrected_differences=[corrected])
    return replace(page, generators=["g", "h"], outcomes={"g": {"made": 200}, "h": {"made": 200}})


def first_screen(page: ReportData) -> str:
    text = render_report(page).split('<section id="errors">')[0]
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", "", text))).replace("\xa0", " ")


def test_a_difference_that_does_not_survive_is_told_first_and_in_the_table() -> None:
    page = two_models(-0.05, 0.09)
    assert "Differences between models that survive the correction: 0 of 1." in section(page)
    assert "g less h" in section(page)
    assert "does not survive: corrected for the annotator’s errors (60 labelled pictures) it is +2 points" in (
        first_screen(page)
    )
    assert "which does not exclude 0" in first_screen(page)


def test_a_difference_that_turns_round_says_so() -> None:
    assert "the other way round" in first_screen(two_models(0.01, 0.09))


def test_a_difference_that_nothing_is_left_to_know_of_says_so() -> None:
    assert "too much alike for any difference to be known" in first_screen(two_models(-1.0, 1.0, None))


def test_a_difference_that_survives_is_only_in_the_table() -> None:
    page = two_models(-0.5, -0.3, -0.4)
    assert "survive the correction: 1 of 1." in section(page)
    assert "does not survive: corrected for the annotator’s errors (60 labelled pictures) it is" not in first_screen(
        page
    )


def test_where_no_difference_is_corrected_nothing_is_said_of_differences() -> None:
    assert "Differences between models" not in section(data(STANDS))
