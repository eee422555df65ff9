"""What the hub says of models, from a saved file: likes, downloads, since when, and the scheduler of the pipeline."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from portrayal.apps.atlas.evaluations.csv_rows import LARGEST, CsvAtlas, in_future, parse_date
from portrayal.jsonfile import parse_json
from portrayal.records.evaluated_models.evaluation import ModelInfo

__all__ = ["model_info", "read_hub_json"]


def read_hub_json(text: str, name: str, *, today: date) -> CsvAtlas:
    """Return what a JSON file of the hub says: one model's record or a list of them; others are named and left out.

    A record is what the hub's API answers (``id``, ``likes``, ``downloads``, ``createdAt``, ``pipeline_tag``); the
    content of the model's ``model_index.json`` may stand in it under that name.
    """
    parsed = parse_json(text, name)
    records = parsed if isinstance(parsed, list) else [parsed]
    models, problems = [], []
    for place, record in enumerate(records, start=1):
        try:
            models.append(model_info(record, today))
        except ValueError as problem:
            problems.append(f"{name}: record {place}: {problem}")
    return CsvAtlas((), models, problems)


def model_info(record: Any, today: date) -> ModelInfo:
    """Return what one record says, or a ValueError that names the field that is wrong."""
    if not isinstance(record, Mapping) or not isinstance(record.get("id"), str) or not record["id"]:
        raise ValueError("field 'id' is missing; a record of the hub has the model's id")
    index = record.get("model_index.json") or {}
    scheduler = index.get("scheduler") if isinstance(index, Mapping) else None
    created = parse_date(str(record.get("createdAt") or ""))
    if created is None:
        raise ValueError(f"field 'createdAt' must be a date, got {record['createdAt']!r}")
    if in_future(created, today):
        raise ValueError(f"field 'createdAt' must not be after today, {today}, got {record['createdAt']!r}")
    return ModelInfo(
        record["id"],
        scheduler=str(scheduler[1]) if isinstance(scheduler, list) and len(scheduler) > 1 else "",
        pipeline=str(record.get("pipeline_tag") or ""),
        created=created,
        likes=_count(record, "likes"),
        downloads=_count(record, "downloads"),
    )


def _count(record: Mapping[str, Any], name: str) -> int | None:
    value = record.get(name)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
        raise ValueError(f"field {name!r} must be a whole number from 0 on, got {value!r}")
    if value is not None and value > LARGEST:
        raise ValueError(f"field {name!r} must not be beyond {LARGEST:.0e}, got {value!r}")
    return value
