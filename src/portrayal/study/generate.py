"""Generate: draw what is planned and has no answer yet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import pyarrow as pa

from portrayal.engines import LocalEngine, ThreadEngine
from portrayal.errors import PortrayalError
from portrayal.generators import Generator
from portrayal.records import OUTCOME_SCHEMA, Failed, Job, Made, Outcome, Refused, from_table, to_table
from portrayal.store.ledger import Ledger
from portrayal.study.crew import at_a_time, pay_from
from portrayal.study.hooks import Hooks
from portrayal.study.parts import GeneratorPart
from portrayal.study.study import Study

__all__ = ["generate"]

Result = Made | Refused | Failed

_PENDING = """
    SELECT job.id, job.prompt, job.generator, job.index, job.seed, prompts.text || prompts.suffix AS text, prompts.term,
           prompts.requested, prompts.people, CAST(coalesce(failures.n, 0) + 1 AS INTEGER) AS attempt
    FROM (SELECT * FROM chunk ANTI JOIN (SELECT job AS id FROM outcomes WHERE status <> 'failed') USING (id)) AS job
    JOIN prompts ON prompts.id = job.prompt
    LEFT JOIN (
        SELECT job, count(*) AS n FROM outcomes
        WHERE status = 'failed' AND job IN (SELECT id FROM chunk) GROUP BY job
    ) AS failures ON failures.job = job.id
    WHERE coalesce(failures.n, 0) < {attempts}
    ORDER BY job.position
"""


@dataclass(frozen=True, slots=True)
class DrawWork:
    """Builds the pure function from a batch of jobs to their results."""

    part: GeneratorPart
    ledger: Ledger

    def __call__(self) -> Callable[[Sequence[Job]], list[tuple[Job, Result]]]:
        """Load the generator and return the function."""
        return partial(_draw, pay_from(self.part.build(), self.ledger), self.ledger)


def generate(study: Study, hooks: Hooks) -> None:
    """Ask every generator for its pending images; failed ones again, until their attempts are used up."""
    ledger = Ledger(study.workspace, hooks.budget)
    for name, (part, _, _) in study.generators.items():
        hooks.progress.start(f"generate {name}", _count_pending(study, name))
        while True:
            drawn = 0
            for results in _results(study, name, DrawWork(part, ledger), hooks):
                _commit(study, results)
                drawn += len(results)
                hooks.progress.advance(sum(not isinstance(result, Failed) for _, result in results))
            if not drawn or hooks.stopped():
                break
        hooks.progress.finish()


def _results(study: Study, name: str, work: DrawWork, hooks: Hooks) -> Iterator[list[tuple[Job, Result]]]:
    """Yield results as they are to be committed: of whole batches, or of whatever a service has answered."""
    if threads := at_a_time(study.generators[name][1]):
        for ready in ThreadEngine(threads).map(work, _batches(study, name, hooks, 1)):
            yield [drawn for results in ready for drawn in results]
    else:
        yield from LocalEngine(1).map(work, _batches(study, name, hooks, study.config.generate.batch))


def pending_jobs(study: Study, generator: str) -> Iterator[pa.Table]:
    """Yield the jobs without an answer, a chunk of the plan at a time, so that memory does not grow with the study."""
    sql = _PENDING.format(attempts=study.config.generate.attempts)
    for chunk in study.workspace.tables["jobs"].batches():
        mine = chunk.append_column("position", pa.array(range(chunk.num_rows), pa.int64()))
        mine = mine.filter(pa.compute.equal(mine["generator"], generator))
        if mine.num_rows:
            yield study.workspace.query(sql, chunk=mine)


def _count_pending(study: Study, generator: str) -> int:
    return sum(table.num_rows for table in pending_jobs(study, generator))


def _batches(study: Study, generator: str, hooks: Hooks, size: int) -> Iterator[list[Job]]:
    for table in pending_jobs(study, generator):
        for start in range(0, table.num_rows, size):
            if hooks.stopped():
                return
            yield list(from_table(table.slice(start, size), Job))


def _draw(generator: Generator, ledger: Ledger, jobs: Sequence[Job]) -> list[tuple[Job, Result]]:
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
