"""The pictures that people label, and the tasks dealt to them: one person in one picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from portrayal.study.sql.rater import Rater

__all__ = ["Change", "Choices", "LabelTask", "Picture", "PictureKey"]

PictureKey = tuple[str, str]
"""An image, and the side of the person meant."""
Choices = Mapping[str, str]
"""What a rater said: a group for each attribute, "" where they could not tell."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A person in an image that is to be labelled, as the ``number``-th drawn.

    ``side`` is empty in a picture of one person. ``probability`` is how likely an image of its prompt and model was
    drawn, as far as that is known.
    """

    image: str
    side: str
    ext: str
    prompt: str
    probability: float | None
    number: int
    drawn_at: float

    @property
    def key(self) -> PictureKey:
        """What tells it from all others."""
        return self.image, self.side


@dataclass(frozen=True, slots=True)
class LabelTask:
    """A picture dealt to one rater as the ``number``-th (from 1); open until ``choices`` are there.

    ``seconds`` is how long the rater looked before, as best the server knows. ``undone`` counts how often the rater
    took the answer back.
    """

    id: str
    rater: str
    number: int
    image: str
    side: str
    dealt_at: float
    choices: Choices | None = None
    cast_at: float | None = None
    seconds: float | None = None
    undone: int = 0

    @property
    def key(self) -> PictureKey:
        """Which picture it is about."""
        return self.image, self.side


@dataclass(frozen=True, slots=True)
class Change:
    """Raters, tasks and pictures as they stand after a change; all of it happens or nothing."""

    raters: Sequence[Rater] = ()
    tasks: Sequence[LabelTask] = ()
    pictures: Sequence[Picture] = ()
