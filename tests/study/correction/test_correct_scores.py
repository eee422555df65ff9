"""Distances follow the corrected shares of their cell; means over terms follow the confusion matrix."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from portrayal.records import MEASUREMENT_SCHEMA, Measurement, to_table
from portrayal.reports.corrected_share import CorrectedScore, CorrectedShare
from portrayal.study.correction import corrected_scores, corrected_shares, reported_scores
from portrayal.study.correction.correct_scores import _of_cell
from portrayal.study.study import OpenStudy

TOOL = "simulated@1"
FEMALE, MALE = (0.0, 1.0), (1.0, 0.0)
PLACES: Sequence[dict[str, Any]] = ({}, {"level": "term", "item": "nurse"}, {"level": "term", "item": "CEO"})


def rows(target: float | None) -> Sequence[Measurement]:
    """Return shares and scores as they were read: of half women one in five as a man, in both terms."""
    about: dict[str, Any] = {"generator": "g", "annotator": TOOL, "attribute": "gender"}
    found = []
    for place in PLACES:
        n = 100 if place else 200
        cell = Measurement("representation", "share", **about, **place, n=n, prompts=1 if place else 2)
        shares: dict[str, Any] = {"target": target, "worth": float(n)}
        found += [
            replace(cell, group=group, value=value, low=value - 0.07, high=value + 0.07, **shares)
            for group, value in (("male", 0.6), ("female", 0.4))
        ]
        scores: dict[str, Any] = {"low": 0.03, "high": 0.17}
        found += [replace(cell, metric=metric, value=0.1, **scores) for metric in ("total_variation", "kl_divergence")]
        found.append(replace(cell, metric="chi_square", value=8.0))
        found.append(replace(cell, metric="difference", group="female", value=-0.1, low=-0.17, high=-0.03))
        found.append(replace(cell, metric="ratio", group="female", value=0.8, low=0.66, high=0.94))
    whole = Measurement("representation", "mean_total_variation", **about, n=200, prompts=2)
    found.append(replace(whole, metric="mean_absolute_deviation", value=0.2, low=0.06, high=0.34))
    return [*found, replace(whole, value=0.1, low=0.03, high=0.17)]


@pytest.fixture
def build(make_study: Callable[..., Path], by_hand: Callable[[Path], Any]) -> Callable[..., OpenStudy]:
    """Write a study of two terms with 100 images each, of whom so many are labelled."""

    def build_study(labelled: int, target: float | None = 0.5) -> OpenStudy:
        people = {"use": "imported:people", "options": {"attributes": ["gender"]}}
        written = by_hand(make_study(annotators=[{"use": "simulated"}, people]))
        who = next(name for name in written.study.annotators if name.startswith("imported:people"))
        for term in ("nurse", "CEO"):
            for number in range(100):
                word, truth = f"{term} {number}", FEMALE if number % 2 else MALE
                written.made(word, text=term)
                written.told(word, TOOL, 0, "gender", MALE if number % 10 == 1 else truth)
                if number < labelled:
                    written.told(word, who, 0, "gender", truth)
        study: OpenStudy = written.write()
        study.workspace.tables["measurements"].replace([to_table(rows(target), MEASUREMENT_SCHEMA)])
        return study

    return build_study


def overall(scores: Sequence[CorrectedScore]) -> dict[tuple[str, str], CorrectedScore]:
    return {(score.seen.metric, score.way): score for score in scores if score.seen.level == "overall"}


def test_a_distance_that_only_the_errors_made_is_gone(build: Callable[..., OpenStudy]) -> None:
    study = build(40)
    shares = corrected_shares(study)
    found = overall(corrected_scores(study, shares))
    for metric in ("total_variation", "kl_divergence", "chi_square", "difference", "ratio"):
        assert {way for name, way in found if name == metric} == {"matrix", "sample"}
    distance = found["total_variation", "sample"]
    assert (distance.decides, distance.change, distance.low) == (True, "gone", 0.0)
    women = next(each for each in shares if each.way == "sample" and each.seen.group == "female")
    assert distance.high == pytest.approx(max(women.high - 0.5, 0.5 - women.low))
    assert found["difference", "sample"].value == pytest.approx((women.value or 0) - 0.5)
    assert found["ratio", "sample"].high == pytest.approx(women.high / 0.5)
    assert found["chi_square", "matrix"].change == ""
    mean = found["mean_total_variation", "matrix"]
    assert (mean.decides, mean.change) == (True, "gone")
    assert ("mean_total_variation", "sample") not in found
    assert found["mean_absolute_deviation", "matrix"].high == pytest.approx(2 * mean.high)
    assert reported_scores(study, []) == []


def test_few_labels_decide_nothing_of_a_distance(build: Callable[..., OpenStudy]) -> None:
    study = build(10)
    found = corrected_scores(study, corrected_shares(study))
    assert found
    assert not any(score.decides for score in found)


def test_without_a_reference_for_the_whole_cell_no_distance_is_corrected(build: Callable[..., OpenStudy]) -> None:
    study = build(40, target=None)
    assert corrected_scores(study, corrected_shares(study)) == []


@pytest.mark.parametrize("groups", [12, 13])
def test_a_distance_of_more_than_twelve_groups_is_left_alone(groups: int) -> None:
    cell = Measurement("representation", "share", "g", TOOL, value=1 / groups, target=1 / groups)
    shares = {str(group): CorrectedShare(cell, "matrix", 1 / groups, 0.0, 0.3, 60) for group in range(groups)}
    found = _of_cell(replace(cell, metric="total_variation", value=0.0), shares, 0.95)
    assert (found is None) == (groups > 12)
