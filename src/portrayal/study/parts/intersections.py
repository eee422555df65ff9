"""Attributes that are counted together, as study.toml names them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from portrayal.errors import ConfigError, did_you_mean
from portrayal.records import PERSON, Attribute, intersection

if TYPE_CHECKING:
    from portrayal.study.study import OpenStudy

__all__ = ["chosen_intersections", "with_intersections"]

MOST = 100
"""Groups of an intersection at most: with more, no study has images enough for any of them."""


def chosen_intersections(study: OpenStudy, known: Mapping[str, Attribute]) -> Iterator[Attribute]:
    """Yield the intersections that ``[measure]`` names; an error where no annotator tells all parts of one."""
    told = [[each.name for each in annotator.attributes] for _, annotator in study.annotators.values()]
    every = {name for names in told for name in names if known[name].groups and name != PERSON}
    for parts in study.config.measure.intersections:
        where = f"[measure] intersections: {list(parts)}"
        if len(parts) < 2 or len(set(parts)) != len(parts):
            raise ConfigError(f"{where}: name two or more different attributes")
        for name in parts:
            if name not in every:
                hint = did_you_mean(name, every)
                raise ConfigError(f"{where}: no annotator of this study tells groups of {name!r}{hint}")
        if not any(set(parts) <= set(names) for names in told):
            raise ConfigError(f"{where}: no annotator tells all of them; they must be of one person as one saw it")
        attribute = intersection([known[name] for name in parts])
        if len(attribute.groups) > MOST:
            raise ConfigError(f"{where}: {len(attribute.groups)} groups are too many; at most {MOST}")
        yield attribute


def with_intersections(told: Sequence[str], attributes: Mapping[str, Attribute]) -> list[str]:
    """Return what an annotator tells, with the intersections of which it tells all parts."""
    together = (name for name, attribute in attributes.items() if attribute.parts)
    return [*told, *(name for name in together if set(attributes[name].parts) <= set(told))]
