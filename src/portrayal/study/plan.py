"""Plan: which images the study consists of. Rewritten whole when the study's question changes, else left alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice

import pyarrow as pa

from portrayal.records import (
    JOB_SCHEMA,
    PROMPT_SCHEMA,
    TRUTH_SCHEMA,
    Job,
    Prompt,
    content_id,
    from_table,
    plan_job,
    to_table,
)
from portrayal.store.files import write_atomic
from portrayal.study.run_control import RunControl
from portrayal.study.study import Study

__all__ = ["plan"]

_CHUNK = 50_000
# A file that was changed and imported again stands for what it holds now.
_IMPORTED = """
    SELECT {columns} FROM imports
    QUALIFY row_number() OVER (PARTITION BY generator, prompt, source ORDER BY position DESC) = 1
    ORDER BY position
"""


def plan(study: Study, control: RunControl) -> bool:
    """Write prompts, planted truths and jobs; return whether anything changed."""
    prompts = _prompts(study)
    marker = study.workspace.root / "tables" / "plan.json"
    fingerprint = _fingerprint(study, prompts)
    if marker.exists() and json.loads(marker.read_text()).get("fingerprint") == fingerprint:
        return False
    tables = study.workspace.tables
    control.progress.start("plan", _size(study))
    tables["prompts"].replace([to_table(prompts, PROMPT_SCHEMA)])
    tables["truths"].replace([_truths(study, prompts)])
    tables["jobs"].replace(_jobs(study, control))
    control.progress.finish()
    # Written last: a crash before this line means the plan is simply made again.
    write_atomic(marker, json.dumps({"fingerprint": fingerprint}).encode())
    return True


def _prompts(study: Study) -> list[Prompt]:
    """Return the suite's prompts, then imported ones the suite does not have."""
    prompts = {prompt.id: prompt for prompt in (study.suite.prompts if study.suite else ())}
    columns = ", ".join(f"prompt_{field.name} AS {field.name}" for field in PROMPT_SCHEMA if field.name != "id")
    imported = _IMPORTED.format(columns="*")
    first = "QUALIFY row_number() OVER (PARTITION BY prompt ORDER BY position) = 1 ORDER BY position"
    for prompt in from_table(study.workspace.query(f"SELECT {columns} FROM ({imported}) {first}"), Prompt):
        if study.suite and prompt.suite == study.suite.name:
            prompt = Prompt(prompt.text, prompt.term, edits=prompt.edits)  # the suite has changed, and has it no more
        prompts.setdefault(prompt.id, prompt)
    return list(prompts.values())


def _truths(study: Study, prompts: Iterable[Prompt]) -> pa.Table:
    rows = [
        (name, prompt.id, attribute, group, share)
        for name, (_, generator, _) in study.generators.items()
        for prompt in prompts
        for attribute, shares in (generator.truth(prompt) or {}).items()
        for group, share in shares.items()
    ]
    return pa.Table.from_pylist([dict(zip(TRUTH_SCHEMA.names, row, strict=True)) for row in rows], TRUTH_SCHEMA)


def _size(study: Study) -> int:
    asked = len(study.suite.prompts) if study.suite else 0
    return asked * sum(images for _, _, images in study.generators.values())


def _jobs(study: Study, control: RunControl) -> Iterator[pa.Table]:
    planned = _planned(study)
    while chunk := list(islice(planned, _CHUNK)):
        yield to_table(chunk, JOB_SCHEMA)
        control.progress.advance(len(chunk))
    columns = ", ".join(f'"{name}"' for name in JOB_SCHEMA.names)
    yield study.workspace.query(_IMPORTED.format(columns=columns)).cast(JOB_SCHEMA)


def _planned(study: Study) -> Iterator[Job]:
    for name, (_, _, images) in study.generators.items():
        for prompt in study.suite.prompts if study.suite else ():
            for index in range(images):
                yield plan_job(prompt, name, index, study.config.study.seed)


def _fingerprint(study: Study, prompts: Iterable[Prompt]) -> str:
    asked = [f"{name}x{images}" for name, (_, _, images) in study.generators.items()]
    texts = [
        f"{p.id}/{p.term}/{p.category}/{p.variant}/{p.language}/{p.weight}/{p.suite}/{p.requested}/{p.kind}/{p.suffix}"
        f"/{p.people}/{p.reference}/{p.seeds}"
        for p in prompts
    ]
    imported = study.workspace.tables["imports"].count()
    return content_id(str(study.config.study.seed), str(imported), *asked, *texts)
