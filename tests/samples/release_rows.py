"""Rows of releases: the share of women in pictures of one term."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from portrayal.apps.history.history import ReleaseHistory
from portrayal.apps.history.release_rows import Release, Releases
from portrayal.records import Measurement, attribute_table
from portrayal.stats.intervals import wilson

ATTRIBUTES = {"gender": attribute_table()["gender"]}
DAY = datetime(2026, 11, 18, tzinfo=UTC)
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


def history(*rows: Sequence[Measurement], names: Sequence[str] = ()) -> ReleaseHistory:
    """Return the history of one model with these rows in each release."""
    called = names or [f"v{place + 1}" for place in range(len(rows))]
    made = [
        Release(name, Path(name), DAY, {"Model": [replace(row, generator=name) for row in mine]}, ["faces"])
        for name, mine in zip(called, rows, strict=True)
    ]
    return ReleaseHistory(Releases(made, ["Model"], ATTRIBUTES, 0.1, "en"), 0.1)
