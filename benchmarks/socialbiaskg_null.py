"""How often SocialBiasKG's first screen tells a relation that is not there; the table of docs/validity.md.

python benchmarks/socialbiaskg_null.py [--repetitions 2000]

Of 100 occupations with eleven groups, two groups each have a true share of 0.4, the threshold, so that neither
dominates, and the others share the rest. Pages on which any of them is told: corrected for all shares and diversities
that were looked at, as reports do, and for those above the threshold only, as counting after looking would. Then how
often a group with a true share of 0.9 at every tenth occupation is told: of ten such occupations.
"""

from __future__ import annotations

import argparse
from functools import cache

import numpy as np

from portrayal.methods.socialbiaskg.scores import diversity, ratio
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array
from portrayal.stats.multiple import benjamini_hochberg
from portrayal.stats.target import number_p, share_p

OCCUPATIONS, GROUPS, DOMINANCE, DIVERSITY, LEVEL = 100, 11, 0.4, 0.2, 0.05
SHARES = np.array([0.4, 0.4, *[0.2 / 9] * 9])
DOMINATED = np.array([0.9, *[0.1 / 10] * 10])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=2000)
    repetitions = parser.parse_args().repetitions
    print("| images | pages with a false relation, % | corrected for those found only, % | of ten dominated, told |")
    print("| --- | --- | --- | --- |")
    for images in (3, 10, 12, 30, 100):
        rng = np.random.default_rng(images)
        runs = [page(np.tile(SHARES, (OCCUPATIONS, 1)), images, rng) for _ in range(repetitions)]
        every, few = (100 * np.mean([own[place] > 0 for own in runs]) for place in (0, 1))
        mixed = np.tile(SHARES, (OCCUPATIONS, 1))
        mixed[::10] = DOMINATED
        power = np.mean([page(mixed, images, rng, rows=slice(0, None, 10))[0] for _ in range(repetitions // 10)])
        print(f"| {images} | {every:.2f} | {few:.2f} | {power:.1f} |", flush=True)


def page(shares: Array, images: int, rng: np.random.Generator, rows: slice = slice(None)) -> tuple[int, int]:
    """Return how many relations of these occupations are told: after all comparisons, or only those that found one."""
    counts = rng.multinomial(images, shares)
    dominance = np.array([[_dominance(int(seen), images) for seen in own] for own in counts])
    diverse = np.array([_diversity(own, rng) for own in counts])
    tests = np.column_stack([dominance, diverse])
    found = np.column_stack([counts / images > DOMINANCE, (counts > 0).sum(axis=1) / GROUPS < DIVERSITY])
    every = (benjamini_hochberg(tests.ravel()) <= LEVEL).reshape(tests.shape)
    few = (benjamini_hochberg(tests[found]) <= LEVEL).sum() if found.any() else 0
    return int(every[rows].sum()), int(few)


@cache
def _dominance(seen: int, images: int) -> float:
    own = ratio(seen, images)
    if own.value is None or own.low is None or own.high is None or own.value <= DOMINANCE:
        return 1.0
    return share_p(own.value, own.low, own.high, DOMINANCE, images)


def _diversity(counts: Ints, rng: np.random.Generator) -> float:
    # With few images it could not have been otherwise, and is not told.
    if min(counts.sum(), GROUPS) / GROUPS < DIVERSITY or (counts > 0).sum() / GROUPS >= DIVERSITY:
        return 1.0
    own = diversity(counts, rng)
    if own.value is None or own.low is None or own.high is None:
        return 1.0
    return number_p(own.value, own.low, own.high, DIVERSITY, own.n)


if __name__ == "__main__":
    main()
