"""A study in memory: what was asked and made, and what annotators said of it, added up without any table on disk."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from portrayal.evidence import Batch, Design, Evidence, Missing, Need, Plan, Rule, SourceImage
from portrayal.evidence.described_images import NONE
from portrayal.evidence.observations import ENCODED, TEXT, ObservationReader
from portrayal.records import (
    OBSERVATION_SCHEMA,
    PERSON,
    Abstention,
    Attribute,
    Observation,
    Person,
    Prompt,
    attribute_table,
    to_table,
)

CLIP, HUMANS = "clip@1", "humans"
WOMAN, YOUNG = (0.0, 1.0), (1.0, 0.0, 0.0)
Seen = Observation | Abstention


@dataclass(frozen=True)
class Asked:
    """One planned image: where it belongs, what was made or why nothing was, its seed, and who was planted.

    ``source`` is the number of the source that it is, or that it was edited from.
    """

    cell: tuple[str, str]
    image: str | None
    reason: str = ""
    seed: int = 0
    planted: Sequence[Person] | None = None
    source: int = NONE


@dataclass
class Store:
    """Prompts, jobs and rows, written by hand. Images are called by a word; rows of an image must stand together.

    Prompts whose text is among ``editing`` edit.
    """

    annotators: Mapping[str, Sequence[str]] = field(
        default_factory=lambda: {CLIP: ("gender", "age3"), HUMANS: ("gender", "age3")}
    )
    attributes: Mapping[str, Attribute] = field(default_factory=attribute_table)
    prompts: dict[str, Prompt] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    editing: Collection[str] = ()

    @staticmethod
    def name_of(word: str) -> str:
        return hashlib.sha256(word.encode()).hexdigest()

    def made(self, word: str, text: str = "nurse", people: int = 1, generator: str = "g", **more: Any) -> None:
        """Plan an image and make it; ``more`` are its seed, who is planted, and its source."""
        self.asked.append(Asked(self._cell(text, people, generator), self.name_of(word), **more))

    def unmade(self, reason: str = "pending", text: str = "nurse", people: int = 1, seed: int = 0) -> None:
        """Plan an image that is not there."""
        self.asked.append(Asked(self._cell(text, people, "g"), None, reason, seed))

    def saw(self, word: str, gender: Any = WOMAN, age3: Any = YOUNG, subject: int = 0, by: str = CLIP) -> None:
        """Tell of one person; what is a text is the reason why there is no mass, what is None is left unsaid."""
        for name, mass in (("gender", gender), ("age3", age3)):
            if mass is not None:
                self.told(word, name, mass, subject, by)

    def told(self, word: str, attribute: str, what: Any, subject: int = 0, by: str = CLIP) -> None:
        """Tell one attribute: a mass, a number, or the reason why there is neither."""
        image = self.name_of(word)
        if isinstance(what, str):
            self.seen.append(Abstention(image, by, what, subject, attribute))
        elif isinstance(what, float):
            self.seen.append(Observation(image, by, subject, attribute, value=what))
        else:
            self.seen.append(Observation(image, by, subject, attribute, what))

    def wrote(self, word: str, text: str, by: str = CLIP, attribute: str = "caption") -> None:
        """Tell an attribute in words."""
        self.seen.append(Observation(self.name_of(word), by, 0, attribute, text=text))

    def said(self, word: str, reason: str, subject: int | None = None, by: str = CLIP) -> None:
        """Say why an image, or one of its people, cannot be used."""
        self.seen.append(Abstention(self.name_of(word), by, reason, subject))

    def present(self, word: str, probability: float, by: str = CLIP) -> None:
        """Say how probable it is that an image shows people."""
        self.told(word, PERSON, (probability, 1 - probability), 0, by)

    def plan(self, needs: Sequence[Need[Any]] = ()) -> Plan:
        design = Design(
            {prompt.id: prompt for prompt in self.prompts.values()},
            self.attributes,
            self.annotators,
            {name: name for name in self.annotators},
        )
        cells = sorted({asked.cell for asked in self.asked})
        reasons = {asked.reason for asked in self.asked if asked.image is None}
        people = [person for _, _, _, person, _ in self._made(cells) if person]
        sources = max((asked.source for asked in self.asked), default=NONE) + 1
        return Plan(
            design,
            cells,
            self._count(cells, self.asked),
            self._count(cells, [asked for asked in self.asked if asked.image is not None]),
            {
                reason: self._count(cells, [a for a in self.asked if a.image is None and a.reason == reason])
                for reason in reasons
            },
            persons=[dict(person) for person in dict.fromkeys(tuple(sorted(person.items())) for person in people)],
            judged={need.requires.judged_by: self._judged(need.requires.judged_by) for need in needs},
            seeds=(
                np.array([cells.index(asked.cell) for asked in self.asked], dtype=np.int64),
                np.array([asked.seed for asked in self.asked], dtype=np.int64),
            ),
            sources=[SourceImage(f"job {number}", "", number) for number in range(sources)],
        )

    def rows(self, size: int = 1000) -> list[pa.RecordBatch]:
        """Return the rows as a scan yields them; all but the first batch are slices, which begin at an offset."""
        return batches_of(self.seen, size)

    def batches(self, plan: Plan, size: int = 1000, enough: int = 1) -> list[Batch]:
        """Return the images with the jobs they answer, as annotators described them."""
        jobs: dict[int, list[tuple[int, int, int, int]]] = {}
        for key, cell, seed, person, source in self._made(plan.cells):
            jobs.setdefault(key, []).append((cell, seed, plan.persons.index(person) if person else NONE, source))
        found = []
        for images in ObservationReader(self.annotators, enough).images(self.rows(size)):
            entries = [(place, *job) for place, key in enumerate(images.keys.tolist()) for job in jobs.get(key, ())]
            image, cells, seeds, persons, sources = np.array(entries, dtype=np.int64).reshape(-1, 5).T
            found.append(Batch(plan, images, image, cells, seeds, persons, sources))
        return found

    def evidence(self, *needs: Need[Any], size: int = 1000, enough: int = 1) -> Evidence:
        """Add everything up."""
        plan = self.plan(needs)
        return Evidence.of(plan, needs, self.batches(plan, size, enough))

    def missing(self, rule: Rule, by: str = CLIP) -> dict[tuple[str, str], int]:
        """Return how many images are missing, by attribute and reason, of all cells together."""
        need = Missing(rule)
        counts = self.evidence(need)[need].counts
        return {key[1:]: int(own.sum()) for key, own in counts.items() if key[0] == by}

    def usable(self, rule: Rule, by: str = CLIP) -> int:
        """Return how many images can be used, each as often as it was asked for."""
        batches = self.batches(self.plan())
        return sum(int(batch.usable(rule).sum()) for batch in batches if batch.images.annotator == by)

    def _cell(self, text: str, people: int, generator: str) -> tuple[str, str]:
        edits = "seed" if text in self.editing else None
        prompt = self.prompts.setdefault(text, Prompt(text, text, people=people, edits=edits))
        return generator, prompt.id

    def _made(self, cells: Sequence[tuple[str, str]]) -> Iterator[tuple[int, int, int, Person | None, int]]:
        for asked in self.asked:
            if asked.image is not None:
                person = asked.planted[0] if asked.planted and len(asked.planted) == 1 else None
                yield int(asked.image[:16], 16), list(cells).index(asked.cell), asked.seed, person, asked.source

    def _judged(self, annotator: str) -> Any:
        keys = {int(row.image[:16], 16) for row in self.seen if row.annotator == annotator}
        return np.array(sorted(keys), dtype=np.uint64)

    @staticmethod
    def _count(cells: Sequence[tuple[str, str]], asked: Sequence[Asked]) -> Any:
        return np.array([sum(each.cell == cell for each in asked) for cell in cells], dtype=np.int64)


def batches_of(rows: Sequence[Seen], size: int = 1000) -> list[pa.RecordBatch]:
    table = to_table(rows, OBSERVATION_SCHEMA).drop_columns(["box"])
    for name in (*ENCODED, TEXT):
        table = table.set_column(table.schema.get_field_index(name), name, table[name].dictionary_encode())
    return list(table.combine_chunks().to_batches(max_chunksize=size))


@pytest.fixture(scope="session")
def make_store() -> Callable[..., Store]:
    """Begin a study in memory: ``make_store({"clip@1": ["gender"]})``."""
    return Store


@pytest.fixture
def store() -> Store:
    """Begin a study in memory, of two annotators that tell gender and age3."""
    return Store()
