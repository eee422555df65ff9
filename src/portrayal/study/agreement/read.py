"""What several annotators said about the same people, side by side; a slice of the images at a time.

Only usable images count: those of no more people than the prompt asked for. Of two people asked for, subject 0 stands
at the left and subject 1 at the right, so equal sides mean the same person.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from portrayal.evidence import NOT_ANNOTATED, Rule
from portrayal.evidence.described_images import NONE, Described
from portrayal.evidence.observations import COLUMNS, ENCODED, ObservationReader
from portrayal.evidence.usable import unusable
from portrayal.records import PERSON, SIDES, Attribute
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array
from portrayal.store.tables.keys import Keys
from portrayal.study.agreement.panel import Panel
from portrayal.study.study import OpenStudy
from portrayal.study.tables.plan_answers import read_answers

__all__ = ["CLUSTERS", "JudgementReader", "Judgements"]

CLUSTERS = 1024
"""Prompts beyond this number are put together at random, which keeps memory small and intervals right."""
SLICE = 1_000_000
"""About as many images are held at a time."""
TIE, NOTHING = "tie", "nothing_observed"
_ROWS = 120_000
_RULE = Rule("at_most")
_PEOPLE = "SELECT id, people FROM prompts"


@dataclass(frozen=True, slots=True)
class Judgements:
    """A slice of the images as all annotators judged them.

    ``labels`` (annotators, grouped attributes, images, 2) are places of groups, or -1; ``values`` likewise for numeric
    attributes, or nan. ``reasons`` (annotators, attributes, images) tell why there is nothing, where there is nothing.
    """

    labels: NDArray[np.int8]
    values: Array
    reasons: NDArray[np.int16]
    looked: NDArray[np.bool_]
    cluster: Ints


@dataclass(frozen=True, slots=True)
class _Pictures:
    """Different pictures in the order of their keys: the number of people asked for, and the cluster of the prompt."""

    keys: Keys
    people: Ints
    cluster: Ints


class JudgementReader:
    """Reads the planned images of a study for one panel."""

    def __init__(self, study: OpenStudy, panel: Panel) -> None:
        self.panel = panel
        self._study = study
        self._reader = ObservationReader(panel.annotators, _ROWS)
        self._answers = read_answers(study.workspace)

    @property
    def reasons(self) -> Sequence[str]:
        """What the numbers of reasons stand for."""
        return self._reader.names

    @cached_property
    def prompts(self) -> Sequence[str]:
        """The prompts that have images."""
        made = np.flatnonzero(self._answers.made).tolist()
        return sorted({self._answers.cells[cell][1] for cell in made})

    @property
    def clusters(self) -> int:
        """How many clusters there may be: prompts, or where there is but one, images."""
        return min(len(self.prompts), CLUSTERS) if len(self.prompts) > 1 else CLUSTERS

    def slices(self) -> Iterator[Judgements]:
        """Yield all images, about ``SLICE`` of them at a time."""
        for pictures in self._pictures():
            judgements = self._empty(len(pictures.keys), pictures.cluster)
            rows = self._study.workspace.tables["observations"].scan(COLUMNS, ENCODED)
            for images in self._reader.images(rows):
                self._fill(judgements, images, pictures)
            yield judgements

    def _pictures(self) -> Iterator[_Pictures]:
        """Yield the pictures that were made; one that answers several prompts counts for the first of them."""
        order = {prompt: place for place, prompt in enumerate(self.prompts)}
        asked = dict(zip(*self._study.workspace.query(_PEOPLE).to_pydict().values(), strict=True))
        prompt = np.array([order.get(name, len(order)) for _, name in self._answers.cells], dtype=np.int64)
        people = np.array([asked.get(name, 1) for name in self.prompts], dtype=np.int64)
        keys, images = self._answers.images.ordered()
        prompt_of = prompt[images["cell"]]
        ranked = np.lexsort((prompt_of, keys))
        first = ranked[np.flatnonzero(np.r_[True, keys[ranked][1:] != keys[ranked][:-1]][: len(ranked)])]
        # Of a single prompt the images are the sample; the low bits of their names are as good as chance.
        cluster = prompt_of if len(self.prompts) > 1 else (keys & np.uint64(0xFFFFFFFF)).astype(np.int64)
        for start in range(0, len(first), SLICE):
            mine = first[start : start + SLICE]
            yield _Pictures(keys[mine], people[prompt_of[mine]], cluster[mine] % CLUSTERS)

    def _empty(self, images: int, cluster: Ints) -> Judgements:
        raters, grouped, numeric = map(len, (self.panel.annotators, self.panel.grouped, self.panel.numeric))
        return Judgements(
            np.full((raters, grouped, images, len(SIDES)), -1, dtype=np.int8),
            np.full((raters, numeric, images, len(SIDES)), np.nan),
            np.full((raters, grouped + numeric, images), self.reasons.index(NOT_ANNOTATED), dtype=np.int16),
            np.zeros((raters, images), dtype=bool),
            cluster,
        )

    def _fill(self, judgements: Judgements, images: Described, pictures: _Pictures) -> None:
        place = np.minimum(np.searchsorted(pictures.keys, images.keys), len(pictures.keys) - 1)
        inside = np.flatnonzero(pictures.keys[place] == images.keys)
        rater = self.panel.annotators.index(images.annotator)
        judgements.looked[rater, place[inside]] = True
        blocked = np.full(len(images.keys), NONE)
        blocked[inside] = unusable(images, inside, pictures.people[place[inside]], _RULE)
        here = np.zeros(len(images.keys), dtype=bool)
        here[inside] = True
        sides = _sides(images, pictures.people[place])
        for number, attribute in enumerate(self.panel.attributes):
            why = _reasons(images, attribute)
            told, ties, said = _said(images, attribute)
            why[images.image[ties]] = images.codes[TIE]
            free = attribute.name == PERSON
            open_ = here & (free | (blocked == NONE))
            kept = open_[images.image[told]]
            side = np.where(free, 0, sides[told[kept]])
            places = place[images.image[told[kept]]]
            if attribute.groups:
                judgements.labels[rater, number, places, side] = said[kept]
            else:
                judgements.values[rater, number - len(self.panel.grouped), places, side] = said[kept]
            why = np.where(blocked == NONE, why, blocked)
            judgements.reasons[rater, number, place[inside]] = why[inside]


def _sides(images: Described, asked: Ints) -> Ints:
    """Return the side of each row's person: of two the number tells it; one may have any number, as who is too small to
    judge has one too.
    """
    alone = (asked > 1) & (images.people == 1)
    return np.where(alone[images.image], np.minimum(images.rows.subject, 1), images.is_later)


def _said(images: Described, attribute: Attribute) -> tuple[Ints, Ints, Array]:
    """Return the rows that tell an attribute, those whose mass says nothing of which group it is, and what is told."""
    if not attribute.groups:
        rows, values = images.values(attribute.name)
        return rows, rows[:0], values
    rows, masses = images.masses(attribute.name, len(attribute.groups), raw=True)
    tied = (masses == masses.max(axis=1, keepdims=True, initial=0.0)).sum(axis=1) > 1
    return rows[~tied], rows[tied], masses[~tied].argmax(axis=1).astype(float)


def _reasons(images: Described, attribute: Attribute) -> Ints:
    """Return why there may be nothing; a reason about an attribute comes before one about the person."""
    why = np.full(len(images.keys), images.codes[NOTHING])
    rows = images.rows
    for wanted in (NONE, images.codes.get(attribute.name, NONE - 1)):
        given = np.flatnonzero((rows.attribute == wanted) & (rows.reason != NONE))
        why[images.image[given]] = rows.reason[given]
    return why
