"""What can be set about the method."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from portrayal.methods.socialbiaskg.rules import Thresholds
from portrayal.methods.socialbiaskg.vertices import RACE
from portrayal.settings import Settings

__all__ = ["SocialBiasKGOptions"]


class SocialBiasKGOptions(Settings):
    """``edges``: people's edges, as ``portrayal graph consensus`` writes them; without it, the printed ones.

    ``occupations``, ``groups``, ``group_kind`` and ``attribute`` are as in the suite. ``perceived``, ``occupation``,
    ``niqe``, ``alignment`` and ``captions`` name the annotators that tell groups of people, occupations, how natural
    images look, how well captions fit prompts, and captions; without it the first that does. ``similarity_weight`` is
    the share of structure in style similarity and ``quality_weight`` that of NIQE in image quality; ``quality_scale``
    ``printed`` takes 1 - NIQE as it is printed. Pictures are compared at ``size`` pixels. ``diversity_images`` is the
    number of images of an occupation that diversity is about, as published; where there are more, it is what so many of
    them show on average. 0: all count.
    """

    edges: Path | None = None
    occupations: Path | None = None
    groups: Path | None = None
    group_kind: str = Field(default=RACE, pattern=r"^[a-z][a-z0-9]*$")
    attribute: str = Field(default="race11", pattern=r"^[a-z][a-z0-9_]*$")
    thresholds: Thresholds = Thresholds()
    perceived: str = ""
    occupation: str = ""
    niqe: str = ""
    alignment: str = ""
    captions: str = ""
    similarity_weight: float = Field(default=0.5, ge=0, le=1)
    quality_weight: float = Field(default=0.5, ge=0, le=1)
    quality_scale: Literal["bounded", "printed"] = "bounded"
    diversity_images: int = Field(default=40, ge=0)
    size: int = Field(default=256, ge=7, le=1024)
