"""A study whose tables are written by hand, and read in pieces."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from portrayal.records import (
    JOB_SCHEMA,
    OBSERVATION_SCHEMA,
    OUTCOME_SCHEMA,
    PROMPT_SCHEMA,
    Abstention,
    Job,
    Observation,
    Outcome,
    Prompt,
    to_table,
)
from portrayal.store.tables import table
from portrayal.study.measure import adding
from portrayal.study.study import OpenStudy
from portrayal.study.tables import job_reader

Seen = Observation | Abstention


@dataclass
class Written:
    """Rows of a study's tables; images are called by a word."""

    study: OpenStudy
    prompts: dict[str, Prompt] = field(default_factory=dict)
    jobs: list[Job] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)

    @staticmethod
    def name_of(word: str) -> str:
        return hashlib.sha256(word.encode()).hexdigest()

    def job(self, text: str = "nurse", people: int = 1, generator: str = "g", seed: int = 0) -> str:
        """Plan an image."""
        prompt = self.prompts.setdefault(text, Prompt(text, text, people=people))
        number = f"{len(self.jobs):02x}"
        name = hashlib.blake2b(number.encode(), digest_size=16).hexdigest()
        self.jobs.append(Job(name, prompt.id, generator, len(self.jobs), seed))
        return name

    def made(self, word: str, text: str = "nurse", people: int = 1, generator: str = "g", **more: Any) -> None:
        """Plan an image and make it; ``more`` are its seed and who is planted."""
        job = self.job(text, people, generator, more.pop("seed", 0))
        self.outcomes.append(Outcome(job, 1, "made", image=self.name_of(word), **more))

    def told(
        self, word: str, by: str, subject: int | None = None, attribute: str | None = None, what: Any = ""
    ) -> None:
        """Write a row: a mass, a number, or the reason why there is neither."""
        image = self.name_of(word)
        if isinstance(what, str) or subject is None or attribute is None:
            self.seen.append(Abstention(image, by, what, subject, attribute))
        elif isinstance(what, float):
            self.seen.append(Observation(image, by, subject, attribute, value=what))
        else:
            self.seen.append(Observation(image, by, subject, attribute, what))

    def write(self, parts: int = 1) -> OpenStudy:
        """Put everything onto the disk, observations and outcomes in so many parts."""
        tables = self.study.workspace.tables
        tables["prompts"].replace([to_table(self.prompts.values(), PROMPT_SCHEMA)])
        tables["jobs"].replace([to_table(self.jobs, JOB_SCHEMA)])
        for name, rows, schema in (
            ("outcomes", self.outcomes, OUTCOME_SCHEMA),
            ("observations", self.seen, OBSERVATION_SCHEMA),
        ):
            tables[name].replace([])
            own: Sequence[Any] = rows
            for part in np.array_split(np.arange(len(own)), parts):
                tables[name].append(to_table([own[row] for row in part], schema))
        return self.study


@pytest.fixture(scope="session")
def by_hand() -> Callable[[Path], Written]:
    """Begin to write the tables of the study in a folder: ``by_hand(folder)``."""
    return lambda folder: Written(OpenStudy(folder))


@pytest.fixture(scope="session")
def cut_tables() -> Callable[[int], AbstractContextManager[None]]:
    """Write and read tables so many rows at a time: ``with cut_tables(7): ...``."""

    @contextmanager
    def cut(rows: int) -> Iterator[None]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(table.Table, "_group", rows)
            for module in (job_reader, adding):
                patch.setattr(module, "_ROWS", rows)
            yield

    return cut
