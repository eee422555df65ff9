"""Differences between models put right: both in the same way, or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from portrayal.records import Measurement
from portrayal.reports.corrected_difference import CorrectedDifference, differences_by_place
from portrayal.reports.corrected_share import CorrectedShare
from portrayal.stats.annotation.misreading import Misreading
from portrayal.study.correction.correct_differences import _of_place

MATRIX = Misreading([[98, 2], [20, 80]])
KEY = ("a", "gender")


def shares(model: str, women: float, way: Any, **more: Any) -> dict[str, CorrectedShare]:
    """Return the shares of both groups of a model, of whom so many are read as women."""
    found = {}
    for group, value in (("male", 1 - women), ("female", women)):
        about: dict[str, Any] = {"attribute": "gender", "group": group, "value": value, "n": 200, "worth": 200.0}
        seen = Measurement("representation", "share", model, "a", **about)
        facts: dict[str, Any] = {"labels": 200, "decides": True, **more}
        found[group] = CorrectedShare(seen, way, value, value - 0.05, value + 0.05, **facts)
    return found


def corrected(models: Mapping[str, Mapping[str, dict[str, CorrectedShare]]]) -> list[CorrectedDifference]:
    return list(_of_place(models, {KEY: MATRIX}, {"g": 0, "h": 1, "k": 2}))


def test_by_the_sample_where_both_have_one() -> None:
    models = {name: {"matrix": {}, "sample": shares(name, share, "sample")} for name, share in (("h", 0.3), ("g", 0.5))}
    male, female = corrected(models)
    assert (female.one.seen.generator, female.other.seen.generator, female.way) == ("g", "h", "sample")
    assert female.value == pytest.approx(0.2)
    assert (female.low, female.high) == pytest.approx((0.2 - 0.05 * 2**0.5, 0.2 + 0.05 * 2**0.5))
    assert male.value == pytest.approx(-0.2)
    assert female.labels == 400


def test_by_the_matrix_where_one_has_no_sample() -> None:
    models = {
        "g": {"matrix": shares("g", 0.5, "matrix", decides=False), "sample": shares("g", 0.6, "sample")},
        "h": {"matrix": shares("h", 0.3, "matrix"), "sample": {}},
    }
    _, female = corrected(models)
    assert female.way == "matrix"
    assert female.value == pytest.approx(0.2 / 0.78)
    assert female.labels == 200


@pytest.mark.parametrize("wrong", [{"uneven": True}, {"labels": 29}])
def test_no_correction_that_decides_nothing_of_a_share_decides_of_a_difference(wrong: dict[str, Any]) -> None:
    models = {name: {"matrix": shares(name, 0.4, "matrix", **wrong), "sample": {}} for name in ("g", "h")}
    assert corrected(models) == []


def test_every_pair_of_models_and_both_ways_round() -> None:
    values = {"g": 0.5, "h": 0.3, "k": 0.2}
    models = {name: {"matrix": shares(name, share, "matrix"), "sample": {}} for name, share in values.items()}
    found = corrected(models)
    assert {(each.one.seen.generator, each.other.seen.generator) for each in found} == {
        ("g", "h"),
        ("g", "k"),
        ("h", "k"),
    }
    for each in differences_by_place(found).values():
        assert each.value is not None
        assert each.low <= each.value <= each.high
        women = each.one.seen.group == "female"
        assert (each.value > 0) == (women == (each.one.seen.generator < each.other.seen.generator))
