"""What a suite is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol

from portrayal.errors import InputError
from portrayal.records import Prompt
from portrayal.settings import Settings

__all__ = ["Suite", "SuiteFactory", "check_prompts"]


@dataclass(frozen=True, slots=True)
class Suite:
    """A named list of prompts, all different, and whom to cite for it."""

    name: str
    prompts: Sequence[Prompt]
    citations: Sequence[str] = ()


class SuiteFactory(Protocol):
    """The class a registry entry points to."""

    Options: ClassVar[type[Settings]]

    def __call__(self, options: Any, folder: Path) -> Suite:
        """Return the suite; relative paths in the options start at ``folder``."""
        ...


def check_prompts(prompts: Sequence[tuple[str, Prompt]]) -> list[Prompt]:
    """Return the prompts, each given with where it stands, or say which is empty or stands twice."""
    seen: dict[str, str] = {}
    for where, prompt in prompts:
        if not prompt.text:
            raise InputError(f"{where}: empty prompt; give every row a text or remove it")
        if prompt.id in seen:
            raise InputError(f"{where}: prompt {prompt.text!r} stands already at {seen[prompt.id]}; keep one")
        seen[prompt.id] = where
    return [prompt for _, prompt in prompts]
