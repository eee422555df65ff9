"""What of the suite can be chosen and exchanged."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from portrayal.methods.socialbiaskg.vertices import RACE
from portrayal.settings import Settings

__all__ = ["KINDS", "NAME", "WORDINGS", "SuiteOptions"]

NAME = "socialbiaskg"
Kind = Literal["occupation", "race", "pair"]
Wording = Literal["simple", "contextual"]
KINDS: tuple[Kind, ...] = ("occupation", "race", "pair")
WORDINGS: tuple[Wording, ...] = ("simple", "contextual")


class SuiteOptions(Settings):
    """Which prompts, about which vertices. The defaults are the published protocol, with the edges that are printed.

    ``edges`` is a table of people's edges: each pair of vertices in it is asked for; ``pairs`` may be all instead.
    ``occupations`` and ``groups`` are tables of one's own vertices, ``group_kind`` what the groups are groups of, and
    ``attribute`` how annotators tell them. ``words`` asks for groups alone in their usual word, or in all words.
    """

    kinds: tuple[Kind, ...] = KINDS
    wordings: tuple[Wording, ...] = WORDINGS
    categories: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    sample: int = Field(default=0, ge=0)
    sample_seed: int = Field(default=0, ge=0)
    pairs: Literal["annotated", "all"] = "annotated"
    words: Literal["usual", "all"] = "usual"
    edges: Path | None = None
    occupations: Path | None = None
    groups: Path | None = None
    group_kind: str = Field(default=RACE, pattern=r"^[a-z][a-z0-9]*$")
    attribute: str = Field(default="race11", pattern=r"^[a-z][a-z0-9_]*$")
