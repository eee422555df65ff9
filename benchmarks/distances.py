"""Does the interval of a typical prompt's distance hold the truth? A simulation with known truth.

Run: python benchmarks/distances.py [--repetitions 500]

Every prompt has a target of its own (Dirichlet); the generator's shares scatter about it, not at all, a little or
much. Coverage in per cent, mean error of the estimate, mean width of the interval.
"""

from __future__ import annotations

import argparse
from itertools import product

import numpy as np

from portrayal.metrics import total_variation
from portrayal.stats.cells import PromptShares
from portrayal.stats.distances import mean_divergence

SCATTER = {"none": None, "little": 60.0, "some": 20.0, "much": 3.0}
DRAWS = 300


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=500)
    repetitions = parser.parse_args().repetitions
    print("| scatter | groups | prompts | images each | coverage % | mean error | mean width | mean truth |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for scatter, groups, (prompts, images) in product(SCATTER, (2, 3, 10), ((4, 16), (12, 16), (12, 50), (50, 16))):
        rng = np.random.default_rng([groups, prompts, images, list(SCATTER).index(scatter)])
        runs = np.array([simulate(rng, SCATTER[scatter], groups, prompts, images) for _ in range(repetitions)])
        covered, error, width, truth = runs.mean(axis=0)
        numbers = f"{100 * covered:.1f} | {error:+.3f} | {width:.3f} | {truth:.3f}"
        print(f"| {scatter} | {groups} | {prompts} | {images} | {numbers} |", flush=True)


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
