"""How often the intervals of differences between two models hold, and how often equal models are called different.

python benchmarks/differences.py [--repetitions 1000] [--pages 400] [--only unpaired|paired]

Two models answer the same prompts. The shares of prompts are planted: all alike, or spread by an intraclass correlation
of 0.5 about the model's share. The truth is the difference of the planted means: these prompts are what is asked about.
Cells give the coverage of all intervals, and of those that pages print without the sign of too wide ones.
In pairs, both pictures of a seed hang on the same chance with a probability of 0, 0.5 or 0.9 (*alike*). Prints the
tables of docs/validity.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from portrayal.records import Measurement
from portrayal.reports.comparisons.difference import Difference
from portrayal.reports.comparisons.pairing import PairedShare
from portrayal.reports.comparisons.words.wide_differences import wide_sign
from portrayal.stats.intervals import Array
from portrayal.stats.multiple import benjamini_hochberg
from portrayal.stats.shares.cells import PromptShares, worth
from portrayal.stats.two_sides.paired import Pairs
from portrayal.stats.two_sides.two_paired_shares import paired_bounds, paired_p
from portrayal.stats.two_sides.two_shares import difference_bounds, difference_p

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
    parser.add_argument("--only", choices=["unpaired", "paired"])
    options = parser.parse_args()
    if options.only != "paired":
        print(*coverage(options.repetitions), sep="\n")
        print(*null_pages(options.pages), sep="\n")
    if options.only != "unpaired":
        print(*paired_coverage(options.repetitions), sep="\n")
        print(*paired_null_pages(options.pages), sep="\n")
        print(*equivalence(options.repetitions), sep="\n")


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
    held = (low <= truth + 1e-9) & (truth - 1e-9 <= high)
    signed = np.array([_is_wide(*row, prompts) for row in zip(x, n_x, y, n_y, strict=True)])
    return f"{_coverages(held, signed)} ({float((high - low).mean()):.2f})"


def _is_wide(*row: Any) -> bool:
    """Return whether a page gives such a difference the sign of a too wide interval."""
    share, worth_of, other, other_worth, prompts, *pairs = row
    of = partial(Measurement, "m", "share", annotator="eye", attribute="gender", group="female", prompts=prompts)
    one, two = (of(name, value=value, n=round(n), worth=n)
                for name, value, n in (("A", share, worth_of), ("B", other, other_worth)))  # fmt: skip
    return bool(
        wide_sign(Difference(one, two, share - other, low=0.0, high=0.0, p=1.0, pairs=pairs[0] if pairs else None))
    )


def _coverages(held: NDArray[np.bool_], signed: NDArray[np.bool_]) -> str:
    """Return the coverage of all, and that of those without the sign, where these are a quarter or more."""
    plain = held[~signed]
    part = f"{100 * plain.mean():.1f}" if len(plain) >= len(held) / 4 else "–"
    beyond = len(plain) >= len(held) / 4 and not 0.93 <= plain.mean() <= 0.97
    everything = f"{100 * held.mean():.1f}"
    low = held.mean() < 0.93
    return f"{f'**{everything}**' if low else everything}, {f'**{part}**' if beyond else part}"


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


def paired_coverage(repetitions: int) -> Iterator[str]:
    """Yield coverage in per cent and, where shares differ, how often pairs and independent pictures find it."""
    rng = np.random.default_rng(13)
    yield "| prompts | images each | prompts differ | alike | " + " | ".join(f"{x} / {y}" for x, y in PAIRS) + " |"
    yield "|" + " --- |" * (4 + len(PAIRS))
    for prompts, images in SIZES:
        for correlation in (0.0, 0.5):
            if prompts == 1 and correlation:
                continue
            for alike in (0.0, 0.5, 0.9):
                planted = (_planted(prompts, correlation, pair, repetitions, rng) for pair in PAIRS)
                cells = [_paired_cell(images, alike, shares, rng) for shares in planted]
                differ = "yes" if correlation else "no"
                yield f"| {prompts} | {images} | {differ} | {alike} | " + " | ".join(cells) + " |"


def _planted(
    prompts: int, correlation: float, pair: tuple[float, float], repetitions: int, rng: np.random.Generator
) -> list[Array]:
    if not correlation:
        return [np.full((repetitions, prompts), share) for share in pair]
    mass = (1 - correlation) / correlation
    return [rng.beta(share * mass, (1 - share) * mass, (repetitions, prompts)) for share in pair]


def _drawn(images: int, alike: float, planted: Sequence[Array], rng: np.random.Generator) -> tuple[Array, Array]:
    """Return what pictures of both models show: repetitions, prompts, images."""
    chance = rng.random((*planted[0].shape, images))
    other = np.where(rng.random(chance.shape) < alike, chance, rng.random(chance.shape))
    return (chance < planted[0][..., None]).astype(float), (other < planted[1][..., None]).astype(float)


def _moments(x: Array, y: Array) -> tuple[Array, Array, Array]:
    """Return of each repetition the mean difference, the part of pairs that disagree, and what pairs are worth."""
    gap = x - y
    found = []
    for row in gap:
        counts = np.full(len(row), row.shape[1])
        pairs = Pairs.of(counts, row.sum(axis=1)[:, None], (row**2).sum(axis=1)[:, None])
        mean, square = pairs.moments()
        found.append((mean[0], square[0], pairs.worth()[0]))
    mean, square, worths = np.array(found).T
    return mean, square, worths


def _paired_cell(images: int, alike: float, planted: Sequence[Array], rng: np.random.Generator) -> str:
    x, y = _drawn(images, alike, planted, rng)
    seen = _moments(x, y)
    low, high = paired_bounds(*seen)
    truth = planted[0].mean(axis=1) - planted[1].mean(axis=1)
    held = (low <= truth + 1e-9) & (truth - 1e-9 <= high)
    sides = []
    for side in (x, y):
        cells = [PromptShares.of(row.mean(axis=1)[:, None], np.full(len(row), images)) for row in side]
        sides += [np.array([cell.share[0] for cell in cells]), np.array([worth(cell)[0] for cell in cells])]
    powers = [float((p <= 0.05).mean()) for p in (paired_p(*seen), difference_p(*sides))]
    prompts, n = x.shape[1], x.shape[1] * images
    signed = [
        _is_wide(*row, prompts, PairedShare(*pairs, n=n, alone=0))
        for row, pairs in zip(zip(*sides, strict=True), zip(*seen, strict=True), strict=True)
    ]
    return f"{_coverages(held, np.array(signed))} ({100 * powers[0]:.0f}, {100 * powers[1]:.0f})"


def paired_null_pages(pages: int) -> Iterator[str]:
    """Yield how many pages of 200 terms call two equal models different in any of them, in pairs."""
    rng = np.random.default_rng(14)
    yield "| images of a term | alike | pages with a difference, even shares % | shares of 0.02, 0.05 or 0.98 % |"
    yield "| --- | --- | --- | --- |"
    for images in (10, 50, 200):
        for alike in (0.0, 0.5, 0.9):
            wrong = [0, 0]
            for _ in range(pages):
                for kind, share in enumerate((rng.uniform(0, 1, 200), rng.choice((0.02, 0.05, 0.98), 200))):
                    x, y = _drawn(images, alike, [share, share], rng)
                    gap = x - y
                    p = paired_p(gap.mean(axis=1), (gap**2).mean(axis=1), images)
                    wrong[kind] += bool((benjamini_hochberg(p) <= 0.05).any())
            yield f"| {images} | {alike} | {100 * wrong[0] / pages:.1f} | {100 * wrong[1] / pages:.1f} |"


def equivalence(repetitions: int) -> Iterator[str]:
    """Yield how often *equivalent* within 10 points is said of shares that are 10 points apart, and of equal ones."""
    rng = np.random.default_rng(15)
    yield "| images | true shares | independent % | pairs, alike 0 % | alike 0.5 % | alike 0.9 % |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for images in (10, 50, 200, 1000):
        for pair in ((0.02, 0.12), (0.3, 0.4), (0.45, 0.55), (0.88, 0.98), (0.5, 0.5)):
            x, y = (rng.binomial(images, share, repetitions) / images for share in pair)
            said = [_within(difference_bounds(x, images, y, images))]
            for alike in (0.0, 0.5, 0.9):
                one, other = _drawn(images, alike, [np.full(repetitions, share) for share in pair], rng)
                gap = one - other
                said.append(_within(paired_bounds(gap.mean(axis=1), (gap**2).mean(axis=1), images)))
            yield f"| {images} | {pair[0]} / {pair[1]} | " + " | ".join(f"{100 * each:.1f}" for each in said) + " |"


def _within(bounds: tuple[Array, Array], margin: float = 0.1) -> float:
    return float(((bounds[0] >= -margin) & (bounds[1] <= margin)).mean())


if __name__ == "__main__":
    main()
