"""Which of SocialBiasKG's intervals are wider than they need be; docs/validity.md has how often they hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from portrayal.records import Measurement
from portrayal.reports.text.wide_intervals import SIGN, few_on_a_side, side_is_small

__all__ = ["SHARES", "metric_sign", "wide"]

SHARES = ("dominance", "underrepresentation", "failure", "dominant_occupation")
"""Metrics that are shares of images."""


def wide(row: Measurement) -> bool:
    """Return whether few relations are, or are not, in the images."""
    return row.metric == "reproduced" and few_on_a_side(row)


def metric_sign(row: Mapping[str, Any]) -> str:
    """Return the sign of a metric of a relation: diversity and similarity assume the worst of what few images hide."""
    if row["low"] is None or row["high"] is None or row["metric"] == "quality":
        return ""
    return SIGN if row["metric"] not in SHARES or side_is_small(row["value"], row["n"]) else ""
