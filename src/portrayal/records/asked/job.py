"""What is to be drawn or edited: one prompt, by one generator, with one seed, perhaps from another job's image."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import pyarrow as pa

from portrayal.records.asked.prompt import Prompt, content_id
from portrayal.records.drawn.outcome import Person

__all__ = ["JOB_SCHEMA", "Job", "plan_edit", "plan_job"]

JOB_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("prompt", pa.string()),
        ("generator", pa.string()),
        ("index", pa.int32()),
        ("seed", pa.int64()),
        ("source_job", pa.string()),
    ]
)


@dataclass(frozen=True, slots=True)
class Job:
    """One image to draw, or to edit. ``index`` numbers the images of a prompt by a generator, from 0.

    ``text`` is what to draw, suffix included; ``requested`` and ``people`` are the prompt's. ``attempt`` counts from 1
    and is not part of the identity. ``redraw`` counts how often an image was made and then rejected; with each the seed
    is another one. A job that edits names the job whose image it starts from, ``source_job``; when it
    is handed to a generator, ``source`` holds the file of that image, ``source_term`` the term that it was drawn for,
    and ``planted`` who is planted in it, where that is known. ``names`` is what its image may be called where images
    exist already, the simplest name last; None: its term, empty: there is no name that it shares with no other prompt.
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
    source_job: str | None = None
    source: bytes = field(default=b"", repr=False)
    planted: Sequence[Person] | None = None
    redraw: int = 0
    source_term: str = ""
    names: Sequence[str] | None = None

    @property
    def key(self) -> str:
        """What the chances of an image may follow from: the job, and which image of it this is."""
        return f"{self.id}/{self.redraw}" if self.redraw else self.id

    def redrawn(self, times: int) -> Job:
        """Return the job as it is asked again after so many of its images were rejected."""
        if not times:
            return self
        seed = int(content_id(str(self.seed), str(times))[:8], 16)
        return replace(self, seed=seed, redraw=times)


def plan_job(prompt: Prompt, generator: str, index: int, study_seed: int) -> Job:
    """Return image ``index`` of ``prompt`` by ``generator``; its seed follows from the study's seed and the prompt."""
    return _planned(prompt, generator, index, study_seed, (str(index),))


def plan_edit(prompt: Prompt, generator: str, index: int, study_seed: int, *, source_job: str, number: int = 0) -> Job:
    """Return edit ``number`` of the image of ``source_job`` by ``prompt``.

    Neither its seed nor its id depends on ``index``, so that a study may get further sources. Prompts with the same
    ``seeds`` edit the same source with the same seed.
    """
    return replace(_planned(prompt, generator, index, study_seed, (str(number), source_job)), source_job=source_job)


def _planned(prompt: Prompt, generator: str, index: int, study_seed: int, which: tuple[str, ...]) -> Job:
    seed = int(content_id(str(study_seed), prompt.seeds or prompt.id, *which)[:8], 16)
    text = prompt.drawn_text
    job_id = content_id(text, generator, str(seed), *which)
    requested, people = prompt.requested, prompt.people
    return Job(
        job_id,
        prompt.id,
        generator,
        index=index,
        seed=seed,
        text=text,
        term=prompt.term,
        requested=requested,
        people=people,
    )
