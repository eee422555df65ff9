"""Jobs joined with what came of them, for every job of a plan.

Both tables are mostly in the same order, that of the plan. So they are read side by side: jobs and images that have not
found each other wait, and few do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from portrayal.errors import PortrayalError
from portrayal.evidence import Cell, Requires, SourceImage
from portrayal.stats.exact import Ints
from portrayal.store.tables.key_index import KeyIndex
from portrayal.store.tables.keys import Keys, key_numbers
from portrayal.store.tables.layout import key_column, keys_of
from portrayal.store.tables.row_batches import is_word
from portrayal.store.workspace import Workspace
from portrayal.study.measure.planted import PlantedCodes
from portrayal.study.tables.attempt_keys import NO_ATTEMPTS, attempt_keys
from portrayal.study.tables.left_out import LeftOutKeys, read_left_out
from portrayal.study.tables.waiting import Waiting, matches, read_some

__all__ = ["SOURCE_MISSING", "JobReader"]

SOURCE_MISSING = "failed: source_missing"
"""Of an edit whose source was refused or failed: there is nothing to edit."""
_EDITS = "SELECT 1 FROM prompts WHERE edits IS NOT NULL LIMIT 1"
_SOURCES = """
    SELECT id AS job, prompt, "index" AS number FROM jobs WHERE id IN (SELECT source_job FROM jobs)
    ORDER BY prompt, number, job
"""
_REJECTED = """
    SELECT generator, prompt, reason, count(*) AS attempts FROM outcomes JOIN jobs ON jobs.id = job
    WHERE status = 'rejected' GROUP BY ALL
"""
_ROWS = 40_000
_PERSON_BITS = 16
_ANSWERED = np.iinfo(np.int64).min  # the rank of an answer that no later one changes


class JobReader:
    """Reads a plan of these cells, and counts and indexes its images; ``ahead`` as for :meth:`Table.scan`."""

    def __init__(
        self, workspace: Workspace, cells: Sequence[Cell], requires: Requires, attempts: int, *, ahead: bool = True
    ) -> None:
        self._attempts, self._ahead = attempts, ahead
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
        self.sources = self._source_images() if requires.sources and self._edits else []
        self._source_keys = key_numbers(pa.array([source.job for source in self.sources], pa.string()))
        fields = {"cell": max(len(cells), 1).bit_length()}
        fields |= {"source": (len(self.sources) + 1).bit_length()} if requires.sources else {}
        fields |= {"seed": len(self.seeds).bit_length()} if requires.seeds else {}
        self._people = 1 << min(_PERSON_BITS, KeyIndex.BITS - sum(fields.values()))
        fields |= {"person": self._people.bit_length() - 1} if requires.planted else {}
        self.images = KeyIndex(workspace.tables["outcomes"].count(), fields)
        self._rejected = self._rejected_attempts() if self._edits else NO_ATTEMPTS
        self._left_out = LeftOutKeys(read_left_out(workspace.root))
        self._left: Waiting | None = None
        self._unanswered: list[Waiting] = []
        self._unmatched: Keys = np.zeros(0, dtype=np.uint64)
        self._reasons: dict[str, int] = {}

    def read(self) -> None:
        """Let jobs and images find each other; what waits is tried again when twice as much has come."""
        jobs, images = self._jobs(), self._images()
        waiting: tuple[list[Waiting], list[Waiting]] = ([], [])
        unmade: list[Waiting] = []
        while True:
            enough = sum(len(some) for side in waiting for some in side) + _ROWS
            # Fewer of the images that wait already: else their table would be read ahead of that of the jobs.
            ahead = sum(map(len, waiting[1]))
            more = [read_some(jobs, enough), read_some(images, enough - ahead)]
            for side, come in zip(waiting, more, strict=True):
                side += come
            if not any(more):
                break
            if waiting[0] and waiting[1]:
                left = self._match(*(Waiting.joined(side) for side in waiting))
                open_, answered = self._apart(left[0])
                unmade.append(answered)
                waiting = ([open_], [left[1]])
        if left_over := [*waiting[0], *unmade]:
            self._left = Waiting.joined(left_over)
            if waiting[1]:
                self._left, _ = self._match(self._left, Waiting.joined(waiting[1]))

    def _apart(self, jobs: Waiting) -> tuple[Waiting, Waiting]:
        """Return the jobs of which nothing is known yet, and those that were refused or have failed.

        The latter need not be tried again and again: if there is an image of one after all, it comes last.
        """
        place, found = matches(jobs.key, self._unmatched)
        self._unmatched = self._unmatched[~found]
        answered = np.zeros(len(jobs), dtype=bool)
        answered[place] = True
        return jobs.take(~answered), jobs.take(answered)

    def unmade(self) -> dict[str, Ints]:
        """Return how many images of each cell were not made, by status and reason; pending ones not among them."""
        if not self._unanswered or not self._left:
            return {}
        answers = Waiting.joined(self._unanswered)
        job, known = matches(self._left.key, answers.key)
        answers = answers.take(known)
        ranked = np.lexsort((answers.numbers["rank"], job))
        final = ranked[np.flatnonzero(np.r_[True, job[ranked][1:] != job[ranked][:-1]][: len(ranked)])]
        cell, reason = self._left.numbers["cell"][job[final]], answers.numbers["reason"][final]
        unmade = {name: self._by_cell(cell[reason == number]) for name, number in self._reasons.items()}
        if self._edits:
            # A source that failed may still be drawn, and its edits with it; ranks are set where answers are kept.
            lasting = answers.numbers["rank"][final] <= -self._attempts
            lost = self._by_cell(self._without_source(self._left, job[final], job[final[lasting]]))
            unmade[SOURCE_MISSING] = unmade.get(SOURCE_MISSING, 0) + lost
        return unmade

    def _without_source(self, left: Waiting, answered: Ints, lasting: Ints) -> Ints:
        """Return the cells of edits that nobody can make: they have no answer, and their source will have no image."""
        unasked = np.ones(len(left), dtype=bool)
        unasked[answered] = False
        return left.numbers["cell"][unasked & np.isin(left.numbers["source_key"].view(np.uint64), left.key[lasting])]

    def _by_cell(self, cells: Ints) -> Ints:
        return np.bincount(cells, minlength=len(self.made))

    def _match(self, jobs: Waiting, images: Waiting) -> tuple[Waiting, Waiting]:
        """Put images to the cells of their jobs; return what is left of both."""
        job, found = matches(jobs.key, images.key)
        numbers = {**jobs.take(job).numbers, **images.take(found).numbers}
        numbers.pop("source_key", None)
        self.images.add(numbers.pop("image").view(np.uint64), **numbers)
        self.made += self._by_cell(numbers["cell"])
        open_ = np.ones(len(jobs), dtype=bool)
        open_[job] = False
        return jobs.take(open_), images.take(~found)

    def _jobs(self) -> Iterator[Waiting]:
        """Yield the jobs with their cells and seeds."""
        seed = ("seed",) if self._requires.seeds else ()
        source = ("source_job",) if self._edits else ()
        columns = (key_column("id"), "generator", "prompt", *seed, *source)
        for batch in self._workspace.tables["jobs"].scan(columns, ("generator", "prompt"), ahead=self._ahead):
            numbers = {"cell": self._places(batch["generator"], batch["prompt"])}
            if seed:
                numbers["seed"] = np.searchsorted(self.seeds, batch["seed"].to_numpy())
            jobs = keys_of(batch, "id")
            if source:
                numbers["source_key"] = key_numbers(batch["source_job"]).view(np.int64)
            if self._requires.sources:
                edited = numbers["source_key"].view(np.uint64) if source else np.zeros_like(jobs)
                numbers["source"] = np.maximum(self._source_numbers(jobs), self._source_numbers(edited))
            yield Waiting(jobs, numbers)

    def _images(self) -> Iterator[Waiting]:
        """Yield jobs that were made with their images; keep what was not made."""
        planted = ("planted",) if self._requires.planted else ()
        columns = (key_column("job"), "attempt", "status", "reason", key_column("image"), *planted)
        for batch in self._workspace.tables["outcomes"].scan(columns, ("status", "reason"), ahead=self._ahead):
            jobs = keys_of(batch, "job")
            made, rejected = (is_word(batch["status"], word) for word in ("made", "rejected"))
            if (other := ~made & ~rejected).any():
                self._keep_unanswered(batch.filter(pa.array(other)), jobs[other])
            if len(self._rejected):
                made &= ~np.isin(attempt_keys(jobs, batch["attempt"].to_numpy()), self._rejected)
            images = keys_of(batch, "image")
            out, labels = self._left_out.among(images, made)
            if labels:
                self._keep(jobs[out], np.full(len(labels), _ANSWERED), labels)
                made &= ~out
            numbers = {"image": images[made].view(np.int64)}
            if planted:
                numbers["person"] = self.planted.numbers(batch["planted"])[made] + 1
                if len(self.planted.persons) >= self._people:
                    raise PortrayalError(f"more than {self._people - 1:,} different people are planted in the images")
            yield Waiting(jobs[made], numbers)

    def _keep_unanswered(self, batch: pa.RecordBatch, jobs: Keys) -> None:
        labels = _labels(batch["status"].to_pylist(), batch["reason"].to_pylist())
        attempt = batch["attempt"].to_numpy().astype(np.int64)
        # A refusal is an answer, and comes before any failure; of failures the last counts.
        self._keep(jobs, np.where(is_word(batch["status"], "failed"), -attempt, _ANSWERED), labels)

    def _keep(self, jobs: Keys, rank: Ints, labels: Iterable[str]) -> None:
        reason = [self._reasons.setdefault(label, len(self._reasons)) for label in labels]
        self._unmatched = np.concatenate([self._unmatched, jobs])
        self._unanswered.append(Waiting(jobs, {"rank": rank, "reason": np.array(reason, dtype=np.int64)}))

    def _rejected_attempts(self) -> NDArray[np.void]:
        rejected = self._workspace.query("SELECT job, attempt FROM outcomes WHERE status = 'rejected'").combine_chunks()
        if not rejected.num_rows:
            return NO_ATTEMPTS
        return attempt_keys(key_numbers(rejected["job"].chunk(0)), rejected["attempt"].to_numpy())

    def rejected(self) -> dict[str, Ints]:
        """Return how many images of each cell were made and rejected, by reason; several of one job count each."""
        rejected: dict[str, Ints] = {}
        for row in self._workspace.query(_REJECTED).to_pylist() if len(self._rejected) else ():
            by_cell = rejected.setdefault(row["reason"], np.zeros_like(self.made))
            by_cell[self._cells[row["generator"], row["prompt"]]] += row["attempts"]
        return rejected

    def _source_images(self) -> list[SourceImage]:
        return [SourceImage(**row) for row in self._workspace.query(_SOURCES).to_pylist()]

    def _source_numbers(self, jobs: Keys) -> Ints:
        """Return the place of each job among the sources plus one, 0: it is none."""
        place, found = matches(self._source_keys, jobs)
        numbers = np.zeros(len(jobs), dtype=np.int64)
        numbers[found] = place + 1
        return numbers

    def _drawn_with(self) -> tuple[Ints, Ints]:
        """Return cell and seed of every planned job."""
        columns, encoded = ("generator", "prompt", "seed"), ("generator", "prompt")
        batches = self._workspace.tables["jobs"].scan(columns, encoded, ahead=self._ahead)
        rows = [(self._places(batch["generator"], batch["prompt"]), batch["seed"].to_numpy()) for batch in batches]
        none = np.zeros(0, dtype=np.int64)
        cell, seed = (np.concatenate([none, *(row[place] for row in rows)]) for place in (0, 1))
        return cell, seed

    def _places(self, generators: pa.DictionaryArray, prompts: pa.DictionaryArray) -> Ints:
        names = generators.dictionary.to_pylist(), prompts.dictionary.to_pylist()
        table = np.array([[self._cells.get((one, two), 0) for two in names[1]] for one in names[0]], dtype=np.int64)
        return np.asarray(table[generators.indices.to_numpy(), prompts.indices.to_numpy()])


def _labels(statuses: Sequence[str], reasons: Sequence[str | None]) -> Iterator[str]:
    for status, reason in zip(statuses, reasons, strict=True):
        yield f"{status}: {reason or 'unknown'}"
