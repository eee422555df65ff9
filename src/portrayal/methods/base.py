"""What a method is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Protocol, runtime_checkable

import numpy as np
import pyarrow as pa
from pydantic import Field

from portrayal.evidence import Design, Evidence, Need, Rule
from portrayal.records import Adjustment, Measurement, Reference
from portrayal.settings import Settings

__all__ = ["Comparing", "Counting", "Draws", "Method", "MethodFactory", "OwnTable"]

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")

Draws = Annotated[int, Field(ge=100, le=100_000)]
"""Bootstrap draws behind an interval: fewer tell too little of its ends, more only take memory and time."""


class Counting(Settings):
    """How images become counts.

    ``people``: ``one`` counts images that show exactly one usable person, ``each`` counts every usable person, and
    ``asked`` does what the prompt asks for: the first where it asks for one person, else the second.
    ``evidence``: ``label`` counts the most probable group, ``mass`` adds up the probabilities.
    """

    people: Literal["one", "each", "asked"] = "one"
    evidence: Literal["label", "mass"] = "label"

    @property
    def rule(self) -> Rule:
        """Which images are usable."""
        return Rule(self.people)


@dataclass(frozen=True, slots=True, eq=False)
class OwnTable:
    """A table that is no list of measurements, with columns as the method likes: edges of a graph, words, pairs.

    ``name`` is in small letters, digits and underscores. It is stored, exported and linked as ``<method>.<name>``.
    """

    name: str
    rows: pa.Table

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ValueError(f"a method's own table is named in up to 40 of a-z, 0-9 and _, not {self.name!r}")
        if not isinstance(self.rows, pa.Table):
            raise TypeError(f"a method's own table {self.name!r} is a pyarrow.Table, not a {type(self.rows).__name__}")
        names = self.rows.column_names
        for field in self.rows.schema:
            if names.count(field.name) > 1 or not _writable(field.type):
                why = "stands there twice" if names.count(field.name) > 1 else f"has the type {field.type}"
                raise ValueError(
                    f"a method's own table {self.name!r}: column {field.name!r} {why}; files cannot hold it"
                )


def _writable(kind: pa.DataType) -> bool:
    """Return whether CSV and JSON can hold a type: numbers, texts, yes and no; lists, maps and records of them."""
    if pa.types.is_struct(kind):
        return all(_writable(inner.type) for inner in kind)
    if pa.types.is_map(kind):
        return pa.types.is_string(kind.key_type) and _writable(kind.item_type)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return _writable(kind.value_type)
    kinds = ("integer", "floating", "boolean", "string", "large_string", "null")
    return any(getattr(pa.types, f"is_{name}")(kind) for name in kinds)


class Method(Protocol):
    """A protocol: which evidence it needs and what it computes from it.

    It may also have ``settings``, a mapping of texts: what its section of a report tells of how it was set up. And
    ``version``, a number that is raised where the same options begin to give other numbers: the atlas then keeps old
    and new ones apart.
    """

    name: str
    citations: Sequence[str]

    @property
    def needs(self) -> Sequence[Need[Any]]:
        """What is to be added up for it."""
        ...

    @property
    def adjusted(self) -> Sequence[Adjustment]:
        """How its options differ from the published protocol; empty: as published."""
        ...

    def check(self, design: Design) -> None:
        """Refuse what cannot be computed, before any work is done."""
        ...

    def sources(self, design: Design) -> Mapping[str, str]:
        """Return the references used, by name, and where their figures come from."""
        ...

    def measure(self, evidence: Evidence, *, rng: np.random.Generator) -> Iterator[Measurement | OwnTable]:
        """Yield the measurements; nan-free: what has no data has no value, and a note that says why.

        Tables of the method's own may be among them, each under another name.
        """
        ...


@runtime_checkable
class Comparing(Protocol):
    """A method that compares shares with references by term; where one covers no term of a study, that is said."""

    def references(self, design: Design) -> Mapping[str, Reference]:
        """Return the reference of each attribute."""
        ...


class MethodFactory(Protocol):
    """The class a registry entry points to."""

    Options: ClassVar[type[Settings]]

    def __call__(self, options: Any, folder: Path) -> Method:
        """Return the method; relative paths in the options start at ``folder``."""
        ...
