"""What a method is, and what it is given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol

import numpy as np
import pyarrow as pa

from portrayal.records import Attribute, Measurement, Prompt
from portrayal.settings import Settings

__all__ = ["Counting", "Method", "MethodFactory", "Tables"]


class Counting(Settings):
    """How images become counts.

    ``people``: ``one`` counts images that show exactly one usable person, ``each`` counts every usable person.
    ``evidence``: ``label`` counts the most probable group, ``mass`` adds up the probabilities.
    """

    people: Literal["one", "each"] = "one"
    evidence: Literal["label", "mass"] = "label"


@dataclass(frozen=True, slots=True)
class Tables:
    """A study's observations, added up per prompt; small however many images there are.

    ``planned``: generator, prompt, count. ``counts``: generator, prompt, annotator, attribute, group (its index),
    count. ``values``: generator, prompt, annotator, attribute, n, total, squares. ``missing``: generator, prompt,
    annotator, attribute (empty: the whole image), reason, count. ``truths``: planted shares. ``confusion``: generator,
    prompt, annotator, attribute, planted (a group), perceived (an index), count, where one person was planted.
    """

    prompts: Mapping[str, Prompt]
    attributes: Mapping[str, Attribute]
    annotators: Mapping[str, Sequence[str]]
    planned: pa.Table
    counts: pa.Table
    values: pa.Table
    missing: pa.Table
    truths: pa.Table
    confusion: pa.Table


class Method(Protocol):
    """A protocol: which counts it needs and what it computes from them."""

    name: str
    counting: Counting
    citations: Sequence[str]

    def sources(self, attributes: Mapping[str, Attribute]) -> Mapping[str, str]:
        """Return the references used, by name, and where their figures come from."""
        ...

    def measure(self, tables: Tables, *, rng: np.random.Generator) -> Iterator[Measurement]:
        """Yield the measurements; nan-free: what has no data has no value, and a note that says why."""
        ...


class MethodFactory(Protocol):
    """The class a registry entry points to."""

    Options: ClassVar[type[Settings]]

    def __call__(self, options: Any, folder: Path) -> Method:
        """Return the method; relative paths in the options start at ``folder``."""
        ...
