"""Which jobs of the plan have no answer yet: jobs anti-joined with outcomes, and edits joined with their sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from portrayal.generators import ImageNames, finds_images
from portrayal.records import Failed, Job, Prompt, from_table
from portrayal.stats.exact import Ints
from portrayal.store.images.image_store import read_image
from portrayal.store.images.read_ahead import ReadAhead
from portrayal.store.tables.key_index import KeyIndex, KeySet
from portrayal.store.tables.keys import key_numbers
from portrayal.store.tables.row_batches import is_word
from portrayal.study.study import OpenStudy

__all__ = ["PendingJobs", "SourceImages"]

_COLUMNS = ("id", "prompt", "generator", "index", "seed", "source_job")
_IMAGE = ("job", "image", "ext", "planted")
_TERMS = """
    SELECT jobs.id, term, "index" AS number FROM jobs JOIN prompts ON prompt = prompts.id
    WHERE jobs.id IN (SELECT source_job FROM jobs)
"""


class SourceImages:
    """The images that edits start from, as things stand now. Memory grows with their number, not with that of edits."""

    def __init__(self, study: OpenStudy) -> None:
        self._images = study.workspace.images
        self._terms = _source_terms(study)
        jobs = _source_jobs(study)
        table = study.workspace.tables["outcomes"]
        made = [table.schema.empty_table().select(_IMAGE)]
        for batch in table.scan((*_IMAGE, "status"), ("status",)):
            rows = np.flatnonzero(is_word(batch["status"], "made"))
            rows = rows[jobs.has(batch["job"].take(pa.array(rows)))]
            made.append(pa.Table.from_batches([batch.take(pa.array(rows)).select(_IMAGE)]))
        self._made = pa.concat_tables(made).combine_chunks()
        count = self._made.num_rows
        self._rows = KeyIndex(count, {"row": max(count, 1).bit_length()})
        self._rows.add(key_numbers(_one(self._made["job"])), row=np.arange(count))

    def has(self, jobs: pa.StringArray) -> NDArray[np.bool_]:
        """Return which of the jobs have made an image that is to be edited."""
        return np.asarray(self._find(jobs) >= 0)

    def load(self, jobs: Sequence[Job]) -> Iterator[Job | Failed]:
        """Yield each job, whose source must be there, with its source's file and people."""
        rows = self._find(pa.array([job.source_job for job in jobs], pa.string()))
        sources = self._made.take(pa.array(rows)).to_pylist(maps_as_pydicts="strict")
        files = [self._images.path(source["image"], source["ext"]) if source["ext"] else None for source in sources]
        with ReadAhead(files) as ahead:
            for job, source, file in zip(jobs, sources, files, strict=True):
                try:
                    data = read_image(ahead.file(file)) if file else b""
                except OSError as error:
                    yield Failed(job.id, "unreadable_source", f"{source['image']}: {error.strerror}")
                else:
                    term = self._terms.get(source["job"], "")
                    yield replace(job, source=data, planted=source["planted"], source_term=term)

    def _find(self, jobs: pa.StringArray) -> Ints:
        """Return where the image of each job stands, -1: nowhere."""
        rows = np.full(len(jobs), -1)
        places, numbers = self._rows.find(key_numbers(jobs))
        names = _one(self._made["job"]).take(pa.array(numbers["row"]))
        same = np.asarray(pc.equal(names, jobs.take(pa.array(places))))
        rows[places[same]] = numbers["row"][same]
        return rows


class PendingJobs:
    """The jobs of a generator that have no answer and attempts left, in the order of the plan, as things stand now.

    Without ``sources`` those that draw. With them those that edit, once the image that they start from is there.
    """

    def __init__(self, study: OpenStudy, generator: str, sources: SourceImages | None = None) -> None:
        self.generator = generator
        self._sources = sources
        self._workspace = study.workspace
        self._attempts = study.config.generate.attempts
        # A file that was not there may have been put there since: looking again costs nothing.
        self._endless = finds_images(study.generators[generator].generator)
        self._prompts = {p.id: p for p in from_table(study.workspace.query("SELECT * FROM prompts"), Prompt)}
        asked = [prompt for prompt in self._prompts.values() if bool(prompt.edits) is (sources is not None)]
        self._names = ImageNames.of(asked).names if self._endless else {}
        outcomes = study.workspace.tables["outcomes"]
        self._answered, self._failed = KeySet(outcomes.count()), KeySet(outcomes.count())
        self._rejected = KeySet(0)
        for batch in outcomes.scan(("job", "status"), ("status",)):
            failed, rejected = (is_word(batch["status"], word) for word in ("failed", "rejected"))
            self._answered.add(batch["job"].take(pa.array(np.flatnonzero(~failed & ~rejected))))
            self._failed.add(batch["job"].take(pa.array(np.flatnonzero(failed))))
            self._rejected.add(batch["job"].take(pa.array(np.flatnonzero(rejected))))

    def count(self) -> int:
        """Return how many there are."""
        return sum(len(rows) for _, rows, _ in self._pending())

    def texts(self) -> Counter[str]:
        """Count them by what is asked for; with edits whose source is yet to be drawn."""
        texts = Counter[str]()
        for batch, rows, _ in self._pending(ahead=True):
            prompts = batch["prompt"].take(pa.array(rows)).to_pylist()
            texts.update(self._prompts[prompt].drawn_text for prompt in prompts)
        return texts

    def __iter__(self) -> Iterator[Job]:
        for batch, rows, failures in self._pending():
            chosen = batch.take(pa.array(rows))
            columns = (chosen[name].to_pylist() for name in ("id", "prompt", "index", "seed", "source_job"))
            counts = failures.tolist(), self._rejected.count(chosen["id"]).tolist()
            for job, prompt, index, seed, source, failed, rejected in zip(*columns, *counts, strict=True):
                asked = self._prompts[prompt]
                yield Job(
                    job,
                    prompt,
                    self.generator,
                    index=index,
                    seed=seed,
                    text=asked.drawn_text,
                    term=asked.term,
                    attempt=failed + rejected + 1,
                    requested=asked.requested,
                    people=asked.people,
                    source_job=source,
                    names=self._names.get(prompt),
                ).redrawn(rejected)

    def _pending(self, *, ahead: bool = False) -> Iterator[tuple[pa.RecordBatch, Ints, Ints]]:
        """Yield stretches of the plan, which of their rows are pending jobs, and how often each of these has failed."""
        for batch in self._workspace.tables["jobs"].scan(_COLUMNS, ("prompt", "generator")):
            edits = np.asarray(batch["source_job"].is_valid())
            wanted = ~edits if self._sources is None else edits
            rows = np.flatnonzero(is_word(batch["generator"], self.generator) & wanted)
            names = batch["id"].take(pa.array(rows))
            failures = self._failed.count(names)
            # What was rejected is no answer: there must be more answers than that.
            open_ = (self._answered.count(names) <= self._rejected.count(names)) & (
                self._endless | (failures < self._attempts)
            )
            if self._sources is not None:
                open_ &= self._is_there(self._sources, batch["source_job"].take(pa.array(rows)), ahead=ahead)
            yield batch, rows[open_], failures[open_]

    def _is_there(self, sources: SourceImages, jobs: pa.StringArray, *, ahead: bool) -> NDArray[np.bool_]:
        """Return which sources are there or, looking ahead, may still come."""
        there = sources.has(jobs)
        if ahead:
            there |= ~self._answered.has(jobs) & (self._failed.count(jobs) < self._attempts)
        return there


def _source_terms(study: OpenStudy) -> dict[str, str]:
    """Return the terms of the jobs whose images are edited; of several images of a term the others are numbered."""
    rows = study.workspace.query(_TERMS).to_pylist()
    return {row["id"]: row["term"] + (f" {row['number'] + 1}" if row["number"] else "") for row in rows}


def _source_jobs(study: OpenStudy) -> KeySet:
    """Return the jobs of the plan whose images are edited."""
    edits = "SELECT id FROM prompts WHERE edits IS NULL AND kind IN (SELECT edits FROM prompts)"
    prompts = set(study.workspace.query(edits)["id"].to_pylist())
    jobs = KeySet(0)
    for batch in study.workspace.tables["jobs"].scan(("id", "prompt"), ("prompt",)):
        words = batch["prompt"].dictionary.to_pylist()
        numbers = [number for number, prompt in enumerate(words) if prompt in prompts]
        jobs.add(batch["id"].take(pa.array(np.flatnonzero(np.isin(batch["prompt"].indices, numbers)))))
    return jobs


def _one(column: pa.ChunkedArray) -> pa.StringArray:
    """Return a column as one array."""
    return column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
