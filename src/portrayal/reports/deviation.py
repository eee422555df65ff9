"""What sections bring to the first screen: comparisons with what was to be expected, and models in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

__all__ = ["Deviation", "Ranked", "Ranking", "Thumb", "Told"]


@dataclass(frozen=True, slots=True)
class Thumb:
    """A small picture: its bytes, what it shows, and where on the page more is told of it."""

    thumbnail: bytes
    alt: str
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Told:
    """A deviation in words: what it is about, the sentence, what it rests on, and pictures behind it.

    ``anchors`` are where its number stands, the closest first: a page links to the first that it has. ``contested`` is
    what an annotator saw that speaks against it.
    """

    about: str
    sentence: str
    basis: str
    anchors: Sequence[str]
    pictures: Sequence[Thumb] = ()
    contested: str = ""


@dataclass(frozen=True, slots=True)
class Deviation:
    """One comparison of a model with what was to be expected. Every one that was made is counted, told or not.

    Of those about the same ``subject`` only the largest is told. ``size`` orders them: 1 is the most there can be.
    ``topic`` is what is compared, such as an attribute: of several, none is left unsaid for the size of another.
    ``p`` is how likely such a number were by chance, None where too little was seen to compare. ``broad`` is one over
    all prompts. ``tell`` puts it into words. ``least`` returns, where the number is a share of ``images``, the
    smallest deviations below and above that would have a given p-value; none: so few images could show none.
    """

    generator: str
    subject: tuple[str, ...]
    size: float
    p: float | None
    broad: bool
    tell: Callable[[], Told]
    topic: str = ""
    images: int = 0
    least: Callable[[float], Sequence[float]] | None = None


@dataclass(frozen=True, slots=True)
class Ranked:
    """One model's number in a ranking, with its 95 % interval and how it is written."""

    generator: str
    value: float
    low: float
    high: float
    text: str


@dataclass(frozen=True, slots=True)
class Ranking:
    """A score of the models, each model once: the first screen has it for each, and puts several models in order by it.

    ``descending`` is where the largest comes first. Not ``ordered`` are scores of which neither end is the worst.
    """

    title: str
    models: Sequence[Ranked]
    anchor: str
    descending: bool = True
    ordered: bool = True
