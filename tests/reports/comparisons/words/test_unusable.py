"""Sides of which no picture could be used: named with the reasons, and only they."""

from __future__ import annotations

from dataclasses import replace

from portrayal.records import Measurement
from portrayal.reports.comparisons.words.unusable import unusable_words

LOST = Measurement("representation", "missing", "A", "eye", group="refused: unsafe", value=1.0, n=60, missing=60)


def said(*rows: Measurement) -> str:
    return unusable_words(rows, ["A", "B"]).replace("\xa0", " ")


def test_sides_without_a_usable_picture_are_named_with_the_reasons() -> None:
    other = (
        replace(LOST, generator="B", group="no_face", missing=40, value=0.4),
        replace(LOST, generator="B", missing=20),
    )
    assert said(LOST, *other) == (
        "no picture of A could be used (refused: unsafe 60) and no picture of B could be used (no face 40, refused: "
        "unsafe 20)"
    )


def test_a_side_with_any_number_is_not_named() -> None:
    share = Measurement("representation", "share", "A", "eye", "gender", "female", value=0.5, n=1)
    assert said(LOST, share) == ""
    assert said() == ""


def test_reasons_count_each_picture_once_whoever_looked() -> None:
    terms = replace(LOST, level="term", item="CEO")
    assert said(LOST, replace(LOST, annotator="other"), terms) == "no picture of A could be used (refused: unsafe 60)"


def test_what_could_not_be_told_of_an_attribute_is_a_reason_too() -> None:
    untold = replace(LOST, attribute="gender", group="undecided", missing=30)
    assert said(untold, replace(untold, attribute="age3", missing=20)).endswith("30)")
