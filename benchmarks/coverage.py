"""How often intervals about these prompts hold the truth, by simulation; prints the tables of docs/validity.md.

python benchmarks/coverage.py [--repetitions 300] [--only shares divergences typical means people]

Prompts are the same in all repetitions of a cell, only their images are drawn anew. A cell reads coverage in per cent
and the mean width of the interval; bold is below 93 %.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

import numpy as np

from portrayal.metrics import kl_divergence, total_variation
from portrayal.stats.intervals import Array, Interval
from portrayal.stats.means import PromptNumbers, mean_interval
from portrayal.stats.shares.cells import PromptShares, share_intervals
from portrayal.stats.shares.people import PeopleCounts, independent_people
from portrayal.stats.targets.distances import mean_divergence
from portrayal.stats.targets.divergences import divergence_interval

Draw = Callable[[np.random.Generator, int], Array]
Hit = tuple[float, float]
"""Whether an interval holds the truth, and its width."""


def held(interval: Interval, truth: float) -> Hit:
    """Return whether the interval holds the truth, and its width."""
    return float(interval.low - 1e-9 <= truth <= interval.high + 1e-9), interval.width


def text(hits: Sequence[Hit], digits: int = 3) -> str:
    """Return a cell of a table."""
    covered, width = np.mean(hits, axis=0)
    percent = f"{100 * covered:.1f}"
    return f"{f'**{percent}**' if covered < 0.93 else percent} ({width:.{digits}f})"


def prompts_about(shares: Array, prompts: int, correlation: float, rng: np.random.Generator) -> Array:
    """Return the true shares of prompts that differ about ``shares`` by an intraclass correlation."""
    if not correlation:
        return np.tile(shares, (prompts, 1))
    drawn = rng.dirichlet((1 / correlation - 1) * shares, size=prompts)
    return np.asarray(drawn / drawn.sum(axis=1, keepdims=True))


def shares(repetitions: int) -> Iterator[Sequence[str]]:
    """Yield the shares of one of two groups; images and weights of prompts are equal, or very unequal."""
    columns = list(product((0.5, 0.8, 0.9, 0.98, 1.0), (0.0, 0.1, 0.5)))
    yield ["prompts", "images each", *(f"{share}, {correlation}" for share, correlation in columns)]
    for (prompts, images), uneven in product(
        ((1, 5), (1, 8), (1, 24), (1, 200), (2, 8), (3, 8), (3, 80), (8, 30), (12, 2), (12, 24), (50, 5)), (False, True)
    ):
        if uneven and prompts == 1:
            continue
        cells = []
        for share, correlation in columns:
            rng = np.random.default_rng([prompts, images, uneven, round(100 * share), round(10 * correlation)])
            truths = prompts_about(np.array([share, 1 - share]), prompts, correlation if share < 1 else 0.0, rng)[:, 0]
            counts, weights = np.full(prompts, images), np.ones(prompts)
            if uneven:
                counts = np.where(np.arange(prompts) % 2, 2 * images, max(images // 3, 1))
                weights = np.where(np.arange(prompts) % 3 == 0, 3.0, 1.0)
            truth, hits = float(weights @ truths / weights.sum()), []
            for seen in rng.binomial(counts, truths, size=(repetitions, prompts)):
                low, high = share_intervals(PromptShares.of((seen / counts)[:, None], counts, weights))
                hits.append(held(Interval(float(low[0]), float(high[0])), truth))
            cells.append(text(hits))
        yield [f"{prompts}{', uneven' if uneven else ''}", str(images), *cells]


def divergences(repetitions: int) -> Iterator[Sequence[str]]:
    """Yield total variation and Kullback-Leibler divergence of the mean share, on and off the target."""
    groups = (2, 3, 10)
    yield [
        "statistic",
        "prompts",
        "images each",
        *(f"{number} groups, {share}" for number, share in product(groups, ("even", 0.9))),
    ]
    for (prompts, images), statistic in product(
        ((1, 16), (1, 100), (4, 16), (12, 16), (12, 100)), ("TV 0", "TV", "KL")
    ):
        cells = []
        for number, share in product(groups, (None, 0.9)):
            rng = np.random.default_rng([prompts, images, number, bool(share), len(statistic)])
            first = share or 1 / number
            truth = np.array([first, *[(1 - first) / (number - 1)] * (number - 1)])
            truths = prompts_about(truth, prompts, 0.1, rng)
            mean = truths.mean(axis=0)
            target = mean if statistic == "TV 0" else np.r_[0.6, np.full(number - 1, 0.4 / (number - 1))]
            divergence = kl_divergence if statistic == "KL" else total_variation
            wanted, hits = float(divergence(mean, target)), []
            for _ in range(repetitions):
                seen = np.array([rng.multinomial(images, own) for own in truths]) / images
                cell = PromptShares.of(seen, [images] * prompts)
                hits.append(held(divergence_interval(cell, target, divergence, rng=rng, draws=300), wanted))
            cells.append(text(hits))
        yield [statistic, str(prompts), str(images), *cells]


def typical(repetitions: int) -> Iterator[Sequence[str]]:
    """Yield how far a typical prompt lies from its own target; truths go some way from targets to one group alone."""
    groups, ways = (2, 3, 10), (0.0, 0.1, 0.4, 1.0)
    yield ["prompts", "images each", *(f"{number} groups, {way}" for number, way in product(groups, ways))]
    for prompts, images in ((2, 4), (2, 50), (4, 16), (12, 16), (12, 50), (50, 16)):
        cells = []
        for number, way in product(groups, ways):
            rng = np.random.default_rng([prompts, images, number, round(10 * way)])
            targets = rng.dirichlet(np.full(number, 2.0), size=prompts)
            truths = (1 - way) * targets + way * np.eye(number)[rng.integers(number, size=prompts)]
            truth, hits = float(total_variation(truths, targets).mean()), []
            for _ in range(repetitions):
                seen = np.array([rng.multinomial(images, own / own.sum()) for own in truths]) / images
                cell = PromptShares.of(seen, [images] * prompts)
                hits.append(held(mean_divergence(cell, targets, total_variation, rng=rng)[1], truth))
            cells.append(text(hits, 2))
        yield [str(prompts), str(images), *cells]


AGES: Mapping[str, Draw] = {
    "98 % 35, 2 % 65": lambda rng, n: np.where(rng.random(n) < 0.02, 65.0, 35.0),
    "90 % 35, 10 % 65": lambda rng, n: np.where(rng.random(n) < 0.1, 65.0, 35.0),
    "skewed (gamma)": lambda rng, n: np.minimum(20 + rng.gamma(1, 8, n), 100),
    "skewed (log-normal)": lambda rng, n: np.minimum(25 * np.exp(0.5 * rng.standard_normal(n)), 100),
    "normal": lambda rng, n: np.clip(rng.normal(35, 10, n), 0, 100),
    "two ages": lambda rng, n: np.where(rng.random(n) < 0.5, 22.0, 60.0) + rng.normal(0, 3, n),
}


def means(repetitions: int) -> Iterator[Sequence[str]]:
    """Yield the mean of ages between 0 and 100; prompts differ by nothing, or by 8 years."""
    yield ["prompts", "images each", "prompts differ", *AGES]
    cells = ((1, 1), (1, 5), (1, 8), (1, 10), (1, 24), (1, 50), (1, 200), (2, 24), (3, 2), (3, 10), (12, 2), (12, 24))
    for (prompts, images), apart in product(cells, (0, 8)):
        if apart and prompts == 1:
            continue
        shifts, texts = apart * np.sin(2.1 * np.arange(prompts)), []
        for name, draw in AGES.items():
            rng = np.random.default_rng([prompts, images, apart, *name.encode()])
            truth = float(draw(np.random.default_rng(0), 2_000_000).mean()) + float(shifts.mean())
            hits = [
                held(mean_interval(numbers([draw(rng, images) + shift for shift in shifts])), truth)
                for _ in range(repetitions)
            ]
            texts.append(text(hits, 1))
        yield [str(prompts), str(images), f"{apart} years", *texts]


def numbers(prompts: Sequence[Array]) -> PromptNumbers:
    """Return the ages of each prompt as a study adds them up."""
    cell = PromptShares.of([[own.mean()] for own in prompts], [len(own) for own in prompts])
    variances = np.array([own.var(ddof=1) if len(own) > 1 else 0.0 for own in prompts])
    ends = (np.array([own.min() for own in prompts]), np.array([own.max() for own in prompts]))
    return PromptNumbers(cell, variances, *ends, 0.0, 100.0)


def people(repetitions: int) -> Iterator[Sequence[str]]:
    """Yield the share of women among people of whom pictures show two, four, or one to six, more or less alike."""
    columns = list(product((0.5, 0.8, 0.95), (0.0, 0.3, 0.7, 1.0)))
    yield ["people", "pictures", *(f"{share}, {alike}" for share, alike in columns)]
    for size, pictures in product((2, 4, 0), (5, 10, 24, 50, 200)):
        cells = []
        for share, alike in columns:
            rng = np.random.default_rng([size, pictures, round(100 * share), round(10 * alike)])
            hits = [held(of_people(rng, size, pictures, share, alike), share) for _ in range(repetitions)]
            cells.append(text(hits))
        yield [str(size) if size else "1 to 6", str(pictures), *cells]


def of_people(rng: np.random.Generator, size: int, pictures: int, share: float, alike: float) -> Interval:
    """Return the interval that one prompt's pictures give; ``alike`` is the intraclass correlation of a picture."""
    each = np.full(pictures, size) if size else rng.integers(1, 7, pictures)
    chance = prompts_about(np.array([share, 1 - share]), pictures, min(alike, 0.9999), rng)[:, 0]
    women = rng.binomial(each, chance)
    number, squares, both = (np.array([float(own)]) for own in (each.sum(), (each**2).sum(), (women * each).sum()))
    by_group = np.array([[float((women**2).sum())]])
    counts = PeopleCounts(number, np.array([float(pictures)]), squares, by_group, both[:, None])
    seen = np.array([[women.sum() / each.sum()]])
    low, high = share_intervals(PromptShares.of(seen, number, independent=independent_people(seen, counts)))
    return Interval(float(low[0]), float(high[0]))


TABLES: Mapping[str, Callable[[int], Iterator[Sequence[str]]]] = {
    "shares": shares,
    "divergences": divergences,
    "typical": typical,
    "means": means,
    "people": people,
}


def main() -> None:
    """Print the tables as they are done."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=300, help="simulated studies per cell (default 300)")
    parser.add_argument("--only", nargs="*", choices=list(TABLES), default=list(TABLES))
    options = parser.parse_args()
    for name in options.only:
        print(f"\n### {name}\n")
        for place, line in enumerate(TABLES[name](options.repetitions)):
            print("| " + " | ".join(line) + " |", flush=True)
            if not place:
                print("| " + " | ".join(["---"] * len(line)) + " |", flush=True)


if __name__ == "__main__":
    main()
