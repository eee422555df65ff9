"""From counts per prompt to the cells of a report: overall, by category, by term."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from portrayal.evidence import Confusion, Evidence, GroupCounts, Missing, Need, PeopleByPicture, PictureSums, Values
from portrayal.methods.base import Counting
from portrayal.methods.sharing import sharing
from portrayal.records import Attribute, Note, content_id
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array
from portrayal.stats.means import PromptNumbers
from portrayal.stats.shares.cells import PromptShares
from portrayal.stats.shares.people import PeopleCounts, independent_people

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
            yield from (Level(level, item, ids) for item, ids in by_item.items() if item)


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

    ``pictures`` is None where an image counts for one person: then people are images.
    """

    groups: GroupCounts
    values: Values
    missing: Missing
    confusion: Confusion
    pictures: PeopleByPicture | None = None

    @classmethod
    def of(cls, counting: Counting) -> CellNeeds:
        """Return the needs of one way of counting."""
        rule = counting.rule
        pictures = None if rule.people == "one" else PeopleByPicture(rule)
        return cls(GroupCounts(rule, counting.evidence), Values(rule), Missing(rule), Confusion(rule), pictures)

    def __iter__(self) -> Iterator[Need[object]]:
        yield from (self.groups, self.values, self.missing, self.confusion)
        if self.pictures:
            yield self.pictures


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
        self._pictures = evidence[needs.pictures] if needs.pictures else None

    def shares(self, generator: str, annotator: str, attribute: Attribute, prompts: Sequence[str]) -> PromptShares:
        """Return the shares of the attribute's groups in each prompt that has usable images."""
        counts = self._counts(generator, annotator, attribute, prompts)
        totals = counts.sum(axis=1)
        shares = np.divide(counts, totals[:, None], out=np.full(counts.shape, np.nan), where=totals[:, None] > 0)
        pictures = self._by_picture(annotator, attribute)
        independent = None
        if pictures is not None:
            people = self._people_counts(pictures, generator, prompts, totals)
            independent = independent_people(np.nan_to_num(shares), people)
        weights, places = np.array(self._weights(prompts)), self._places(generator, prompts)
        shared = sharing(self.plan.shared, places, weights, totals)
        return PromptShares.of(shares, totals, weights, independent=independent, shared=shared)

    def _people_counts(
        self, pictures: PictureSums, generator: str, prompts: Sequence[str], people: Array
    ) -> PeopleCounts:
        places = self._places(generator, prompts)
        sums = (pictures.pictures, pictures.people_squared, pictures.group_squared, pictures.group_people)
        return PeopleCounts(people, *(column[places].astype(float) for column in sums))

    def _by_picture(self, annotator: str, attribute: Attribute) -> PictureSums | None:
        return self._pictures.get((annotator, attribute.name)) if self._pictures is not None else None

    @staticmethod
    def prompt_set(prompts: Sequence[str]) -> str:
        """Return a name for some prompts: the same ones, in whatever order, have the same."""
        return content_id(*sorted(prompts)) if prompts else ""

    def used(self, generator: str, annotator: str, attribute: Attribute, prompts: Sequence[str]) -> list[str]:
        """Return the prompts that have usable images for the attribute, in order: the rows of the cell."""
        known = self._people(generator, annotator, attribute, prompts)
        return [prompt for prompt, count in zip(prompts, known.tolist(), strict=True) if count]

    def images(self, generator: str, annotator: str, attribute: Attribute, prompts: Sequence[str]) -> Array:
        """Return how many images of each prompt tell the attribute: fewer than people, where each of these counts."""
        if self._pictures is None:
            return self._people(generator, annotator, attribute, prompts)
        pictures = self._by_picture(annotator, attribute)
        counted = self.plan.zeros() if pictures is None else pictures.pictures
        return counted[self._places(generator, prompts)].astype(float)

    def numbers(self, generator: str, annotator: str, attribute: Attribute, prompts: Sequence[str]) -> PromptNumbers:
        """Return the numbers of each prompt, all of them used. People of one picture count as one there."""
        sums, places = self._values[annotator, attribute.name], self._places(generator, prompts)
        n, squares = sums.n[places].astype(float), sums.squares[places]
        mean = sums.total[places] / n
        variance = np.where(n > 1, np.maximum(squares - n * mean**2, 0) / np.maximum(n - 1, 1), 0.0)
        pictures = self._by_picture(annotator, attribute)
        counts = n if pictures is None else n**2 / pictures.people_squared[places]
        weights = np.array(self._weights(prompts))
        cell = PromptShares.of(mean[:, None], counts, weights, shared=sharing(self.plan.shared, places, weights, n))
        least = -np.inf if attribute.least is None else attribute.least
        most = np.inf if attribute.most is None else attribute.most
        return PromptNumbers(cell, variance, sums.lowest[places], highest=sums.highest[places], least=least, most=most)

    def truth(self, generator: str, attribute: Attribute, prompts: Sequence[str]) -> Array | None:
        """Return the planted shares (prompts, groups), or None when any prompt has none."""
        planted = self.plan.planted.get(generator, {})
        rows = [planted.get(prompt, {}).get(attribute.name) for prompt in prompts]
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
        lost: dict[str, int] = defaultdict(int)
        for by_reason in self._reasons(annotator, about):
            for reason, counts in by_reason.items():
                lost[reason] += int(counts[places].sum())
        return {reason: count for reason, count in sorted(lost.items()) if count}

    def missing_shares(
        self, generator: str, annotator: str, about: Sequence[str], prompts: Sequence[str]
    ) -> PromptShares:
        """Return the share of planned images that each reason costs, per prompt; columns as in :meth:`missing`.

        Prompts weigh as many images as were planned of them, so that the whole is a share of the planned images.
        """
        places = self._places(generator, prompts)
        reasons = {reason: np.zeros(len(places)) for reason in self.missing(generator, annotator, about, prompts)}
        for by_reason in self._reasons(annotator, about):
            for reason in by_reason.keys() & reasons.keys():
                reasons[reason] += by_reason[reason][places]
        planned = self.plan.planned[places].astype(float)
        counts = np.array(list(reasons.values())).T.reshape(len(places), -1)
        return PromptShares.of(counts / planned[:, None], planned, planned)

    def _reasons(self, annotator: str, about: Sequence[str]) -> list[Mapping[str, Ints]]:
        return [self._missing.get((who, name), {}) for who in ("", annotator) for name in about]

    def people(self, generator: str, annotator: str, attribute: Attribute, prompts: Sequence[str]) -> int:
        """Return how many people of all prompts the attribute is told of: images, where each shows one."""
        return round(float(self._people(generator, annotator, attribute, prompts).sum()))

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
