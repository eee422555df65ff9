"""Generate: draw what is planned and has no answer yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

import numpy as np
import pyarrow as pa

from portrayal.engines import LocalEngine, ThreadEngine, concurrency
from portrayal.errors import PortrayalError
from portrayal.generators import Generator
from portrayal.records import OUTCOME_SCHEMA, Failed, Job, Made, Outcome, Prompt, Refused, from_table, to_table
from portrayal.stats.exact import Ints
from portrayal.store.keys import KeySet
from portrayal.store.ledger import Ledger
from portrayal.study.answers import is_word
from portrayal.study.payment import pay_from
from portrayal.study.run_control import RunControl
from portrayal.study.specs import GeneratorSpec
from portrayal.study.study import Study

__all__ = ["PendingJobs", "generate"]

Result = Made | Refused | Failed
Results = list[tuple[Job, Result]]


@dataclass(frozen=True, slots=True)
class DrawWork:
    """Builds the pure function from a batch of jobs to their results."""

    spec: GeneratorSpec
    ledger: Ledger

    def __call__(self) -> Callable[[Sequence[Job]], Results]:
        """Load the generator and return the function."""
        return partial(_draw, pay_from(self.spec.build(), self.ledger), self.ledger)


def generate(study: Study, control: RunControl) -> None:
    """Ask every generator for its pending images; failed ones again, until their attempts are used up."""
    ledger = Ledger(study.workspace, control.budget)
    for name, (spec, _, _) in study.generators.items():
        jobs = PendingJobs(study, name)
        control.progress.start(f"generate {name}", jobs.count())
        while True:
            drawn = 0
            for results in _results(study, jobs, DrawWork(spec, ledger), control):
                _commit(study, results)
                drawn += len(results)
                control.progress.advance(sum(not isinstance(result, Failed) for _, result in results))
            if not drawn or control.stopped():
                break
            jobs = PendingJobs(study, name)
        control.progress.finish()


def _results(study: Study, jobs: PendingJobs, work: DrawWork, control: RunControl) -> Iterator[Results]:
    """Yield results as they are to be committed: of whole batches, or of whatever a service has answered."""
    if threads := concurrency(study.generators[jobs.generator][1]):
        for ready in ThreadEngine(threads).map(work, _batches(jobs, control, 1)):
            yield [drawn for results in ready for drawn in results]
    else:
        yield from LocalEngine(1).map(work, _batches(jobs, control, study.config.generate.batch))


class PendingJobs:
    """The jobs of a generator that have no answer and attempts left, in the order of the plan, as things stand now."""

    def __init__(self, study: Study, generator: str) -> None:
        self.generator = generator
        self._workspace = study.workspace
        self._attempts = study.config.generate.attempts
        self._prompts = {p.id: p for p in from_table(study.workspace.query("SELECT * FROM prompts"), Prompt)}
        outcomes = study.workspace.tables["outcomes"]
        self._answered, self._failed = KeySet(outcomes.count()), KeySet(outcomes.count())
        for batch in outcomes.scan(("job", "status"), ("status",)):
            failed = is_word(batch["status"], "failed")
            self._answered.add(batch["job"].take(pa.array(np.flatnonzero(~failed))))
            self._failed.add(batch["job"].take(pa.array(np.flatnonzero(failed))))

    def count(self) -> int:
        """Return how many there are."""
        return sum(len(rows) for _, rows, _ in self._pending())

    def texts(self) -> Counter[str]:
        """Count them by what is to be drawn."""
        found = Counter[str]()
        for batch, rows, _ in self._pending():
            prompts = batch["prompt"].take(pa.array(rows)).to_pylist()
            found.update(self._prompts[prompt].drawn_text for prompt in prompts)
        return found

    def __iter__(self) -> Iterator[Job]:
        for batch, rows, failures in self._pending():
            chosen = batch.take(pa.array(rows))
            columns = (chosen[name].to_pylist() for name in ("id", "prompt", "index", "seed"))
            for job, prompt, index, seed, failed in zip(*columns, failures.tolist(), strict=True):
                asked = self._prompts[prompt]
                meaning = (asked.drawn_text, asked.term, failed + 1, asked.requested, asked.people)
                yield Job(job, prompt, self.generator, index, seed, *meaning)

    def _pending(self) -> Iterator[tuple[pa.RecordBatch, Ints, Ints]]:
        """Yield stretches of the plan, which of their rows are pending jobs, and how often each of these has failed."""
        columns = ("id", "prompt", "generator", "index", "seed")
        for batch in self._workspace.tables["jobs"].scan(columns, ("prompt", "generator")):
            rows = np.flatnonzero(is_word(batch["generator"], self.generator))
            names = batch["id"].take(pa.array(rows))
            failures = self._failed.count(names)
            open_ = ~self._answered.has(names) & (failures < self._attempts)
            yield batch, rows[open_], failures[open_]


def _batches(jobs: PendingJobs, control: RunControl, size: int) -> Iterator[list[Job]]:
    pending = iter(jobs)
    while not control.stopped() and (batch := list(islice(pending, size))):
        yield batch


def _draw(generator: Generator, ledger: Ledger, jobs: Sequence[Job]) -> Results:
    """Return one result per job, whatever the generator does."""
    results: list[Result] = []
    problem = "the generator gave no result"
    try:
        with ledger.work():
            for result in generator.generate(jobs):
                if len(results) == len(jobs) or result.job != jobs[len(results)].id:
                    raise RuntimeError(f"{generator.name} answered a job it was not asked, or out of order")
                results.append(result)
    except PortrayalError:
        raise
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
    results += [Failed(job.id, "generator_error", problem) for job in jobs[len(results) :]]
    return list(zip(jobs, results, strict=True))


def _commit(study: Study, results: Sequence[tuple[Job, Result]]) -> None:
    """Store the images first, then their rows: a row never points to an image that is not there."""
    workspace = study.workspace
    made = [result for _, result in results if isinstance(result, Made) and result.data]
    workspace.images.add({(result.image, result.ext): result.data for result in made})
    rows = [Outcome.of(result, job.attempt) for job, result in results]
    workspace.tables["outcomes"].append(to_table(rows, OUTCOME_SCHEMA))
