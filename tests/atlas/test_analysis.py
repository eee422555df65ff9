from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from portrayal.atlas.analysis import compare_groups, group_trends, popularity_correlation, row_order
from portrayal.atlas.columns import Columns, protocols
from portrayal.atlas.evaluation import AtlasRows, Evaluation, ModelInfo, Score


def atlas(*models: dict[str, Any]) -> AtlasRows:
    rows = [
        Evaluation(m["model"], {"b": Score(m["b"])} if "b" in m else {}, m.get("protocol", ""), m.get("run", ""))
        for m in models
    ]
    known = ("category", "scheduler", "created", "likes", "downloads")
    infos = [ModelInfo(m["model"], **{name: m[name] for name in known if name in m}) for m in models]
    return AtlasRows().joined(rows, infos)


def many(count: int, slope: float = 0.0, category: str = "art", **more: Any) -> list[dict[str, Any]]:
    """Return models of the months from 2022 on, whose score grows by ``slope`` a year, give or take 0.1."""
    return [
        {
            "model": f"{category}/{number}",
            "category": category,
            "created": f"{2022 + number // 12}-{number % 12 + 1:02d}-01",
            "b": slope * number / 12 + 0.1 * (-1) ** number,
            **more,
        }
        for number in range(count)
    ]


def test_the_last_version_of_a_model_counts_and_all_are_listed() -> None:
    columns = Columns.of(atlas({"model": "a", "b": 1, "run": "1"}, {"model": "a", "b": 3, "run": "2"}), "")
    assert columns.version.tolist() == [1, 2]
    assert columns.current.tolist() == [1]
    assert compare_groups(columns, "category", "b").groups == []


def test_protocols_are_never_mixed() -> None:
    rows = atlas({"model": "a", "b": 1, "protocol": "p"}, {"model": "a", "b": 5}, {"model": "c", "b": 2})
    assert protocols(rows) == ["", "p"]
    assert Columns.of(rows, "p").scores["b"].tolist() == [1]


def test_groups_have_means_and_deviations_in_the_order_of_their_popularity() -> None:
    models = [
        {"model": "a", "category": "art", "b": 1, "likes": 0, "downloads": 0},
        {"model": "b", "category": "art", "b": 2},
        {"model": "c", "category": "foundation", "b": 5, "likes": 100, "downloads": 1000},
        {"model": "d", "b": 9},
    ]
    found = compare_groups(Columns.of(atlas(*models), ""), "category", "b")
    foundation, art = found.groups
    assert (foundation.name, art.name, art.models) == ("foundation", "art", 2)
    assert [art.mean["b"], art.deviation["b"]] == pytest.approx([1.5, math.sqrt(0.5)])
    assert [art.popularity, foundation.popularity] == pytest.approx([0, 5.5326], abs=1e-4)
    assert math.isnan(foundation.deviation["b"])
    assert (art.thin, found.p, found.compared) == (True, None, 0)


def test_groups_that_are_large_enough_are_compared() -> None:
    apart = Columns.of(atlas(*many(8, category="art"), *many(8, 2.0, "foundation")), "")
    found = compare_groups(apart, "category", "b")
    assert found.compared == 2
    assert found.p is not None
    assert found.p < 0.05
    alike = compare_groups(
        Columns.of(atlas(*many(8, category="art"), *many(8, 0.0, "foundation")), ""), "category", "b"
    )
    assert alike.p is not None
    assert alike.p > 0.5


def test_trends_need_enough_models_and_dates() -> None:
    (found,) = group_trends(Columns.of(atlas(*many(24, 0.5)), ""), "category", "b")
    assert found.trend is not None
    assert found.trend.low < 0.5 < found.trend.high
    (few,) = group_trends(Columns.of(atlas(*many(9, 0.5)), ""), "category", "b")
    assert few.trend is None
    (one_day,) = group_trends(Columns.of(atlas(*many(12, 0.5, created="2022-01")), ""), "category", "b")
    assert one_day.trend is None
    assert group_trends(Columns.of(atlas({"model": "a", "b": 1}), ""), "category", "b") == []


def test_popularity_against_a_score() -> None:
    models = [{**own, "likes": 10 * place, "downloads": place} for place, own in enumerate(many(24, 0.5))]
    found, rows = popularity_correlation(Columns.of(atlas(*models), ""), "b")
    assert found is not None
    assert len(rows) == 24
    assert 0.5 < found.interval.low < found.rho < found.interval.high <= 1
    none, rows = popularity_correlation(Columns.of(atlas(*models[:9]), ""), "b")
    assert (none, len(rows)) == (None, 9)


def test_rows_by_score_those_without_last() -> None:
    columns = Columns.of(atlas({"model": "a", "b": 3}, {"model": "b"}, {"model": "c", "b": 1}), "")
    assert [columns.evaluations[place].model for place in row_order(columns, "b")] == ["c", "a", "b"]
    assert np.isnan(columns.scores["b"]).sum() == 1
