"""Do the intervals of differences, ratios and means hold the truth? A simulation with known truth.

Run: python benchmarks/differences.py [--repetitions 1000]

Differences: every prompt has a target of its own (Dirichlet); the generator goes half-way from it to a habit (0.9 for
the first group) and its prompts scatter about that (Dirichlet). Means: prompts differ by a normal distribution, images
within a prompt by another. Prompts are new in every repetition, so the truth is that of all prompts there could be;
with one prompt it is that prompt's own. Coverage in per cent and mean width.
"""

from __future__ import annotations

import argparse
from itertools import product

import numpy as np

from portrayal.stats.cells import PromptShares
from portrayal.stats.differences import difference_intervals, ratio_intervals
from portrayal.stats.means import mean_interval

DRAWS = 300
PROMPTS = (1, 4, 12, 50)
IMAGES = (16, 50)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=1000)
    repetitions = parser.parse_args().repetitions
    print("| groups | scatter | prompts | images each | difference: coverage %, mean width | ratio: the same |")
    print("| --- | --- | --- | --- | --- | --- |")
    for groups, (name, scatter), prompts, images in product((2, 3), SCATTER.items(), PROMPTS, IMAGES):
        rng = np.random.default_rng([groups, int(scatter), prompts, images])
        runs = np.array([difference(rng, groups, scatter, prompts, images) for _ in range(repetitions)])
        show(f"{groups} | {name}", prompts, images, runs)
    print("\n| mean, prompts differ by | prompts | images each | coverage % (mean width) |")
    print("| --- | --- | --- | --- |")
    for spread, prompts, images in product((0.0, 5.0, 10.0), PROMPTS, IMAGES):
        rng = np.random.default_rng([7, int(spread), prompts, images])
        runs = np.array([mean(rng, spread, prompts, images) for _ in range(repetitions)])
        show(f"{spread:.0f} years", prompts, images, runs)


SCATTER = {"little": 60.0, "much": 5.0}


def show(label: str, prompts: int, images: int, runs: np.ndarray) -> None:
    """Print one row: for each kind of interval how many runs hold the truth in per cent, and the mean width."""
    pairs = runs.mean(axis=0).reshape(-1, 2)
    scores = " | ".join(f"{100 * covered:.1f} ({width:.3f})" for covered, width in pairs)
    print(f"| {label} | {prompts} | {images} | {scores} |", flush=True)


def difference(rng: np.random.Generator, groups: int, scatter: float, prompts: int, images: int) -> list[float]:
    """Return, averaged over groups, whether true difference and ratio are held and how wide the intervals are."""
    habit = np.full(groups, 0.1 / (groups - 1))
    habit[0] = 0.9
    targets = rng.dirichlet(np.full(groups, 5.0), size=prompts)
    leaning = (targets + habit) / 2
    truths = np.array([rng.dirichlet(scatter * row) for row in leaning])
    shares = np.array([rng.multinomial(images, row / row.sum()) / images for row in truths])
    truth = (truths - targets)[0] if prompts == 1 else (habit - 1 / groups) / 2
    own = targets[0] if prompts == 1 else np.full(groups, 1 / groups)
    cell, scores = PromptShares.of(shares, np.full(prompts, images)), []
    for intervals, true in ((difference_intervals, truth), (ratio_intervals, 1 + truth / own)):
        low, high = intervals(cell, targets, rng=rng, draws=DRAWS)
        scores += [float(((low <= true) & (true <= high)).mean()), float((high - low).mean())]
    return scores


def mean(rng: np.random.Generator, spread: float, prompts: int, images: int) -> tuple[float, float]:
    """Return whether the true mean age is held and how wide the interval is; images of a prompt differ by 10 years."""
    centres = rng.normal(35.0, spread, size=prompts)
    ages = rng.normal(centres[:, None], 10.0, size=(prompts, images))
    cell = PromptShares.of(ages.mean(axis=1, keepdims=True), np.full(prompts, images))
    interval = mean_interval(cell, ages.var(axis=1, ddof=1))
    truth = centres[0] if prompts == 1 else 35.0
    return float(truth in interval), interval.width


if __name__ == "__main__":
    main()
