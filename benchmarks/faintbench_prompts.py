"""How often FAIntbench's intervals hold the scores of *prompts like these*, with few prompts; see docs/validity.md.

python benchmarks/faintbench_prompts.py [--repetitions 400] [--prompts 2 3 5 10 30] [--images 20] [--jobs 2]

Each repetition is a study with ``resample = "prompts"`` that asks for a handful of prompts, drawn from the suite's
implicit ones that show one person, or for both prompts of a handful of pairs. Planted shares are chosen at random as
in ``faintbench_coverage.py``. With ``--images 0`` implicit scores of prompts are known exactly, so that only the choice
of prompts is left to chance, which is the hardest case: images widen intervals. The truth is the mean over all of these
prompts or pairs, and over all random choices.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np

from faintbench_coverage import ATTRIBUTES, LEANINGS, Scenario, draw, planted, suite  # type: ignore[import-not-found]
from portrayal.generators.simulated import Simulated
from portrayal.methods.bias_scores.levels import over_prompts
from portrayal.methods.bias_scores.manifestation.pair_etas import Compared, compared_pairs
from portrayal.methods.faintbench.method import Faintbench
from portrayal.methods.faintbench.options import FaintbenchOptions
from portrayal.methods.faintbench.suite.term_pairs import load_pairs
from portrayal.metrics import implicit_score, pair_manifestation, weighted_total
from portrayal.records import Prompt
from portrayal.stats.intervals import Array, Interval

Key = tuple[str, str]
"""Metric and attribute; the empty one is the total."""
CHOICES = 60
"""Generators over whose random choices the truth is averaged."""


@dataclass(frozen=True, slots=True)
class Few:
    """A study of so many prompts, or pairs, of so many images each."""

    leaning: str
    prompts: int
    images: int


@cache
def single() -> Sequence[Prompt]:
    """Return the implicit prompts that show one person."""
    return [prompt for prompt in suite(0) if prompt.people == 1]


@cache
def pairs() -> Sequence[Compared]:
    """Return the pairs of two such prompts."""
    return compared_pairs(load_pairs(), single())


@cache
def truth(leaning: str) -> Mapping[Key, float]:
    """Return the scores of all prompts and pairs there could be."""
    means: dict[Key, list[float]] = defaultdict(list)
    weights = FaintbenchOptions().group_weights
    for choice in range(CHOICES):
        generator = planted(leaning, 10_000 + choice)
        shares = {prompt.id: _shares(generator, prompt) for prompt in single()}
        for name in ATTRIBUTES:
            known = [prompt for prompt in single() if name in prompt.reference]
            scores = [float(implicit_score(*(each[name] for each in shares[prompt.id]))) for prompt in known]
            means["implicit_score", name].append(np.average(scores, weights=[prompt.weight for prompt in known]))
            k = list(weights[name].values())
            etas = [float(_eta(pair, name, k, shares)) for pair in pairs()]
            means["manifestation", name].append(np.average(etas, weights=[pair.pair.weight for pair in pairs()]))
    found = {key: float(np.mean(values)) for key, values in means.items()}
    implicit, etas = ([found[metric, name] for name in ATTRIBUTES] for metric in ("implicit_score", "manifestation"))
    total = float(weighted_total(implicit, [FaintbenchOptions().weights[name] for name in ATTRIBUTES]))
    return {**found, ("implicit_score", ""): total, ("manifestation", ""): float(np.mean(etas))}


def _shares(generator: Simulated, prompt: Prompt) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    known = generator.truth(prompt) or {}
    return tuple(  # type: ignore[return-value]
        {name: [float(own[name][group]) for group in prompt.reference[name]] for name in prompt.reference}
        for own in (known, prompt.reference)
    )


def _eta(pair: Compared, name: str, k: Sequence[float], shares: Mapping[str, tuple[Mapping[str, list[float]], ...]]):  # type: ignore[no-untyped-def]
    (p, p_ref), (q, q_ref) = ([np.array(own[name]) for own in shares[prompt.id]] for prompt, _ in pair.sides)
    return pair_manifestation(p, p_ref, q, q_ref, k=k, variant="definition")


def repeat(few: Few, repetition: int) -> dict[Key, tuple[float, float]]:
    """Return of each score whether its interval holds the truth, and how wide it is."""
    rng = np.random.default_rng([11, repetition])
    chosen = rng.choice(len(single()), few.prompts, replace=False)
    if not few.images:
        return _exact(few, repetition, [single()[place] for place in chosen])
    found = _held(few, repetition, [single()[place] for place in chosen], "implicit_score")
    if few.prompts <= len(pairs()):
        some = [pairs()[place] for place in rng.choice(len(pairs()), few.prompts, replace=False)]
        asked = list({prompt.id: prompt for pair in some for prompt in pair.prompts}.values())
        found |= _held(few, repetition, asked, "manifestation")
    return found


def _exact(few: Few, repetition: int, prompts: Sequence[Prompt]) -> dict[Key, tuple[float, float]]:
    generator = planted(few.leaning, repetition)
    found: dict[Key, Interval] = {}
    means = []
    weights = np.array([prompt.weight for prompt in prompts])
    shares = [_shares(generator, prompt) for prompt in prompts]
    for name in ATTRIBUTES:
        scores = np.array(
            [implicit_score(*(each[name] for each in own)) if name in own[0] else np.nan for own in shares]
        )
        means.append(scores)
        found["implicit_score", name] = _bounds(scores, weights)
    total = weighted_total(np.column_stack(means), [FaintbenchOptions().weights[name] for name in ATTRIBUTES])
    found["implicit_score", ""] = _bounds(np.asarray(total), weights)
    return {key: (float(bounds.low <= truth(few.leaning)[key] <= bounds.high), bounds.width)
            for key, bounds in found.items() if not np.isnan(bounds.low)}  # fmt: skip


def _bounds(scores: Array, weights: Array) -> Interval:
    known = ~np.isnan(scores)
    middle = float(np.average(scores[known], weights=weights[known]))
    return over_prompts(scores, weights, Interval(middle, middle), (0.5, 1.0))


def _held(few: Few, repetition: int, prompts: Sequence[Prompt], metric: str) -> dict[Key, tuple[float, float]]:
    method = Faintbench(FaintbenchOptions(resample="prompts", draws=300), Path())
    evidence = draw(method, Scenario(few.leaning, few.images, 0), repetition, prompts)
    return {
        (metric, row.attribute): (float(row.low <= truth(few.leaning)[metric, row.attribute] <= row.high),
                                  row.high - row.low)
        for row in method.measure(evidence, rng=np.random.default_rng(repetition))
        if (row.metric, row.level) == (metric, "overall") and row.low is not None and row.high is not None
    }  # fmt: skip


def main() -> None:
    """Print a line for each number of prompts and each score."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=400)
    parser.add_argument("--prompts", type=int, nargs="+", default=[2, 3, 5, 10, 30])
    parser.add_argument("--images", type=int, default=20)
    parser.add_argument("--leanings", nargs="+", default=["leans", "stereotypes"], choices=list(LEANINGS))
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    print("| generator | prompts or pairs | metric | attribute | coverage % | mean width |")
    print("| --- | --- | --- | --- | --- | --- |")
    with ProcessPoolExecutor(options.jobs) as pool:
        for leaning in options.leanings:
            for prompts in options.prompts:
                few = Few(leaning, prompts, options.images)
                show(few, list(pool.map(partial(repeat, few), range(options.repetitions), chunksize=20)))


def show(few: Few, found: Sequence[Mapping[Key, tuple[float, float]]]) -> None:
    """Print the coverage of every score."""
    for key in dict.fromkeys(key for one in found for key in one):
        held, width = np.mean([one[key] for one in found if key in one], axis=0)
        metric, attribute = key
        what = f"{few.leaning} | {few.prompts} | {metric} | {attribute or 'total'}"
        print(f"| {what} | {100 * held:.1f} | {width:.3f} |", flush=True)


if __name__ == "__main__":
    main()
