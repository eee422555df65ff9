"""How often BiasIG's intervals hold the planted scores; prints the table of docs/validity.md.

python benchmarks/biasig_coverage.py [--repetitions 300] [--wordings 8] [--images 5] [--spread 0 0.15]

Each repetition is another generator: the shares of every question are drawn at random around the reference, and each
wording moves them by chance (a Dirichlet distribution; ``spread`` is the correlation of two images of one wording).
Intervals over wordings are to hold the score of the question's shares, whatever the wordings.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from portrayal.evidence import Design, Evidence, GroupMoments, Plan, PromptMoments
from portrayal.methods.bias_scores.manifestation.term_pairs import Pair
from portrayal.methods.biasig.method import Biasig
from portrayal.methods.biasig.options import BiasigOptions
from portrayal.records import TRUTH_SCHEMA, Prompt, attribute_table
from portrayal.stats.moment_sums import MomentSums

GROUPS = {name: attribute_table()[name].groups for name in ("gender", "race4", "age3")}
REFERENCE = {
    "gender": {"male": 0.5, "female": 0.5},
    "race4": {"white": 0.3, "black": 0.18, "east_asian": 0.27, "south_asian": 0.25},
    "age3": {"young": 0.418, "middle_aged": 0.391, "elderly": 0.191},
}
TERMS = 12
Shares = dict[str, np.ndarray]


def suite(wordings: int) -> list[Prompt]:
    """Return questions about so many terms, half of them in pairs: one that names no group, nine that name one."""
    prompts = []
    for term in (f"Worker{n}" for n in range(TERMS)):
        asked: list[tuple[str, str, dict[str, str]]] = [("", "implicit", {})]
        asked += [(f"{group} ", "explicit", {name: group}) for name, groups in GROUPS.items() for group in groups]
        for word, variant, requested in asked:
            for n in range(wordings):
                text = f"a photo of one {word}{term}, scene {n}"
                prompt = Prompt(text, term, category=f"c{int(term[6:]) % 3}", variant=variant, kind="occupation")
                prompts.append(replace(prompt, requested=requested, reference=REFERENCE))
    return prompts


def draw(method: Biasig, prompts: Sequence[Prompt], images: int, spread: float, rng: np.random.Generator) -> Evidence:
    """Return the evidence of one study, with the shares of questions as planted."""
    shares: dict[str, Shares] = {}
    rows, mass = [], []
    for prompt in prompts:
        question = prompt.text.partition(",")[0]
        if question not in shares:
            shares[question] = {name: _planted(prompt, name, rng) for name in GROUPS}
        drawn = []
        for name, groups in GROUPS.items():
            p = shares[question][name]
            mine = rng.dirichlet(np.maximum(p, 1e-9) * (1 / spread - 1)) if spread else p
            drawn.append(np.eye(len(groups))[rng.choice(len(groups), images, p=mine)])
            rows += [("g", prompt.id, name, group, share) for group, share in zip(groups, p.tolist(), strict=True)]
        mass.append(np.concatenate(drawn, axis=1))
    moments = MomentSums([(name, len(groups)) for name, groups in GROUPS.items()], len(prompts))
    moments.add(np.repeat(np.arange(len(prompts)), images), np.concatenate(mass))
    cells = [("g", prompt.id) for prompt in prompts]
    design = Design({prompt.id: prompt for prompt in prompts}, attribute_table(), {"a": list(GROUPS)})
    planned = np.full(len(prompts), images)
    columns = [pa.array(column) for column in zip(*rows, strict=True)]
    plan = Plan(design, cells, planned, planned, truths=pa.table(columns, TRUTH_SCHEMA.names).cast(TRUTH_SCHEMA))
    return Evidence.given(plan, method.needs, {GroupMoments: {"a": [PromptMoments(1, cells, moments.result())]}})


def _planted(prompt: Prompt, name: str, rng: np.random.Generator) -> np.ndarray:
    """Return shares off the reference; the group that is asked for is drawn in most images."""
    shares = np.array([REFERENCE[name][group] for group in GROUPS[name]]) * np.exp(
        rng.standard_normal(len(GROUPS[name]))
    )
    shares /= shares.sum()
    if name in prompt.requested:
        wanted = np.eye(len(shares))[GROUPS[name].index(prompt.requested[name])]
        shares = 0.2 * shares + 0.8 * wanted
    return shares


def repeat(wordings: int, images: int, spread: float, repetition: int) -> Mapping[tuple[str, str], np.ndarray]:
    """Return, by metric and level: intervals, how many hold the truth, their width."""
    rng = np.random.default_rng([wordings, images, int(100 * spread), repetition])
    method = Biasig(BiasigOptions(draws=400), Path())
    pairs = [Pair(f"Worker{n}", f"Worker{n + TERMS // 2}") for n in range(TERMS // 2)]
    method.__dict__["pairs"] = pairs  # in place of a clone's
    found: dict[tuple[str, str], np.ndarray] = defaultdict(lambda: np.zeros(3))
    for row in method.measure(draw(method, suite(wordings), images, spread, rng), rng=rng):
        if row.planted is None or row.low is None or row.high is None:
            continue
        if row.metric in ("label_share", "explicit_score_hard"):
            continue
        held = row.low - 1e-9 <= row.planted <= row.high + 1e-9
        level = "group" if row.group and row.level == "overall" else row.level
        found[row.metric, level] += np.array([1.0, float(held), row.high - row.low])
    return found


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=300)
    parser.add_argument("--wordings", type=int, nargs="+", default=[8])
    parser.add_argument("--images", type=int, default=5)
    parser.add_argument("--spread", type=float, nargs="+", default=[0.0, 0.15])
    options = parser.parse_args()
    print("| wordings | spread | metric | level | intervals | coverage % | mean width |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for wordings in options.wordings:
        for spread in options.spread:
            total: dict[tuple[str, str], np.ndarray] = defaultdict(lambda: np.zeros(3))
            for repetition in range(options.repetitions):
                for key, numbers in repeat(wordings, options.images, spread, repetition).items():
                    total[key] += numbers
            for (metric, level), (count, held, width) in total.items():
                start = f"| {wordings} | {spread:g} | {metric} | {level} | {int(count):,} "
                print(f"{start}| {100 * held / count:.1f} | {width / count:.3f} |", flush=True)


if __name__ == "__main__":
    main()
