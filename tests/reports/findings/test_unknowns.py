"""What the data cannot tell is said where it is so, and only there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from portrayal.language.translation import NBSP
from portrayal.records import Measurement
from portrayal.reports import ReportData
from portrayal.reports.findings.deviations.selection import select
from portrayal.reports.findings.first_screen import FirstScreen
from portrayal.reports.findings.unknowns import unknowns

if TYPE_CHECKING:
    from tests.reports.findings.conftest import Row, Said, StudyOf


def data(**more: Any) -> ReportData:
    known = {
        "judged": {"a": 10},
        "perceived": {"a": 10},
        "measurements": [Measurement("m", "share", "g", value=0.5)],
        **more,
    }
    return ReportData("T", ["g"], ["a"], [], 1, {}, outcomes=known.pop("outcomes", {}), abstentions={}, **known)


def lines(own: ReportData, asked: tuple[int, int] = (10, 10)) -> str:
    screen = FirstScreen(select([]), (), (), (), ())
    return " | ".join(unknowns(own, screen, asked, [], [])).replace(NBSP, " ")


def test_how_large_a_deviation_must_be_is_said_of_parts_of_the_prompts(share: Row, study: StudyOf, said: Said) -> None:
    rows = [share(12, 24, 0.5, item=f"job {own}") for own in range(12)]
    overall = share(144, 288, 0.5, level="overall", item="", prompts=12)
    text = said(study(*rows, overall))
    assert (
        "A typical comparison has 24 usable images: deviations of about 35 points from the reference are found half of "
        "the time, and 43 points nine times in ten. Smaller ones are usually missed." in text
    )
    alone = said(study(overall))
    assert "A typical comparison has 288 usable images: deviations of about 8 points from the reference are" in alone


def test_images_that_can_find_nothing_are_said_to_find_nothing(share: Row, study: StudyOf, said: Said) -> None:
    text = said(study(share(1, 2, 0.5), share(1, 2, 0.5, item="nurse")))
    assert "A typical comparison has 2 usable images: no deviation can be certain there, however large it is." in text
    assert "nine times in ten" not in text
    few = said(study(share(4, 8, 0.5)))
    assert "found half of the time, and 49 points nine times in ten" in few


def test_without_any_comparison_that_is_said() -> None:
    assert lines(data()) == "No number was compared with a reference, so this page shows no deviation."
    assert lines(data(measurements=[])) == ""


def test_images_that_do_not_exist_or_could_not_be_judged_are_counted() -> None:
    outcomes = {"g": {"made": 9, "refused: content_policy": 2, "failed: timeout": 1}}
    lost = "3 of 12 images are missing (refused: content policy 2, failed: timeout 1)"
    assert lines(data(outcomes=outcomes), (12, 9)).startswith("No number was compared")
    assert f"{lost}; the numbers speak of the others." in lines(data(outcomes=outcomes), (12, 9))
    # Without numbers none speak of the others, and that nothing was compared goes without saying.
    assert lines(data(outcomes=outcomes, measurements=[]), (12, 9)) == f"{lost}."
    for metric in ("missing", "fate", "redrawn"):
        account = Measurement("representation", metric, "g", value=1.0, n=9, missing=9)
        assert lines(data(outcomes=outcomes, measurements=[account]), (12, 9)) == f"{lost}."
    one = {"g": {"made": 9, "refused: content_policy": 1}}
    assert "1 of 10 images is missing (refused: content policy 1); the numbers" in lines(data(outcomes=one), (10, 9))
    assert lines(data(outcomes=one, measurements=[]), (10, 9)) == (
        "1 of 10 images is missing (refused: content policy 1)."
    )
    # Where there is none at all, no numbers speak of any.
    assert lines(data(outcomes={"g": {"refused: content_policy": 12}}, measurements=[]), (12, 0)) == ""
    assert lines(data(perceived={"a": 7}, measurements=[])) == "a could judge nothing in 3 of 10 pictures."


def test_an_annotator_that_never_answered_is_named() -> None:
    assert lines(data(judged={}, perceived={}, measurements=[])) == "No annotation has come from a yet."
    assert lines(data(judged={}, perceived={}, measurements=[]), (10, 0)) == ""
    assert lines(data(perceived={}, measurements=[])) == "a looked at 10 pictures and could judge none."


def test_what_must_be_said_of_attributes_and_what_was_not_measured_is_passed_on() -> None:
    screen = FirstScreen(select([]), (), (), (), ())
    found = unknowns(data(measurements=[]), screen, (1, 1), ["perceived age"], ["Skin: read from pixels."])
    assert found == ["Not measured in this report: perceived age.", "Skin: read from pixels."]
