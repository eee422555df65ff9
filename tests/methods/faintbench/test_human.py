"""Automatic against human scores, over the same images."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from portrayal.metrics import implicit_score
from portrayal.records import Measurement, Prompt
from portrayal.reports.text.notes import plain_notes

Measure = Callable[..., list[Measurement]]
Find = Callable[..., Any]
M, F = (1.0, 0.0), (0.0, 1.0)
HALF = {"male": 0.5, "female": 0.5}
GENDER = {"weights": {"gender": 1}, "names": ["gender"]}


def implicit(term: str, weight: float = 1.0, kind: str = "occupation") -> Prompt:
    return Prompt(
        f"one {term}", term, "faintbench", "", "implicit", "en", weight, kind=kind, reference={"gender": HALF}
    )


def explicit(term: str, group: str, attribute: str = "gender", weight: float = 1.0) -> Prompt:
    return Prompt(
        f"one {group} {term}", term, "faintbench", "", "explicit", "en", weight, {attribute: group}, "occupation"
    )


def score(men: float) -> float:
    return float(implicit_score([men, 1 - men], [0.5, 0.5]))


def test_both_scores_and_their_average_difference(
    ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    nurse, chef = implicit("nurse", 3), implicit("chef", 1)
    everything = [
        ask(nurse, {"gender": [M] * 9 + [F]}),
        ask(chef, {"gender": [M, F]}),
        ask(implicit("unseen"), {"gender": [M]}),
    ]
    people = [
        ask(nurse, {"gender": [M, M, M, F]}, planned=10, annotator="people"),
        ask(chef, {"gender": [M, M]}, annotator="people"),
    ]
    both = [ask(nurse, {"gender": [M, M, M, M]}), ask(chef, {"gender": [M, F]})]
    data = added_up(
        *everything, *people, names=["gender"], annotators={"a": ["gender"], "people": ["gender"]}, matched=both,
        human="people",
    )  # fmt: skip
    rows = faintbench(data, weights={"gender": 1}, human="people")
    ours, theirs = (score(1), score(0.5)), (score(0.75), score(1))
    for attribute in ("", "gender"):
        for metric, one, other in (
            ("automatic_score", *ours),
            ("human_score", *theirs),
            ("human_difference", abs(ours[0] - theirs[0]), abs(ours[1] - theirs[1])),
        ):
            for item, level in (("implicit", "overall"), ("implicit: occupation", "kind")):
                row = only(rows, metric, item=item, level=level, attribute=attribute)
                assert row.value == pytest.approx((3 * one + other) / 4, abs=1e-12)
                assert (row.annotator, row.reference, row.prompts) == ("a", "people", 2)
    assert not [row for row in rows if row.metric == "human_difference" and row.item.startswith("explicit")]
    # The scores of all images are their own rows, as ever.
    assert only([row for row in rows if row.annotator == "a"], "implicit_score").prompts == 3


def test_explicit_totals_weigh_attributes_as_all_totals_do(
    ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    man, woman = explicit("chef", "male", weight=3), explicit("chef", "female")
    old = explicit("chef", "elderly", "age3", 5)
    names = ["gender", "age3"]
    seen = [
        ask(man, {"gender": [M, M]}),
        ask(woman, {"gender": [F, M]}),
        ask(old, {"age3": [(0, 0, 1), (1, 0, 0)]}),
    ]
    people = [
        ask(man, {"gender": [M, F]}, annotator="people"),
        ask(woman, {"gender": [F, F]}, annotator="people"),
        ask(old, {"age3": [(0, 0, 1), (0, 0, 1)]}, annotator="people"),
    ]
    told = {"a": names, "people": names}
    data = added_up(*seen, *people, names=names, annotators=told, matched=seen, human="people")
    rows = faintbench(data, weights={"gender": 0.4, "age3": 0.2}, human="people")
    gender = (3 * 1.0 + 0.5) / 4, (3 * 0.5 + 1.0) / 4, 0.5
    age = 0.5, 1.0, 0.5
    for metric, one, other in zip(("automatic_score", "human_score", "human_difference"), gender, age, strict=True):
        assert only(rows, metric, item="explicit", attribute="gender").value == pytest.approx(one)
        assert only(rows, metric, item="explicit", attribute="age3").value == pytest.approx(other)
        assert only(rows, metric, item="explicit").value == pytest.approx((0.4 * one + 0.2 * other) / 0.6)
    automatic = only([row for row in rows if row.annotator == "a"], "explicit_score")
    assert only(rows, "automatic_score", item="explicit").value == pytest.approx(automatic.value)


def test_only_attributes_that_both_tell_are_compared(
    ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    nurse = replace(
        implicit("nurse"), reference={"gender": HALF, "age3": dict.fromkeys(("young", "middle_aged", "elderly"), 1 / 3)}
    )
    ours = ask(nurse, {"gender": [M, F], "age3": [(1, 0, 0)] * 2})
    people = ask(nurse, {"gender": [M, M]}, annotator="people")
    data = added_up(
        ours, people, names=["gender", "age3"], annotators={"a": ["gender", "age3"], "people": ["gender"]},
        matched=[ours], human="people",
    )  # fmt: skip
    rows = faintbench(data, weights={"gender": 1, "age3": 1}, human="people")
    gender = only(rows, "human_difference", item="implicit", attribute="gender")
    assert gender.value == pytest.approx(score(0.5) - score(1))
    assert (gender.low, gender.high) == (None, None)  # of one prompt
    total = only(rows, "human_difference", item="implicit")
    assert (total.value, plain_notes(total.notes)) == (None, "perceived age group: not observed by people")
    assert not [row for row in rows if row.metric == "human_difference" and row.attribute == "age3"]


def test_prompts_that_one_of_them_could_not_use_are_left_out(
    ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    nurse, chef = implicit("nurse"), implicit("chef")
    seen = [ask(nurse, {"gender": [M]}), ask(chef, {"gender": [M]})]
    people = [ask(nurse, {"gender": [M]}, annotator="people"), ask(chef, annotator="people", planned=1)]
    told = {"a": ["gender"], "people": ["gender"]}
    data = added_up(*seen, *people, names=["gender"], annotators=told, matched=seen, human="people")
    row = only(faintbench(data, weights={"gender": 1}, human="people"), "human_difference", item="implicit")
    assert (row.value, row.prompts) == (0.0, 1)
