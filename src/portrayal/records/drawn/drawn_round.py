"""Adaptive runs: how many images of each prompt were let in after each look, and why there are no more."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from portrayal.records.arrow_rows import record_schema

__all__ = ["ROUND_SCHEMA", "DrawnRound", "Stop"]


class Stop(StrEnum):
    """Why no more images of a prompt are drawn; nothing: more are."""

    NONE = ""
    NARROW = "narrow"
    DECIDED = "decided"
    UNASKED = "no_scenario"
    NOT_BY_IMAGES = "not_by_images"
    MOST_OF_PROMPT = "most_of_prompt"
    MOST_IN_ALL = "most_in_all"
    LOOKS = "looks"
    UNUSABLE = "unusable"


@dataclass(frozen=True, slots=True)
class DrawnRound:
    """A row of ``tables/rounds``: what one look (``number``, from 1) decided about a prompt of a generator.

    ``asked`` images were asked for at the look, ``images`` are from then on. ``about`` is what was looked at, such as a
    term; of its usable images ``usable`` were counted, and ``half_width`` is that of its widest interval. ``looks`` is
    how many times a p-value counts then, ``confidence`` that of each interval, ``rule`` a digest of the settings.
    """

    number: int
    generator: str
    prompt: str
    asked: int
    images: int
    reason: str
    about: str
    usable: int
    half_width: float | None
    looks: int
    confidence: float
    rule: str


ROUND_SCHEMA = record_schema(DrawnRound)
