"""What a look says of one prompt of one generator, before a maximum or a budget cuts it short."""

from __future__ import annotations

from dataclasses import dataclass

from portrayal.records import Stop

__all__ = ["Wanted"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """How many images of a prompt there should be in all, or why no more are needed, and what that rests on."""

    images: int
    reason: Stop = Stop.NONE
    about: str = ""
    usable: int = 0
    half_width: float | None = None
