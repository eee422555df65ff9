"""What a report is made of. The study gathers it; this room only turns it into a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from portrayal.records import Adjustment, Attribute, Measurement, UncoveringReference
from portrayal.reports.comparisons.pairing import Pairing
from portrayal.reports.corrected_difference import CorrectedDifference
from portrayal.reports.corrected_share import CorrectedScore, CorrectedShare
from portrayal.reports.drawn_in_rounds import DrawnInRounds
from portrayal.reports.reading_errors import LabelledPart, ReadingErrors

__all__ = ["FaceView", "OwnTableFile", "Perceived", "Picture", "ReportData", "in_order"]


_ACCOUNTS = ("missing", "fate", "redrawn", "unknown_prompt")
"""Metrics that say what became of pictures, and not what was perceived in any."""


@dataclass(frozen=True, slots=True)
class Perceived:
    """What was read of one attribute: the likeliest group and its probability, a number, or words."""

    attribute: str
    group: str = ""
    mass: float | None = None
    value: float | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class FaceView:
    """One person seen in a picture, or what was read off the picture as a whole.

    ``box`` is left, top, width, height as fractions of the picture, or None; ``who`` is the annotator.
    """

    box: tuple[float, float, float, float] | None
    findings: Sequence[Perceived]
    reasons: Sequence[tuple[str, str]] = ()
    """Which attributes could not be told (empty: none at all), and why."""
    who: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """One image of the gallery, or the place of one that is missing (then ``thumbnail`` is empty)."""

    term: str
    prompt: str
    generator: str
    seed: int
    image: str = ""
    thumbnail: bytes = b""
    width: int = 0
    height: int = 0
    faces: Sequence[FaceView] = ()
    reasons: Sequence[str] = ()
    planted: Sequence[Sequence[str]] = ()
    """The groups of each person who was planted."""
    language: str = ""
    """That of the prompt."""
    revised: str = ""
    """What the service made of the prompt, where it says that it changed it."""


@dataclass(frozen=True, slots=True)
class OwnTableFile:
    """A table of a method's own: what it is called, how many rows it has, and the file beside the page."""

    name: str
    rows: int
    file: str


@dataclass(frozen=True, slots=True)
class ReportData:
    """Everything a report shows."""

    title: str
    generators: Sequence[str]
    annotators: Sequence[str]
    prompts: Sequence[tuple[str, str, str]]
    """Term, category, text of each prompt that images were asked for, or imported."""
    images_per_prompt: int
    """Of a prompt by a generator, at most."""
    attributes: Mapping[str, Attribute]
    measurements: Sequence[Measurement]
    outcomes: Mapping[str, Mapping[str, int]]
    """Generator to status (``made``, ``pending``, ``refused: reason``, ``failed: reason``) to count."""
    abstentions: Mapping[str, Mapping[str, int]]
    """Annotator to reason to number of images."""
    confusion: Mapping[tuple[str, str], Mapping[tuple[str, str], int]] = field(default_factory=dict)
    """Annotator and attribute to (planted group, perceived group) to number of images, where the truth is planted."""
    judged: Mapping[str, int] = field(default_factory=dict)
    """Annotator to how many different pictures it has looked at."""
    perceived: Mapping[str, int] = field(default_factory=dict)
    """Annotator to in how many of these it perceived anything."""
    weighted: bool = False
    """Whether prompts have different weights."""
    requested: Mapping[str, int] = field(default_factory=dict)
    """Attribute to how many prompts ask for one of its groups themselves."""
    requesting: Set[str] = frozenset()
    """The texts of the prompts that ask for a group themselves."""
    brought: Sequence[str] = ()
    """Annotators whose labels were brought in from outside; the others are programs that look."""
    pictures: Sequence[Picture] = ()
    reference_sources: Mapping[str, str] = field(default_factory=dict)
    """Reference name to where its figures come from; shown beside the charts that use it."""
    reference_titles: Mapping[str, str] = field(default_factory=dict)
    """Reference name to what it is called in a sentence, where that is not its name."""
    config: str = ""
    provenance: Sequence[tuple[str, str]] = ()
    citations: Sequence[str] = ()
    notes: Sequence[str] = ()
    adjusted: Mapping[str, Sequence[Adjustment]] = field(default_factory=dict)
    """Method to how it, and the suite it brings, differ from the published ones; none: as published."""
    categories: Sequence[tuple[str, str]] = ()
    """Kind and category of the prompts, where a suite has kinds."""
    settings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Method to what its section tells of how it was set up, where it tells any of that."""
    own_tables: Sequence[OwnTableFile] = ()
    unasked: Sequence[tuple[str, str, str]] = ()
    """Term, category, text of each other prompt of the suite."""
    languages: Mapping[str, str] = field(default_factory=dict)
    """Text of a prompt to its language, such as ``ar``, where a suite tells it."""
    editing: int = 0
    """How many of the prompts that were asked change images that exist already."""
    distinct: Mapping[str, int] = field(default_factory=dict)
    """Generator to how many different pictures it made: the same bytes are one picture."""
    repeats: Mapping[str, int] = field(default_factory=dict)
    """Generator to how many of its images are the same picture as another one of the same prompt."""
    errors: Mapping[tuple[str, str], ReadingErrors] = field(default_factory=dict)
    """Annotator and attribute to how often it is known to misread people."""
    corrections: Sequence[CorrectedShare] = ()
    """Shares put right by people's labels, each in one way or in two."""
    corrected_differences: Sequence[CorrectedDifference] = ()
    """Differences between models put right by the same labels."""
    corrected_scores: Sequence[CorrectedScore] = ()
    """Distances from a reference put right by the same labels."""
    labelled: LabelledPart | None = None
    """What people labelled whose word counts where annotators err; None: nobody's does."""
    tolerance: float = 0.1
    """Deviations up to this are of no concern."""
    date: str = ""
    """When the page was made."""
    version: str = ""
    """Which Portrayal made it."""
    shared: Sequence[tuple[str, str, int]] = ()
    """Two generators, and how many pictures both have made."""
    fewest_per_prompt: int | None = None
    """Images of a prompt by a generator that has any, at least; None: as many of each."""
    prompts_of: Mapping[str, int] = field(default_factory=dict)
    """Generator to how many prompts it has images of; not told: all."""
    asked: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Generator to term to how many images were asked for, or imported."""
    asked_evenly: bool = False
    """Whether as many images were asked of every prompt by every generator, and all prompts weigh alike."""
    made_of: Mapping[str, Set[str]] = field(default_factory=dict)
    """Generator to the prompts of which it has images."""
    imported: Sequence[str] = ()
    """Generators whose images were made elsewhere."""
    declared: Sequence[str] = ()
    """Generators in the order in which study.toml lists them."""
    uncovering: Sequence[UncoveringReference] = ()
    """References that cover none of the terms."""
    own_rows: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    """The rows of those own tables that their sections show, by the name of the table."""
    thumbnails: Mapping[str, bytes] = field(default_factory=dict)
    """Small pictures that sections ask for, by the first 16 digits of the image's name."""
    revised: Mapping[str, int] = field(default_factory=dict)
    """Generator to how many of its images answer a prompt that the service had changed."""
    most_pictures: int = 8
    """Pictures shown of each prompt."""
    missing_within: float = 1.0
    """How far the share of a group in missing images lies from that in the others, at most; 1: nothing is assumed."""
    chosen: Sequence[str] = ()
    """Attributes that were asked for by name; none: all are shown, and finer ones are folded."""
    left_out: Sequence[str] = ()
    """Attributes of which there are numbers that the page was told not to show."""
    sections: Sequence[str] = ()
    """Sections that were asked for by name; none: all are shown."""
    language: str = "en"
    """What the page is written in: ``en`` or ``de``. Everything here is in English or the user's own words."""
    rounds: DrawnInRounds | None = None
    """How images were drawn in rounds; None: all of them at once."""
    pairing: Pairing | None = None
    """Finds pictures of two models that belong together; None: that is not known, or there are too many."""

    def folds(self, attribute: Attribute) -> bool:
        """Return whether an attribute is folded: it says more finely what another says, and nobody asked for it."""
        return attribute.finer and attribute.name not in self.chosen

    def shows(self, section: str) -> bool:
        """Return whether the page has a section: one of its own, or that of a method."""
        return not self.sections or section in self.sections

    def has_numbers(self, generator: str = "") -> bool:
        """Return whether anything was perceived in any picture, or in any of one generator's.

        How many pictures are missing, or what became of edits, is a number, too, and says nothing of what they show.
        """
        wanted = (row for row in self.measurements if row.generator == generator or not generator)
        return any(row.value is not None and isfinite(row.value) for row in wanted if row.metric not in _ACCOUNTS)

    @property
    def looks(self) -> int:
        """How many times a p-value counts: above 1 where images were drawn in rounds."""
        return max((row.looks for row in self.measurements), default=1)

    def rows(self, method: str) -> list[Measurement]:
        """Return the measurements of one method."""
        return [row for row in self.measurements if row.method == method]


def in_order(data: ReportData, models: Sequence[str]) -> list[str]:
    """Return models as study.toml lists them, then the others as they are given."""
    declared = [name for name in data.declared if name in models]
    return [*declared, *(name for name in models if name not in declared)]
