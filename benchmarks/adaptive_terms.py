"""What adaptive runs of several prompts, several groups and other attributes are worth at every look.

python -m benchmarks.adaptive_terms [--paths 10000] [--terms 4000]

Prints tables of docs/validity.md, as ``benchmarks/adaptive.py`` does: of shares of three groups and of an attribute
that says nothing about when to stop, and of terms of four prompts, among which images are shared, with missing images
too.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator

import numpy as np
from benchmarks.adaptive import HALF, MOST, PILOT, ROUNDS, following_images

from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array, clopper_pearson
from portrayal.stats.sequential.allocation import allocated, spread_of
from portrayal.stats.sequential.fixed_width import GROWTH, confidence_at_stops, times_as_many
from portrayal.stats.shares.cells import PromptShares, share_intervals, side_worths

THREE = ((1 / 3, 1 / 3, 1 / 3), (0.5, 0.3, 0.2), (0.7, 0.2, 0.1), (0.9, 0.08, 0.02))
OTHER = ((0.5, 0.6, 0.3), (0.1, 0.6, 0.3), (0.02, 0.4, 0.2), (0.1, 0.1, 0.2), (0.3, 0.05, 0.1))
"""The share of a group that says when to stop, and of what is read among those who show it and those who do not."""


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--paths", type=int, default=10_000)
    parser.add_argument("--terms", type=int, default=4_000)
    given = parser.parse_args()
    for table in (several(given.paths), terms(given.terms)):
        for line in table:
            print(line, flush=True)
        print()


def several(paths: int) -> Iterator[str]:
    """Yield coverage where the widest of three groups says when to stop, and of what was not asked about.

    There an attribute says when to stop whose group is twice or half as likely to come with the one that is read.
    """
    rng = np.random.default_rng(34)
    yield "| stopped by | read | images | coverage at the stop | lowest at any look |"
    yield "| --- | --- | --- | --- | --- |"
    for shares in THREE:
        images, held = _by_several(rng, shares, np.eye(3, dtype=np.int64), 3, paths)
        about = " / ".join(f"{share:.2f}" for share in shares)
        at_stop, at_any = (" / ".join(f"{part:.1%}" for part in ends) for ends in (held[-1], held.min(axis=0)))
        yield f"| three groups | {about} | {images:.0f} | {at_stop} | {at_any} |"
    marks = np.array([[1, 1], [1, 0], [0, 1], [0, 0]])
    for stops, with_it, without in OTHER:
        cells = (stops * with_it, stops * (1 - with_it), (1 - stops) * without, (1 - stops) * (1 - without))
        images, held = _by_several(rng, cells, marks, 1, paths)
        read = f"{with_it:g} with it, {without:g} without"
        yield f"| {stops:g} | {read} | {images:.0f} | {held[-1, 1]:.1%} | {held[:, 1].min():.1%} |"


def _by_several(
    rng: np.random.Generator, cells: tuple[float, ...], marks: Ints, watched: int, paths: int
) -> tuple[float, Array]:
    """Return images on average, and how often intervals (looks, numbers) hold; the first ``watched`` numbers stop.

    ``marks`` (cells, numbers) are what an image of each cell shows.
    """
    truth, images, held = np.array(cells) @ marks, np.full(paths, PILOT), []
    drawn = rng.multinomial(images, cells)
    for look in range(1, ROUNDS + 1):
        seen = drawn @ marks
        low, high = clopper_pearson(seen / images[:, None], images[:, None], confidence_at_stops(0.05))
        held.append(((low <= truth + 1e-12) & (truth - 1e-12 <= high)).mean(axis=0))
        if look < ROUNDS:
            following = np.max([following_images(images, seen[:, number]) for number in range(watched)], axis=0)
            drawn, images = drawn + rng.multinomial(following - images, cells), following
    return float(images.mean()), np.array(held)


def terms(paths: int) -> Iterator[str]:
    """Yield the same of terms of four prompts that differ, with images missing, and Neyman's allocation."""
    rng = np.random.default_rng(30)
    cases = {
        "all alike": ((0.2, 0.2, 0.2, 0.2), 0.0, (1, 1, 1, 1)),
        "two sure, two open": ((0.0, 1.0, 0.5, 0.4), 0.0, (1, 1, 1, 1)),
        "opposite": ((0.02, 0.98, 0.05, 0.9), 0.0, (1, 1, 1, 1)),
        "a third missing": ((0.1, 0.3, 0.5, 0.2), 0.33, (1, 1, 1, 1)),
        "one counts half": ((0.1, 0.3, 0.5, 0.2), 0.1, (3, 1, 1, 1)),
        "near 0": ((0.03, 0.0, 0.06, 0.02), 0.1, (1, 1, 1, 1)),
    }
    yield "| four prompts | images asked | coverage at the stop | lowest at any look | stopped wider than wanted |"
    yield "| --- | --- | --- | --- | --- |"
    for name, (shares, missing, weights) in cases.items():
        truth = float(np.average(shares, weights=weights))
        runs = [_term(rng, np.array(shares), missing, np.array(weights, dtype=float)) for _ in range(paths)]
        ends = np.array([run[1] for run in runs])
        held = ((ends[:, :, 0] <= truth) & (truth <= ends[:, :, 1])).mean(axis=0)
        wide = np.mean(ends[:, -1, 1] - ends[:, -1, 0] > 2 * HALF + 1e-9)
        images = np.mean([run[0] for run in runs])
        yield f"| {name} | {images:.0f} | {held[-1]:.1%} | {held.min():.1%} | {wide:.1%} |"


def _term(
    rng: np.random.Generator, shares: Array, missing: float, weights: Array
) -> tuple[int, list[tuple[float, float]]]:
    """Return the images asked for, and the interval at each look; where drawing stopped it stays."""
    confidence, most = confidence_at_stops(0.05), np.full(4, MOST)
    asked, usable, seen = np.zeros(4, dtype=np.int64), np.zeros(4), np.zeros(4)
    following, ends = np.full(4, PILOT), list[tuple[float, float]]()
    for look in range(1, ROUNDS + 1):
        more = rng.binomial(following - asked, 1 - missing)
        usable, seen, asked = usable + more, seen + rng.binomial(more, shares), following
        both = np.column_stack([seen, usable - seen]) / np.maximum(usable, 1)[:, None]
        cell = PromptShares.of(both, usable, weights)
        low, high = share_intervals(cell, confidence=confidence)
        ends.append((float(low[0]), float(high[0])))
        if (high[0] - low[0]) / 2 <= HALF or look == ROUNDS or (asked == most).all():
            break
        below, above = side_worths(cell, confidence)
        times = max(times_as_many(float(cell.share[0]), (below[0], above[0]), HALF, confidence), GROWTH)
        worth = weights * spread_of(np.column_stack([seen, usable - seen]), usable, cell.share)
        following = allocated(math.ceil(asked.sum() * times), asked, most, worth)
    return int(asked.sum()), ends + ends[-1:] * (ROUNDS - len(ends))


if __name__ == "__main__":
    main()
