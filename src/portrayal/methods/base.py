"""What a method is, and what it is given."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol

import numpy as np
import pyarrow as pa

from portrayal.methods.alignment import Profile
from portrayal.records import Attribute, Measurement, Prompt
from portrayal.settings import Settings
from portrayal.stats.moments import Moments

__all__ = ["Aligned", "Alignment", "Counting", "Method", "MethodFactory", "Pairing", "Tables"]

_COUNTS = pa.schema([("generator", pa.string()), ("prompt", pa.string()), ("count", pa.float64())])


class Counting(Settings):
    """How images become counts.

    ``people``: ``one`` counts images that show exactly one usable person, ``each`` counts every usable person, and
    ``asked`` does what the prompt asks for: the first where it asks for one person, else the second.
    ``evidence``: ``label`` counts the most probable group, ``mass`` adds up the probabilities.
    """

    people: Literal["one", "each", "asked"] = "one"
    evidence: Literal["label", "mass"] = "label"


@dataclass(frozen=True, slots=True)
class Pairing:
    """Counting, and beside it differences between images of two prompts that were drawn with the same seed.

    ``couples`` returns the prompts to pair, as two ids each, from the study's prompts; both have the same term.
    """

    counting: Counting
    couples: Callable[[Collection[Prompt]], Collection[tuple[str, str]]]


@dataclass(frozen=True, slots=True)
class Alignment:
    """How images become moments: masses of ``columns`` (attribute, number of groups), corrected by the profile.

    Images whose probability of showing a person lies below ``person`` are set aside as hallucinations. A prompt that
    asks for one person uses images of exactly one, a prompt that asks for two uses images of exactly two. What
    ``human`` labelled is also added up for every other annotator, over the same images.
    """

    columns: Sequence[tuple[str, int]]
    profile: Profile
    person: float
    human: str = ""


@dataclass(frozen=True, slots=True)
class Aligned:
    """Moments of the prompts that ask for ``people`` people; ``cells`` names generator and prompt of each row."""

    people: int
    cells: Sequence[tuple[str, str]]
    moments: Moments


@dataclass(frozen=True, slots=True)
class Tables:
    """A study's observations, added up per prompt; small however many images there are.

    ``planned``: generator, prompt, count. ``counts``: generator, prompt, annotator, attribute, group (its index),
    count. ``values``: generator, prompt, annotator, attribute, n, total, squares. ``missing``: generator, prompt,
    annotator, attribute (empty: the whole image), reason, count. ``truths``: planted shares. ``confusion``: generator,
    prompt, annotator, attribute, planted (a group), perceived (an index), count, where one person was planted.
    A method that pairs also gets ``partners``: generator, x and y (prompts), count (pairs of images planned with equal
    seeds), and ``pairs``: generator, annotator, attribute, x, y, group, n (pairs in which both images can be used),
    total and squares of the group's share in x minus that in y.
    A method that aligns gets ``aligned`` by annotator instead of counts, values and confusion. ``matched`` is the same
    over the images that both the annotator and ``human`` could use, and ``labelled``, also by annotator, is what the
    human said of these. ``adjusted`` says how the suite differs from the published one.
    """

    prompts: Mapping[str, Prompt]
    attributes: Mapping[str, Attribute]
    annotators: Mapping[str, Sequence[str]]
    planned: pa.Table
    missing: pa.Table
    truths: pa.Table
    counts: pa.Table = field(default_factory=_COUNTS.empty_table)
    values: pa.Table = field(default_factory=_COUNTS.empty_table)
    confusion: pa.Table = field(default_factory=_COUNTS.empty_table)
    partners: pa.Table = field(default_factory=_COUNTS.empty_table)
    pairs: pa.Table = field(default_factory=_COUNTS.empty_table)
    aligned: Mapping[str, Sequence[Aligned]] = field(default_factory=dict)
    matched: Mapping[str, Sequence[Aligned]] = field(default_factory=dict)
    labelled: Mapping[str, Sequence[Aligned]] = field(default_factory=dict)
    human: str = ""
    adjusted: Sequence[str] = ()


class Method(Protocol):
    """A protocol: which counts it needs and what it computes from them."""

    name: str
    citations: Sequence[str]

    @property
    def counting(self) -> Counting | Pairing | Alignment:
        """What is to be added up for it."""
        ...

    @property
    def adjusted(self) -> Sequence[str]:
        """How its options differ from the published protocol, in lines a report prints; empty: as published."""
        ...

    def check(self, attributes: Mapping[str, Attribute], prompts: Collection[Prompt]) -> None:
        """Refuse what cannot be computed, before any work is done."""
        ...

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
