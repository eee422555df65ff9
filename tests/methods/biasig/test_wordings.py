"""Wordings become questions: their images add up, and alike images of a wording count for less."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from portrayal.methods.biasig.method import Biasig
from portrayal.methods.biasig.options import BiasigOptions
from portrayal.methods.biasig.wordings import Questions
from portrayal.records import Measurement, Prompt

REFERENCE = {"gender": {"male": 0.5, "female": 0.5}}
MEN, WOMEN = (1.0, 0.0), (0.0, 1.0)


def worded(term: str, number: int) -> Prompt:
    return Prompt(
        f"a photo of one {term}, scene {number}", term, kind="occupation", variant="implicit", reference=REFERENCE
    )


def measured(data: Any, **options: Any) -> list[Measurement]:
    gender: dict[str, Any] = {"weights": {"gender": 1.0}, "group_weights": {"gender": {"male": 0.2, "female": 0.2}}}
    method = Biasig(BiasigOptions(draws=200, **gender, **options), Path())
    return list(method.measure(data.evidence(method), rng=np.random.default_rng(1)))


def widths(ask: Any, added_up: Callable[..., Any], only: Callable[..., Measurement], seen: Any) -> dict[str, float]:
    asked = [ask(worded("Baker", n), {"gender": images}) for n, images in enumerate(seen)]
    data = added_up(*asked, names=["gender"])
    rows = {how: measured(data, resample=how) for how in ("images", "wordings")}
    find = {"level": "prompt", "item": "a photo of one Baker", "attribute": "gender", "group": "male"}
    found = {how: only(each, "share", **find) for how, each in rows.items()}
    assert {row.value for row in found.values()} == {0.5}
    return {how: (row.high or 0) - (row.low or 0) for how, row in found.items()}


def test_wordings_that_decide_widen_the_interval(
    ask: Any, added_up: Callable[..., Any], only: Callable[..., Measurement]
) -> None:
    decided = widths(ask, added_up, only, [[MEN] * 10, [WOMEN] * 10] * 4)
    assert decided["wordings"] > 2 * decided["images"]
    alike = widths(ask, added_up, only, [[MEN, WOMEN] * 5] * 8)
    assert alike["wordings"] == pytest.approx(alike["images"])


def test_images_planned_and_missing_add_up_over_wordings(
    ask: Any, added_up: Callable[..., Any], only: Callable[..., Measurement]
) -> None:
    first = ask(worded("Baker", 0), {"gender": [MEN, WOMEN]}, planned=3, missing=[("a", "", "no_face", 1)])
    second = ask(worded("Baker", 1), {"gender": [MEN, None]}, planned=2, missing=[("a", "gender", "tie", 1)])
    other = ask(Prompt("two cats", "cats"), {"gender": [MEN]})
    data = added_up(first, second, other, names=["gender"])
    rows = measured(data)
    score = only(rows, "implicit_score", attribute="gender")
    assert (score.n, score.missing, score.prompts) == (3, 2, 1)
    assert only(rows, "hallucination_rate").value == pytest.approx(1 / 5)
    assert only(rows, "unknown_prompt", level="prompt", item="two cats").n == 1


def test_planted_shares_are_the_mean_of_the_wordings_by_images_planned(ask: Any, added_up: Callable[..., Any]) -> None:
    asked = [
        ask(worded("Baker", 0), {"gender": [MEN] * 3}, truth={"gender": {"male": 1.0, "female": 0.0}}),
        ask(worded("Baker", 1), {"gender": [WOMEN]}, truth={"gender": {"male": 0.2, "female": 0.8}}),
    ]
    truths = Questions.of(added_up(*asked, names=["gender"]).plan).plan.truths.to_pylist()
    assert {row["group"]: row["share"] for row in truths} == pytest.approx({"male": 0.8, "female": 0.2})


def test_without_a_clone_there_are_no_pairs(
    ask: Any, added_up: Callable[..., Any], only: Callable[..., Measurement]
) -> None:
    rows = measured(added_up(ask(worded("Baker", 0), {"gender": [MEN]}), names=["gender"]))
    eta = only(rows, "manifestation")
    assert eta.value is None
    assert "no_pairs" in [note.code for note in eta.notes]
