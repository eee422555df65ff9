"""What a method is."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
import pyarrow as pa
from pydantic import Field

from portrayal.evidence import Design, Evidence, Need, Rule
from portrayal.records import Adjustment, Measurement, Reference
from portrayal.settings import Settings

__all__ = ["Counting", "Draws", "Method", "OwnTable"]

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


class Method(ABC):
    """A protocol: which evidence it needs and what it computes from it.

    A simple method has a ``name``, its ``needs`` and ``measure``; all else has a default that says "nothing". What
    depends on options is a property. ``version`` is raised where the same options begin to give other numbers: the
    atlas then keeps old and new ones apart.
    """

    Options: ClassVar[type[Settings]] = Settings
    """Its options in study.toml; those of this class refuse every key."""
    version: ClassVar[int] = 1
    name: str

    def __init__(self, options: Any, folder: Path) -> None:
        """Keep the options, and the study's folder, where relative paths in them start."""
        self.options, self.folder = options, folder

    @property
    def citations(self) -> Sequence[str]:
        """What a report names as literature."""
        return ()

    @property
    def needs(self) -> Sequence[Need[Any]]:
        """What is to be added up for it."""
        return ()

    @property
    def adjusted(self) -> Sequence[Adjustment]:
        """How its options differ from the published protocol; empty: as published."""
        return ()

    @property
    def settings(self) -> Mapping[str, str]:
        """What its section of a report says about how it was set up."""
        return {}

    def check(self, design: Design) -> None:  # noqa: B027 - most methods can compute any study
        """Refuse what cannot be computed, before any work is done."""

    def references(self, design: Design) -> Mapping[str, Reference]:  # noqa: ARG002 - one that compares overrides it
        """Return the reference by term of each attribute; where one covers no term of a study, the user learns it."""
        return {}

    def sources(self, design: Design) -> Mapping[str, str]:  # noqa: ARG002 - one that compares overrides it
        """Return the references used, by name, and where their figures come from."""
        return {}

    @abstractmethod
    def measure(self, evidence: Evidence, *, rng: np.random.Generator) -> Iterator[Measurement | OwnTable]:
        """Yield the measurements; nan-free: what has no data has no value, and a note that says why.

        Tables of the method's own may be among them, each under another name.
        """
