"""Do the intervals for prompts like these hold the truth? Prints the Markdown table of docs/validity.md.

Run: python benchmarks/prompts.py [--repetitions 1000]

Every prompt has a true share of its own, drawn from a beta distribution; the truth is the mean of all prompts there
could be. An intraclass correlation of 0 means that all prompts have the same share. Coverage in per cent, in bold below
93 %, and the mean width. All repetitions of a cell are computed at once, as so many groups.
"""

from __future__ import annotations

import argparse
from itertools import product

import numpy as np

from portrayal.stats.shares.cells import PromptShares
from portrayal.stats.shares.prompt_sample import sample_intervals

SHARES, CORRELATIONS = (0.5, 0.7, 0.9, 0.97), (0.0, 0.1, 0.3, 0.5)
PROMPTS, IMAGES = (2, 3, 5, 10, 20, 40), (5, 8, 20, 100)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=1000)
    repetitions = parser.parse_args().repetitions
    columns = list(product(SHARES, CORRELATIONS))
    print("| prompts | images each | " + " | ".join(f"{share}, {icc}" for share, icc in columns) + " |")
    print("| --- " * (2 + len(columns)) + "|")
    for prompts, images in product(PROMPTS, IMAGES):
        cells = [text(*score(share, icc, prompts, images, repetitions)) for share, icc in columns]
        print(f"| {prompts} | {images} | " + " | ".join(cells) + " |", flush=True)


def score(share: float, icc: float, prompts: int, images: int, repetitions: int) -> tuple[float, float]:
    """Return how often the interval of a share held the truth, and its mean width."""
    rng = np.random.default_rng([round(1000 * share), round(1000 * icc), prompts, images])
    truths = np.full((prompts, repetitions), share)
    if icc:
        both = (1 - icc) / icc
        truths = rng.beta(share * both, (1 - share) * both, size=(prompts, repetitions))
    seen = rng.binomial(images, truths) / images
    low, high = sample_intervals(PromptShares.of(seen, np.full(prompts, images)))
    return float(((low <= share) & (share <= high)).mean()), float((high - low).mean())


def text(covered: float, width: float) -> str:
    """Return a cell of the table."""
    percent = f"{100 * covered:.1f}"
    return f"{f'**{percent}**' if covered < 0.93 else percent} ({width:.2f})"


if __name__ == "__main__":
    main()
