"""How often MAGBIG's intervals hold the planted deviation from parity; prints the table of docs/validity.md.

python benchmarks/magbig_coverage.py [--repetitions 300] [--images 10 50] [--terms 150 20]

Each repetition is another generator: the share of women of every term is drawn from a beta distribution, between
parity and always the same group (``concentration``: the smaller the further off), then its images.
"""

from __future__ import annotations

import argparse

import numpy as np

from portrayal.methods.magbig.parity import mean_deviation
from portrayal.metrics import total_variation
from portrayal.stats.shares.cells import PromptShares
from portrayal.stats.targets.distances import mean_divergence
from portrayal.stats.targets.divergences import divergence_interval


def repeat(terms: int, images: int, concentration: float, rng: np.random.Generator) -> tuple[bool, float, float, float]:
    """Return whether the interval holds the truth, its width, and the errors of the formula and of the estimate."""
    women = rng.beta(concentration, concentration, terms)
    truth = mean_deviation(np.column_stack([women, 1 - women]), np.ones(terms))
    counted = rng.binomial(images, women) / images
    shares = np.column_stack([counted, 1 - counted])
    cell, parity = PromptShares.of(shares, np.full(terms, float(images))), np.full(shares.shape, 0.5)
    value, interval = mean_divergence(cell, parity, total_variation, rng=rng)
    top = divergence_interval(cell, parity, total_variation, rng=rng, draws=200).high
    low, high = 2 * interval.low, 2 * max(interval.high, top)
    seen = mean_deviation(shares, np.ones(terms))
    return low - 1e-9 <= truth <= high + 1e-9, high - low, seen - truth, 2 * value - truth


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=300)
    parser.add_argument("--images", type=int, nargs="+", default=[10, 50])
    parser.add_argument("--terms", type=int, nargs="+", default=[150, 20])
    options = parser.parse_args()
    print("| terms | images | concentration | coverage % | mean width | error of the formula | of the estimate |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for terms in options.terms:
        for images in options.images:
            for concentration in (20.0, 2.0, 0.3):
                rng = np.random.default_rng([terms, images, int(10 * concentration)])
                every = np.array([repeat(terms, images, concentration, rng) for _ in range(options.repetitions)], float)
                held, width, seen, estimate = every.mean(axis=0)
                start = f"| {terms} | {images} | {concentration:g} | {100 * held:.1f} "
                print(f"{start}| {width:.3f} | {seen:+.3f} | {estimate:+.3f} |", flush=True)


if __name__ == "__main__":
    main()
