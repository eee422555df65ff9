"""Evidence put together by hand: prompts, what was seen in each image, what is missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from portrayal.evidence import (
    Design,
    Evidence,
    GroupMoments,
    Matched,
    MatchedMoments,
    Missing,
    MissingCounts,
    Plan,
    PromptMoments,
)
from portrayal.methods.base import Method
from portrayal.methods.faintbench.method import Faintbench
from portrayal.methods.faintbench.options import FaintbenchOptions
from portrayal.records import TRUTH_SCHEMA, Attribute, Measurement, Prompt, aspect, attribute_table
from portrayal.settings import parse_settings
from portrayal.stats.moment_sums import MomentSums
from portrayal.stats.moments import Moments

Rows = list[Measurement]
Cell = tuple[str, str]


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
    def cell(self) -> Cell:
        return self.generator, self.prompt.id


@dataclass(frozen=True)
class AddedUp:
    """A plan, and what was added up for it, by kind of need."""

    plan: Plan
    results: Mapping[type, Any]

    def evidence(self, method: Method) -> Evidence:
        """Return it as a method asks for it."""
        return Evidence.given(self.plan, method.needs, self.results)


def moments(asked: Sequence[Asked], cells: Sequence[Cell], aspects: Sequence[tuple[str, int]]) -> Moments:
    found = MomentSums(aspects, len(cells))
    for each in asked:
        columns = [
            [mass if mass is not None else [np.nan] * size for mass in each.seen.get(name, [None] * each.images)]
            for name, size in aspects
        ]
        if each.images:
            mass = np.concatenate([np.array(column, dtype=float) for column in columns], axis=1)
            found.add(np.full(each.images, cells.index(each.cell)), mass)
    return found.result()


def by_people(asked: Sequence[Asked], plan: Plan, groups: Mapping[str, int]) -> list[PromptMoments]:
    """Return moments of all cells that were planned, as the study adds them up."""
    people_of = {each.cell: each.prompt.people for each in asked}
    found = []
    for people in sorted({people_of[each.cell] for each in asked if each.images}):
        cells = [cell for cell in plan.cells if people_of.get(cell) == people]
        aspects = [(aspect(name, side, people), size) for side in range(people) for name, size in groups.items()]
        found.append(PromptMoments(people, cells, moments([a for a in asked if a.cell in cells], cells, aspects)))
    return found


def plan_of(asked: Sequence[Asked], design: Design) -> Plan:
    planned: dict[Cell, int] = {}
    for each in asked:
        planned[each.cell] = max(planned.get(each.cell, 0), each.images if each.planned is None else each.planned)
    truths = {
        (*each.cell, name, group): share
        for each in asked
        for name, shares in each.truth.items()
        for group, share in shares.items()
    }
    rows = [dict(zip(TRUTH_SCHEMA.names, (*key, share), strict=True)) for key, share in truths.items()]
    counts = np.array([*planned.values()], dtype=np.int64)
    return Plan(design, list(planned), counts, counts, truths=pa.Table.from_pylist(rows, TRUTH_SCHEMA))


def missing_of(asked: Sequence[Asked], plan: Plan) -> MissingCounts:
    counts: dict[tuple[str, str, str], Any] = {}
    for each in asked:
        for *key, count in each.missing:
            annotator, attribute, reason = key
            counts.setdefault((annotator, attribute, reason), plan.zeros())[plan.places[each.cell]] += count
    return MissingCounts(counts)


@pytest.fixture(scope="session")
def ask() -> type[Asked]:
    """Describe what was seen of a prompt: ``ask(prompt, {"gender": [(1, 0), (0, 1)]}, planned=4)``."""
    return Asked


@pytest.fixture(scope="session")
def added_up() -> Callable[..., AddedUp]:
    """Add up what was asked; ``unasked`` prompts are the suite's too, ``matched`` is seen by both."""

    def build(
        *asked: Asked,
        annotators: Mapping[str, Sequence[str]] | None = None,
        extra: Sequence[Attribute] = (),
        names: Sequence[str] = ("gender", "race5", "age3"),
        unasked: Sequence[Prompt] = (),
        matched: Sequence[Asked] = (),
        human: str = "",
    ) -> AddedUp:
        attributes = attribute_table(extra)
        groups = {name: len(attributes[name].groups) for name in names}
        told = annotators or {"a": names}
        prompts = {prompt.id: prompt for prompt in (*(each.prompt for each in asked), *unasked)}
        plan = plan_of(asked, Design(prompts, attributes, told, {name: name for name in told}))
        of = {name: [each for each in asked if each.annotator == name] for name in told}
        both = {name: [each for each in matched if each.annotator == name] for name in told}
        seen = {name: by_people(own, plan, groups) for name, own in both.items() if own}
        labelled = {name: by_people(of[human], plan, groups) for name in seen}
        return AddedUp(
            plan,
            {
                GroupMoments: {name: by_people(own, plan, groups) for name, own in of.items()},
                MatchedMoments: Matched(human, seen, labelled),
                Missing: missing_of(asked, plan),
            },
        )

    return build


@pytest.fixture(scope="session")
def faintbench() -> Callable[..., Rows]:
    """Measure by FAIntbench what was added up: ``faintbench(added_up(...), folder, seed=1, **options)``."""

    def measure(data: AddedUp, folder: Path = Path(), *, seed: int = 0, **options: Any) -> Rows:
        method = Faintbench(parse_settings(FaintbenchOptions, {"draws": 200, **options}, "study.toml"), folder)
        return list(method.measure(data.evidence(method), rng=np.random.default_rng(seed)))

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
