"""What a page may state: corrected for everything that it asks, and never more than the data carry."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from portrayal.apps.atlas.evaluations.columns import Columns
from portrayal.apps.atlas.evaluations.verdicts import LEVEL, About, State, Verdict, answers, questions
from portrayal.records.evaluated_models.evaluation import AtlasRows, Evaluation, ModelInfo, Score

KINDS = ("art", "foundation")
SCHEDULERS = ("PNDM", "Euler")


def atlas(
    scores: list[float], score: str = "b", *, images: list[int] | None = None, day: str = "", **more: Any
) -> AtlasRows:
    """Return models of successive months, of two kinds and two schedulers in turn; ``more`` are columns."""
    infos, rows = [], []
    for place, value in enumerate(scores):
        about = {
            "category": KINDS[place % 2],
            "scheduler": SCHEDULERS[place // 2 % 2],
            "created": day or f"{2020 + place // 12}-{place % 12 + 1:02d}",
            "likes": 7 * place % 11,
            "downloads": 5 * place % 13,
            **{name: values[place] for name, values in more.items()},
        }
        infos.append(ModelInfo(f"m/{place:03d}", **about))
        rows.append(Evaluation(f"m/{place:03d}", {score: Score(value)}, images=images[place] if images else None))
    return AtlasRows().joined(rows, infos)


def columns(scores: list[float], score: str = "b", **more: Any) -> Columns:
    return Columns.of(atlas(scores, score, **more), "")


def verdicts(made: Columns, score: str = "b") -> dict[tuple[str, str | None], Verdict]:
    (stated,), _ = answers([questions(made, score)])
    return {(verdict.about.value, verdict.group): verdict for verdict in stated if verdict.score == score}


def noise(count: int, size: float = 0.1) -> list[float]:
    return [float(value) for value in np.random.default_rng(5).normal(0, size, count)]


@pytest.mark.parametrize(("slope", "state"), [(0.05, State.found), (-0.05, State.found), (0.0, State.none)])
def test_a_trend_is_found_in_its_direction_or_what_would_have_shown_is_said(slope: float, state: State) -> None:
    scores = [slope * place + error for place, error in enumerate(noise(40))]
    found = verdicts(columns(scores))["time", None]
    assert (found.state, found.models) == (state, 40)
    assert found.value is not None
    assert found.low is not None
    assert found.high is not None
    assert found.margin is not None
    assert found.low <= 12 * slope <= found.high
    assert (found.low > 0 or found.high < 0) is (state is State.found)
    assert found.margin >= max(-found.low, found.high)


@pytest.mark.parametrize(("count", "state"), [(9, State.few), (10, State.few), (60, State.none)])
def test_too_few_models_are_no_absence(count: int, state: State) -> None:
    found = verdicts(columns(noise(count)))
    assert found["time", None].state is state
    assert found["popularity", None].state is state


def test_models_of_one_day_have_no_trend_and_those_alike_nothing() -> None:
    assert verdicts(columns(noise(20), day="2022-01"))["time", None].state is State.day
    for scores, varying in (([0.1] * 20, 0), ([0.1] * 13 + [0.2] * 7, 7)):
        found = verdicts(columns(scores))
        assert {found[key, None].state for key in ("time", "category", "popularity")} == {State.equal}
        assert found["time", None].varying == varying
    assert verdicts(columns([0.1] * 12 + noise(8)))["time", None].state is not State.equal


def test_kinds_and_schedulers_differ_or_not_or_are_too_few() -> None:
    apart = [error + place % 2 for place, error in enumerate(noise(40))]
    found = verdicts(columns(apart))
    assert (found["category", None].state, found["scheduler", None].state) == (State.found, State.none)
    highest, lowest = found["category", None].highest, found["category", None].lowest
    assert highest is not None
    assert lowest is not None
    assert (highest.name, lowest.name, highest.models) == ("foundation", "art", 20)
    assert highest.low < 1 < highest.high < 1.2
    margin = found["scheduler", None].margin
    assert margin is not None
    assert margin > 0.3
    few = verdicts(columns(apart, category=["art"] * 36 + ["foundation"] * 4))["category", None]
    assert (few.state, few.models) == (State.few, 36)


def test_groups_that_could_never_show_anything_are_too_few() -> None:
    scores = [place + 10.0 * (place >= 5) for place in range(10)]
    asked = questions(columns(scores, category=["art"] * 5 + ["foundation"] * 5), "b")
    (category,) = [question for question in asked if question.about is About.category]
    assert category.answer(1).state is State.found
    assert category.answer(11).state is State.few  # five against five have a p-value of 0.009 at the least


def test_popularity_goes_with_a_score_or_not() -> None:
    likes = list(range(40))
    up = verdicts(columns([place + error for place, error in enumerate(noise(40))], likes=likes, downloads=likes))
    assert up["popularity", None].state is State.found
    assert (up["popularity", None].low or 0) > 0
    assert verdicts(columns(noise(40)))["popularity", None].state is State.none


def test_all_questions_of_a_page_are_corrected_together() -> None:
    made = columns(noise(40))
    one, tests = answers([questions(made, "b")])
    two, twice = answers([questions(made, "b"), questions(made, "b")])
    assert (tests, twice) == (6, 12)  # trends of all and of two kinds, kinds, schedulers, popularity
    narrow, wide = one[0][0], two[0][0]
    assert (narrow.high or 0) - (narrow.low or 0) < (wide.high or 0) - (wide.low or 0)
    single = questions(made, "b")[0].answer(1)
    assert (single.high or 0) < (narrow.high or 0)
    assert LEVEL == 0.05


def test_a_p_value_that_is_below_five_percent_alone_is_not_found_among_many() -> None:
    asked = questions(columns(noise(40)), "b")
    states = {tests: [question.answer(tests).state for question in asked] for tests in (1, 10**6)}
    assert State.found not in states[10**6]
    sharp = [0.0045 * place + error for place, error in enumerate(noise(40))]
    trend = questions(columns(sharp), "b")[0]
    assert (trend.answer(1).state, trend.answer(20).state) == (State.found, State.none)


@pytest.mark.parametrize("score", ["distribution_bias", "log_bias"])
def test_a_score_that_moves_with_images_is_compared_only_between_models_with_about_as_many(score: str) -> None:
    values = [5 + 0.2 * place for place in range(40)]
    differ = [300 if place % 2 else 840 for place in range(40)]
    moved = verdicts(columns(values, score, images=differ), score)
    assert {moved[key, None].state for key in ("time", "category", "scheduler", "popularity")} == {State.images}
    same = verdicts(columns(values, score, images=[3688 + place % 3 for place in range(40)]), score)
    assert same["time", None].state is State.found
    other = verdicts(columns([0.01 * place for place in range(40)], "miss_rate", images=differ), "miss_rate")
    assert other["time", None].state is State.found


def test_at_most_one_in_twenty_null_tables_states_anything() -> None:
    """Of 200 tables 10 may; that more than 19 do has a chance below 0.003 at 5 %."""
    rng, stated = np.random.default_rng(2), 0
    for _ in range(200):
        more = {"category": rng.choice(["a", "b", "c"], 24, p=[0.5, 0.3, 0.2]).tolist()}
        found = verdicts(columns(rng.exponential(size=24).tolist(), likes=rng.integers(0, 99, 24).tolist(), **more))
        stated += any(verdict.state is State.found for verdict in found.values())
    assert stated <= 19
