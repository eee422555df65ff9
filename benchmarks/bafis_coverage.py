"""Do BAFIS's intervals hold what was planted? Studies in miniature, through the method's own code.

python benchmarks/bafis_coverage.py [--repetitions 200] [--jobs 2]

Each repetition is a study: occupations new in each, with a share of women of their own in every language and way of
asking, four images of each prompt. Half of an occupation's leaning is its own and shared by both sides of a pair, and
images with the same seed share their chance to a degree. The truth is the mean over all occupations there could be.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path

import numpy as np

from portrayal.evidence import Design, Differences, Evidence, GroupCounts, Paired, Plan, SeedPairs, ToldImages
from portrayal.methods.bafis.method import Bafis
from portrayal.methods.bafis.options import BafisOptions
from portrayal.records import Prompt, attribute_table
from portrayal.stats.intervals import Array

Side = tuple[str, str]
Scores = dict[tuple[str, str], list[tuple[float, float]]]

IMAGES, DRAWS = 4, 300
OCCUPATIONS = (6, 24, 151)
SIDES: dict[Side, float] = {
    ("en", "direct"): 0.35,
    ("de", "direct"): 0.25,
    ("de", "indirect"): 0.4,
    ("de", "feminine"): 0.97,
}
TARGET = 0.5


def leanings(occupations: int, scatter: float, rng: np.random.Generator) -> dict[Side, Array]:
    """Return the share of women of every occupation by side: a beta distribution about the side's own mean."""
    ranks = rng.random(occupations)
    found = {}
    for side, mean in SIDES.items():
        own = np.where(rng.random(occupations) < 0.5, ranks, rng.random(occupations))
        pool = np.sort(rng.beta(scatter * mean, scatter * (1 - mean), size=4000))
        found[side] = pool[(own * len(pool)).astype(int)]
    return found


def study(method: Bafis, occupations: int, scatter: float, rng: np.random.Generator) -> Evidence:
    """Return what one study would have added up."""
    shares = leanings(occupations, scatter, rng)
    prompts = {(side, t): Prompt(f"{side} {t}", f"t{t}", variant=side[1], language=side[0])
               for side, t in product(SIDES, range(occupations))}  # fmt: skip
    common = rng.random((occupations, IMAGES))
    women = {
        side: (np.where(rng.random(common.shape) < 0.5, common, rng.random(common.shape)) < shares[side][:, None])
        for side in SIDES
    }
    places = {key: place for place, key in enumerate(prompts)}
    cells = [("g", prompt.id) for prompt in prompts.values()]
    planned = np.full(len(cells), IMAGES)
    seen = np.array([women[side][t].sum() for side, t in prompts], dtype=float)
    pairs = {}
    for x, y, t in product(SIDES, SIDES, range(occupations)):
        if x != y:
            apart = np.outer(women[x][t].astype(float) - women[y][t], (-1, 1))
            own = Differences(IMAGES, apart.sum(axis=0), (apart**2).sum(axis=0))
            pairs[places[x, t], places[y, t]] = own
    design = Design({prompt.id: prompt for prompt in prompts.values()}, attribute_table(), {"a": ["gender"]})
    results = {
        GroupCounts: {("a", "gender"): np.column_stack([IMAGES - seen, seen])},
        ToldImages: {("a", "gender"): planned},
        SeedPairs: Paired(dict.fromkeys(pairs, IMAGES), {("a", "gender"): pairs}),
    }
    return Evidence.given(Plan(design, cells, planned, planned), method.needs, results)


def truth(metric: str, side: Side, reference: str) -> float:
    """Return what a row of women should show; a language as a whole is the mean of what asks for nobody."""
    variants = [side[1]] if side[1] else [v for language, v in SIDES if language == side[0] and v != "feminine"]
    value = sum(SIDES[side[0], variant] for variant in variants) / len(variants)
    if metric == "share":
        return value
    return value - (TARGET if metric == "difference" else SIDES[_side(reference)])


def _side(name: str) -> Side:
    language, _, variant = name.partition(" ")
    return language, variant


def scores(occupations: int, scatter: float, seed: int) -> Iterator[tuple[str, str, float, float]]:
    """Yield of each interval of one study what it is about, whether it holds the truth, and its width."""
    rng = np.random.default_rng([occupations, int(scatter), seed])
    method = Bafis(BafisOptions(draws=DRAWS), Path())
    for row in method.measure(study(method, occupations, scatter, rng), rng=rng):
        named = row.metric in ("share", "difference", "paired_difference") and row.group == "female"
        if named and row.level == "overall" and (row.language, row.variant) != ("en", ""):  # that is en direct
            side = (row.language, row.variant)
            value = truth(row.metric, side, row.reference)
            about = " ".join((row.language, row.variant or "(all)")) + (
                f" - {row.reference}" if row.metric == "paired_difference" else ""
            )
            low, high = float(row.low or 0.0), float(row.high or 0.0)
            yield row.metric, about, float(low <= value <= high), high - low


def repeat(task: tuple[int, float, range]) -> Scores:
    """Return the scores of some repetitions, by metric and what they are about."""
    occupations, scatter, seeds = task
    found: Scores = defaultdict(list)
    for seed in seeds:
        for metric, about, held, width in scores(occupations, scatter, seed):
            found[metric, about].append((held, width))
    return dict(found)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    print("| metric | about | occupations | occupations differ | coverage % | mean width |")
    print("| --- | --- | --- | --- | --- | --- |")
    with ProcessPoolExecutor(options.jobs) as pool:
        for occupations, (name, scatter) in product(OCCUPATIONS, {"little": 20.0, "much": 3.0}.items()):
            parts = [range(start, options.repetitions, options.jobs) for start in range(options.jobs)]
            found: Scores = defaultdict(list)
            for part in pool.map(repeat, [(occupations, scatter, seeds) for seeds in parts]):
                for key, own in part.items():
                    found[key] += own
            for (metric, about), runs in found.items():
                held, width = np.mean(runs, axis=0)
                print(f"| {metric} | {about} | {occupations} | {name} | {100 * held:.1f} | {width:.3f} |", flush=True)


if __name__ == "__main__":
    main()
