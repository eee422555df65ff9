"""Parts that a user hands to a study in Python, as objects: no package, no name in a registry.

study.toml keeps their names, versions and what they tell (``use = "python:smiles@1"``). So whoever opens the study
without them reads what was made and measured, and is told in one line when their code is needed.
"""

from __future__ import annotations

import io
import pickle
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from portrayal.annotators import ANNOTATORS, Annotator
from portrayal.annotators.function import Look, function_annotator
from portrayal.annotators.python import python_options as annotator_options
from portrayal.errors import ConfigError
from portrayal.generators import GENERATORS, Generator
from portrayal.generators.python import python_options as generator_options
from portrayal.records import Attribute
from portrayal.registry import Registry
from portrayal.study.config import CONFIG_NAME, PartConfig, StudyConfig
from portrayal.study.tables.image_columns import check_columns

__all__ = [
    "OwnParts", "annotator_config", "generator_config", "own_annotator", "own_generator", "runs_in_workers",
]  # fmt: skip

_IDENTITY = re.compile(r"(?P<name>[^\s@#:]+)@[^\s@]+")
_PREFIX = "python:"
_Part = TypeVar("_Part", Generator, Annotator)


def own_generator(part: Generator) -> Generator:
    """Return a generator that a user made, if it has what one needs."""
    _check(part, "generator", ("generate", "truth"), GENERATORS)
    return part


def own_annotator(part: Annotator | Look) -> Annotator:
    """Return an annotator that a user made, if it has what one needs; a plain function is made one."""
    made: Any = part if hasattr(part, "annotate") or not callable(part) else function_annotator(part)
    _check(made, "annotator", ("attributes", "annotate"), ANNOTATORS)
    annotator: Annotator = made
    if not all(isinstance(attribute, Attribute) for attribute in annotator.attributes):
        raise ConfigError(
            f"annotator {annotator.name}: its attributes are objects of the class portrayal.records.Attribute, and not "
            f"{annotator.attributes!r:.60}"
        )
    check_columns(annotator.attributes, f"annotator {annotator.name}")
    return annotator


def generator_config(part: Generator) -> PartConfig:
    """Return what study.toml says of a generator that a user made."""
    return PartConfig(use=_PREFIX + part.name, options=generator_options(part))


def annotator_config(part: Annotator) -> PartConfig:
    """Return what study.toml says of an annotator that a user made."""
    return PartConfig(use=_PREFIX + part.name, options=annotator_options(part))


@dataclass(frozen=True, slots=True)
class OwnParts:
    """The parts that a study was opened with, by what study.toml calls them."""

    generators: Mapping[str, Generator] = field(default_factory=dict)
    annotators: Mapping[str, Annotator] = field(default_factory=dict)

    @classmethod
    def of(cls, generators: Sequence[Generator] = (), annotators: Sequence[Annotator | Look] = ()) -> OwnParts:
        """Check parts that a user made."""
        return cls(
            _by_name("generators", [own_generator(part) for part in generators]),
            _by_name("annotators", [own_annotator(part) for part in annotators]),
        )

    def check(self, config: StudyConfig, root: Path) -> None:
        """Refuse parts that the study.toml in ``root`` does not speak of, or speaks of otherwise."""
        for drawn in self.generators.values():
            _check_recorded(f"{root / CONFIG_NAME}: generator", generator_config(drawn), config.generators)
        for looked in self.annotators.values():
            _check_recorded(f"{root / CONFIG_NAME}: annotator", annotator_config(looked), config.annotators)


def _by_name(kind: str, parts: Sequence[_Part]) -> dict[str, _Part]:
    named = {_PREFIX + part.name: part for part in parts}
    for name in named:
        if sum(_PREFIX + part.name == name for part in parts) > 1:
            raise ConfigError(f"two {kind} of your own are named {name.removeprefix(_PREFIX)!r}; give one another name")
    return named


def runs_in_workers(part: object) -> bool:
    """Return whether worker processes can import what a part is made of: nothing of it lies in a script or notebook."""
    try:
        _ModulesOnly(io.BytesIO()).dump(part)
    except Exception:  # whatever a user's object says when it is taken apart
        return False
    return True


class _ModulesOnly(pickle.Pickler):
    def reducer_override(self, thing: Any) -> Any:
        if getattr(thing, "__module__", None) == "__main__":
            raise pickle.PicklingError("not in a module")
        return NotImplemented


def _check(part: object, kind: str, needed: Sequence[str], registry: Registry[Any]) -> None:
    name = getattr(part, "name", None)
    identity = _IDENTITY.fullmatch(name) if isinstance(name, str) else None
    if isinstance(part, type) or identity is None:
        what = f"its name is {name!r}" if isinstance(name, str) else f"got {part!r:.60}"
        raise ConfigError(f'your own {kind} must be an object whose name has a version, such as "mine@1"; {what}')
    lacks = [word for word in (*needed, "citations") if not hasattr(part, word)]
    if lacks:
        raise ConfigError(f"{kind} {name} lacks {', '.join(lacks)}; docs/plugins.md says what one needs")
    if identity["name"] in registry.entries():
        raise ConfigError(f"{kind}: the name {identity['name']!r} is taken; give yours, {name}, another one")


def _check_recorded(where: str, given: PartConfig, recorded: Sequence[PartConfig]) -> None:
    said = {config.use: config.options for config in recorded}
    if given.use not in said:
        for use in said:
            if use.rpartition("@")[0] == given.use.rpartition("@")[0]:
                raise ConfigError(
                    f"{where} {given.use!r} is not there, but another version, {use!r}: replace that line by "
                    f'use = "{given.use}", and all is done anew by the new version; or give the old one'
                )
        raise ConfigError(
            f"{where} {given.use!r} is not there, only {', '.join(map(repr, said)) or 'none'}; give the one with which "
            "the study was made, or write the new one there"
        )
    known = said[given.use]
    for key in sorted({*known, *given.options}):
        if known.get(key) != given.options.get(key):
            raise ConfigError(
                f"{where} {given.use!r} has {key} = {known.get(key)}, and the one given has {given.options.get(key)}; "
                "give it another version, or write that there"
            )
