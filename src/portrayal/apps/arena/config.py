"""The table ``[arena]`` of study.toml: how people compare the study's pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from portrayal.web.raters.rater_config import RaterSiteConfig

if TYPE_CHECKING:
    from portrayal.apps.arena.battles.battle import BattleRules

__all__ = ["ArenaConfig"]


class ArenaConfig(RaterSiteConfig):
    """The table ``[arena]``.

    ``languages``, ``variants`` and ``generators`` narrow down what is shown; empty means all. ``leaderboard`` makes the
    ratings public.
    """

    quota: int = Field(default=30, ge=1, le=10_000)
    checks: float = Field(default=0.1, ge=0, le=0.5)
    repeats: float = Field(default=0.2, ge=0, le=1)
    pairing: Literal["balanced", "uncertain"] = "balanced"
    prompt_language: Literal["any", "rater"] = "any"
    languages: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    generators: tuple[str, ...] = ()
    leaderboard: bool = False

    @property
    def rules(self) -> BattleRules:
        """How battles are dealt."""
        from portrayal.apps.arena.battles.battle import (
            BattleRules,  # every command reads study.toml, and few need the arena
        )

        return BattleRules(self.quota, self.checks, self.repeats, self.pairing, self.prompt_language)
