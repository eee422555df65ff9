"""Differences that labels do not bear out are no findings, and those that they do are said with what is left."""

from __future__ import annotations

from dataclasses import replace

from tests.samples.compared_rows import compared, share

from portrayal.records import Measurement
from portrayal.reports.comparisons.by_labels import ByLabels, by_labels
from portrayal.reports.corrected_difference import CorrectedDifference, differences_by_place
from portrayal.reports.corrected_share import CorrectedShare

CEO = share("A", "CEO", 11, 100), share("B", "CEO", 47, 100)
NURSE = share("A", "nurse", 98, 100), share("B", "nurse", 56, 100)


def told(rows: tuple[Measurement, ...], low: float, high: float, value: float | None = None) -> ByLabels:
    """Return models compared where labels say how far the pictures of CEOs differ."""
    sides = [CorrectedShare(row, "sample", 0.3, 0.2, 0.4, 40, decides=True) for row in CEO]
    middle = (low + high) / 2 if value is None else value
    corrected = CorrectedDifference(sides[0], sides[1], "sample", middle, low, high)
    return by_labels(compared(*rows), differences_by_place([corrected]), sides)


def plain(lines: list[str]) -> str:
    return " | ".join(lines).replace("\xa0", " ")


def test_a_difference_that_labels_do_not_bear_out_stands_as_a_reading() -> None:
    """It stood first, as what the models draw, and what is left of it in small letters below."""
    gone = told((*CEO, *NURSE), -0.1, 0.2)
    assert [each.one.item for each in gone.borne_out.largest()] == ["nurse"]
    assert plain(gone.refuted()) == (
        "As read: CEO: a woman in 11 of 100 pictures by A, in 47 of 100 by B. Does not survive: corrected for the "
        "annotator’s errors (80 labelled pictures) it is +5 points (95 % interval −10 to +20), which does not exclude "
        "0."
    )
    assert "As read" not in gone.sentence(gone.borne_out.largest()[0])
    assert "That is as they were read: labels do not bear out 1 of them." in gone.summary()
    assert "nurse" in plain(gone.sentences()).lower()


def test_where_none_is_borne_out_nothing_is_certain() -> None:
    assert plain(told(CEO, -0.1, 0.2).nothing()) == ("Corrected by labels, no difference between A and B is certain.")
    assert told(NURSE, -0.1, 0.2).nothing() == []


def test_a_difference_that_stands_is_said_with_what_labels_leave_of_it() -> None:
    stands = told(CEO, -0.3, -0.1)
    [each] = stands.borne_out.largest()
    assert stands.sentence(each).replace("\xa0", " ") == (
        "As read: CEO: a woman in 11 of 100 pictures by A, in 47 of 100 by B. Corrected by 80 labelled pictures, the "
        "difference is −20 (−30 to −10) points."
    )
    assert stands.refuted() == []
    assert "labels do not bear out" not in stands.summary()


def test_which_model_is_nearer_is_not_said_of_what_was_misread() -> None:
    rows = tuple(replace(row, target=0.5, low=(row.value or 0) - 0.1, high=(row.value or 0) + 0.1) for row in CEO)
    assert by_labels(compared(*rows), {}, []).nearer()
    assert told(rows, -0.3, -0.1).nearer() == []


def test_a_score_of_shares_that_were_misread_is_no_difference() -> None:
    """How far both lie from a reference stood first once the shares behind it were gone."""
    row = share("A", "", 30, 100, metric="total_variation", group="", level="overall", worth=None)
    scores = replace(row, value=0.4, low=0.35, high=0.45), replace(row, generator="B", value=0.02, low=0.0, high=0.08)
    assert len(by_labels(compared(*scores), {}, []).borne_out.largest()) == 1
    misread = told((*CEO, *scores), -0.1, 0.2)
    assert misread.borne_out.largest() == []
    [doubt] = [misread.doubt(each) for each in misread.read.every() if not each.one.group]
    assert doubt == "as read: by the labels pictures were misread, and how far this score moves is not known"
