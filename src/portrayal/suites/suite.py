"""What a suite is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Protocol

from portrayal.errors import ConfigError, InputError, did_you_mean
from portrayal.records import Adjustment, Prompt
from portrayal.settings import Settings

__all__ = [
    "LEAST_WEIGHT",
    "MOST_WEIGHT",
    "Redraw",
    "Suite",
    "SuiteFactory",
    "check_names",
    "check_prompts",
    "check_weight",
    "near_names",
]

LEAST_WEIGHT, MOST_WEIGHT = 1e-6, 1e6
"""Sums of squares of weights within these are numbers; beyond them, all but one prompt would count for nothing."""
_MANY = 30


@dataclass(frozen=True, slots=True)
class Redraw:
    """Edits that show several people of different groups of an attribute are made anew, ``tries`` times in all."""

    attribute: str
    tries: int


@dataclass(frozen=True, slots=True)
class Suite:
    """A named list of prompts, all different, and whom to cite for it.

    ``adjusted`` says how it differs from the published suite of that name; empty: not at all. ``aliases``
    are other spellings of prompts that are around, each with the prompt's own text: images made for one are taken.
    ``redraw`` says which edits are made anew.
    """

    name: str
    prompts: Sequence[Prompt]
    citations: Sequence[str] = ()
    adjusted: Sequence[Adjustment] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    redraw: Redraw | None = None


class SuiteFactory(Protocol):
    """The class a registry entry points to.

    It may have ``references``, from attributes to the names of references for its terms: a new study begins with them.
    """

    Options: ClassVar[type[Settings]]

    def __call__(self, options: Any, folder: Path) -> Suite:
        """Return the suite; relative paths in the options start at ``folder``."""
        ...


def check_prompts(prompts: Iterable[tuple[str, Prompt]]) -> list[Prompt]:
    """Return the prompts, each given with where it stands, or say which is empty or stands twice."""
    seen: dict[str, str] = {}
    kept = []
    for where, prompt in prompts:
        if not prompt.text:
            raise InputError(f"{where}: empty prompt; give every row a text or remove it")
        if prompt.id in seen:
            raise InputError(f"{where}: prompt {prompt.text!r} stands already at {seen[prompt.id]}; keep one")
        seen[prompt.id] = where
        kept.append(prompt)
    return kept


def check_weight(where: str, weight: float) -> float:
    """Return a weight that averages can be taken with, or say where it stands."""
    if not LEAST_WEIGHT <= weight <= MOST_WEIGHT:
        raise InputError(f"{where}: weight must lie between {LEAST_WEIGHT:f} and {MOST_WEIGHT:,.0f}, got {weight:g}")
    return weight


def check_names(
    suite: str, kind: str, names: Iterable[str], known: Sequence[str], *, fold: Callable[[str], str] = str.casefold
) -> None:
    """Refuse a name that the suite does not have and say which was meant; ``fold`` makes different spellings equal."""
    folded = {fold(name) for name in known}
    for name in names:
        if fold(name) not in folded:
            hint = near_names(suite, name, known) if len(known) > _MANY else did_you_mean(name, known)
            raise ConfigError(f"suite {suite!r} has no {kind} {name!r}{hint}")


def near_names(suite: str, name: str, known: Iterable[str]) -> str:
    """Return which name of a suite was meant or, where none is near, how to see them all."""
    hint = did_you_mean(name, known)
    return hint if "did you mean" in hint else f"; see: portrayal suites show {suite}"
