"""Generate: draw what is planned and has no answer yet, then edit what was drawn or imported."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeGuard

from portrayal.engines import Build, DeviceEngine, Feed, LocalEngine, ThreadEngine, answering, concurrency
from portrayal.engines.deaths import KILLED
from portrayal.errors import PortrayalError, StudyError, message_of
from portrayal.generators import Editor, Generator, finds_images, works_apart
from portrayal.records import OUTCOME_SCHEMA, Failed, Job, Made, Outcome, to_table
from portrayal.store.images.image_store import ImageStore
from portrayal.store.ledger import Ledger
from portrayal.study.generate.check_answers import Result, check_result
from portrayal.study.generate.pending_jobs import PendingJobs, SourceImages
from portrayal.study.parts.code_digests import compare_code, remember_code
from portrayal.study.parts.devices import chosen_devices
from portrayal.study.parts.given_parts import runs_in_workers
from portrayal.study.parts.payment import pay_from
from portrayal.study.parts.specs import GeneratorSpec
from portrayal.study.parts.spreading import ray_engine, reading_images
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

__all__ = ["BROKE", "draw", "edit", "generate"]

BROKE = "generator_error"
"""Why an image failed when a generator raised an error, or gave what is no answer."""
Results = list[tuple[Job, Result]]
Ask = Callable[[Sequence[Job]], Iterator[Result]]


@dataclass(frozen=True, slots=True)
class GenerateWork:
    """Builds the function from a batch of jobs to their results; with ``sources`` it edits.

    With ``images`` it stores what was drawn there, wherever it runs, so that only rows travel; else it is pure.
    Without a ``ledger`` it can be built in any process: of a part that costs nothing.
    """

    spec: GeneratorSpec
    ledger: Ledger | None
    sources: SourceImages | None = None
    images: ImageStore | None = None

    def __call__(self) -> Callable[[Sequence[Job]], Results]:
        """Load the generator and return the function."""
        generator = self.spec.build()
        if self.ledger is not None:
            pay_from(generator, self.ledger)
        if self.sources is None:
            ask: Callable[[Sequence[Job]], Results] = partial(_answers, generator.generate, self.ledger)
        else:
            ask = partial(_edit, generator, self.ledger, self.sources)
        return ask if self.images is None else partial(_stored, self.images, ask)


@dataclass(frozen=True, slots=True)
class GenerateOnDevice:
    """Builds the same in the process of a device, where nothing is paid."""

    work: GenerateWork
    device: str

    def __call__(self) -> Feed[Sequence[Job], Results]:
        """Load the generator and return what is fed with jobs."""
        return answering(replace(self.work, spec=self.work.spec.on(self.device))())


def generate(study: OpenStudy, control: RunControl) -> None:
    """Ask every generator for its pending images; failed ones again, until their attempts are used up.

    What is to be edited is drawn first, so one run does both.
    """
    draw(study, control)
    edit(study, control)


def draw(study: OpenStudy, control: RunControl) -> None:
    """Ask every generator that draws."""
    ledger = Ledger(study.workspace, control.budget)
    for name, role in study.generators.items():
        if role.images:
            _work_off(study, name, GenerateWork(role.spec, ledger, images=_for_workers(study)), control)


def edit(study: OpenStudy, control: RunControl) -> None:
    """Ask every generator that edits."""
    if study.edits and not control.stopped():
        ledger, sources = Ledger(study.workspace, control.budget), SourceImages(study)
        for name, role in study.generators.items():
            if role.edits:
                _work_off(study, name, GenerateWork(role.spec, ledger, sources, _for_workers(study)), control)


def _work_off(study: OpenStudy, name: str, work: GenerateWork, control: RunControl) -> None:
    jobs = PendingJobs(study, name, work.sources)
    control.progress.start(f"{'edit' if work.sources else 'generate'} {study.names.generator(name)}", jobs.count())
    once, attempts = finds_images(study.generators[name].generator), study.config.generate.attempts
    failed: list[Failed] = []
    broken: list[Failed] = []
    instance = work.spec.instance
    if instance is not None and jobs.count():
        compare_code(study.workspace, name, instance, control)
    while True:
        drawn = 0
        for results in _results(study, jobs, work, control):
            if instance is not None and not drawn:
                _refuse_broken(name, results)
            _commit(study, results)
            if instance is not None and not drawn:
                remember_code(study.workspace, name, instance)
            drawn += len(results)
            control.progress.advance(sum(not isinstance(result, Failed) for _, result in results))
            failed += [result for _, result in results if once and isinstance(result, Failed)]
            broken += [result for job, result in results if _broke(result) and job.attempt >= attempts]
        # What was looked for and not found is not there a moment later: the next run looks again.
        if not drawn or control.stopped() or once:
            break
        del jobs  # else two indices of all outcomes would stand side by side
        jobs = PendingJobs(study, name, work.sources)
    control.progress.finish()
    if failed:
        first = f"the first: {failed[0].detail}; mend them and run again"
        control.remark(f"{study.names.generator(name)}: images not found or unreadable: {len(failed)}; {first}")
    elif broken:
        again = "to try them again, mend it and raise attempts of [generate] in study.toml"
        control.remark(
            f"{study.names.generator(name)}: images that an error kept from being made: {len(broken)}; "
            f"{broken[-1].detail}; {again}"
        )


def _refuse_broken(name: str, results: Results) -> None:
    """Stop before anything is stored when code of the user's own breaks on all that it is asked for the first time."""
    failed = [result for job, result in results if _broke(result) and job.attempt == 1]
    if failed and len(failed) == len(results):
        raise StudyError(
            f"generator {name} fails on every image it was asked for, {len(failed)} of them: "
            f"{failed[0].detail}; nothing is stored: mend it and run again, or let it answer such jobs with Failed"
        )


def _broke(result: Result) -> TypeGuard[Failed]:
    return isinstance(result, Failed) and result.reason in (BROKE, KILLED)


def _results(study: OpenStudy, jobs: PendingJobs, work: GenerateWork, control: RunControl) -> Iterator[Results]:
    """Yield results as they are to be committed: of whole batches, or of whatever came from a service or a cluster."""
    generator, size = study.generators[jobs.generator].generator, study.config.generate.batch
    if threads := concurrency(generator):
        yield from map(_together, ThreadEngine(threads).map(work, control.batches(jobs, 1)))
    elif control.cluster is not None and not finds_images(generator):
        engine = ray_engine(control.cluster, generator, work.spec.resources, control)
        apart: Build[list[Job], Results] = replace(work, ledger=None)
        if work.sources is not None or work.images is not None:
            apart = reading_images(apart, study.workspace.images, study.root)
        yield from map(_together, engine.map(apart, control.batches(jobs, size), _set_aside))
    elif len(devices := chosen_devices(work.spec, generator)) > 1:
        builds = [GenerateOnDevice(replace(work, ledger=None), device) for device in devices]
        yield from DeviceEngine().map(builds, control.batches(jobs, size))
    else:
        work = replace(work, spec=work.spec.on(devices[0]) if devices else work.spec)
        if works_apart(generator) and runs_in_workers(work.spec.instance):
            engine_apart = LocalEngine(1, apart=True)
            yield from engine_apart.map(replace(work, ledger=None), control.batches(jobs, size), _set_aside)
        else:
            yield from LocalEngine(1).map(work, control.batches(jobs, size))


def _together(ready: Sequence[Results]) -> Results:
    return [drawn for results in ready for drawn in results]


def _set_aside(jobs: Sequence[Job], how: str) -> Results:
    """Return that jobs failed which killed the processes that worked on them."""
    return [(job, Failed(job.id, KILLED, how)) for job in jobs]


def _edit(generator: Generator, ledger: Ledger | None, sources: SourceImages, jobs: Sequence[Job]) -> Results:
    """Return one result per job: of the editor, or that the picture to edit cannot be read."""
    assert isinstance(generator, Editor)
    loaded = list(sources.load(jobs))
    ready = [job for job in loaded if isinstance(job, Job)]
    edited = {job.id: result for job, result in _answers(generator.edit, ledger, ready)}
    return [
        (job, ready_or_failed if isinstance(ready_or_failed, Failed) else edited[job.id])
        for job, ready_or_failed in zip(jobs, loaded, strict=True)
    ]


def _answers(ask: Ask, ledger: Ledger | None, jobs: Sequence[Job]) -> Results:
    """Return one result per job, whatever the generator does."""
    results: list[Result] = []
    problem = "the generator gave no result"
    try:
        with nullcontext() if ledger is None else ledger.work():
            for result in ask(jobs):
                if len(results) == len(jobs):
                    raise ValueError("it gave more answers than it was asked for")
                results.append(check_result(result, jobs[len(results)]))
    except PortrayalError:
        raise
    except (Exception, SystemExit) as error:  # code of others may call exit, and the command is not theirs to end
        problem = " ".join(f"{type(error).__name__}: {message_of(error)}".split())
    results += [Failed(job.id, BROKE, problem) for job in jobs[len(results) :]]
    return list(zip(jobs, results, strict=True))


def _for_workers(study: OpenStudy) -> ImageStore | None:
    images = study.workspace.images
    return images if images.shared else None


def _stored(images: ImageStore, ask: Callable[[Sequence[Job]], Results], jobs: Sequence[Job]) -> Results:
    """Return results without pictures: those are in the store."""
    results = ask(jobs)
    _store(images, results)
    return [(job, _without_data(result)) for job, result in results]


def _store(images: ImageStore, results: Results) -> None:
    made = [result for _, result in results if isinstance(result, Made) and result.data]
    images.add({(result.image, result.ext): result.data for result in made})


def _without_data(result: Result) -> Result:
    return replace(result, data=b"", stored=result.image) if isinstance(result, Made) and result.data else result


def _commit(study: OpenStudy, results: Results) -> None:
    """Store the images first, then their rows: a row never points to an image that is not there."""
    _store(study.workspace.images, results)
    rows = [Outcome.of(result, job.attempt) for job, result in results]
    study.workspace.tables["outcomes"].append(to_table(rows, OUTCOME_SCHEMA))
