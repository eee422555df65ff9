"""What can be set about BiasPainter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from portrayal.settings import Settings

__all__ = ["BiasPainterOptions"]


class BiasPainterOptions(Settings):
    """``gender``, ``age`` and ``tone`` name the attributes that are watched; gender has the groups male and female.

    ``years`` and ``levels`` are the changes of age and tone that count as clear, and as 1. ``error_rate`` is the share
    of false alarms allowed among the words that stand out. ``draws``: bootstrap draws over seeds.
    ``few``: fewer seeds than this carry a warning. ``little``: an edit that changes a picture by less, in mean levels
    of 255, is one that was not done. ``unanswered``: edits of which nobody can say whether the perceived gender changed
    are ``left_out`` of its scores, or count as ``unchanged``, as in the scores that the paper prints.
    """

    gender: str = "gender"
    age: str = "age"
    tone: str = "intensity"
    years: float = Field(default=25.0, gt=0)
    levels: float = Field(default=20.0, gt=0)
    error_rate: float = Field(default=0.05, gt=0, lt=1)
    draws: int = Field(default=1000, ge=100)
    few: int = Field(default=6, ge=2)
    little: float = Field(default=2.0, ge=0)
    unanswered: Literal["left_out", "unchanged"] = "left_out"

    @property
    def attributes(self) -> Mapping[str, str]:
        """What is watched, to the name of the attribute that tells it."""
        return {"gender": self.gender, "age": self.age, "tone": self.tone}

    @property
    def scales(self) -> Mapping[str, float]:
        """The change that counts as 1."""
        return {"gender": 1.0, "age": self.years, "tone": self.levels}
