"""A report in another language: its words, its numbers, its notes."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from portrayal.language.translation import digits, speaking, spoken, t, word
from portrayal.records import Attribute, Measurement, attribute_table
from portrayal.reports import FaceView, Perceived, Picture, ReportData, render_report
from portrayal.reports.text.words import count, decimal, join, percent, percent_range, points, score, signed


def test_the_page_says_its_language_and_writes_numbers_in_it(sample: ReportData) -> None:
    page = render_report(replace(sample, language="de"))
    assert '<html lang="de">' in page
    assert "Diese Seite zeigt 30 von 1.071\N{NO-BREAK SPACE}erzeugten Bildern" in page
    assert '<a href="#terms">Begriff für Begriff</a>' in page
    assert "Wahrgenommenes Geschlecht" in page
    assert "kindergarten teacher" in page
    assert '<html lang="en">' in render_report(sample)


def test_a_mean_is_a_german_sentence() -> None:
    values: dict[str, Any] = {"attribute": "age", "value": 34.5, "low": -1.0, "high": 40.0, "n": 1234, "target": 30.0}
    rows = [
        Measurement("representation", "mean", "g", "a", **values),
        Measurement("representation", "share", "g", "a", attribute="gender", group="female", value=0.123, n=4000),
    ]
    attributes = {name: attribute_table()[name] for name in ("age", "gender")}
    mean = render_report(ReportData("T", ["g"], ["a"], [], 1, attributes, rows, {}, {}, language="de"))
    assert (
        "im Mittel 34,5 Jahre (\N{MINUS SIGN}1,0 bis 40,0\N{SUPERSCRIPT PLUS SIGN}, "
        "1.234\N{NO-BREAK SPACE}Bilder); laut Referenz 30,0." in mean
    )
    assert "12,3\N{NO-BREAK SPACE}%" in mean


def test_markup_in_a_study_stays_text_in_every_language(sample: ReportData) -> None:
    for spoken_language in ("en", "de"):
        page = render_report(replace(sample, generators=["<b>x</b>"], annotators=["<i>"], language=spoken_language))
        assert "<b>x</b>" not in page
        assert "&lt;b&gt;x&lt;/b&gt;" in page


def test_numbers_in_german() -> None:
    with speaking("de"):
        assert [count(1234567), decimal(-1234.5, 1), signed(1234.56, 2)] == ["1.234.567", "−1.234,5", "+1.234,56"]
        plain = [percent(0.1234, 1000), percent(0.0001, 1000), percent(0.9999, 1000), percent_range(0.1, 0.2, 5000)]
        assert [text.replace("\N{NO-BREAK SPACE}", " ") for text in plain] == [
            "12,3 %", "<0,1 %", ">99,9 %", "10,0–20,0 %",
        ]  # fmt: skip
        assert points(-0.05).replace("\N{NO-BREAK SPACE}", " ") == "−5 Punkte"
        assert score(0.8712, 0.86, 0.88) == "0,871 (0,860–0,880)"
        assert score(0.1, -0.2, 0.4) == "0,100 (−0,200 bis 0,400)"
        assert join(["a", "b", "c"]) == "a, b und c"


@given(st.floats(-1e9, 1e9), st.integers(0, 4))
def test_a_german_number_is_the_english_one_with_other_marks(value: float, places_shown: int) -> None:
    english = decimal(value, places_shown)
    with speaking("de"):
        assert decimal(value, places_shown) == english.translate({ord(","): ".", ord("."): ","})


def test_a_language_ends_where_it_was_asked_for() -> None:
    with speaking("de"):
        assert (spoken(), t("Gallery"), word("female")) == ("de", "Galerie", "weiblich")
    assert (spoken(), t("Gallery"), word("female"), digits("1,2.3")) == ("en", "Gallery", "female", "1,2.3")
    with speaking("de"):
        assert (
            t("{n|image|images} nobody knows", n=1200).replace("\N{NO-BREAK SPACE}", " ") == "1.200 images nobody knows"
        )


def pictured() -> ReportData:
    findings = [Perceived("gender", "female", 0.995), Perceived("age", value=34.2), Perceived("tone3", "dark", 1.0)]
    seen = FaceView(None, findings, (("race5", "cannot_tell"),), "faces@1")
    caption = FaceView(None, [Perceived("caption", text="female")], (), "captions@1")
    picture = Picture("nurse", "a nurse", "g", 1234, "ab", faces=(seen, caption), planted=(("female", "middle_aged"),))
    attributes: dict[str, Attribute] = {name: attribute_table()[name] for name in ("gender", "age", "tone3", "caption")}
    data = ReportData("T", ["g"], ["faces@1", "captions@1"], [], 1, attributes, [], {}, {}, pictures=[picture])
    return replace(data, language="de")


def test_what_was_seen_is_german_but_a_caption_is_the_models_own() -> None:
    text = re.sub(r"<[^>]+>|\s+", " ", render_report(pictured()))
    said = re.sub(r" +", " ", text)
    assert "Faces, wahrgenommen Geschlecht weiblich > 99 % Alter 34 Jahre Hautton dunkel" in said.replace("&gt;", ">")
    assert "Nicht beurteilt: wahrgenommene ethnische Herkunft: nicht erkennbar" in said
    assert "Bildbeschreibung female" in said
    assert "vorgegeben: weiblich, mittleren Alters" in said
    assert "Seed 1234" in said
