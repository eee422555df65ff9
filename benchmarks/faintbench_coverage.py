"""How often FAIntbench's intervals hold the planted scores; prints the tables of docs/validity.md.

python benchmarks/faintbench_coverage.py [--repetitions 1000] [--images 20 100 400] [--jobs 2]

Each repetition is a study of the published suite by another generator: planted shares are chosen at random, the
``simulated`` generator draws every image from them, and the method computes all levels with 1,000 draws. Seeds follow
from the repetition, so any run can be repeated. Of the explicit prompts only a sample is asked: they are simple shares,
and there are ten of them for each implicit one.
"""

from __future__ import annotations

import argparse
import os
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np
import pyarrow as pa

from portrayal.evidence import Design, Evidence, GroupMoments, Plan, PromptMoments
from portrayal.generators.simulated import Simulated, SimulatedOptions
from portrayal.methods.faintbench.method import Faintbench
from portrayal.methods.faintbench.options import FaintbenchOptions
from portrayal.methods.faintbench.suite import FaintbenchSuiteOptions, faintbench
from portrayal.records import TRUTH_SCHEMA, Made, Prompt, aspect, attribute_table, plan_job
from portrayal.stats.moment_sums import MomentSums

ATTRIBUTES = ("gender", "race5", "age3")
LEANINGS = {"follows": 0.0, "leans": 1.0, "stereotypes": 3.0}
"""How far each prompt's planted shares lie from the demographic ones: the spread of random log-odds added to them."""
Shares = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Scenario:
    """One kind of generator, asked for so many images of each prompt."""

    leaning: str
    images: int
    explicit: int


def main() -> None:
    """Print a table for every scenario."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=100)
    parser.add_argument("--images", type=int, nargs="+", default=[20, 100])
    parser.add_argument("--leanings", nargs="+", default=list(LEANINGS), choices=list(LEANINGS))
    parser.add_argument("--explicit", type=int, default=240, help="how many explicit prompts are asked")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    with ProcessPoolExecutor(options.jobs) as pool:
        for leaning in options.leanings:
            for images in options.images:
                began = time.monotonic()
                scenario = Scenario(leaning, images, options.explicit)
                found = list(pool.map(partial(repeat, scenario), range(options.repetitions)))
                show(scenario, found, time.monotonic() - began)


def repeat(scenario: Scenario, repetition: int) -> dict[tuple[str, str, str], tuple[int, int, float, float]]:
    """Return, by metric, level and attribute: intervals, how many hold the truth, their width, the value's error."""
    method = Faintbench(FaintbenchOptions(), Path())
    evidence = draw(method, scenario, repetition)
    found: dict[tuple[str, str, str], list[float]] = defaultdict(lambda: [0, 0, 0.0, 0.0])
    for row in method.measure(evidence, rng=np.random.default_rng(repetition)):
        if row.planted is None or row.value is None or row.low is None or row.high is None or row.metric == "share":
            continue
        cell = found[row.metric, row.level, row.attribute if not row.group or row.level == "prompt" else "each group"]
        held = row.low - 1e-9 <= row.planted <= row.high + 1e-9
        for place, number in enumerate((1, int(held), row.high - row.low, row.value - row.planted)):
            cell[place] += number
    return {key: (int(cell[0]), int(cell[1]), cell[2], cell[3]) for key, cell in found.items()}


def draw(method: Faintbench, scenario: Scenario, repetition: int, asked: Sequence[Prompt] | None = None) -> Evidence:
    """Return the evidence of one study, drawn by the simulated generator; it asks for all prompts, or those given."""
    prompts = suite(scenario.explicit) if asked is None else asked
    generator = planted(scenario.leaning, repetition)
    found = []
    groups = {name: attribute_table()[name].groups for name in ATTRIBUTES}
    for people in (1, 2):
        mine = [prompt for prompt in prompts if prompt.people == people]
        if not mine:
            continue
        names = [(aspect(name, side, people), name, side) for side in range(people) for name in ATTRIBUTES]
        moments = MomentSums([(key, len(groups[name])) for key, name, _ in names], len(mine))
        for place, prompt in enumerate(mine):
            jobs = [plan_job(prompt, generator.name, index, repetition) for index in range(scenario.images)]
            drawn = [made.planted for made in generator.generate(jobs) if isinstance(made, Made) and made.planted]
            mass = [
                [float(person[side][name] == group) for _, name, side in names for group in groups[name]]
                for person in drawn
            ]
            moments.add(np.full(len(mass), place), np.array(mass))
        cells = [(generator.name, prompt.id) for prompt in mine]
        found.append(PromptMoments(people, cells, moments.result()))
    planned = np.full(len(prompts), scenario.images)
    cells = [(generator.name, prompt.id) for prompt in prompts]
    design = Design({prompt.id: prompt for prompt in prompts}, attribute_table(), {"exact": ATTRIBUTES})
    plan = Plan(design, cells, planned, planned, truths=_truths(generator, prompts))
    return Evidence.given(plan, method.needs, {GroupMoments: {"exact": found}})


@cache
def suite(wanted: int) -> Sequence[Prompt]:
    """Return every implicit prompt and a sample of the explicit ones."""
    everything = faintbench(FaintbenchSuiteOptions(), Path()).prompts
    explicit = [prompt for prompt in everything if prompt.variant == "explicit"]
    asked = np.random.default_rng(0).choice(len(explicit), wanted, replace=False)
    return [prompt for prompt in everything if prompt.variant == "implicit"] + [
        explicit[place] for place in sorted(asked)
    ]


def planted(leaning: str, repetition: int) -> Simulated:
    """Return a generator whose shares lie so far from the demographic ones."""
    rng = np.random.default_rng([7, repetition])
    terms = {
        prompt.term: {name: _tilt(shares, LEANINGS[leaning], rng) for name, shares in prompt.reference.items()}
        for prompt in suite(0)
        if prompt.variant == "implicit"
    }
    even = {name: attribute_table()[name].groups for name in ATTRIBUTES}
    shares = {name: dict.fromkeys(groups, 1 / len(groups)) for name, groups in even.items()}
    options = {"shares": shares, "terms": terms, "obey": 0.7, "pixels": False}
    return Simulated("", SimulatedOptions.model_validate(options))


def _tilt(shares: Mapping[str, float], spread: float, rng: np.random.Generator) -> dict[str, float]:
    values = np.array(list(shares.values()))
    tilted = (values + 0.01 * (spread > 0)) * np.exp(spread * rng.standard_normal(len(values)))
    return dict(zip(shares, (tilted / tilted.sum()).tolist(), strict=True))


def _truths(generator: Simulated, prompts: Sequence[Prompt]) -> pa.Table:
    rows = [
        dict(zip(TRUTH_SCHEMA.names, (generator.name, prompt.id, name, group, share), strict=True))
        for prompt in prompts
        for name, shares in (generator.truth(prompt) or {}).items()
        for group, share in shares.items()
    ]
    return pa.Table.from_pylist(rows, TRUTH_SCHEMA)


def show(
    scenario: Scenario, found: Sequence[Mapping[tuple[str, str, str], tuple[int, int, float, float]]], seconds: float
) -> None:
    """Print the coverage of every kind of row."""
    print(f"\n### {scenario.leaning}, {scenario.images} images a prompt ({len(found)} repetitions, {seconds:.0f} s)\n")
    print("| metric | level | attribute | intervals | coverage % | mean width | mean error of the value |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for key in dict.fromkeys(key for one in found for key in one):
        counts = np.array([one[key] for one in found if key in one]).sum(axis=0)
        total, held, width, error = counts
        metric, level, attribute = key
        cover = f"{100 * held / total:.1f}"
        cover = cover if 93 <= 100 * held / total <= 97 else f"**{cover}**"
        print(
            f"| {metric} | {level} | {attribute or 'total'} | {int(total):,} | {cover} | {width / total:.4f} "
            f"| {error / total:+.4f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
