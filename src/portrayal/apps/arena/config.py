"""The table ``[arena]`` of study.toml: how people compare the study's pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, model_validator

from portrayal.settings import Settings

if TYPE_CHECKING:
    from portrayal.apps.arena.battles.battle import BattleRules

__all__ = ["ArenaConfig", "QuestionConfig"]

Text = Annotated[str, Field(min_length=1, max_length=2000)]
TextByLanguage = Annotated[Mapping[str, Text], Field(min_length=1)]
"""A text by language, such as ``{en = "Age", de = "Alter"}``."""


class QuestionConfig(Settings):
    """One question to raters. ``options`` are the answers to choose from; without any, the answer is free text."""

    key: str = Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")
    label: TextByLanguage
    options: tuple[TextByLanguage, ...] = ()


class ArenaConfig(Settings):
    """The table ``[arena]``.

    ``languages``, ``variants`` and ``generators`` narrow down what is shown; empty means all. ``open`` lets anyone
    join without a link of their own. ``questions`` replace the built-in questionnaire, ``consent`` the built-in
    consent text of a language. ``contact`` is whom raters can ask; ``leaderboard`` makes the ratings public.
    """

    title: str = ""
    quota: int = Field(default=30, ge=1, le=10_000)
    checks: float = Field(default=0.1, ge=0, le=0.5)
    repeats: float = Field(default=0.2, ge=0, le=1)
    pairing: Literal["balanced", "uncertain"] = "balanced"
    prompt_language: Literal["any", "rater"] = "any"
    languages: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    generators: tuple[str, ...] = ()
    open: bool = False
    questionnaire: bool = True
    questions: tuple[QuestionConfig, ...] = ()
    consent: Mapping[str, Text] = {}
    contact: str = ""
    leaderboard: bool = False

    @property
    def rules(self) -> BattleRules:
        """How battles are dealt."""
        from portrayal.apps.arena.battles.battle import (
            BattleRules,  # every command reads study.toml, and few need the arena
        )

        return BattleRules(self.quota, self.checks, self.repeats, self.pairing, self.prompt_language)

    @model_validator(mode="after")
    def _keys_differ(self) -> ArenaConfig:
        keys = [question.key for question in self.questions]
        for key in keys:
            if keys.count(key) > 1:
                raise ValueError(f"two questions have the key {key!r}; give one of them another")
        return self
