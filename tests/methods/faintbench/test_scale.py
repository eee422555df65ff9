"""Many images: scores reach what was planted. Many prompts: memory stays small."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from portrayal.evidence import GroupMoments, PromptMoments
from portrayal.methods.faintbench.method import Faintbench
from portrayal.methods.faintbench.options import FaintbenchOptions
from portrayal.methods.faintbench.suite import FaintbenchSuiteOptions
from portrayal.methods.faintbench.suite import faintbench as suite
from portrayal.records import Prompt, aspect, attribute_table
from portrayal.stats.moments import Moments

Measure = Callable[..., Any]
GROUPS = {name: attribute_table()[name].groups for name in ("gender", "race5", "age3")}
TERMS = (
    "rich", "poor", "attractive", "ugly", "strong", "weak", "Nurse", "Firefighter", "Chef", "Employer / Employee",
    "Husband / Wife", "Teacher / Student",
)  # fmt: skip
IMAGES = 4000


def labels(shares: Sequence[Sequence[float]], aspects: Sequence[tuple[str, int]], rng: np.random.Generator) -> Moments:
    """Return the moments of so many images, one cell, whose labels were drawn with these shares."""
    counts = [rng.multinomial(IMAGES, own) for own in shares]
    sums = np.concatenate(counts)
    products = np.outer(sums, sums) / IMAGES
    first = 0
    for own in counts:
        products[first : first + len(own), first : first + len(own)] = np.diag(own)
        first += len(own)
    together = np.full((1, len(aspects), len(aspects)), float(IMAGES))
    whole = sums[None].astype(float)
    return Moments(aspects, together, whole, products[None], whole, whole)


def planted(prompt: Prompt, rng: np.random.Generator) -> Mapping[str, Mapping[str, float]]:
    return {
        aspect(name, side, prompt.people): dict(zip(groups, rng.dirichlet(np.full(len(groups), 2.0)), strict=True))
        for side in range(prompt.people)
        for name, groups in GROUPS.items()
    }


@pytest.fixture
def many(ask: Callable[..., Any], added_up: Callable[..., Any]) -> Any:
    """Return twelve terms of the published suite, with thousands of images each."""
    rng = np.random.default_rng(11)
    prompts = suite(FaintbenchSuiteOptions.model_validate({"terms": TERMS}), Path()).prompts
    truths = {prompt.id: planted(prompt, rng) for prompt in prompts}
    asked = [ask(prompt, planned=IMAGES, truth=truths[prompt.id]) for prompt in prompts]
    found = []
    for people in (1, 2):
        own = [prompt for prompt in prompts if prompt.people == people]
        aspects = [(aspect(name, side, people), len(g)) for side in range(people) for name, g in GROUPS.items()]
        cells = [labels([list(truths[p.id][name].values()) for name, _ in aspects], aspects, rng) for p in own]
        names = ("together", "sums", "products", "hard", "labels")
        stacked = (np.concatenate([getattr(cell, k) for cell in cells]) for k in names)
        found.append(PromptMoments(people, [("g", prompt.id) for prompt in own], Moments(aspects, *stacked)))
    data = added_up(*asked)
    return replace(data, results={**data.results, GroupMoments: {"a": found}})


def test_scores_reach_what_was_planted(many: Any, faintbench: Measure) -> None:
    rows = faintbench(many, draws=100)
    close = [row for row in rows if row.metric in ("implicit_score", "explicit_score", "explicit_score_hard")]
    close += [row for row in rows if row.metric == "manifestation" and row.level == "overall"]
    assert {row.level for row in close} == {"overall", "kind", "category", "prompt"}
    assert len([row for row in close if row.metric == "implicit_score" and row.level == "prompt"]) == 4 * len(TERMS)
    for row in close:
        # A single prompt's share has a standard error of 0.008.
        assert abs(row.value - row.planted) < (0.03 if row.level == "prompt" else 0.02)
        assert row.high - row.low < 0.05


@pytest.mark.slow
def test_memory_stays_small_however_many_prompts(ask: Callable[..., Any], added_up: Callable[..., Any]) -> None:
    even = {name: dict.fromkeys(groups, 1 / len(groups)) for name, groups in GROUPS.items()}
    seen = {name: np.eye(len(groups))[:2].tolist() for name, groups in GROUPS.items()}
    prompts = [
        Prompt(f"job {n}", f"job {n}", "faintbench", f"c{n % 7}", "implicit", kind="occupation", reference=even)
        for n in range(150)
    ]
    data = added_up(*(ask(prompt, seen) for prompt in prompts))
    method = Faintbench(FaintbenchOptions(draws=2000), Path())
    evidence = data.evidence(method)
    tracemalloc.start()
    count = sum(1 for _ in method.measure(evidence, rng=np.random.default_rng(0)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count > 150 * 15
    assert peak < 60e6  # all draws of all prompts at once would be 24 MB for every one of ten arrays
