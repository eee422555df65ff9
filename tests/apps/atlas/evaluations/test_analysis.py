from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from portrayal.apps.atlas.evaluations.analysis import dated_rows, group_rows, row_order
from portrayal.apps.atlas.evaluations.columns import Columns, protocols
from portrayal.records.evaluated_models.evaluation import AtlasRows, Evaluation, ModelInfo, Score


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
    assert group_rows(columns, "category") == []


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
    foundation, art = group_rows(Columns.of(atlas(*models), ""), "category")
    assert (foundation.name, art.name, art.models) == ("foundation", "art", 2)
    assert [art.mean["b"], art.deviation["b"]] == pytest.approx([1.5, math.sqrt(0.5)])
    assert [art.popularity, foundation.popularity] == pytest.approx([0, 5.5326], abs=1e-4)
    assert math.isnan(foundation.deviation["b"])
    assert art.thin


def test_rows_by_score_those_without_last() -> None:
    columns = Columns.of(atlas({"model": "a", "b": 3}, {"model": "b"}, {"model": "c", "b": 1}), "")
    assert [columns.evaluations[place].model for place in row_order(columns, "b")] == ["c", "a", "b"]
    assert np.isnan(columns.scores["b"]).sum() == 1


def test_rows_by_a_score_that_moves_with_images_keep_the_order_of_names_where_these_differ() -> None:
    def order(*images: int | None) -> list[str]:
        scores = (("a", 3.0), ("b", 1.0), ("c", 2.0))
        rows = [
            Evaluation(name, {"distribution_bias": Score(value)}, images=number)
            for (name, value), number in zip(scores, images, strict=True)
        ]
        columns = Columns.of(AtlasRows().joined(rows, []), "")
        return [columns.evaluations[place].model for place in row_order(columns, "distribution_bias")]

    assert order(300, 300, 840) == ["a", "b", "c"]
    assert order(3688, 3690, 3690) == order(None, None, None) == order(300, None, 300) == ["b", "c", "a"]


def test_models_with_a_date_and_the_score_by_kind() -> None:
    models = [*many(2), {"model": "x", "b": 1, "created": "2022-01"}, {"model": "y", "b": 1}, {"model": "z"}]
    dated = dated_rows(Columns.of(atlas(*models), ""), "b")
    assert {name: len(rows) for name, rows in dated.items()} == {"art": 2, "": 1}
