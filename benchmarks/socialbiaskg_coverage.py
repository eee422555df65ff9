"""How often SocialBiasKG's intervals of diversity and similarity hold the truth; the tables of docs/validity.md.

python benchmarks/socialbiaskg_coverage.py [--repetitions 1000]

Diversity: how many of eleven groups forty images show on average (or as many as there are, where there are fewer).
*Decided* is how often the interval leaves the threshold of 0.2 out. Similarity: pairs of images of the same style are
alike by 0.8, others by 0.2; four prompts, or one. *By a jackknife*: leaving out one image at a time with Student's
distribution, as before. Counterfactuals: images of four wordings, each compared with ten others that share its style.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np

from portrayal.methods.socialbiaskg.scores import Estimate, Pairs, counterfactual, diversity, iterative
from portrayal.stats.intervals import t_value

PUBLISHED, THRESHOLD = 40, 0.2
SHARES = {
    "one group": [1.0, *[0.0] * 10],
    "two, equally often": [0.5, 0.5, *[0.0] * 9],
    "two, one of them 2 %": [0.98, 0.02, *[0.0] * 9],
    "five, equally often": [0.2] * 5 + [0.0] * 6,
    "one, and ten of 0.3 %": [0.97, *[0.003] * 10],
    "one, and ten of 1 %": [0.9, *[0.01] * 10],
    "all, equally often": [1 / 11] * 11,
}


def held(found: Estimate, truth: float) -> bool:
    """Return whether an interval holds the truth."""
    return found.low is not None and found.high is not None and found.low - 1e-9 <= truth <= found.high + 1e-9


def jackknife(prompts: list[Pairs], truth: float) -> bool:
    """Return whether the interval from leaving out one image at a time holds the truth."""
    means, variance, freedom = [], 0.0, 0
    for one, other, values in prompts:
        size = int(other.max()) + 1
        left = [values[(one != image) & (other != image)].mean() for image in range(size)]
        means.append(values.mean())
        variance += (size - 1) / size * float(((np.array(left) - np.mean(left)) ** 2).sum())
        freedom += size - 1
    return bool(abs(np.mean(means) - truth) <= t_value(0.95, freedom) * np.sqrt(variance) / len(means))


def diversities(repetitions: int) -> Iterator[str]:
    """Yield the rows about diversity."""
    for title, shares in SHARES.items():
        known = np.array(shares)
        for images in (12, 40, 120, 400, 4000):
            truth = float((1 - (1 - known) ** min(images, PUBLISHED)).sum()) / 11
            draws = np.random.default_rng(images).multinomial(images, known, size=repetitions)
            made = [diversity(counts, PUBLISHED) for counts in draws]
            covered = 100 * np.mean([held(own, truth) for own in made])
            sure = 100 * np.mean([not held(own, THRESHOLD) for own in made])
            yield f"| {title} | {images} | {truth:.3f} | {covered:.1f} | {sure:.0f} |"


def similarities(repetitions: int) -> Iterator[str]:
    """Yield the rows about images of the same prompt."""
    for common in (0.5, 0.7, 0.9, 0.97):
        truth = 0.2 + 0.6 * (common**2 + (1 - common) ** 2)
        for prompts, images in ((1, 10), (4, 3), (4, 5), (4, 10), (4, 30)):
            rng = np.random.default_rng(images)
            one, other = np.triu_indices(images, 1)
            covered = [0, 0]
            for _ in range(repetitions):
                styles = [rng.random(images) < common for _ in range(prompts)]
                pairs: list[Pairs] = [
                    (one, other, np.where(own[one] == own[other], 0.8, 0.2) + rng.normal(0, 0.03, len(one)))
                    for own in styles
                ]
                covered[0] += held(iterative(pairs), truth)
                covered[1] += jackknife(pairs, truth)
            ours, before = (100 * own / repetitions for own in covered)
            yield f"| {common:g} | {prompts} | {images} | {truth:.3f} | {ours:.1f} | {before:.1f} |"


def counterfactuals(repetitions: int) -> Iterator[str]:
    """Yield the rows about images that differ only in the group asked for."""
    for common in (0.5, 0.9):
        for images in (3, 10, 30):
            rng, places = np.random.default_rng(images), np.arange(images)
            truth, covered = 0.2 + 0.4 * common, 0
            for _ in range(repetitions):
                styles = [np.where(rng.random(images) < common, 0.6, 0.2) for _ in range(4)]
                prompts = [[(places, places, own + rng.normal(0, 0.02, images)) for _ in range(10)] for own in styles]
                covered += held(counterfactual(prompts), truth)
            yield f"| {common:g} | {images} | {truth:.3f} | {100 * covered / repetitions:.1f} |"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=1000)
    repetitions = parser.parse_args().repetitions
    print("| groups | images of the occupation | true diversity | coverage % | decided % |")
    print("| --- " * 5 + "|")
    for row in diversities(repetitions):
        print(row, flush=True)
    print("\n| share of a style | prompts | images of each | true similarity | coverage % | by a jackknife % |")
    print("| --- " * 6 + "|")
    for row in similarities(repetitions):
        print(row, flush=True)
    print("\n| share of a style | images of each prompt | true similarity | coverage % |")
    print("| --- " * 4 + "|")
    for row in counterfactuals(repetitions):
        print(row, flush=True)


if __name__ == "__main__":
    main()
