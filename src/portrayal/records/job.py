"""What is to be drawn: one prompt, by one generator, with one seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pyarrow as pa

from portrayal.records.prompt import Prompt, content_id

__all__ = ["JOB_SCHEMA", "EditJob", "Job", "plan_job"]

JOB_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("prompt", pa.string()),
        ("generator", pa.string()),
        ("index", pa.int32()),
        ("seed", pa.int64()),
    ]
)


@dataclass(frozen=True, slots=True)
class Job:
    """One image to draw. ``attempt`` counts from 1 and is not part of the identity.

    ``text`` is what to draw, suffix included; ``requested`` and ``people`` are the prompt's.
    """

    id: str
    prompt: str
    generator: str
    index: int
    seed: int
    text: str = ""
    term: str = ""
    attempt: int = 1
    requested: Mapping[str, str] = field(default_factory=dict)
    people: int = 1


@dataclass(frozen=True, slots=True)
class EditJob:
    """One image to edit: a source picture and the prompt to change it by."""

    id: str
    source: bytes
    text: str
    term: str
    seed: int


def plan_job(prompt: Prompt, generator: str, index: int, study_seed: int) -> Job:
    """Return image ``index`` of ``prompt`` by ``generator``; its seed follows from the study's seed and the prompt."""
    seed = int(content_id(str(study_seed), prompt.seeds or prompt.id, str(index))[:8], 16)
    text = prompt.drawn_text
    job_id = content_id(text, generator, str(seed), str(index))
    requested, people = prompt.requested, prompt.people
    return Job(job_id, prompt.id, generator, index, seed, text, prompt.term, requested=requested, people=people)
