"""Parts as a user gives them: by name, as a table of study.toml, or as an object of the user's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from portrayal.annotators import Annotator
from portrayal.annotators.function import Look
from portrayal.errors import ConfigError
from portrayal.generators import Generator
from portrayal.study.config import PartConfig
from portrayal.study.create.create_study import Part
from portrayal.study.parts.given_parts import OwnParts, annotator_config, generator_config

__all__ = ["AnyAnnotator", "AnyGenerator", "GivenParts", "own_parts"]

AnyGenerator = Part | Generator
AnyAnnotator = Part | Annotator | Look


@dataclass(frozen=True, slots=True)
class GivenParts:
    """Who draws and who looks, as study.toml has them, and those of them that are the user's own objects."""

    generators: list[Part]
    annotators: list[Part]
    objects: OwnParts

    @classmethod
    def of(
        cls,
        generator: AnyGenerator | Sequence[AnyGenerator],
        annotator: AnyAnnotator | Sequence[AnyAnnotator],
    ) -> GivenParts:
        """Take one of each, or several."""
        draws, looks = _several(generator), _several(annotator)
        objects = OwnParts.of(_objects(draws), _objects(looks))
        return cls(
            _tables(draws, [generator_config(part) for part in objects.generators.values()]),
            _tables(looks, [annotator_config(part) for part in objects.annotators.values()]),
            objects,
        )


def own_parts(
    generator: Generator | Sequence[Generator], annotator: Annotator | Look | Sequence[Annotator | Look]
) -> OwnParts:
    """Take the user's own objects; what study.toml names is not given again."""
    draws, looks = _several(generator), _several(annotator)
    for kind, parts in (("generator", draws), ("annotator", looks)):
        for part in parts:
            if isinstance(part, str | Mapping):
                raise ConfigError(
                    f"{kind}={part!r:.60}: a study that exists has its parts in study.toml, change them there; only "
                    "objects of your own are given when it is opened"
                )
    return OwnParts.of(draws, looks)


def _several(given: Any) -> list[Any]:
    return list(given) if isinstance(given, list | tuple) else [given]


def _objects(parts: Sequence[Any]) -> list[Any]:
    return [part for part in parts if not isinstance(part, str | Mapping)]


def _tables(parts: Sequence[Any], configs: Sequence[PartConfig]) -> list[Part]:
    """Return the parts with a table in the place of each object."""
    tables = iter(configs)
    return [part if isinstance(part, str | Mapping) else next(tables).model_dump() for part in parts]
