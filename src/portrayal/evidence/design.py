"""What a study asks and who looks, and how much of it there is: what evidence is added up for."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from portrayal.errors import ConfigError, did_you_mean
from portrayal.records import PERSON, TRUTH_SCHEMA, Attribute, Person, Prompt
from portrayal.stats.exact import Ints
from portrayal.store.tables.keys import Keys

__all__ = ["Cell", "Design", "Plan", "Planted", "SourceImage"]

V = TypeVar("V")
Cell = tuple[str, str]
"""Generator and prompt."""
Planted = Mapping[str, Mapping[str, Mapping[str, float]]]
"""Prompt to aspect to group to the share that a generator was made to draw."""


class SourceImage(NamedTuple):
    """An image that is edited: its job, the prompt it was drawn for, and its number among the images of that prompt."""

    job: str
    prompt: str
    number: int


@dataclass(frozen=True)
class Design:
    """All that is known of a study before anything is drawn.

    ``annotators`` maps each to the attributes it tells, ``names`` whatever an annotator may be called to its identity.
    """

    prompts: Mapping[str, Prompt] = field(default_factory=dict)
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    annotators: Mapping[str, Sequence[str]] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def told(self) -> Mapping[str, Attribute]:
        """The attributes that any annotator tells."""
        return {name: self.attributes[name] for names in self.annotators.values() for name in names}

    def groups_of(self, annotator: str) -> Iterator[tuple[tuple[str, str], int]]:
        """Yield, with its number of groups, each attribute of people that an annotator puts them into groups by."""
        for name in self.annotators[annotator]:
            if (groups := len(self.attributes[name].groups)) and name != PERSON:
                yield (annotator, name), groups

    def ordered(self, values: Mapping[tuple[str, str], V]) -> dict[tuple[str, str], V]:
        """Return what is known by annotator and attribute in the order of both, not in that in which it came."""
        keys = ((annotator, name) for annotator, told in self.annotators.items() for name in told)
        return {key: values[key] for key in keys if key in values}

    def annotator(self, name: str) -> str:
        """Return the identity of the annotator that study.toml calls ``name``."""
        if name in self.names:
            return self.names[name]
        raise ConfigError(f"no annotator {name!r} among the [[annotators]]{did_you_mean(name, self.names)}")


@dataclass(frozen=True)
class Plan:
    """A study's images, counted by cell: a generator and a prompt.

    ``planned`` and ``made`` count images, ``unmade`` by reason those that were asked for and are not there,
    ``rejected`` by reason those that were made and then made anew.
    ``truths`` are planted shares, ``persons`` the planted people that images refer to by number, ``judged`` the keys of
    the images that an annotator has judged, ``seeds`` cell and seed of every planned image, ``sources`` the images that
    are edited, ``compared`` pairs of images, by the need that asks for them, ``shared`` picture and cell of every
    picture that a generator made for several prompts; each where a need asks.
    """

    design: Design
    cells: Sequence[Cell]
    planned: Ints
    made: Ints
    unmade: Mapping[str, Ints] = field(default_factory=dict)
    truths: pa.Table = field(default_factory=TRUTH_SCHEMA.empty_table)
    persons: Sequence[Person] = ()
    judged: Mapping[str, Keys] = field(default_factory=dict)
    seeds: tuple[Ints, Ints] | None = None
    sources: Sequence[SourceImage] = ()
    rejected: Mapping[str, Ints] = field(default_factory=dict)
    compared: Mapping[Hashable, Any] = field(default_factory=dict)
    shared: tuple[Ints, Ints] | None = None

    @cached_property
    def people(self) -> Ints:
        """How many people the prompt of each cell asks for."""
        return np.array([self.design.prompts[prompt].people for _, prompt in self.cells], dtype=np.int64)

    @cached_property
    def editing(self) -> NDArray[np.bool_]:
        """Whether the prompt of each cell changes images that exist already."""
        return np.array([bool(self.design.prompts[prompt].edits) for _, prompt in self.cells], dtype=bool)

    @cached_property
    def places(self) -> Mapping[Cell, int]:
        """Where each cell stands."""
        return {cell: place for place, cell in enumerate(self.cells)}

    @cached_property
    def generators(self) -> Mapping[str, Sequence[str]]:
        """The prompts asked of each generator, in the order of the design."""
        asked: dict[str, set[str]] = {}
        for generator, prompt in self.cells:
            asked.setdefault(generator, set()).add(prompt)
        return {name: [prompt for prompt in self.design.prompts if prompt in its] for name, its in asked.items()}

    @cached_property
    def planted(self) -> Mapping[str, Planted]:
        """The planted shares by generator."""
        planted: dict[str, dict[str, dict[str, dict[str, float]]]] = {}
        columns = (self.truths[name].to_pylist() for name in ("generator", "prompt", "attribute", "group", "share"))
        for generator, prompt, attribute, group, share in zip(*columns, strict=True):
            planted.setdefault(generator, {}).setdefault(prompt, {}).setdefault(attribute, {})[group] = share
        return planted

    def zeros(self, *shape: int) -> Ints:
        """Return a count of nothing for each cell."""
        return np.zeros((len(self.cells), *shape), dtype=np.int64)
