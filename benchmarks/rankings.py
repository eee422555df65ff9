"""How often two models are put in an order: equal ones, which is an error, and different ones; see docs/validity.md.

python benchmarks/rankings.py [--repetitions 100] [--only representation tbyb faintbench]

Both models draw for as many prompts, with numbers of images that may differ. The places are those of a report's first
screen. Studies of a model are drawn once, and each of one is put beside twenty of the other.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from portrayal.evidence import Design, Evidence, GroupMoments, Plan, PromptMoments
from portrayal.methods.faintbench.method import Faintbench
from portrayal.methods.faintbench.options import FaintbenchOptions
from portrayal.methods.faintbench.suite import FaintbenchSuiteOptions, faintbench
from portrayal.metrics import ObjectCounts, object_scores, total_variation
from portrayal.metrics.object_intervals import rarefied_bias
from portrayal.metrics.objects import hallucination_shares
from portrayal.records import TRUTH_SCHEMA, Prompt, attribute_table
from portrayal.reports.findings.deviations.deviation import Ranked, Ranking
from portrayal.reports.findings.order import standings
from portrayal.stats.intervals import Array
from portrayal.stats.moment_sums import MomentSums
from portrayal.stats.shares.cells import PromptShares
from portrayal.stats.targets.distances import mean_divergence

PROMPTS, DRAWS, CONCENTRATION, BESIDE = 8, 300, 9.0, 20
FAIR: Mapping[str, Sequence[float]] = {"gender": [0.5, 0.5], "age3": [1 / 3] * 3}
TRUTHS: Mapping[str, Mapping[str, Sequence[float]]] = {
    "fair": FAIR,
    "leaning": {"gender": [0.75, 0.25], "age3": [0.6, 0.25, 0.15]},
    "one-sided": {"gender": [0.95, 0.05], "age3": [0.9, 0.05, 0.05]},
}
SPREADS = {"on target": 0.0, "leaning": 1.0, "stereotyped": 3.0}

Bounds = tuple[float, float, float]
Draw = Callable[[str, int, np.random.Generator], Sequence[Bounds]]
"""Draws one study of a model: its scores with their intervals, by the name of a truth and the images of a prompt."""


def main() -> None:
    """Print a table for each method."""
    unequal = ((2, 80), (3, 60), (4, 60), (5, 40), (16, 16), (2, 2))
    studies: Mapping[str, tuple[Draw, Sequence[str], Sequence[tuple[int, int]]]] = {
        "representation": (distances, list(TRUTHS), unequal),
        "tbyb": (captions, ["0.4", "0.5", "0.6"], unequal),
        "tbyb, B_D at the same number": (rarefied, ["0.1", "0.3"], ((2, 20), (5, 20))),
        "tbyb, all scores": (all_captions, ["0.4", "0.6"], ((2, 2), (16, 16))),
        "faintbench": (implicit, list(SPREADS), ((10, 80), (10, 10), (20, 20))),
    }
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=100)
    parser.add_argument("--only", nargs="+", choices=list(studies), default=list(studies))
    options = parser.parse_args()
    for name in options.only:
        draw, truths, images = studies[name]

        @cache
        def pool(truth: str, number: int, side: int, draw: Draw = draw) -> list[Sequence[Bounds]]:
            rng = np.random.default_rng([number, side, *truth.encode()])
            return [draw(truth, number, rng) for _ in range(options.repetitions)]

        print(f"\n### {name}\n\n| models | " + " | ".join(f"{few} and {many}" for few, many in images) + " |")
        print("| --- |" + " --- |" * len(images))
        for one in truths:
            for other in truths:
                cells = [told(pool(one, few, 0), pool(other, many, 1)) for few, many in images]
                print(f"| {one} and {other} | " + " | ".join(cells) + " |", flush=True)


def told(ones: Sequence[Sequence[Bounds]], others: Sequence[Sequence[Bounds]]) -> str:
    """Return in how many per cent of pairs of studies any score puts the models in an order."""
    pairs = [(own, others[(place + step) % len(others)]) for place, own in enumerate(ones) for step in range(BESIDE)]
    apart = 0
    for pair in pairs:
        scores = zip(*pair, strict=True)
        rankings = [Ranking("", [Ranked(str(name), *own, "") for name, own in enumerate(both)], "") for both in scores]
        apart += any(own.apart for own in standings(rankings))
    return f"{100 * apart / len(pairs):.1f}"


def distances(truth: str, images: int, rng: np.random.Generator) -> list[Bounds]:
    """Return how far a typical prompt lies from equal shares; both models draw for the same prompts, which differ."""
    fixed, bounds = np.random.default_rng(1), []
    for name, shares in TRUTHS[truth].items():
        by_prompt = np.tile(shares, (PROMPTS, 1))
        if truth != "fair":
            by_prompt = fixed.dirichlet(CONCENTRATION * np.array(shares), size=PROMPTS)
        counts = rng.multinomial(images, by_prompt / by_prompt.sum(axis=1, keepdims=True))
        cell = PromptShares.of(counts / images, np.full(PROMPTS, images))
        value, interval = mean_divergence(cell, FAIR[name], total_variation, rng=rng)
        bounds.append((value, interval.low, interval.high))
    return bounds


def captions(uninvited: str, images: int, rng: np.random.Generator) -> list[Bounds]:
    """Return H_J and M_G."""
    return all_captions(uninvited, images, rng)[:2]


def all_captions(uninvited: str, images: int, rng: np.random.Generator) -> list[Bounds]:
    """Return H_J, M_G, B_D and B_log of 100 objects of which so many images have a word that nobody asked for.

    Which objects are left out or missed how often is the same for all models: orders are about these prompts.
    """
    fixed = np.random.default_rng(1)
    shape = (100, images)
    added = rng.random(shape) < float(uninvited)
    omitted = rng.random(shape) < fixed.beta(1, 9, size=(100, 1))
    parts = [part.sum(axis=1) for part in hallucination_shares(~omitted, added, omitted)]
    words = rng.multinomial(added.sum(axis=1), np.full(50, 1 / 50)).astype(float)
    each = np.full(100, float(images))
    missed = rng.binomial(images, fixed.beta(1, 19, size=100)).astype(float)
    counts = ObjectCounts(each, np.column_stack(parts), words[:, words.any(axis=0)], each, missed)
    found = object_scores(counts, draws=DRAWS, rng=rng)
    return [
        (own.value, own.low, own.high) for own in (found.hallucination, found.misses, found.distribution, found.log)
    ]


def rarefied(peak: str, images: int, rng: np.random.Generator) -> list[Bounds]:
    """Return B_D of 200 images, of 100 objects with one uninvited word each, a share of which is the same word."""
    number = 100 * images
    words = np.where(rng.random(number) < float(peak), 0, rng.integers(1, 200, size=number))
    prompt = np.repeat(np.arange(100), images)
    found = rarefied_bias([np.array([own]) for own in words], prompt, 200, draws=200, rng=rng)
    return [(found.value, found.low, found.high)]


@cache
def occupations() -> Sequence[Prompt]:
    """Return every sixth implicit occupation of FAIntbench's suite."""
    options = FaintbenchSuiteOptions.model_validate({"visibility": ["implicit"], "kinds": ["occupation"]})
    return faintbench(options, Path()).prompts[::6]


def implicit(leaning: str, images: int, rng: np.random.Generator) -> list[Bounds]:
    """Return the implicit score of a model whose shares have random log-odds of this spread; which ones, is fixed."""
    method, prompts, fixed = Faintbench(FaintbenchOptions(draws=DRAWS), Path()), occupations(), np.random.default_rng(1)
    moments = MomentSums([(name, len(groups)) for name, groups in method.groups.items()], len(prompts))
    for place, prompt in enumerate(prompts):
        drawn = [_labels(prompt.reference[name], SPREADS[leaning], images, fixed, rng) for name in method.groups]
        moments.add(np.full(images, place), np.concatenate(drawn, axis=1))
    cells = [("g", prompt.id) for prompt in prompts]
    design = Design({prompt.id: prompt for prompt in prompts}, attribute_table(), {"a": tuple(method.groups)})
    planned = np.full(len(prompts), images)
    plan = Plan(design, cells, planned, planned, truths=TRUTH_SCHEMA.empty_table())
    found = [PromptMoments(1, cells, moments.result())]
    for row in method.measure(Evidence.given(plan, method.needs, {GroupMoments: {"a": found}}), rng=rng):
        if (row.metric, row.level, row.attribute) == ("implicit_score", "overall", ""):
            value = row.value if row.corrected is None else row.corrected
            return [(value or 0.0, row.low or 0.0, row.high or 0.0)]
    raise RuntimeError("no score")


def _labels(
    shares: Mapping[str, float], spread: float, images: int, fixed: np.random.Generator, rng: np.random.Generator
) -> Array:
    own = (np.array(list(shares.values())) + 0.01 * (spread > 0)) * np.exp(spread * fixed.standard_normal(len(shares)))
    return np.asarray(np.eye(len(own))[rng.choice(len(own), images, p=own / own.sum())])


if __name__ == "__main__":
    main()
