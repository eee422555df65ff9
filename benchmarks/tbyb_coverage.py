"""How often the intervals of Try Before You Bias hold the truth: captions with a planted peak, drawn many times.

Three images a prompt, each with none to two of 3,000 words that are the rarer the further down the list; one word, the
peak, comes more often. Prompts differ: each has a share of images that leave its object out, and one of misses.
Truths are means over 1,000 studies. Prints a table of coverage in per cent, and of mean widths.
"""

from __future__ import annotations

import math
import sys

import numpy as np

from portrayal.metrics import ObjectCounts, distribution_bias, object_scores
from portrayal.metrics.objects import hallucination_shares

WORDS, IMAGES, TRUTHS = 3_000, 3, 1_000
NAMES = ("B_D", "H_J", "M_G", "B_log")


def study(rng: np.random.Generator, prompts: int, peak: float) -> ObjectCounts:
    """Return one study's counts."""
    tail = 1 / np.arange(2, WORDS + 1)
    shares = np.r_[peak, (1 - peak) * tail / tail.sum()]
    added = rng.integers(0, 3, size=(prompts, IMAGES))
    omitted = rng.random((prompts, IMAGES)) < rng.beta(1, 9, size=(prompts, 1))
    parts = [part.sum(axis=1) for part in hallucination_shares(~omitted, added, omitted)]
    words = rng.multinomial(added.sum(axis=1), shares).astype(float)
    words = words[:, words.any(axis=0)]
    images = np.full(prompts, float(IMAGES))
    missed = rng.binomial(IMAGES, rng.beta(1, 19, size=prompts)).astype(float)
    return ObjectCounts(images, np.column_stack(parts), words, images, missed)


def values(one: ObjectCounts) -> tuple[float, float, float]:
    """Return B_D, H_J and M_G without intervals."""
    images = one.images.sum()
    bias = float(distribution_bias(one.words.sum(axis=0)))
    return bias, one.hallucinated[:, 0].sum() / images, one.missed.sum() / images


def main(repetitions: int) -> None:
    """Print the table."""
    rng = np.random.default_rng(14)
    for prompts in (20, 100):
        for peak in (0.02, 0.1, 0.3):
            drawn = np.array([values(study(rng, prompts, peak)) for _ in range(TRUTHS)])
            truths = [
                *drawn.mean(axis=0),
                float(-np.log(np.column_stack([drawn[:, 0], 1 - drawn[:, 1:]])).sum(axis=1).mean()),
            ]
            held, widths = np.zeros(4), np.zeros(4)
            for _ in range(repetitions):
                found = object_scores(study(rng, prompts, peak), draws=500, rng=rng)
                scores = (found.distribution, found.hallucination, found.misses, found.log)
                held += [float(own.low <= truth <= own.high) for own, truth in zip(scores, truths, strict=True)]
                widths += [0.0 if math.isnan(own.low) else own.high - own.low for own in scores]
            cells = " | ".join(f"{100 * own / repetitions:.1f}" for own in held)
            wide = " / ".join(f"{own / repetitions:.2f}" for own in widths)
            print(f"| {prompts} | {peak:g} | {truths[0]:.2f} | {cells} | {wide} |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
