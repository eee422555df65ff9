"""From counts per prompt to the cells of a report: overall, by category, by term."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from portrayal.evidence import Confusion, Evidence, GroupCounts, Missing, Need, ToldImages, Values
from portrayal.methods.base import Counting
from portrayal.records import Attribute, Note
from portrayal.stats.cells import PromptShares
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array

__all__ = ["CellEvidence", "Level", "levels", "people_note"]


@dataclass(frozen=True, slots=True)
class Level:
    """A set of prompts that is reported together."""

    level: str
    item: str
    prompts: Sequence[str]


def levels(evidence: Evidence, generator: str) -> Iterator[Level]:
    """Yield the whole, then categories where there are several, then terms, each with its prompts."""
    prompts, known = evidence.plan.design.prompts, evidence.plan.generators[generator]
    yield Level("overall", "", known)
    for level in ("category", "term"):
        by_item: dict[str, list[str]] = defaultdict(list)
        for prompt in known:
            by_item[getattr(prompts[prompt], level)].append(prompt)
        if level == "term" or len(by_item) > 1:
            yield from (Level(level, item, own) for item, own in by_item.items() if item)


def people_note(people: int, images: Array) -> Note | None:
    """Return in how many images the people counted are, where these are more than the images, by prompt.

    >>> people_note(5, np.array([2.0, 1.0]))
    Note(code='people_in_images', values=(('n', '5'), ('m', '3')))
    >>> people_note(3, np.array([2.0, 1.0]))
    """
    pictures = round(float(images.sum()))
    return Note.of("people_in_images", n=people, m=pictures) if people > pictures else None


@dataclass(frozen=True)
class CellNeeds:
    """What counting needs: groups, numbers, what is missing, and planted people as they were perceived.

    ``told`` is None where an image counts for one person: then people are images.
    """

    groups: GroupCounts
    values: Values
    missing: Missing
    confusion: Confusion
    told: ToldImages | None = None

    @classmethod
    def of(cls, counting: Counting) -> CellNeeds:
        """Return the needs of one way of counting."""
        rule = counting.rule
        told = None if rule.people == "one" else ToldImages(rule)
        return cls(GroupCounts(rule, counting.evidence), Values(rule), Missing(rule), Confusion(rule), told)

    def __iter__(self) -> Iterator[Need[object]]:
        yield from (self.groups, self.values, self.missing, self.confusion)
        if self.told:
            yield self.told


class CellEvidence:
    """A study's counts by generator, annotator, attribute and prompts."""

    def __init__(self, evidence: Evidence, needs: CellNeeds) -> None:
        self.plan = evidence.plan
        self._groups = evidence[needs.groups]
        self._values = evidence[needs.values]
        self._missing: dict[tuple[str, str], dict[str, Ints]] = defaultdict(dict)
        for (annotator, attribute, reason), counts in sorted(evidence[needs.missing].counts.items()):
            self._missing[annotator, attribute][reason] = counts
        self._confusion = evidence[needs.confusion]
        self._told = evidence[needs.told] if needs.told else None

    def shares(self, generator: str, annotator: str, attribute: Attribute, prompts: Sequence[str]) -> PromptShares:
        """Return the shares of the attribute's groups in each prompt that has usable images."""
        counts = self._counts(generator, annotator, attribute, prompts)
        totals = counts.sum(axis=1)
        with np.errstate(invalid="ignore"):
            return PromptShares.of(counts / totals[:, None], totals, self._weights(prompts))

    def used(self, generator: str, annotator: str, attribute: Attribute, prompts: Sequence[str]) -> list[str]:
        """Return the prompts that have usable images for the attribute, in order: the rows of the cell."""
        known = self._people(generator, annotator, attribute, prompts)
        return [prompt for prompt, count in zip(prompts, known.tolist(), strict=True) if count]

    def images(self, generator: str, annotator: str, attribute: Attribute, prompts: Sequence[str]) -> Array:
        """Return how many images of each prompt tell the attribute: fewer than people, where each of these counts."""
        if self._told is None:
            return self._people(generator, annotator, attribute, prompts)
        told = self._told.get((annotator, attribute.name), self.plan.zeros())
        return told[self._places(generator, prompts)].astype(float)

    def means(
        self, generator: str, annotator: str, attribute: str, prompts: Sequence[str]
    ) -> tuple[PromptShares, Array]:
        """Return the mean of each prompt, all of them used, as a one-column cell, and the variance of its images."""
        numbers, places = self._values[annotator, attribute], self._places(generator, prompts)
        n, squares = numbers.n[places].astype(float), numbers.squares[places]
        mean = numbers.total[places] / n
        variance = np.where(n > 1, np.maximum(squares - n * mean**2, 0) / np.maximum(n - 1, 1), np.nan)
        return PromptShares.of(mean[:, None], n, self._weights(prompts)), variance

    def truth(self, generator: str, attribute: Attribute, prompts: Sequence[str]) -> Array | None:
        """Return the planted shares (prompts, groups), or None when any prompt has none."""
        rows = [self._truths.get((generator, prompt, attribute.name)) for prompt in prompts]
        if not rows or any(row is None for row in rows):
            return None
        return np.array([[row.get(group, 0.0) for group in attribute.groups] for row in rows if row is not None])

    def drawn(self, generator: str, annotator: str, attribute: Attribute, prompts: Sequence[str]) -> Array | None:
        """Return the shares of planted groups among the usable images (prompts, groups), or None when unknown."""
        counts = self._confusion.counts.get((annotator, attribute.name))
        if counts is None or not prompts:
            return None
        seen = counts[self._places(generator, prompts)].sum(axis=2)
        names = self._confusion.planted[attribute.name]
        known = np.array([seen[:, names.index(g)] if g in names else np.zeros(len(seen)) for g in attribute.groups]).T
        totals = known.sum(axis=1, keepdims=True)
        return np.asarray(known / totals) if totals.all() else None

    def planned(self, generator: str, prompts: Sequence[str]) -> int:
        """Return how many images were asked for."""
        return int(self.plan.planned[self._places(generator, prompts)].sum())

    def missing(self, generator: str, annotator: str, about: Sequence[str], prompts: Sequence[str]) -> dict[str, int]:
        """Return how many images cannot be used, by reason; ``about`` names attributes, "" the image as a whole."""
        places = self._places(generator, prompts)
        found: dict[str, int] = defaultdict(int)
        for own in self._reasons(annotator, about):
            for reason, counts in own.items():
                found[reason] += int(counts[places].sum())
        return {reason: count for reason, count in sorted(found.items()) if count}

    def missing_shares(
        self, generator: str, annotator: str, about: Sequence[str], prompts: Sequence[str]
    ) -> PromptShares:
        """Return the share of planned images that each reason costs, per prompt; columns as in :meth:`missing`.

        Prompts weigh as many images as were planned of them, so that the whole is a share of the planned images.
        """
        places = self._places(generator, prompts)
        reasons = {reason: np.zeros(len(places)) for reason in self.missing(generator, annotator, about, prompts)}
        for own in self._reasons(annotator, about):
            for reason in own.keys() & reasons.keys():
                reasons[reason] += own[reason][places]
        planned = self.plan.planned[places].astype(float)
        counts = np.array(list(reasons.values())).T.reshape(len(places), -1)
        return PromptShares.of(counts / planned[:, None], planned, planned)

    def _reasons(self, annotator: str, about: Sequence[str]) -> list[Mapping[str, Ints]]:
        return [self._missing.get((who, name), {}) for who in ("", annotator) for name in about]

    def _people(self, generator: str, annotator: str, attribute: Attribute, prompts: Sequence[str]) -> Array:
        """Return how many people of each prompt the attribute is told of."""
        if not attribute.is_numeric:
            return np.asarray(self._counts(generator, annotator, attribute, prompts).sum(axis=1))
        numbers = self._values.get((annotator, attribute.name))
        return np.zeros(len(prompts)) if numbers is None else numbers.n[self._places(generator, prompts)].astype(float)

    def _counts(self, generator: str, annotator: str, attribute: Attribute, prompts: Sequence[str]) -> Array:
        counts = self._groups.get((annotator, attribute.name))
        if counts is None:
            return np.zeros((len(prompts), len(attribute.groups)))
        return counts[self._places(generator, prompts)]

    def _places(self, generator: str, prompts: Sequence[str]) -> Ints:
        return np.array([self.plan.places[generator, prompt] for prompt in prompts], dtype=np.int64)

    def _weights(self, prompts: Sequence[str]) -> list[float]:
        return [self.plan.design.prompts[prompt].weight for prompt in prompts]

    @cached_property
    def _truths(self) -> Mapping[tuple[str, str, str], Mapping[str, float]]:
        found: dict[tuple[str, str, str], dict[str, float]] = defaultdict(dict)
        for row in self.plan.truths.to_pylist():
            found[row["generator"], row["prompt"], row["attribute"]][row["group"]] = row["share"]
        return found
