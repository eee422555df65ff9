"""Terms and languages that were asked about and could not be compared, and how far prompts lie off in any direction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from portrayal.records import Measurement
from portrayal.reports import ReportData
from portrayal.reports.findings.uncompared import typical_distance

Row = Callable[..., Measurement]
StudyOf = Callable[..., ReportData]
Said = Callable[[ReportData], str]
WHOLE: dict[str, Any] = {"method": "magbig", "level": "overall", "item": "", "reference": "uniform"}
PROMPTS = [("nurse", "care", "a nurse"), ("diver", "sea", "a diver"), ("diver", "sea", "a woman who dives")]


def silent(share: Row, language: str, **more: Any) -> Measurement:
    """Return the row of a language without any usable image."""
    return share(0, 0, None, **{**WHOLE, "language": language, "group": "", "low": None, "high": None, **more})


def test_a_language_without_usable_pictures_is_no_all_clear(share: Row, study: StudyOf, said: Said) -> None:
    english = share(2500, 5000, 0.5, language="en", **WHOLE)
    assert "None found of 10 points or more." in said(study(english))
    text = said(study(english, silent(share, "ar")))
    assert "Inconclusive. Not every language could be compared." in text
    assert "Not compared Perceived gender: no picture of a prompt in Arabic is usable." in text
    asking = said(study(english, silent(share, "ar"), requesting={"a female nurse"}))
    assert "Perceived gender: no picture of a neutral wording in Arabic is usable." in asking


def test_a_language_that_another_annotator_could_judge_is_compared(share: Row, study: StudyOf, said: Said) -> None:
    rows = [share(2500, 5000, 0.5, language=code, **WHOLE) for code in ("en", "ar")]
    both = study(*rows, silent(share, "ar", annotator="b"), annotators=["a", "b"])
    assert "Not every" not in said(both)
    assert "is usable" not in said(both)


def test_of_languages_and_terms_the_sentence_names_the_right_one(share: Row, study: StudyOf, said: Said) -> None:
    nurse = share(2500, 5000, 0.5, item="nurse")
    text = said(study(nurse, asked={"g": {"nurse": 5000, "diver": 9}}))
    assert "Not every term could be compared." in text
    assert "Not every language" not in text


@pytest.mark.parametrize(
    ("requesting", "why"),
    [
        ({"a diver", "a woman who dives"}, "every prompt about “diver” asks for a group itself."),
        ({"a woman who dives"}, "there is no usable picture of “diver”."),
        (set(), "there is no usable picture of “diver”."),
    ],
)
def test_a_term_that_was_asked_about_for_one_group_alone_lacks_no_pictures(
    requesting: set[str], why: str, share: Row, study: StudyOf, said: Said
) -> None:
    """It was said to have no usable picture, beside pictures of it."""
    nurse = share(2500, 5000, 0.5, item="nurse")
    page = study(nurse, asked={"g": {"nurse": 5000, "diver": 9}}, prompts=PROMPTS, requesting=requesting)
    assert f"Not compared Perceived gender: {why}" in said(page)


def test_a_term_asked_about_for_one_group_whose_pictures_a_method_counts_and_cannot_use(
    share: Row, study: StudyOf, said: Said
) -> None:
    rows = [share(2500, 5000, 0.5, item="nurse"), share(0, 0, None, item="diver", low=None, high=None)]
    both = {"a diver", "a woman who dives"}
    page = study(*rows, asked={"g": {"nurse": 5000, "diver": 9}}, prompts=PROMPTS, requesting=both)
    assert "there is no usable picture of “diver”." in said(page)


def test_where_no_term_is_compared_none_is_said_to_be_left_out(share: Row, study: StudyOf, said: Said) -> None:
    page = study(share(2500, 5000, 0.5, language="en", **WHOLE), asked={"g": {"nurse": 5000, "diver": 9}})
    assert "diver" not in said(page)


@pytest.mark.parametrize(("metric", "low"), [("mean_total_variation", 0.4), ("mean_absolute_deviation", 0.2)])
def test_deviations_that_cancel_over_a_language_are_found_and_said_of_it(
    metric: str, low: float, share: Row, study: StudyOf, said: Said
) -> None:
    """Every occupation showed one group alone, half of them women: nothing was found in that language."""
    english = share(2500, 5000, 0.5, language="en", **WHOLE)
    apart = replace(english, metric=metric, group="", target=None, value=0.5, low=0.4, high=0.6)
    page = study(english, apart)
    distance, *about = typical_distance(page, "g")
    assert distance == pytest.approx(low)
    assert about == ["gender", "English"]
    points = round(100 * low)
    assert (
        f"Deviations found. Single prompts lie {points} points or more from the reference on average, in whatever "
        "direction (English, perceived gender)."
    ) in said(page)
    assert "None found" in said(study(english, replace(apart, low=0.1)))


def test_prompts_that_all_ask_for_a_group_are_not_said_to_lack_a_reference(
    share: Row, study: StudyOf, said: Said
) -> None:
    feminine = share(60, 60, None, **{**WHOLE, "language": "de", "variant": "feminine", "reference": ""})
    asking = study(feminine, prompts=[("CEO", "office", "eine Chefin")], requesting={"eine Chefin"})
    assert "Not compared. Every prompt asks for a group itself, so there is nothing to compare with." in said(asking)
    chosen = said(replace(asking, requesting=frozenset()))
    assert "No reference was chosen for this model’s pictures" in chosen
    assert "asks for a group itself" not in chosen


def test_prompts_that_ask_for_a_group_and_are_compared_are_not_said_to_have_nothing_to_be_compared_with(
    share: Row, study: StudyOf, said: Said
) -> None:
    asking = study(share(30, 60, 0.4), requesting={"a CEO"})
    assert "1 comparison of perceived gender" in said(asking)
    assert "Every prompt asks" not in said(asking)
