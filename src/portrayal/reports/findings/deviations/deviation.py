"""What sections bring to the first screen: comparisons with what was to be expected, and models in order."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from portrayal.records import Measurement
    from portrayal.reports.corrected_share import CorrectedShare
    from portrayal.stats.intervals import Interval  # numpy takes a moment to load

__all__ = ["Answer", "Counted", "Deviation", "Line", "Ranked", "Ranking", "Refuted", "Statement", "Test", "Thumb"]


class Test(Protocol):
    """How sure one can be of a deviation: :mod:`portrayal.stats.targets.target` has two that do."""

    @property
    def deviation(self) -> float:
        """How far the number lies from what it is compared with; 1 is the most there can be."""
        ...

    @property
    def p(self) -> float:
        """How likely a number so far off were by chance."""
        ...

    def bounds(self, confidence: float) -> Interval:
        """Return the interval of the deviation."""
        ...


@dataclass(frozen=True, slots=True)
class Counted:
    """A comparison that was made and found nothing: it counts among all, and says nothing of how large one may be."""

    deviation: float = 0.0
    p: float = 1.0

    def bounds(self, confidence: float) -> Interval:  # noqa: ARG002 - nothing is known
        """Return that any deviation is possible."""
        from portrayal.stats.intervals import Interval

        return Interval(-math.inf, math.inf)


@dataclass(frozen=True, slots=True)
class Thumb:
    """A small picture: its bytes, what it shows, and where on the page more is told of it."""

    thumbnail: bytes
    alt: str
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Statement:
    """A deviation in words: what it is about, the sentence, what it rests on, and pictures behind it.

    ``anchors`` are where its number stands, the closest first: a page links to the first that it has. ``cautions`` say
    what else could have made it: another annotator does not see it, the annotator errs, pictures are missing.
    """

    about: str
    sentence: str
    basis: str
    anchors: Sequence[str]
    pictures: Sequence[Thumb] = ()
    cautions: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What a method answers about one model before anything else: a sentence, and lines with a title each."""

    sentence: str
    lines: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """A comparison as a line of a table: what it is about, the number, its interval, and what it is compared with.

    ``group`` is who is counted, where the number is a share.
    """

    about: str
    value: str
    interval: str
    reference: str
    group: str = ""


@dataclass(frozen=True, slots=True)
class Refuted:
    """A deviation of a share as it was read that labels do not bear out: its p-value as read, and it in words."""

    p: float
    word: Callable[[], str]


@dataclass(frozen=True, slots=True)
class Deviation:
    """One comparison of a model with what was to be expected. Every one that was made is counted, found or not.

    Of those about the same ``subject`` only the surest is shown. ``topic`` is what is compared, such as an attribute.
    ``broad`` is one over all prompts, ``term`` the one it is about. ``word`` puts it into words, ``line`` into a line
    of a table. ``images`` of ``prompts`` are what it rests on, and ``missing`` how many were asked for that do not
    count. ``misread`` is how many people of other groups are surely read as this one, and how many of this one as
    another; ``error`` how many the annotator misreads in all, None where nobody knows. ``explained`` says whether its
    errors or the missing images could have made it, and ``stated`` that the missing ones could, were they not stated to
    lie ``within`` a range. ``row`` is the measurement that it compares, where it is one.
    """

    generator: str
    subject: tuple[str, ...]
    test: Test
    broad: bool
    word: Callable[[], Statement]
    topic: str = ""
    images: int = 0
    missing: int = 0
    line: Callable[[], Line] | None = None
    term: str = ""
    prompts: int = 1
    within: float = 1.0
    """How far the share of its missing images lies from that of the others, at most."""
    misread: tuple[float, float] = (0.0, 0.0)
    error: float | None = None
    explained: bool = False
    stated: bool = False
    row: Measurement | None = None
    corrected: CorrectedShare | None = None
    """What labels make of a share, where they correct it: then that is what is compared."""
    refuted: Refuted | None = None

    @property
    def lost(self) -> float:
        """Which share of the images asked for is missing."""
        return self.missing / (self.missing + self.images) if self.missing else 0.0


@dataclass(frozen=True, slots=True)
class Ranked:
    """One model's number in a ranking, with its 95 % interval and how it is written.

    ``prompt_set`` names the prompts it is over, where that is known.
    """

    generator: str
    value: float
    low: float
    high: float
    text: str
    prompt_set: str = ""


@dataclass(frozen=True, slots=True)
class Ranking:
    """A score of the models, each model once: the first screen has it for each, and puts several models in order by it.

    ``descending`` is where the largest comes first. Not ``ordered`` are scores of which neither end is the worst.
    ``scale`` says what its ends mean.
    """

    title: str
    models: Sequence[Ranked]
    anchor: str
    descending: bool = True
    ordered: bool = True
    scale: str = ""
