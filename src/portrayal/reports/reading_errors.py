"""How often annotators misread people of whom it is known who they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["ErrorRate", "LabelledPart", "ReadingErrors"]


@dataclass(frozen=True, slots=True)
class ErrorRate:
    """How often an annotator misread people of whom it is known who they are, and how often it may: 95 % bounds."""

    misread: int
    of: int

    @property
    def least(self) -> float:
        """The lower bound; nothing is known of nobody."""
        return self._bounds()[0] if self.of else 0.0

    @property
    def most(self) -> float:
        """The upper bound."""
        return self._bounds()[1] if self.of else 1.0

    def _bounds(self) -> tuple[float, float]:
        from portrayal.stats.intervals import clopper_pearson  # needs scipy, which most pages do without

        low, high = clopper_pearson(self.misread / self.of, self.of)
        return float(low), float(high)


@dataclass(frozen=True, slots=True)
class LabelledPart:
    """The images that people labelled, whose word counts: of each model how many, and how many images there are."""

    annotator: str
    by_model: Mapping[str, tuple[int, int]]

    @property
    def labelled(self) -> int:
        """How many images are labelled."""
        return sum(labelled for labelled, _ in self.by_model.values())

    @property
    def images(self) -> int:
        """How many images there are."""
        return sum(images for _, images in self.by_model.values())

    @property
    def is_all(self) -> bool:
        """Whether every image is labelled: then labels need not put anything else right."""
        return self.labelled == self.images


OWN_LABELS = 30
"""From so many labelled pictures of a model on, its own say how often the annotator errs there."""


@dataclass(frozen=True, slots=True)
class ReadingErrors:
    """How an annotator reads people of whom it is known who they are: (who they are, as whom they are read) to number.

    ``source`` is where that is known from: ``labels`` of people, ``planted`` truth, or a ``documented`` test, of which
    only the number of those misread is known.
    """

    source: str
    confusion: Mapping[tuple[str, str], int] = field(default_factory=dict)
    misread: int = 0
    of: int = 0
    by_model: Mapping[str, Mapping[tuple[str, str], int]] = field(default_factory=dict)
    """The same of each model's pictures, where people labelled these."""
    model: str = ""
    """Whose pictures alone they are about; empty: those of all models."""

    def of_model(self, model: str) -> ReadingErrors:
        """Return the errors in one model's pictures, where enough of these are labelled: it may be misread alone."""
        own = self.by_model.get(model, {})
        return ReadingErrors(self.source, own, model=model) if sum(own.values()) >= OWN_LABELS else self

    def rates(self, group: str) -> tuple[ErrorRate, ErrorRate]:
        """Return how many others are taken for the group, and how many of the group for others."""
        if self.source == "documented":
            return ErrorRate(self.misread, self.of), ErrorRate(self.misread, self.of)
        mine = {(truth, seen): n for (truth, seen), n in self.confusion.items() if truth == group}
        rest = {(truth, seen): n for (truth, seen), n in self.confusion.items() if truth != group}
        taken = ErrorRate(sum(n for (_, seen), n in rest.items() if seen == group), sum(rest.values()))
        return taken, ErrorRate(sum(n for (_, seen), n in mine.items() if seen != group), sum(mine.values()))

    @property
    def one_sided(self) -> bool:
        """Whether all people known are of one group: how those of any other are read, nobody knows."""
        return self.source != "documented" and len({truth for truth, _ in self.confusion}) == 1

    @property
    def overall(self) -> ErrorRate:
        """How many people are misread in all."""
        if self.source == "documented":
            return ErrorRate(self.misread, self.of)
        wrong = sum(n for (truth, seen), n in self.confusion.items() if truth != seen)
        return ErrorRate(wrong, sum(self.confusion.values()))
