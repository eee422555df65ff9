"""Rows and studies for the first screen: shares with the numbers that images of one kind would give."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from portrayal.methods.representation.report.section import RepresentationSection
from portrayal.records import Measurement, attribute_table
from portrayal.reports import ReportData, render_report
from portrayal.reports.findings.first_screen import FirstScreen, first_screen
from portrayal.stats.intervals import clopper_pearson

Row = Callable[..., Measurement]
StudyOf = Callable[..., ReportData]
Said = Callable[[ReportData], str]


def share_row(seen: int = 3, n: int = 60, target: float | None = 0.4, **more: Any) -> Measurement:
    """Return a row: ``seen`` of ``n`` images show a woman."""
    low, high = (float(bound) for bound in clopper_pearson(seen / n, n)) if n else (None, None)
    values: dict[str, Any] = {
        "method": "representation", "metric": "share", "generator": "g", "annotator": "a", "attribute": "gender",
        "group": "female", "value": seen / n if n else None, "low": low, "high": high, "target": target, "n": n,
        "prompts": 1, "level": "term", "item": "CEO", "reference": "census", "worth": float(n), "prompt_set": "p",
    }  # fmt: skip
    return Measurement(**{**values, **more})


def study_of(*rows: Measurement, **more: Any) -> ReportData:
    """Return a study of one generator and one annotator."""
    base = ReportData(
        "T", ["g"], ["a"], [("CEO", "office", "a CEO")], 60, {"gender": attribute_table()["gender"]}, rows,
        {"g": {"made": 60}}, {}, judged={"a": 60}, perceived={"a": 60}, reference_sources={"census": "a census"},
    )  # fmt: skip
    return replace(base, **more)


def first_screen_text(data: ReportData) -> str:
    """Return what a reader sees of the first screen, in single spaces."""
    part = render_report(data).split('<section id="found">')[1].split("</section>")[0]
    text = re.sub(r"<[^>]+>", " ", re.sub(r"</?span[^>]*>", "", part))
    return re.sub(r"\s+", " ", html.unescape(text))


def screen_of(data: ReportData) -> FirstScreen:
    """Return the first screen."""
    section = RepresentationSection()
    return first_screen(data, section.deviations(data), section.rankings(data))


@pytest.fixture(scope="session")
def share() -> Row:
    """``share(seen, n, target, item=…)``: a row of images that show a woman."""
    return share_row


@pytest.fixture(scope="session")
def study() -> StudyOf:
    """``study(*rows, …)``: the data of a page."""
    return study_of


@pytest.fixture(scope="session")
def said() -> Said:
    """What a reader sees of the first screen."""
    return first_screen_text


@pytest.fixture(scope="session")
def screen() -> Callable[[ReportData], FirstScreen]:
    """The first screen."""
    return screen_of
