"""Does the interval of a typical prompt's distance hold the truth? A simulation with known truth.

Run: python benchmarks/distances.py [--repetitions 500]

First every prompt has a target of its own (Dirichlet); the generator's shares scatter about it, not at all, a little or
much; the truth is that of just these prompts. Coverage in per cent, mean error of the estimate, mean width of the
interval. Then all have the same target, one half, and their shares a beta distribution with the correlation named; the
truth is that of all prompts there could be. Coverage and mean width.
"""

from __future__ import annotations

import argparse
from itertools import product

import numpy as np
from scipy.special import betaincinv

from portrayal.metrics import total_variation
from portrayal.stats.cells import PromptShares
from portrayal.stats.distances import mean_divergence

SCATTER = {"none": None, "little": 60.0, "some": 20.0, "much": 3.0}
DRAWS = 300
SHARES, CORRELATIONS = (0.5, 0.9, 0.97), (0.0, 0.1, 0.3, 0.5)
STUDIES = ((3, 8), (3, 20), (5, 8), (5, 20), (10, 20), (40, 20))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=500)
    repetitions = parser.parse_args().repetitions
    own_targets(repetitions)
    print()
    one_target(repetitions)


def own_targets(repetitions: int) -> None:
    """Print the table of prompts with targets of their own."""
    print("| scatter | groups | prompts | images each | coverage % | mean error | mean width | mean truth |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for scatter, groups, (prompts, images) in product(SCATTER, (2, 3, 10), ((4, 16), (12, 16), (12, 50), (50, 16))):
        rng = np.random.default_rng([groups, prompts, images, list(SCATTER).index(scatter)])
        runs = np.array([simulate(rng, SCATTER[scatter], groups, prompts, images) for _ in range(repetitions)])
        covered, error, width, truth = runs.mean(axis=0)
        numbers = f"{100 * covered:.1f} | {error:+.3f} | {width:.3f} | {truth:.3f}"
        print(f"| {scatter} | {groups} | {prompts} | {images} | {numbers} |", flush=True)


def one_target(repetitions: int) -> None:
    """Print the table of prompts that differ about one share."""
    columns = list(product(SHARES, CORRELATIONS))
    print("| prompts | images each | " + " | ".join(f"{share}, {correlation}" for share, correlation in columns) + " |")
    print("| --- | --- |" + " --- |" * len(columns))
    for prompts, images in STUDIES:
        cells = [about_one(share, correlation, prompts, images, repetitions) for share, correlation in columns]
        print(f"| {prompts} | {images} | " + " | ".join(cells) + " |", flush=True)


def about_one(share: float, correlation: float, prompts: int, images: int, repetitions: int) -> str:
    """Return coverage and mean width for one kind of study."""
    rng = np.random.default_rng([prompts, images, round(100 * share), round(10 * correlation)])
    chances = (np.arange(20_000) + 0.5) / 20_000
    spread = (1 - correlation) / correlation if correlation else 0.0
    even = betaincinv(share * spread, (1 - share) * spread, chances) if spread else np.full(1, share)
    truth = float(np.abs(even - 0.5).mean())
    scores = []
    for _ in range(repetitions):
        drawn = rng.binomial(images, rng.choice(even, prompts)) / images
        cell = PromptShares.of(np.column_stack([drawn, 1 - drawn]), np.full(prompts, images))
        _, interval = mean_divergence(cell, [0.5, 0.5], total_variation, rng=rng, draws=DRAWS)
        scores.append((interval.low - 1e-9 <= truth <= interval.high + 1e-9, interval.width))
    covered, width = np.mean(scores, axis=0)
    told = f"{100 * covered:.1f}"
    return f"{told if covered >= 0.93 else f'**{told}**'} ({width:.2f})"


def simulate(
    rng: np.random.Generator, scatter: float | None, groups: int, prompts: int, images: int
) -> tuple[float, float, float, float]:
    """Return for one study: whether the truth is covered, the error, the width, the truth."""
    targets = rng.dirichlet(np.full(groups, 5.0), size=prompts)
    truths = targets if scatter is None else np.array([rng.dirichlet(scatter * row + 0.01) for row in targets])
    truth = float(total_variation(truths, targets).mean())
    shares = np.array([rng.multinomial(images, row / row.sum()) / images for row in truths])
    cell = PromptShares.of(shares, np.full(prompts, images))
    value, interval = mean_divergence(cell, targets, total_variation, rng=rng, draws=DRAWS)
    return float(truth in interval), value - truth, interval.width, truth


if __name__ == "__main__":
    main()
