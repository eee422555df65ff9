from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from portrayal.apps.atlas.evaluations.hub_metadata import read_hub_json
from portrayal.errors import InputError
from portrayal.records.evaluated_models.evaluation import ModelInfo

TODAY = date(2024, 5, 31)
RECORD: dict[str, Any] = {
    "id": "org/model",
    "likes": 12,
    "downloads": 3400,
    "createdAt": "2022-08-22T10:20:30.000Z",
    "pipeline_tag": "text-to-image",
    "model_index.json": {"_class_name": "StableDiffusionPipeline", "scheduler": ["diffusers", "PNDMScheduler"]},
}


def test_a_record_of_the_hub() -> None:
    info = ModelInfo("org/model", "", "PNDM", "text-to-image", "2022-08-22", 12, 3400)
    assert read_hub_json(json.dumps(RECORD), "hub.json", today=TODAY).models == [info]
    assert read_hub_json(json.dumps([RECORD, {"id": "b/c"}]), "hub.json", today=TODAY).models == [
        info,
        ModelInfo("b/c"),
    ]


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        ({"likes": 3}, "hub.json: record 2: field 'id' is missing; a record of the hub has the model's id"),
        ({"id": "a", "likes": "3"}, "hub.json: record 2: field 'likes' must be a whole number from 0 on, got '3'"),
        ({"id": "a", "createdAt": "soon"}, "hub.json: record 2: field 'createdAt' must be a date, got 'soon'"),
        (
            {"id": "a", "createdAt": "2023-02-30"},
            "hub.json: record 2: field 'createdAt' must be a date, got '2023-02-30'",
        ),
        (
            {"id": "a", "createdAt": "2024-06-01T00:00:00Z"},
            "hub.json: record 2: field 'createdAt' must not be after today, 2024-05-31, got '2024-06-01T00:00:00Z'",
        ),
        ({"id": "a", "likes": 10**22}, f"hub.json: record 2: field 'likes' must not be beyond 1e+15, got {10**22}"),
        (3, "hub.json: record 2: field 'id' is missing; a record of the hub has the model's id"),
    ],
)
def test_a_record_that_cannot_be_read_is_named_and_the_rest_kept(record: Any, problem: str) -> None:
    found = read_hub_json(json.dumps([RECORD, record, {"id": "b"}]), "hub.json", today=TODAY)
    assert found.problems == [problem]
    assert [info.model for info in found.models] == ["org/model", "b"]


def test_what_is_no_json_is_named() -> None:
    with pytest.raises(InputError, match=r"hub.json:2: not valid JSON"):
        read_hub_json('{"id":\n oops}', "hub.json", today=TODAY)
