"""The images that raters compare, and the battles dealt to them: two images of one prompt by two models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Literal

from portrayal.study.sql.rater import Rater

__all__ = [
    "ASPECTS",
    "CHOICES",
    "Battle",
    "BattleRules",
    "Change",
    "Choice",
    "ImagePool",
    "PoolPrompt",
]

Choice = Literal["left", "right", "draw", "skip"]
"""What a rater says on one aspect. A skip is no vote: it is counted, never rated."""

CHOICES: tuple[Choice, ...] = ("left", "right", "draw", "skip")
ASPECTS = ("bias", "quality", "alignment")
"""What every battle is judged on."""


@dataclass(frozen=True, slots=True)
class PoolPrompt:
    """A prompt and the names of the images that each model drew of it."""

    id: str
    text: str
    language: str
    term: str
    category: str
    variant: str
    images: Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class ImagePool:
    """All that can be dealt: prompts by their id, each with the images of two models or more."""

    prompts: Mapping[str, PoolPrompt]

    @cached_property
    def models(self) -> tuple[str, ...]:
        """Every model with an image of some prompt, in the order of their names."""
        return tuple(sorted({model for prompt in self.prompts.values() for model in prompt.images}))

    @cached_property
    def picture_pairs(self) -> tuple[int, int]:
        """How many pairs of pictures of one prompt by two models there are, and in how many both are the same file."""
        every = same = 0
        for prompt in self.prompts.values():
            for one, other in combinations(prompt.images.values(), 2):
                every += len(one) * len(other)
                same += len(set(one) & set(other))
        return every, same

    def holds(self, battle: Battle) -> bool:
        """Return whether both pictures of a battle are still here; a study may have changed since it was dealt.

        An earlier version dealt the same picture twice, though not as a check: there is nothing to say of it.
        """
        prompt = self.prompts.get(battle.prompt)
        sides = ((battle.left_model, battle.left_image), (battle.right_model, battle.right_image))
        if prompt is None or (battle.left_image == battle.right_image and not battle.check):
            return False
        return all(image in prompt.images.get(model, ()) for model, image in sides)


@dataclass(frozen=True, slots=True)
class BattleRules:
    """How battles are dealt.

    ``quota`` is the number of battles per rater and ``checks`` the share of attention checks that come on top of it.
    ``repeats`` is the share of battles over pictures that another rater judged already. ``prompt_language`` says
    whether a rater sees prompts in ``any`` language or only in the ``rater``'s own, if there are any.
    """

    quota: int = 30
    checks: float = 0.1
    repeats: float = 0.2
    pairing: Literal["balanced", "uncertain"] = "balanced"
    prompt_language: Literal["any", "rater"] = "any"


@dataclass(frozen=True, slots=True)
class Battle:
    """Two pictures of one prompt, dealt to one rater as the ``number``-th (from 1); open until ``choices`` are cast.

    ``check`` is empty, or the side that must win on quality in an attention check: both sides hold the same picture
    and the other one is shown degraded. ``seconds`` is how long the rater looked before casting, as best the server
    knows. ``undone`` counts how often the rater took the answer back.
    """

    id: str
    rater: str
    number: int
    prompt: str
    left_model: str
    left_image: str
    right_model: str
    right_image: str
    check: Literal["", "left", "right"]
    dealt_at: float
    choices: Mapping[str, Choice] | None = None
    cast_at: float | None = None
    seconds: float | None = None
    undone: int = 0

    @property
    def passed(self) -> bool:
        """Whether an attention check was answered as it must be; a draw or a skip is not."""
        return self.choices is not None and self.choices["quality"] == self.check


@dataclass(frozen=True, slots=True)
class Change:
    """Raters and battles as they stand after a change; all of it happens or nothing."""

    raters: Sequence[Rater] = ()
    battles: Sequence[Battle] = ()
