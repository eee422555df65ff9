"""Plan: which images the study consists of. Rewritten whole when the study's question changes, else left alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, count, islice
from typing import TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from portrayal.errors import ConfigError
from portrayal.generators.python import Python
from portrayal.records import (
    JOB_SCHEMA,
    PROMPT_SCHEMA,
    TRUTH_SCHEMA,
    Job,
    Prompt,
    content_id_of,
    from_table,
    plan_edit,
    plan_job,
    to_table,
)
from portrayal.study.generate.check_answers import planted_truth
from portrayal.study.plan.check_planted import unasked_terms
from portrayal.study.plan.plan_file import begin_plan, end_plan, is_planned
from portrayal.study.run_control import RunControl
from portrayal.study.sampling.drawn_rounds import released
from portrayal.study.study import OpenStudy
from portrayal.study.tables.counted_files import gone_files, gone_words

__all__ = ["asked_prompts", "plan"]

MOST_IMAGES = 30_000_000
"""A plan of more is a slip: twice the 14,862,400 images of the largest published benchmark."""
_CHUNK = 50_000
# A file that was changed and imported again stands for what it holds now.
_IMPORTED = """
    SELECT {columns} FROM imports
    QUALIFY row_number() OVER (PARTITION BY generator, prompt, source ORDER BY position DESC) = 1
    ORDER BY position
"""

T = TypeVar("T")
Sources = Mapping[str, pa.ChunkedArray]
"""Kind of prompts to the jobs that make their images."""


def plan(study: OpenStudy, control: RunControl) -> bool:
    """Write prompts, planted truths and jobs; return whether anything changed."""
    _warn(study, control)
    prompts = asked_prompts(study)
    fingerprint = _fingerprint(study, prompts)
    if is_planned(study.workspace, fingerprint):
        return False
    unasked = unasked_terms([role.generator for role in study.generators.values()], prompts)
    for said in dict.fromkeys(unasked):  # generators may be told the same
        control.remark(said)
    tables = study.workspace.tables
    columns = ", ".join(f'"{name}"' for name in JOB_SCHEMA.names)
    imported = study.workspace.query(_IMPORTED.format(columns=columns)).cast(JOB_SCHEMA)
    _check_size(_size(study, {}))  # before sources are counted, for each image may be one
    sources = _sources(study, prompts, imported)
    size = _check_size(_size(study, sources))
    control.progress.start("plan", size)
    begin_plan(study.workspace)
    tables["prompts"].replace(to_table(part, PROMPT_SCHEMA) for part in _parts(iter(prompts), or_none=True))
    tables["truths"].replace(_truths(study, prompts))
    tables["jobs"].replace(_jobs(study, imported, sources, control))
    control.progress.finish()
    end_plan(study.workspace, fingerprint)  # last: a crash before this line means the plan is simply made again
    return True


def _warn(study: OpenStudy, control: RunControl) -> None:
    """Say that files are gone, since they may hold work that was paid for."""
    if gone := gone_files(study.workspace):
        control.remark(
            f"{gone_words(gone)}; put copies back if there are any: else generate and annotate do their work again, "
            "and pay for it again where that costs money"
        )


def asked_prompts(study: OpenStudy) -> list[Prompt]:
    """Return the suite's prompts, then imported ones the suite does not have."""
    prompts = {prompt.id: prompt for prompt in (study.suite.prompts if study.suite else ())}
    columns = ", ".join(f"prompt_{field.name} AS {field.name}" for field in PROMPT_SCHEMA if field.name != "id")
    imported = _IMPORTED.format(columns="*")
    first = "QUALIFY row_number() OVER (PARTITION BY prompt ORDER BY position) = 1 ORDER BY position"
    for prompt in from_table(study.workspace.query(f"SELECT {columns} FROM ({imported}) {first}"), Prompt):
        if study.suite and prompt.suite == study.suite.name:
            # The suite has changed, and has it no more.
            prompt = Prompt(prompt.text, prompt.term, edits=prompt.edits)
        prompts.setdefault(prompt.id, prompt)
    return list(prompts.values())


def _truths(study: OpenStudy, prompts: Iterable[Prompt]) -> Iterator[pa.Table]:
    """Yield what is planted in drawn images; what an edit does depends on its source."""
    rows = (
        (name, prompt.id, attribute, group, share)
        for name, role in study.generators.items()
        if role.images
        for prompt in prompts
        if not prompt.edits
        for attribute, shares in planted_truth(role.generator, prompt).items()
        for group, share in shares.items()
    )
    for part in _parts(rows):
        yield pa.Table.from_pylist([dict(zip(TRUTH_SCHEMA.names, row, strict=True)) for row in part], TRUTH_SCHEMA)
    yield _truths_of_absent(study)


def _truths_of_absent(study: OpenStudy) -> pa.Table:
    """Return what generators said that live in Python code and were not given this time."""
    absent = [name for name, role in study.generators.items() if isinstance(role.generator, Python)]
    if not absent:
        return TRUTH_SCHEMA.empty_table()
    known = study.workspace.query("SELECT * FROM truths").cast(TRUTH_SCHEMA)
    return known.filter(pc.is_in(known["generator"], pa.array(absent, pa.string())))


def _size(study: OpenStudy, sources: Sources) -> int:
    """Return how many images are planned, but for imported ones."""
    prompts = study.suite.prompts if study.suite else ()
    drawn = sum(number for _, _, number in _images(study, prompts))
    edited = sum(len(sources.get(prompt.edits, ())) for prompt in prompts if prompt.edits)
    return drawn + sum(edited * role.edits for role in study.generators.values())


def _check_size(images: int) -> int:
    """Return a number of images that can be planned."""
    if images > MOST_IMAGES:
        raise ConfigError(
            f"the study asks for {images:,} images, and a plan holds at most {MOST_IMAGES:,}; "
            "lower 'images' of [[generators]] or ask fewer prompts"
        )
    return images


def _jobs(study: OpenStudy, imported: pa.Table, sources: Sources, control: RunControl) -> Iterator[pa.Table]:
    """Yield what is drawn, what was imported, and what is edited."""
    prompts = study.suite.prompts if study.suite else ()
    yield from _chunks(_drawn(study, prompts), control)
    yield imported
    yield from _chunks(_edited(study, prompts, sources), control)


def _chunks(jobs: Iterator[Job], control: RunControl) -> Iterator[pa.Table]:
    for part in _parts(jobs):
        yield to_table(part, JOB_SCHEMA)
        control.progress.advance(len(part))


def _parts(rows: Iterator[T], *, or_none: bool = False) -> Iterator[list[T]]:
    """Yield some rows at a time: all of them may be more than memory holds; ``or_none``: at least an empty part."""
    if or_none:
        yield list(islice(rows, _CHUNK))
    while part := list(islice(rows, _CHUNK)):
        yield part


def _drawn(study: OpenStudy, prompts: Iterable[Prompt]) -> Iterator[Job]:
    for name, prompt, images in _images(study, prompts):
        for index in range(images):
            yield plan_job(prompt, name, index, study.config.study.seed)


def _images(study: OpenStudy, prompts: Iterable[Prompt]) -> Iterator[tuple[str, Prompt, int]]:
    """Yield how many images of each prompt each generator draws: in an adaptive run, as many as may be by now."""
    drawn, rounds = [prompt for prompt in prompts if not prompt.edits], released(study)
    for name, role in study.generators.items():
        for prompt in drawn:
            yield name, prompt, rounds.images(name, prompt, role.images) if rounds else role.images


def _edited(study: OpenStudy, prompts: Sequence[Prompt], sources: Sources) -> Iterator[Job]:
    for name, role in study.generators.items():
        for prompt in prompts:
            if prompt.edits:
                index, seed = count(), study.config.study.seed
                for source in sources[prompt.edits]:
                    for number in range(role.edits):
                        yield plan_edit(prompt, name, next(index), seed, source_job=source.as_py(), number=number)


def _sources(study: OpenStudy, prompts: Sequence[Prompt], imported: pa.Table) -> Sources:
    """Return the jobs whose images are edited, by the kind of their prompts; few bytes each, for they may be many."""
    sources: dict[str, pa.ChunkedArray] = {}
    for kind in {prompt.edits for prompt in prompts if prompt.edits}:
        originals = {prompt.id: prompt for prompt in prompts if prompt.kind == kind and not prompt.edits}
        asked = [prompt for prompt in (study.suite.prompts if study.suite else ()) if prompt.id in originals]
        drawn = [chunk["id"] for chunk in _chunks(_drawn(study, asked), RunControl())]
        brought = imported.filter(pc.is_in(imported["prompt"], pa.array(originals, pa.string())))
        sources[kind] = pa.chunked_array([c for column in (*drawn, brought["id"]) for c in column.chunks], pa.string())
    return sources


def _fingerprint(study: OpenStudy, prompts: Iterable[Prompt]) -> str:
    asked = [f"{name}x{role.images}" for name, role in study.generators.items()]
    edits = [p.edits for p in prompts if p.edits]
    if edits:
        asked += [f"{name} edits {role.edits}" for name, role in study.generators.items()]
    texts = (
        f"{p.id}/{p.term}/{p.category}/{p.variant}/{p.language}/{p.weight}/{p.suite}/{p.requested}/{p.kind}/{p.suffix}"
        f"/{p.people}/{p.reference}/{p.seeds}"
        for p in prompts
    )
    imported = study.workspace.tables["imports"].count()
    rounds = released(study)
    let_in = [f"{row.generator}/{row.prompt}x{row.images}" for row in rounds.rows] if rounds else []
    pilot = [f"pilot {rounds.pilot}"] if rounds else []
    return content_id_of(chain([str(study.config.study.seed), str(imported)], asked, texts, edits, pilot, let_in))
