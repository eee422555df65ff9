"""Hand-made tables for methods that work on moments: prompts, what was seen in each image, what is missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from portrayal.methods import Aligned, Tables
from portrayal.methods.faintbench import Faintbench, FaintbenchOptions
from portrayal.records import TRUTH_SCHEMA, Attribute, Measurement, Prompt, aspect, attribute_table
from portrayal.settings import parse_settings
from portrayal.stats.moments import Moments

Rows = list[Measurement]
MISSING = ("generator", "prompt", "annotator", "attribute", "reason")


@dataclass(frozen=True)
class Asked:
    """A prompt as one annotator saw one generator's images: ``seen`` maps aspects to one mass (or None) per image."""

    prompt: Prompt
    seen: Mapping[str, Sequence[Sequence[float] | None]] = field(default_factory=dict)
    planned: int | None = None
    missing: Sequence[tuple[str, str, str, int]] = ()
    truth: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    generator: str = "g"
    annotator: str = "a"

    @property
    def images(self) -> int:
        return max((len(masses) for masses in self.seen.values()), default=0)

    @property
    def cell(self) -> tuple[str, str]:
        return self.generator, self.prompt.id


def moments(asked: Sequence[Asked], cells: Sequence[tuple[str, str]], aspects: Sequence[tuple[str, int]]) -> Moments:
    found = Moments.empty(aspects, len(cells))
    for each in asked:
        columns = [
            [mass if mass is not None else [np.nan] * size for mass in each.seen.get(name, [None] * each.images)]
            for name, size in aspects
        ]
        if each.images:
            mass = np.concatenate([np.array(column, dtype=float) for column in columns], axis=1)
            found.add(np.full(each.images, cells.index(each.cell)), mass)
    return found


def aligned(asked: Sequence[Asked], planned: Mapping[tuple[str, str], int], groups: Mapping[str, int]) -> list[Aligned]:
    """Return moments of all cells that were planned, as the study adds them up."""
    people_of = {each.cell: each.prompt.people for each in asked}
    found = []
    for people in sorted({people_of[each.cell] for each in asked if each.images}):
        cells = [cell for cell in planned if people_of.get(cell) == people]
        aspects = [(aspect(name, side, people), size) for side in range(people) for name, size in groups.items()]
        found.append(Aligned(people, cells, moments([a for a in asked if a.cell in cells], cells, aspects)))
    return found


@pytest.fixture(scope="session")
def ask() -> type[Asked]:
    """Describe what was seen of a prompt: ``ask(prompt, {"gender": [(1, 0), (0, 1)]}, planned=4)``."""
    return Asked


@pytest.fixture(scope="session")
def tables_of() -> Callable[..., Tables]:
    """Return the tables of what was asked; ``unasked`` prompts are the suite's too, ``matched`` is seen by both."""

    def build(
        *asked: Asked,
        annotators: Mapping[str, Sequence[str]] | None = None,
        extra: Sequence[Attribute] = (),
        names: Sequence[str] = ("gender", "race5", "age3"),
        unasked: Sequence[Prompt] = (),
        matched: Sequence[Asked] = (),
        human: str = "",
    ) -> Tables:
        attributes = attribute_table(extra)
        groups = {name: len(attributes[name].groups) for name in names}
        told = annotators or {"a": names}
        planned: dict[tuple[str, str], int] = {}
        for each in asked:
            planned[each.cell] = max(planned.get(each.cell, 0), each.images if each.planned is None else each.planned)
        lost = [(*each.cell, *row) for each in asked for row in each.missing]
        truths = {
            (*each.cell, name, group): share
            for each in asked
            for name, shares in each.truth.items()
            for group, share in shares.items()
        }
        by_annotator = {name: [each for each in asked if each.annotator == name] for name in told}
        return Tables(
            prompts={prompt.id: prompt for prompt in (*(each.prompt for each in asked), *unasked)},
            attributes=attributes,
            annotators=told,
            planned=pa.table(
                {
                    "generator": [cell[0] for cell in planned],
                    "prompt": [cell[1] for cell in planned],
                    "count": [float(count) for count in planned.values()],
                }
            ),
            missing=pa.table(
                {
                    **{name: pa.array([row[place] for row in lost], pa.string()) for place, name in enumerate(MISSING)},
                    "count": pa.array([float(row[5]) for row in lost], pa.float64()),
                }
            ),
            truths=pa.Table.from_pylist(
                [dict(zip(TRUTH_SCHEMA.names, (*key, share), strict=True)) for key, share in truths.items()],
                TRUTH_SCHEMA,
            ),
            aligned={name: aligned(own, planned, groups) for name, own in by_annotator.items()},
            matched={
                name: aligned([each for each in matched if each.annotator == name], planned, groups)
                for name in dict.fromkeys(each.annotator for each in matched)
            },
            labelled={
                name: aligned(by_annotator[human], planned, groups) for name in {each.annotator for each in matched}
            },
            human=human,
        )

    return build


@pytest.fixture(scope="session")
def faintbench() -> Callable[..., Rows]:
    """Measure tables by FAIntbench: ``faintbench(tables, folder, seed=1, **options)``."""

    def measure(tables: Tables, folder: Path = Path(), *, seed: int = 0, **options: Any) -> Rows:
        method = Faintbench(parse_settings(FaintbenchOptions, {"draws": 200, **options}, "study.toml"), folder)
        return list(method.measure(tables, rng=np.random.default_rng(seed)))

    return measure


@pytest.fixture(scope="session")
def only() -> Callable[..., Measurement]:
    """Return the one row that is so: ``only(rows, "implicit_score", level="kind", item="occupation")``."""

    def find(rows: Sequence[Measurement], metric: str, **wanted: str) -> Measurement:
        wanted = {"level": "overall", "item": "", "attribute": "", "group": "", **wanted}
        found = [r for r in rows if r.metric == metric and all(getattr(r, key) == v for key, v in wanted.items())]
        assert len(found) == 1, f"{metric} {wanted}: {len(found)} rows"
        return found[0]

    return find
