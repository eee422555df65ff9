"""Rows of releases: the share of women in pictures of one term."""

from __future__ import annotations

from typing import Any

from portrayal.records import Measurement, attribute_table
from portrayal.stats.intervals import wilson

ATTRIBUTES = {"gender": attribute_table()["gender"]}
Rows = dict[str, list[Measurement]]


def share(term: str, women: float, n: int = 100, **more: Any) -> Measurement:
    """Return the share of women; ``more`` are other values of the row."""
    low, high = wilson(women / n, n)
    values: dict[str, Any] = {
        "value": women / n, "low": float(low), "high": float(high), "n": n, "worth": float(n), "prompts": 1,
        "prompt_set": term, "level": "term", "item": term, "attribute": "gender", "group": "female", **more,
    }  # fmt: skip
    return Measurement("representation", "share", "model", "faces", **values)


def releases(*women: float, term: str = "nurse") -> list[Rows]:
    """Return releases of one model and one term, by how many of 100 pictures show a woman."""
    return [{"model": [share(term, number)]} for number in women]
