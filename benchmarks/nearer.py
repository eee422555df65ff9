"""How often a page says rightly which of two models is nearer to the reference, and how often wrongly.

python benchmarks/nearer.py [--repetitions 1000]

Two models draw one term. The sentence is that of the page, which says it of differences that are sure. Prints the table
of docs/validity.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial

import numpy as np

from portrayal.records import Measurement
from portrayal.reports.comparisons.difference import Difference
from portrayal.reports.comparisons.words.nearer import nearer
from portrayal.stats.shares.cells import PromptShares, share_intervals

TRUTHS = (
    (0.1, 0.9, 0.5), (0.3, 0.7, 0.5), (0.02, 0.38, 0.2), (0.1, 0.8, 0.5), (0.2, 0.7, 0.5), (0.05, 0.25, 0.5),
)  # fmt: skip
"""The true share of both, and the reference."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=1000)
    print(*nearer_said(parser.parse_args().repetitions), sep="\n")


def nearer_said(repetitions: int) -> Iterator[str]:
    """Yield how often it is said which side is nearer to the reference, or that both are equally far."""
    rng = np.random.default_rng(16)
    yield "| images | true shares, reference | nearer, rightly % | wrongly % | equally far % | nothing of it % |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for images in (50, 200, 1000):
        for one, other, target in TRUTHS:
            said = [_nearer(images, one, other, target, rng) for _ in range(repetitions)]
            rates = " | ".join(
                f"{100 * said.count(kind) / repetitions:.1f}" for kind in ("right", "wrong", "equal", "")
            )
            yield f"| {images} | {one} / {other}, {target} | {rates} |"


def _nearer(images: int, one: float, other: float, target: float, rng: np.random.Generator) -> str:
    rows = []
    for name, truth in (("A", one), ("B", other)):
        cell = PromptShares.of([[rng.binomial(images, truth) / images]], [images])
        (low, high), share = share_intervals(cell), float(cell.share[0])
        of = partial(Measurement, "m", "share", name, "eye", "gender", "female", level="term", item="CEO", n=images)
        rows.append(of(value=share, low=float(low[0]), high=float(high[0]), worth=float(images), target=target))
    words = nearer(Difference(rows[0], rows[1], value=0.0, low=0.0, high=0.0, p=0.0), {}, 0.1)
    if "is nearer to" not in words:
        return "equal" if "equally far" in words else ""
    gap = abs(one - target) - abs(other - target)
    return "right" if ("A is nearer" in words) == (gap < -1e-9) and abs(gap) > 1e-9 else "wrong"


if __name__ == "__main__":
    main()
