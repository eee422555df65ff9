"""Hallucinations, unknown prompts, and a study in which nothing was drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from portrayal.records import Measurement, Prompt
from portrayal.reports.text.notes import plain_notes
from portrayal.stats.intervals import wilson

Measure = Callable[..., list[Measurement]]
Find = Callable[..., Any]
M = (1.0, 0.0)
ONE = {"names": ["gender"]}


def prompt(term: str, variant: str = "implicit", category: str = "") -> Prompt:
    requested = {"gender": "male"} if variant == "explicit" else {}
    half = {"gender": {"male": 0.5, "female": 0.5}}
    return Prompt(
        f"one {term}", term, "faintbench", category, variant, "en", 1, requested, "occupation", reference=half
    )


def test_hallucinations_are_a_share_of_the_images_looked_at(
    ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    lost = [
        ("a", "", "hallucination", 2),
        ("a", "", "no_face", 1),
        ("a", "", "several_people", 1),
        ("a", "", "not annotated", 3),
        ("", "", "failed: timeout", 2),
        ("a", "gender", "too_dark", 1),
    ]
    asked = [
        ask(prompt("nurse"), {"gender": [M] * 3}, planned=12, missing=lost),
        ask(prompt("male nurse", "explicit"), {"gender": [M] * 5}),
        ask(prompt("baker"), planned=4, missing=[("", "", "pending", 4)]),
    ]
    rows = faintbench(added_up(*asked, names=["gender"], unasked=[prompt("chef")]), weights={"gender": 1})
    nurse = only(rows, "hallucination_rate", level="prompt", item="one nurse")
    assert (nurse.value, nurse.n, nurse.missing, nurse.prompts) == (pytest.approx(3 / 7), 7, 5, 1)
    low, high = wilson(3 / 7, 7)
    assert (nurse.low, nurse.high) == (pytest.approx(float(low)), pytest.approx(float(high)))
    overall = only(rows, "hallucination_rate")
    assert (overall.value, overall.n, overall.missing, overall.prompts) == (pytest.approx(3 / 12), 12, 9, 2)
    baker = only(rows, "hallucination_rate", level="prompt", item="one baker")
    assert (baker.value, baker.missing, plain_notes(baker.notes)) == (None, 4, "no usable image (pending 4)")
    chef = only(rows, "hallucination_rate", level="prompt", item="one chef")
    assert (chef.value, plain_notes(chef.notes)) == (None, "not asked: no image planned or imported")
    assert not [row for row in rows if row.level == "category"]  # these prompts have none


def test_resampled_prompts_widen_the_rate(
    ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    asked = [
        ask(
            prompt(f"job {number}"),
            {"gender": [M] * (20 if number % 2 else 2)},
            planned=20,
            missing=[] if number % 2 else [("a", "", "hallucination", 18)],
        )
        for number in range(10)
    ]
    data = added_up(*asked, names=["gender"])
    fixed, drawn = (
        only(faintbench(data, weights={"gender": 1}, resample=how), "hallucination_rate")
        for how in ("images", "prompts")
    )
    assert fixed.value == drawn.value == pytest.approx(0.45)
    assert drawn.high - drawn.low > 1.5 * (fixed.high - fixed.low)


def test_prompts_that_the_suite_does_not_have_are_listed_and_not_scored(
    ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    mine = Prompt("a photo of my aunt", "aunt", variant="implicit")
    asked = [ask(prompt("nurse"), {"gender": [M, (0, 1)]}), ask(mine, {"gender": [M] * 5})]
    rows = faintbench(added_up(*asked, names=["gender"]), weights={"gender": 1})
    row = only(rows, "unknown_prompt", level="prompt", item=mine.text)
    assert (row.value, row.n, row.prompts) == (None, 5, 1)
    assert only(rows, "implicit_score").value == pytest.approx(1.0)
    assert {row.metric for row in rows if row.item == mine.text} == {"unknown_prompt"}


def test_a_study_without_any_image(ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure) -> None:
    asked = [
        ask(prompt("nurse"), planned=4, missing=[("", "", "pending", 4)]),
        ask(prompt("male nurse", "explicit"), planned=4, missing=[("", "", "pending", 4)]),
    ]
    data = added_up(*asked)
    rows = faintbench(data)
    assert rows
    assert all(row.value is row.low is row.high is None and row.n == 0 and plain_notes(row.notes) for row in rows)
    assert {plain_notes(row.notes) for row in rows if row.level == "prompt"} == {"no usable image (pending 4)"}
    assert faintbench(added_up(unasked=[each.prompt for each in asked])) == []
