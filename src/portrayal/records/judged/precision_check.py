"""What rounding cost on a study's own pictures, looked at both ways."""

from __future__ import annotations

from dataclasses import dataclass

from portrayal.records.arrow_rows import record_schema

__all__ = ["PRECISION_SCHEMA", "PrecisionCheck"]


@dataclass(frozen=True, slots=True)
class PrecisionCheck:
    """A row of ``tables/precision``: a group of an attribute, as ``annotator`` told it and as it does without rounding.

    ``labels`` are the people compared, ``flips`` those whose likeliest group is another. ``mean`` and ``largest`` are
    shifts of the group's probability, ``effect`` is what its share moves by, with the 95 % interval.
    """

    annotator: str
    precision: str
    attribute: str
    group: str
    labels: int
    flips: int
    mean: float
    largest: float
    effect: float
    low: float | None
    high: float | None


PRECISION_SCHEMA = record_schema(PrecisionCheck)
