"""What became of every job of the plan: time grows with the number of jobs, memory by a few bytes an image.

Both tables are mostly in the same order, that of the plan. So they are read side by side: jobs and images that have not
found each other wait, and few do. An image is found by 64 bits of its name, see :mod:`portrayal.store.keys`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from portrayal.errors import PortrayalError
from portrayal.evidence import Cell, Requires
from portrayal.records import Person
from portrayal.stats.exact import Ints
from portrayal.store.keys import KeyIndex, Keys, key_numbers
from portrayal.store.workspace import Workspace
from portrayal.study.planted import PlantedCodes

__all__ = ["PENDING", "SOURCE_MISSING", "Answers", "is_word", "read_answers"]

PENDING = "pending"
SOURCE_MISSING = "failed: source_missing"
"""Of an edit whose source was refused or failed: there is nothing to edit."""
_EDITS = "SELECT 1 FROM prompts WHERE edits IS NOT NULL LIMIT 1"
_ROWS = 40_000
_PERSON_BITS = 16


@dataclass(frozen=True)
class Answers:
    """The plan by cell: images asked for, made, and not made by reason; and which cells each image belongs to.

    ``images`` has a key for each made job, with its ``cell`` and, where they were asked for, ``seed`` (a place in
    ``seeds``) and ``person`` (a place in ``persons`` plus one, 0: not one). ``drawn_with`` are cell and
    seed of every planned job, where seeds were asked for.
    """

    cells: Sequence[Cell]
    planned: Ints
    made: Ints
    unmade: Mapping[str, Ints]
    images: KeyIndex
    persons: Sequence[Person] = ()
    drawn_with: tuple[Ints, Ints] | None = None
    seeds: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    @cached_property
    def pictures(self) -> int:
        """How many different pictures were made: the same bytes are one, whatever they were asked with."""
        return self.images.distinct()

    def find(self, keys: Keys) -> tuple[Ints, dict[str, Ints]]:
        """Return where the images with these keys belong: the place among the keys, cell, and seed and person."""
        places, found = self.images.find(keys)
        if "seed" in found:
            found["seed"] = self.seeds[found["seed"]]
        if "person" in found:
            found["person"] -= 1
        return places, found


def read_answers(
    workspace: Workspace,
    requires: Requires = Requires(),  # noqa: B008 - it is frozen
    attempts: int = 1,
) -> Answers:
    """Return what became of every job; one that has failed so many ``attempts`` is not tried again."""
    planned = sorted(_planned(workspace).items())
    cells = [cell for cell, _ in planned]
    reader = _Reader(workspace, cells, requires, attempts)
    reader.read()
    counts = np.array([count for _, count in planned], dtype=np.int64)
    unmade = reader.unmade()
    unmade[PENDING] = counts - reader.made - sum(unmade.values())
    return Answers(
        cells,
        counts,
        reader.made,
        {reason: own for reason, own in unmade.items() if own.any()},
        reader.images,
        reader.planted.persons,
        reader.drawn_with,
        reader.seeds,
    )


def _planned(workspace: Workspace) -> Counter[Cell]:
    """Count the jobs of every cell."""
    found = Counter[Cell]()
    for batch in workspace.tables["jobs"].scan(("generator", "prompt"), ("generator", "prompt")):
        generators, prompts = (batch[name].dictionary.to_pylist() for name in ("generator", "prompt"))
        codes = batch["generator"].indices.to_numpy() * len(prompts) + batch["prompt"].indices.to_numpy()
        for code, count in enumerate(np.bincount(codes).tolist()):
            if count:
                found[generators[code // len(prompts)], prompts[code % len(prompts)]] += count
    return found


@dataclass
class _Waiting:
    """Rows that have not found their like: a key, and numbers that belong to it."""

    key: Keys
    numbers: dict[str, Ints]

    def __len__(self) -> int:
        return len(self.key)

    def take(self, rows: NDArray[np.bool_] | Ints) -> _Waiting:
        return _Waiting(self.key[rows], {name: own[rows] for name, own in self.numbers.items()})

    @classmethod
    def joined(cls, parts: Sequence[_Waiting]) -> _Waiting:
        names = parts[0].numbers
        numbers = {name: np.concatenate([part.numbers[name] for part in parts]) for name in names}
        return cls(np.concatenate([part.key for part in parts]), numbers)


class _Reader:
    def __init__(self, workspace: Workspace, cells: Sequence[Cell], requires: Requires, attempts: int) -> None:
        self._attempts = attempts
        self._workspace = workspace
        self._requires = requires
        self._edits = workspace.query(_EDITS).num_rows > 0
        self._cells = {cell: place for place, cell in enumerate(cells)}
        self.made = np.zeros(len(cells), dtype=np.int64)
        self.planted = PlantedCodes()
        self.drawn_with: tuple[Ints, Ints] | None = None
        self.seeds: Ints = np.zeros(0, dtype=np.int64)
        if requires.seeds:
            self.drawn_with = self._drawn_with()
            self.seeds = np.unique(self.drawn_with[1])
        fields = {"cell": max(len(cells), 1).bit_length()}
        fields |= {"seed": len(self.seeds).bit_length()} if requires.seeds else {}
        self._people = 1 << min(_PERSON_BITS, KeyIndex.BITS - sum(fields.values()))
        fields |= {"person": self._people.bit_length() - 1} if requires.planted else {}
        self.images = KeyIndex(workspace.tables["outcomes"].count(), fields)
        self._left: _Waiting | None = None
        self._unanswered: list[_Waiting] = []
        self._reasons: dict[str, int] = {}

    def read(self) -> None:
        """Let jobs and images find each other; what waits is tried again when twice as much has come."""
        jobs, images = self._jobs(), self._images()
        waiting: tuple[list[_Waiting], list[_Waiting]] = ([], [])
        while True:
            enough = sum(len(own) for side in waiting for own in side) + _ROWS
            more = [_some(source, enough) for source in (jobs, images)]
            for side, own in zip(waiting, more, strict=True):
                side += own
            if waiting[0] and waiting[1]:
                left = self._match(*(_Waiting.joined(side) for side in waiting))
                waiting = ([left[0]], [left[1]])
            if not any(more):
                break
        self._left = _Waiting.joined(waiting[0]) if waiting[0] else None

    def unmade(self) -> dict[str, Ints]:
        """Return how many images of each cell were not made, by status and reason; pending ones not among them."""
        if not self._unanswered or not self._left:
            return {}
        answers = _Waiting.joined(self._unanswered)
        order = np.argsort(self._left.key)
        place = np.minimum(np.searchsorted(self._left.key, answers.key, sorter=order), len(order) - 1)
        job = order[place]
        known = self._left.key[job] == answers.key
        job, answers = job[known], answers.take(known)
        ranked = np.lexsort((answers.numbers["rank"], job))
        final = ranked[np.flatnonzero(np.r_[True, job[ranked][1:] != job[ranked][:-1]][: len(ranked)])]
        cell, reason = self._left.numbers["cell"][job[final]], answers.numbers["reason"][final]
        found = {name: self._by_cell(cell[reason == number]) for name, number in self._reasons.items()}
        if self._edits:
            # A source that failed may still be drawn, and its edits with it; ranks are set where answers are kept.
            lasting = answers.numbers["rank"][final] <= -self._attempts
            lost = self._by_cell(self._without_source(self._left, job[final], job[final[lasting]]))
            found[SOURCE_MISSING] = found.get(SOURCE_MISSING, 0) + lost
        return found

    def _without_source(self, left: _Waiting, answered: Ints, lasting: Ints) -> Ints:
        """Return the cells of edits that nobody can make: they have no answer, and their source will have no image."""
        unasked = np.ones(len(left), dtype=bool)
        unasked[answered] = False
        return left.numbers["cell"][unasked & np.isin(left.numbers["source"].view(np.uint64), left.key[lasting])]

    def _by_cell(self, cells: Ints) -> Ints:
        return np.bincount(cells, minlength=len(self.made))

    def _match(self, jobs: _Waiting, images: _Waiting) -> tuple[_Waiting, _Waiting]:
        """Put images to the cells of their jobs; return what is left of both."""
        order = np.argsort(jobs.key)
        place = np.minimum(np.searchsorted(jobs.key, images.key, sorter=order), max(len(order) - 1, 0))
        found = jobs.key[order[place]] == images.key if len(order) else np.zeros(len(images), dtype=bool)
        job = order[place[found]]
        numbers = {**jobs.take(job).numbers, **images.take(found).numbers}
        numbers.pop("source", None)
        self.images.add(numbers.pop("image").view(np.uint64), **numbers)
        self.made += self._by_cell(numbers["cell"])
        open_ = np.ones(len(jobs), dtype=bool)
        open_[job] = False
        return jobs.take(open_), images.take(~found)

    def _jobs(self) -> Iterator[_Waiting]:
        """Yield the jobs with their cells and seeds."""
        seed = ("seed",) if self._requires.seeds else ()
        source = ("source_job",) if self._edits else ()
        columns = ("id", "generator", "prompt", *seed, *source)
        for batch in self._workspace.tables["jobs"].scan(columns, ("generator", "prompt")):
            numbers = {"cell": self._places(batch["generator"], batch["prompt"])}
            if seed:
                numbers["seed"] = np.searchsorted(self.seeds, batch["seed"].to_numpy())
            if source:
                numbers["source"] = key_numbers(batch["source_job"]).view(np.int64)
            yield _Waiting(key_numbers(batch["id"]), numbers)

    def _images(self) -> Iterator[_Waiting]:
        """Yield jobs that were made with their images; keep what was not made."""
        planted = ("planted",) if self._requires.planted else ()
        columns = ("job", "attempt", "status", "reason", "image", *planted)
        for batch in self._workspace.tables["outcomes"].scan(columns, ("status", "reason")):
            jobs = key_numbers(batch["job"])
            made = is_word(batch["status"], "made")
            if not made.all():
                self._keep_unanswered(batch.filter(pa.array(~made)), jobs[~made])
            numbers = {"image": key_numbers(batch["image"])[made].view(np.int64)}
            if planted:
                numbers["person"] = self.planted.numbers(batch["planted"])[made] + 1
                if len(self.planted.persons) >= self._people:
                    raise PortrayalError(f"more than {self._people - 1:,} different people are planted in the images")
            yield _Waiting(jobs[made], numbers)

    def _keep_unanswered(self, batch: pa.RecordBatch, jobs: Keys) -> None:
        labels = _labels(batch["status"].to_pylist(), batch["reason"].to_pylist())
        reason = [self._reasons.setdefault(label, len(self._reasons)) for label in labels]
        attempt = batch["attempt"].to_numpy().astype(np.int64)
        # A refusal is an answer, and comes before any failure; of failures the last counts.
        rank = np.where(is_word(batch["status"], "failed"), -attempt, np.iinfo(np.int64).min)
        self._unanswered.append(_Waiting(jobs, {"rank": rank, "reason": np.array(reason, dtype=np.int64)}))

    def _drawn_with(self) -> tuple[Ints, Ints]:
        """Return cell and seed of every planned job."""
        batches = self._workspace.tables["jobs"].scan(("generator", "prompt", "seed"), ("generator", "prompt"))
        rows = [(self._places(batch["generator"], batch["prompt"]), batch["seed"].to_numpy()) for batch in batches]
        none = np.zeros(0, dtype=np.int64)
        cell, seed = (np.concatenate([none, *(row[place] for row in rows)]) for place in (0, 1))
        return cell, seed

    def _places(self, generators: pa.DictionaryArray, prompts: pa.DictionaryArray) -> Ints:
        names = generators.dictionary.to_pylist(), prompts.dictionary.to_pylist()
        table = np.array([[self._cells.get((one, two), 0) for two in names[1]] for one in names[0]], dtype=np.int64)
        return np.asarray(table[generators.indices.to_numpy(), prompts.indices.to_numpy()])


def is_word(column: pa.DictionaryArray, word: str) -> NDArray[np.bool_]:
    """Return where an encoded column has a word."""
    numbers = [place for place, name in enumerate(column.dictionary.to_pylist()) if name == word]
    return np.isin(column.indices.fill_null(-1).to_numpy(zero_copy_only=False), numbers)


def _some(source: Iterator[_Waiting], enough: int) -> list[_Waiting]:
    """Return batches of a source until there are enough rows, or none is left."""
    found: list[_Waiting] = []
    while sum(map(len, found)) < enough and (batch := next(source, None)) is not None:
        found.append(batch)
    return found


def _labels(statuses: Sequence[str], reasons: Sequence[str | None]) -> Iterator[str]:
    for status, reason in zip(statuses, reasons, strict=True):
        yield f"{status}: {reason or 'unknown'}"
