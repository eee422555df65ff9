"""What the page says of models that cannot be compared: of which of them pictures are missing, all the more."""

from __future__ import annotations

import html
import re
from dataclasses import replace

from portrayal.records import Attribute, Measurement
from portrayal.reports import ReportData, render_report
from portrayal.reports.comparisons.models_view import models_view

GENDER = {"gender": Attribute("gender", "perceived gender", ("male", "female"))}
SEEN = Measurement(
    "representation", "share", "A", "eye", "gender", "female", value=0.5, low=0.4, high=0.6, n=60, worth=60.0,
    prompts=1, prompt_set="p",
)  # fmt: skip
LOST = Measurement("representation", "missing", "B", "eye", group="refused: unsafe", value=1.0, n=60, missing=60)
UNSEEN = replace(SEEN, generator="B", group="", value=None, low=None, high=None, worth=None, n=0, missing=60)


def page(*rows: Measurement) -> ReportData:
    return ReportData(
        "T", ["A", "B"], ["eye"], [("CEO", "office", "a CEO")], 60, GENDER, rows,
        {"A": {"made": 60}, "B": {"refused: unsafe": 60}}, {}, judged={"eye": 60}, perceived={"eye": 60},
    )  # fmt: skip


def text(data: ReportData) -> str:
    plain = re.sub(r"<style>.*?</style>", "", render_report(data), flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", plain)).split())


def test_that_a_model_refused_everything_is_said_where_nothing_can_be_compared() -> None:
    said = text(page(SEEN, LOST, UNSEEN))
    assert "Nothing in A and B could be compared. More pictures are missing from B than from A: 60 of 60" in said
    assert "Each line compares what two models drew" not in said
    assert "All comparisons of models" not in said


def test_a_table_of_comparisons_is_introduced_where_there_is_one() -> None:
    said = text(page(SEEN, replace(SEEN, generator="B")))
    assert "Each line compares what two models drew" in said
    assert "All comparisons of models" in said


def test_of_models_that_lack_as_much_nothing_is_said() -> None:
    lost = replace(UNSEEN, generator="A"), UNSEEN
    assert models_view(page(*lost)) is None
    assert models_view(page(SEEN)) is None
