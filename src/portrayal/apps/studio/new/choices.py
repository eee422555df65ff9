"""What a new study chooses from: methods, who draws, who looks, references; and why something cannot be chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from portrayal.annotators import ANNOTATORS
from portrayal.bundles import Bundle, bundles
from portrayal.errors import InputError
from portrayal.generators import GENERATORS
from portrayal.language.translation import t
from portrayal.methods import DEFAULT, METHODS
from portrayal.registry import Registry
from portrayal.suites import REFERENCES

__all__ = ["Choice", "Choices", "chosen", "offered_choices"]

_NOT_FROM_A_PAGE = ("folder", "python", "imported")
"""Parts that name files of this machine or Python code: those are for study.toml."""
_FIRST = ("facegan", "diffusers", "openai", "comfyui")
"""Who draws, in the order in which a newcomer may want them; then the others."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Something to choose. ``takes_model``: a model's name or a server's address belongs to it.

    ``words`` say plainly what it is, where somebody wrote them. ``remedy`` is the command that makes it available,
    where something is not installed; ``unfit`` is why it does not go with the method.
    """

    name: str
    summary: str
    takes_model: bool = False
    remedy: str = ""
    unfit: str = ""
    words: str = ""

    @property
    def off(self) -> bool:
        """Whether it cannot be chosen as things are."""
        return bool(self.remedy or self.unfit)


@dataclass(frozen=True, slots=True)
class Choices:
    """All that a new study chooses from."""

    methods: Sequence[Choice]
    generators: Sequence[Choice]
    annotators: Sequence[Choice]
    references: Sequence[Choice]


def offered_choices(method: str = DEFAULT) -> Choices:
    """Return what this machine offers for a study with this method."""
    known = METHODS.entries()
    methods = [
        Choice(name, known[name].summary, remedy=known[name].remedy() if known[name].missing() else "")
        for name, bundle in bundles().items()
        if bundle.can_begin
    ]
    references = [Choice(name, entry.summary) for name, entry in REFERENCES.entries().items()]
    bundle = bundles().get(method)
    generators = sorted((_fitting_generator(each, bundle) for each in _offered(GENERATORS)), key=_place)
    annotators = [_fitting_annotator(each, bundle) for each in _offered(ANNOTATORS)]
    return Choices(
        _in_words(methods, METHODS),
        _in_words(generators, GENERATORS),
        _in_words(annotators, ANNOTATORS),
        _in_words(references, REFERENCES),
    )


def _in_words(choices: Sequence[Choice], registry: Registry[Any]) -> list[Choice]:
    entries = registry.entries()
    return [replace(choice, words=t(entries[choice.name].words)) for choice in choices]


def chosen(name: str, offered: Sequence[Choice]) -> Choice:
    """Return the choice of this name; an error where there is none, or it cannot be chosen."""
    for choice in offered:
        if choice.name == name and not choice.off:
            return choice
    unfit = next((choice.unfit for choice in offered if choice.name == name and choice.unfit), "")
    raise InputError(unfit or t("{name} cannot be chosen here.", name=name or "–"))


def _place(choice: Choice) -> int:
    return _FIRST.index(choice.name) if choice.name in _FIRST else len(_FIRST)


def _offered(registry: Registry[Any]) -> list[Choice]:
    offered = []
    for name, entry in registry.entries().items():
        if name not in _NOT_FROM_A_PAGE:
            shape, _, rest = entry.summary.partition(": ")
            takes_model = shape.startswith(f"{name}:<")
            remedy = entry.remedy() if entry.missing() else ""
            offered.append(Choice(name, rest if takes_model else entry.summary, takes_model, remedy))
    return offered


def _fitting_generator(choice: Choice, bundle: Bundle | None) -> Choice:
    """Return the choice; where a method asks for things, who draws nothing but faces does not fit."""
    things = bundle is not None and bundle.asks_for_things
    if not things or choice.remedy or not getattr(GENERATORS.load(choice.name), "only_faces", False):
        return choice
    return replace(choice, unfit=t("It draws faces whatever the prompt says, and this method asks for things."))


def _fitting_annotator(choice: Choice, bundle: Bundle | None) -> Choice:
    """Return the choice; who is known to report other things than the method needs does not fit."""
    reports = ANNOTATORS.entries()[choice.name].tells
    needed = bundle.attributes if bundle else ()
    if not needed or not reports or set(needed) & set(reports):
        return choice
    return replace(choice, unfit=t("It reports none of what this method needs: {names}", names=", ".join(needed)))
