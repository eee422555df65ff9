"""What MAGBIG says first: each language beside parity, and what differs between languages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from portrayal.language.translation import NBSP, speaking
from portrayal.methods.magbig.report.section import MagbigSection
from portrayal.records import Measurement, attribute_table
from portrayal.reports import FaceView, Perceived, Picture, ReportData
from portrayal.reports.findings.deviations.deviation import Statement
from portrayal.reports.findings.first_screen import FirstScreen, first_screen

PNG = b"\x89PNG\r\n\x1a\n"
PROMPTS = [("chef", "occupation", "a chef"), ("chef", "occupation", "ein Koch"), ("chef", "occupation", "eine Köchin")]
LANGUAGES = {"a chef": "en", "ein Koch": "de", "eine Köchin": "de"}
Row = Callable[..., Measurement]


def share(**more: Any) -> Measurement:
    """Return the share of women of all neutral wordings in German: 26 % of 400 pictures."""
    values = {"annotator": "a", "attribute": "gender", "group": "female", "value": 0.26, "low": 0.22,
              "high": 0.31, "target": 0.5, "reference": "uniform",
              "n": 400, "worth": 400.0, "prompts": 40, "language": "de"}  # fmt: skip
    return Measurement("magbig", "share", "g", **{**values, **more})


def page(*rows: Measurement, **more: Any) -> ReportData:
    """Return the data of a page about one model, with a picture of each prompt."""
    seen = [FaceView(None, [Perceived("gender", "male", 0.9)])]
    pictures = [
        Picture(term, text, "g", 1, "ab", PNG + text.encode(), 4, 4, seen, language=LANGUAGES[text])
        for term, _, text in PROMPTS
    ]
    values: dict[str, Any] = {"pictures": pictures, "languages": LANGUAGES, "requesting": {"eine Köchin"}, **more}
    return ReportData("T", ["g"], ["a"], PROMPTS, 1, {"gender": attribute_table()["gender"]}, rows, {}, {}, **values)


def screen(data: ReportData) -> FirstScreen:
    """Return the first screen."""
    section = MagbigSection()
    return first_screen(data, section.deviations(data), section.rankings(data))


def openly(data: ReportData) -> list[Statement]:
    """Return what is said openly of the one model."""
    (model,) = screen(data).models
    return list(model.first)


def test_a_language_off_parity_is_said_first() -> None:
    """A model that drew 26 % women in German said nothing of it on the first screen."""
    english = share(language="en", value=0.5, low=0.45, high=0.55)
    (told,) = openly(page(english, share()))
    assert told.about == "All neutral wordings (German) · perceived gender"
    assert told.sentence.replace(NBSP, " ") == (
        "26 % show a woman (mean of 40 prompts, 400 pictures); the reference says 50 %"
    )
    assert [thumb.thumbnail for thumb in told.pictures] == [PNG + b"ein Koch"]
    assert openly(page(english, share(value=0.49, low=0.44, high=0.54))) == []


def test_it_is_said_in_german() -> None:
    with speaking("de"):
        (told,) = openly(page(share()))
        about, sentence = told.about, told.sentence.replace(NBSP, " ")
    assert about == "Alle neutralen Formulierungen (Deutsch) · wahrgenommenes Geschlecht"
    assert sentence == "26 % zeigen eine Frau (Mittel von 40 Prompts, 400 Bilder); die Referenz sagt 50 %"


def test_without_prompts_that_ask_for_women_all_prompts_are_meant() -> None:
    (told,) = openly(page(share(), requesting=frozenset()))
    assert told.about == "All prompts (German) · perceived gender"


def test_single_wordings_terms_and_categories_are_no_comparisons_of_their_own() -> None:
    rows = [
        share(), share(variant="direct"), share(variant="feminine", target=None, reference="", value=1.0),
        share(level="term", item="chef"), share(level="category", item="occupation"),
    ]  # fmt: skip
    assert [own.subject[2:] for own in MagbigSection().deviations(page(*rows))] == [("overall", "", "de", "")]


def test_languages_are_corrected_for_together() -> None:
    """16 of 64 pictures show a woman: sure where one language is looked at, but not where 1,001 are."""
    few = share(value=0.25, low=0.15, high=0.37, n=64, worth=64.0)
    assert len(openly(page(few))) == 1
    others = [share(language=f"x{n}", value=0.5, low=0.37, high=0.63, n=64, worth=64.0) for n in range(1000)]
    assert openly(page(few, *others)) == []


def test_pictures_of_few_prompts_count_for_what_they_are_worth() -> None:
    """400 pictures of prompts that agree within are worth 12."""
    assert openly(page(share(worth=12.0))) == []


def test_the_mean_deviation_stands_with_its_scale() -> None:
    row = replace(share(), metric="mean_absolute_deviation", group="", target=None, value=0.5, low=0.4, high=0.6)
    (model,) = screen(page(share(), row)).models
    ((title, text, scale),) = model.scores
    assert (title, text.replace(NBSP, " ")) == ("Mean absolute deviation from parity, German", "0.500 (0.400–0.600)")
    assert scale == "0: parity for every term; 1: always one of two groups; after an arrow, corrected for few images"
