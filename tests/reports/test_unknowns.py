"""What the data cannot tell is said where it is so, and only there."""

from __future__ import annotations

from portrayal.reports import ReportData
from portrayal.reports.deviation import Deviation, Told
from portrayal.reports.first import FirstScreen, ModelFindings
from portrayal.reports.language import NBSP
from portrayal.reports.unknowns import unknowns


def data(**more: object) -> ReportData:
    known = {"judged": {"a": 10}, "perceived": {"a": 10}, "measurements": [object()], **more}
    return ReportData("T", ["g"], ["a"], [], 1, {}, outcomes=known.pop("outcomes", {}), abstentions={}, **known)  # type: ignore[arg-type]  # rows are only counted


def deviation(n: int, *sizes: float, broad: bool = False) -> Deviation:
    return Deviation("g", ("x",), 0.1, 0.5, broad, lambda: Told("", "", "", ()), "", n, lambda _: sizes)


def said(own: ReportData, *deviations: Deviation, asked: tuple[int, int] = (10, 10)) -> str:
    return " | ".join(unknowns(own, (deviations, FirstScreen((), (), 1, 0)), asked, [], [])).replace(NBSP, " ")


def test_how_large_a_deviation_must_be_to_be_told_is_the_median_of_those_compared() -> None:
    three = (deviation(10, 0.3, 0.4), deviation(20, 0.2, 0.3), deviation(30, 0.1), deviation(900, 0.01, broad=True))
    assert said(data(), *three) == (
        "A number about a part of the prompts rests on 20 images (the median). To be told here, after the correction "
        "for all comparisons, it must lie about 30 points off its reference (the median; 10 to 40, depending on the "
        "reference and the number of images). Of true deviations as large as that about half are told, of smaller ones "
        "fewer."
    )
    assert said(data(), deviation(900, 0.01, broad=True)) == ""


def test_where_single_images_can_show_no_deviation_no_size_is_promised() -> None:
    few = said(data(), deviation(1), deviation(1), deviation(8, 0.5))
    assert "rests on 1 image (the median). For at least half of these numbers that is too few" in few
    assert "points" not in few
    assert "too few" not in said(data(), deviation(1), deviation(8, 0.5), deviation(8, 0.5))


def test_what_annotators_contest_is_counted_and_only_then() -> None:
    told = [Told("", "", "", (), contested="b sees 5 %")] * 2
    first = FirstScreen([ModelFindings("g", told, (), 0, 9)], (), 9, 2)
    lines = unknowns(data(), ([deviation(9, broad=True)], first), (1, 1), [], [])
    assert [line.replace(NBSP, " ") for line in lines] == [
        "2 deviations told above are contested: another annotator does not see it. Which of them is right these data "
        "cannot tell."
    ]
    assert "contested" not in said(data(), deviation(9, broad=True))


def test_without_any_comparison_that_is_said() -> None:
    assert said(data()) == "No share was compared with a reference, so this page tells no deviation."
    assert said(data(measurements=[])) == ""


def test_images_that_do_not_exist_or_tell_nothing_are_counted() -> None:
    one = deviation(9, broad=True)
    outcomes = {"g": {"made": 9, "refused: content_policy": 2, "failed: timeout": 1}}
    assert said(data(outcomes=outcomes), one, asked=(12, 9)) == (
        "3 of 12 images are missing (refused: content policy 2, failed: timeout 1); the numbers speak of the others."
    )
    # Where there is none at all, no numbers speak of any.
    assert said(data(outcomes={"g": {"refused: content_policy": 12}}), one, asked=(12, 0)) == ""
    assert said(data(perceived={"a": 7}), one) == "a could tell nothing of 3 of 10 pictures."
    assert said(data(), one) == ""


def test_an_annotator_that_never_told_is_named() -> None:
    one = deviation(9, broad=True)
    assert said(data(judged={}, perceived={}), one) == "No annotation has come from a yet."
    assert said(data(judged={}, perceived={}), one, asked=(10, 0)) == ""
    assert said(data(perceived={}), one) == "a looked at 10 pictures and could tell nothing of any."


def test_what_must_be_said_of_attributes_and_what_was_not_measured_is_passed_on() -> None:
    lines = unknowns(
        data(),
        ([deviation(9, broad=True)], FirstScreen((), (), 1, 0)),
        (1, 1),
        ["perceived age"],
        ["Skin: read from pixels."],
    )
    assert lines == ["Not measured in this report: perceived age.", "Skin: read from pixels."]
