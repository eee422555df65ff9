"""What BAFIS tells first."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from portrayal.language.translation import NBSP
from portrayal.methods.bafis.report.section import BafisSection
from portrayal.records import Measurement, attribute_table
from portrayal.reports import FaceView, Perceived, Picture, ReportData
from portrayal.reports.findings.first_screen import first_screen

PNG = b"\x89PNG\r\n\x1a\n"


def row(**more: Any) -> Measurement:
    values = {"annotator": "a", "attribute": "gender", "group": "female", "value": 0.1, "low": 0.05, "high": 0.2,
              "target": 0.5, "n": 400, "prompts": 40, "language": "en"}  # fmt: skip
    return Measurement("bafis", "share", "g", **{**values, **more})


def data(*rows: Measurement) -> ReportData:
    prompts = [
        ("nurse", "care", "a nurse"), ("mason", "building", "a mason"), ("mason", "building", "ein Maurer"),
        ("roofer", "building", "a roofer"),
    ]  # fmt: skip
    seen = [FaceView(None, [Perceived("gender", "male", 0.9)])]
    pictures = [
        Picture(term, text, "g", 1, "ab", PNG + text.encode(), 4, 4, seen, language=language)
        for (term, _, text), language in zip(prompts, ("en", "en", "de", "en"), strict=True)
    ]
    attributes = {"gender": attribute_table()["gender"]}
    return ReportData("T", ["g"], ["a"], prompts, 1, attributes, rows, {}, {}, pictures=pictures)


def test_categories_and_languages_are_named_and_shown_with_their_own_pictures() -> None:
    own = data(
        row(), row(level="category", item="building"), row(level="term", item="mason", n=80),
        row(language="de", value=0.45, low=0.3, high=0.6),
    )  # fmt: skip
    (model,) = first_screen(own, BafisSection().deviations(own), ()).models
    assert [told.about for told in model.first] == [
        "All prompts (English) · perceived gender",
        "Building (English) · perceived gender",
        "Mason (English) · perceived gender",
    ]
    shown = [[thumb.thumbnail for thumb in told.pictures] for told in model.first]
    assert shown == [
        [PNG + b"a nurse", PNG + b"a mason", PNG + b"a roofer"],
        [PNG + b"a mason", PNG + b"a roofer"],
        [PNG + b"a mason"],
    ]  # fmt: skip


def test_a_category_of_one_occupation_is_not_compared_twice() -> None:
    rows = data(row(level="category", item="care"), row(level="term", item="nurse"))
    assert [own.subject[2:4] for own in BafisSection().deviations(rows)] == [("term", "nurse")]


def test_what_the_language_changes_is_said_in_points() -> None:
    paired = Measurement(
        "bafis", "paired_difference", "g", "a", "gender", "female", reference="en direct", value=-0.2, low=-0.3,
        high=-0.1, n=120, prompts=30, language="de", variant="direct",
    )  # fmt: skip
    rows = data(paired)
    ((statement,),) = [model.first for model in first_screen(rows, BafisSection().deviations(rows), ()).models]
    assert statement.about == "German and English · perceived gender"
    assert statement.sentence.replace(NBSP, " ") == (
        "The share perceived as female is 20 points lower in German than in English"
    )
    assert "120 pairs of pictures with the same seed" in statement.basis.replace(NBSP, " ")
    wording = replace(paired, reference="de direct", variant="indirect")
    assert list(BafisSection().deviations(data(wording))) == []  # wordings are compared in the section


def test_single_wordings_are_not_compared_here() -> None:
    assert list(BafisSection().deviations(data(row(variant="feminine")))) == []


def test_where_a_feminine_form_was_asked_for_too_the_others_are_not_called_all() -> None:
    own = data(row(), row(variant="feminine"))
    (model,) = first_screen(own, BafisSection().deviations(own), ()).models
    assert [told.about for told in model.first] == ["All neutral wordings (English) · perceived gender"]
