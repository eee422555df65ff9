"""What became of every job of the plan: time grows with the number of jobs, memory by a few bytes an image.

An image is found by 64 bits of its name, see :mod:`portrayal.store.tables.keys`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from portrayal.evidence import Cell, Requires, SourceImage
from portrayal.records import Person
from portrayal.stats.exact import Ints
from portrayal.store.tables.key_index import KeyIndex
from portrayal.store.tables.keys import Keys
from portrayal.store.workspace import Workspace
from portrayal.study.tables.job_reader import JobReader

__all__ = ["PENDING", "Answers", "read_answers"]

PENDING = "pending"


@dataclass(frozen=True)
class Answers:
    """The plan by cell: images asked for, made, and not made by reason; and which cells each image belongs to.

    ``rejected`` counts by reason the images that were made and do not count; their jobs are asked again.
    ``images`` has a key for each made job, with its ``cell`` and, where they were asked for, ``seed`` (a place in
    ``seeds``), ``person`` (a place in ``persons`` plus one, 0: not one) and ``source`` (a place in ``sources`` plus
    one, 0: neither edited nor an edit). ``drawn_with`` are cell and seed of every planned job, where seeds were asked
    for.
    """

    cells: Sequence[Cell]
    planned: Ints
    made: Ints
    unmade: Mapping[str, Ints]
    images: KeyIndex
    persons: Sequence[Person] = ()
    drawn_with: tuple[Ints, Ints] | None = None
    seeds: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    sources: Sequence[SourceImage] = ()
    rejected: Mapping[str, Ints] = field(default_factory=dict)

    @cached_property
    def pictures(self) -> int:
        """How many different pictures were made: the same bytes are one, whatever they were asked with."""
        return self.images.distinct()

    def find(self, keys: Keys) -> tuple[Ints, dict[str, Ints]]:
        """Return where the images with these keys belong: the place among the keys, cell, seed, person and source."""
        places, found = self.images.find(keys)
        if "seed" in found:
            found["seed"] = self.seeds[found["seed"]]
        for name in found.keys() & {"person", "source"}:
            found[name] -= 1
        return places, found


def read_answers(
    workspace: Workspace,
    requires: Requires = Requires(),  # noqa: B008 - it is frozen
    attempts: int = 1,
    *,
    ahead: bool = True,
) -> Answers:
    """Return what became of every job; one that has failed so many ``attempts`` is not tried again.

    With ``ahead`` tables are read by threads of their own.
    """
    planned = sorted(_planned(workspace, ahead=ahead).items())
    cells = [cell for cell, _ in planned]
    reader = JobReader(workspace, cells, requires, attempts, ahead=ahead)
    reader.read()
    counts = np.array([count for _, count in planned], dtype=np.int64)
    unmade = reader.unmade()
    unmade[PENDING] = counts - reader.made - sum(unmade.values())
    return Answers(
        cells,
        counts,
        reader.made,
        unmade={reason: by_cell for reason, by_cell in unmade.items() if by_cell.any()},
        images=reader.images,
        persons=reader.planted.persons,
        drawn_with=reader.drawn_with,
        seeds=reader.seeds,
        sources=reader.sources,
        rejected=reader.rejected(),
    )


def _planned(workspace: Workspace, *, ahead: bool) -> Counter[Cell]:
    """Count the jobs of every cell."""
    planned = Counter[Cell]()
    for batch in workspace.tables["jobs"].scan(("generator", "prompt"), ("generator", "prompt"), ahead=ahead):
        generators, prompts = (batch[name].dictionary.to_pylist() for name in ("generator", "prompt"))
        codes = batch["generator"].indices.to_numpy() * len(prompts) + batch["prompt"].indices.to_numpy()
        for code, count in enumerate(np.bincount(codes).tolist()):
            if count:
                planned[generators[code // len(prompts)], prompts[code % len(prompts)]] += count
    return planned
