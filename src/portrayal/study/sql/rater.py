"""People who judge on a site: each has a personal link, of which only a hash is kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Rater", "RaterProgress"]


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
