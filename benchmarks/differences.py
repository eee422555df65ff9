"""How often the intervals of differences between two models hold, and how often equal models are called different.

python benchmarks/differences.py [--repetitions 1000] [--pages 400]

Two models answer the same prompts. The shares of prompts are planted: all alike, or spread by an intraclass correlation
of 0.5 about the model's share. The truth is the difference of the planted means: these prompts are what is asked about.
Prints the tables of docs/validity.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np

from portrayal.stats.cells import PromptShares, worth
from portrayal.stats.intervals import Array
from portrayal.stats.multiple import benjamini_hochberg
from portrayal.stats.two_shares import difference_bounds, difference_p

PAIRS = (
    (0.02, 0.02),
    (0.02, 0.2),
    (0.1, 0.1),
    (0.1, 0.5),
    (0.3, 0.3),
    (0.5, 0.5),
    (0.5, 0.9),
    (0.02, 0.98),
    (0.98, 0.98),
)
SIZES = ((1, 10), (5, 2), (1, 50), (5, 10), (1, 200), (5, 40), (20, 10))
"""Prompts, and images of each."""


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=1000)
    parser.add_argument("--pages", type=int, default=400)
    options = parser.parse_args()
    print(*coverage(options.repetitions), sep="\n")
    print(*null_pages(options.pages), sep="\n")


def coverage(repetitions: int) -> Iterator[str]:
    """Yield the table of coverage in per cent, with the mean width."""
    rng = np.random.default_rng(11)
    yield "| prompts | images each | prompts differ | " + " | ".join(f"{x} / {y}" for x, y in PAIRS) + " |"
    yield "|" + " --- |" * (3 + len(PAIRS))
    for prompts, images in SIZES:
        for correlation in (0.0, 0.5):
            if prompts == 1 and correlation:
                continue
            cells = [_cell(prompts, images, correlation, pair, repetitions, rng) for pair in PAIRS]
            yield f"| {prompts} | {images} | {'yes' if correlation else 'no'} | " + " | ".join(cells) + " |"


def _cell(
    prompts: int, images: int, correlation: float, pair: tuple[float, float], repetitions: int, rng: np.random.Generator
) -> str:
    sides = [_side(prompts, images, correlation, share, repetitions, rng) for share in pair]
    (x, n_x, true_x), (y, n_y, true_y) = sides
    low, high = difference_bounds(x, n_x, y, n_y)
    truth = true_x - true_y
    held = float(((low <= truth + 1e-9) & (truth - 1e-9 <= high)).mean())
    text = f"{100 * held:.1f}"
    return f"{f'**{text}**' if held < 0.93 else text} ({float((high - low).mean()):.2f})"


def _side(
    prompts: int, images: int, correlation: float, share: float, repetitions: int, rng: np.random.Generator
) -> tuple[Array, Array, Array]:
    """Return of each repetition the share seen, what it is worth, and the share planted."""
    planted = np.full((repetitions, prompts), share)
    if correlation:
        mass = (1 - correlation) / correlation
        planted = rng.beta(share * mass, (1 - share) * mass, (repetitions, prompts))
    seen = rng.binomial(images, planted) / images
    cells = [PromptShares.of(row[:, None], np.full(prompts, images)) for row in seen]
    return (
        np.array([cell.share[0] for cell in cells]),
        np.array([worth(cell)[0] for cell in cells]),
        planted.mean(axis=1),
    )


def null_pages(pages: int) -> Iterator[str]:
    """Yield how many pages of 200 terms call two equal models different in any of them."""
    rng = np.random.default_rng(12)
    kinds = {"even": None, "all 0.5": (0.5,), "0.02, 0.05 or 0.98": (0.02, 0.05, 0.98)}
    yield "| images of a term | shares | pages with a difference % |\n| --- | --- | --- |"
    for images in (10, 50, 200):
        for name, values in kinds.items():
            wrong = 0
            for _ in range(pages):
                share = rng.uniform(0, 1, 200) if values is None else rng.choice(values, 200)
                x, y = rng.binomial(images, share, (2, 200)) / images
                wrong += bool((benjamini_hochberg(difference_p(x, images, y, images)) <= 0.05).any())
            yield f"| {images} | {name} | {100 * wrong / pages:.1f} |"


if __name__ == "__main__":
    main()
