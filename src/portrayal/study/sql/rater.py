"""People who judge on a site: each has a personal link, of which only a hash is kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

__all__ = ["AnsweredTask", "Rater", "RaterProgress"]


@dataclass(frozen=True, slots=True)
class Rater:
    """A person with a link. ``answers`` is None until the questionnaire was answered or skipped."""

    id: str
    token_hash: str
    label: str
    language: str
    invited_at: float
    consented_at: float | None = None
    answers: Mapping[str, str] | None = None
    excluded: bool = False


@dataclass(frozen=True, slots=True)
class RaterProgress:
    """How much a rater has answered, of how much in all."""

    done: int
    total: int


class AnsweredTask(Protocol):
    """Something dealt to a rater, open until its ``choices`` are there."""

    @property
    def id(self) -> str:
        """What tells it from all others, and tells nothing else."""

    @property
    def choices(self) -> Mapping[str, str] | None:
        """What the rater chose, by what was asked."""

    @property
    def cast_at(self) -> float | None:
        """When it was answered."""

    @property
    def seconds(self) -> float | None:
        """How long the rater looked before."""

    @property
    def undone(self) -> int:
        """How often the rater took the answer back."""
