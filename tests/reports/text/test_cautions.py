"""What must be told of an attribute is told wherever the page shows it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from portrayal.records import Attribute, Measurement, attribute_table
from portrayal.reports import FaceView, Perceived, Picture, ReportData, render_report
from portrayal.reports.text.cautions import cautions_together

CAUTION = "read from pixels; lighting moves it as much as skin does"


def study(*names: str) -> ReportData:
    attributes = {name: attribute_table()[name] for name in names}
    metrics: list[tuple[str, dict[str, Any]]] = [("share", {}), ("total_variation", {"reference": "uniform"})]
    rows = [
        Measurement(
            "representation",
            metric,
            "g",
            "a",
            name,
            attributes[name].groups[0] if metric == "share" else "",
            value=0.5,
            low=0.4,
            high=0.6,
            n=40,
            **more,
        )
        for name in names
        for metric, more in metrics
    ]
    faces = [FaceView((0, 0, 1, 1), [Perceived(names[0], attributes[names[0]].groups[0])])]
    picture = Picture("nurse", "a nurse", "g", 1, "ab", b"\xff\xd8\xff", 4, 4, faces)
    return ReportData("T", ["g"], ["a"], [], 4, attributes, rows, {"g": {"made": 4}}, {}, pictures=[picture])


def between(page: str, first: str, last: str) -> str:
    return page[page.index(first) : page.index(last)]


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ('class="findings"', "How far from the reference"),
        ("How far from the reference", "Shares over all prompts"),
        ("Shares over all prompts", '<section id="terms">'),
        ('<section id="terms">', '<section id="missing">'),
        ('<section id="gallery">', '<section id="all">'),
    ],
)
def test_skin_tone_is_said_to_be_read_from_pixels_wherever_it_is_shown(first: str, last: str) -> None:
    assert CAUTION in between(render_report(study("tone3", "gender")), first, last)
    assert CAUTION not in render_report(study("gender", "age3"))


def test_only_pictures_that_show_an_attribute_carry_its_caution() -> None:
    page = render_report(study("gender", "tone3"))
    assert CAUTION not in between(page, '<section id="gallery">', '<section id="all">')


def test_the_german_caution_fits_words_of_every_gender() -> None:
    attributes = [attribute for attribute in attribute_table().values() if attribute.caution]
    assert {attribute.name for attribute in attributes} >= {"tone3", "skin_tone", "intensity", "ita"}
    page = render_report(replace(study("tone3"), language="de"))
    told = re.findall(r"Licht verändert (\w+ \w+) so sehr wie die Haut", page)
    assert set(told) == {"den Wert"}


def test_a_plugin_may_warn_of_an_attribute_of_its_own() -> None:
    data = study("gender")
    own = Attribute("gender", "perceived gender", ("male", "female"), caution="guessed from hats")
    assert "Perceived gender: guessed from hats." in render_report(replace(data, attributes={"gender": own}))


def test_together_a_caution_of_several_attributes_is_told_once_and_only_of_those_shown() -> None:
    table = attribute_table()
    attributes = [table[name] for name in ("gender", "tone3", "ita", "intensity")]
    assert cautions_together(attributes, {"gender", "tone3", "ita"}) == [f"Perceived skin tone: {CAUTION}."]
    finer = f"Perceived skin angle (ITA), perceived skin intensity: {CAUTION}."  # nothing stands for them
    assert cautions_together(attributes, {"ita", "intensity"}) == [finer]
    assert cautions_together(attributes, {"gender"}) == []
