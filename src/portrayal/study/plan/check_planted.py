"""Names in what a generator is told to plant: a mistyped one would show only after a night of drawing, or never."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Iterator, Mapping
from string import digits
from typing import Protocol, runtime_checkable

from portrayal.errors import ConfigError, did_you_mean
from portrayal.generators.planted_shares import Shares, split_aspect
from portrayal.records import Attribute, Prompt

__all__ = ["Planting", "check_planted", "unasked_terms"]

_NEAR = 0.8
"""How alike a name and that of an attribute are if it is likely to be a slip."""


@runtime_checkable
class Planting(Protocol):
    """A generator that plants what its options say."""

    name: str

    def planted(self) -> Iterable[tuple[str, str, Mapping[str, Shares]]]:
        """Yield the name of an option, the term that it is about or nothing, and shares by attribute or aspect."""
        ...


def check_planted(generators: Iterable[object], known: Mapping[str, Attribute], reported: Collection[str]) -> None:
    """Refuse attributes that are nearly ``known`` ones, and groups that a ``reported`` attribute does not have.

    Attributes that nobody reports may have any groups, and those unlike all others may belong to an annotator that
    the study has not yet.
    """
    for generator in generators:
        for option, aspect, groups in _planted(generator):
            name = split_aspect(aspect)[1]
            if name not in known and _is_slip(name, known):
                raise ConfigError(f"{option}: no attribute {name!r}{did_you_mean(name, known)}")
            reported_groups = known[name].groups if name in reported else ()
            for group in groups:
                if reported_groups and group not in reported_groups:
                    hint = did_you_mean(group, reported_groups)
                    raise ConfigError(f"{option}: attribute {name!r} has no group {group!r}{hint}")


def _is_slip(name: str, known: Iterable[str]) -> bool:
    """Return whether a name is nearly a known one, and not one of the same kind with other groups.

    >>> _is_slip("gendr", ["gender"]), _is_slip("gender3", ["gender"]), _is_slip("race4", ["race5"])
    (True, False, False)
    """
    near = difflib.get_close_matches(name, known, 1, _NEAR)
    return any(other.rstrip(digits) != name.rstrip(digits) for other in near)


def _planted(generator: object) -> Iterator[tuple[str, str, Shares]]:
    """Yield where shares stand, the aspect that they are about, and the shares."""
    if isinstance(generator, Planting):
        for option, term, shares in generator.planted():
            where = f"options.{option}.{term}" if term else f"options.{option}"
            for aspect, groups in shares.items():
                yield f"generator {generator.name.partition('@')[0]!r}: {where}", aspect, groups


def unasked_terms(generators: Iterable[object], prompts: Iterable[Prompt]) -> Iterator[str]:
    """Yield a line about the terms that a generator has options for and no prompt is about."""
    terms = {prompt.term.casefold(): prompt.term for prompt in prompts}
    for generator in generators:
        if isinstance(generator, Planting):
            named = dict.fromkeys((option, term) for option, term, _ in generator.planted() if term)
            for option, term in named:
                if term.casefold() not in terms:
                    near = difflib.get_close_matches(term.casefold(), terms, 1, _NEAR)
                    hint = f"; did you mean {terms[near[0]]!r}?" if near else ""
                    kind = generator.name.partition("@")[0]
                    yield f"generator {kind!r}: options.{option}: no prompt has the term {term!r}{hint}"
