"""How often the intervals hold the truth, by simulation; prints the Markdown tables of docs/validity.md.

python benchmarks/coverage.py [--repetitions 1000] [--draws 1000] [--jobs 2]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product

import numpy as np

from portrayal.metrics import kl_divergence, total_variation
from portrayal.stats.cells import PromptShares, share_intervals
from portrayal.stats.divergences import divergence_interval
from portrayal.stats.intervals import Array, Interval

IMAGES, PROMPTS, GROUPS = (16, 50, 200), (1, 4, 12, 50), (2, 3, 10)
TRUTHS = {"balanced": None, "0.9": 0.9, "0.99": 0.99}
EFFECTS = {
    "same": "all prompts have the same true shares",
    "fixed": "prompts differ, and the question is about just these prompts",
    "random": "prompts differ, and the question is about prompts like these",
}
FOLLOWS = {"mirrors": 0.0, "leans": 0.5, "ignores": 1.0}
CONCENTRATION = 9.0  # Dirichlet: an intra-prompt correlation of 1 / (9 + 1) = 0.1
STATISTICS = ("share", "TV, truth 0", "TV, truth above 0", "KL, truth above 0")

Score = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Effort:
    """Simulated studies per cell, and resamples per interval."""

    repetitions: int
    draws: int


@dataclass(frozen=True, slots=True)
class Scenario:
    """One cell of the tables."""

    effect: str
    prompts: int
    images: int
    groups: int
    truth: str

    @property
    def shares(self) -> Array:
        """The shares over all prompts there could be."""
        first = TRUTHS[self.truth] or 1 / self.groups
        return np.array([first, *[(1 - first) / (self.groups - 1)] * (self.groups - 1)])

    @property
    def elsewhere(self) -> Array:
        """A target away from the truth: equal shares, or 0.6 for the first group where equal shares are true."""
        if self.truth != "balanced":
            return np.full(self.groups, 1 / self.groups)
        first = 0.6 if self.groups == 2 else 0.5
        return np.array([first, *[(1 - first) / (self.groups - 1)] * (self.groups - 1)])


def scenarios() -> Iterator[Scenario]:
    """Yield the grid; one prompt can neither differ from others nor agree with them."""
    for effect, prompts, images in product(EFFECTS, PROMPTS, IMAGES):
        if prompts > 1 or effect == "same":
            yield from (Scenario(effect, prompts, images, *rest) for rest in product(GROUPS, TRUTHS))


def around(shares: Array, prompts: int, rng: np.random.Generator) -> Array:
    """Return the true shares of prompts that differ about ``shares``."""
    return rng.dirichlet(CONCENTRATION * shares, size=prompts)


def observe(truths: Array, images: int, rng: np.random.Generator) -> PromptShares:
    """Return what ``images`` images of each prompt show."""
    counts = rng.multinomial(images, truths / truths.sum(axis=1, keepdims=True))
    return PromptShares.of(counts / images, np.full(len(truths), images))


def hits(cell: PromptShares, truth: Array, elsewhere: Array, draws: int, rng: np.random.Generator) -> Iterator[Score]:
    """Yield for each statistic whether its interval holds the truth, and the interval's width."""
    low, high = share_intervals(cell)
    yield float(np.mean((low - 1e-9 <= truth) & (truth <= high + 1e-9))), float(np.mean(high - low))
    for divergence, target in ((total_variation, truth), (total_variation, elsewhere), (kl_divergence, elsewhere)):
        interval = divergence_interval(cell, target, divergence, rng=rng, draws=draws)
        yield held(interval, float(divergence(truth, target)))


def held(interval: Interval, value: float) -> Score:
    """Return whether the interval holds the true ``value``, and its width."""
    return float(interval.low - 1e-9 <= value <= interval.high + 1e-9), interval.width


def simulate(scenario: Scenario, effort: Effort, seed: int) -> Array:
    """Return (statistics, 2): coverage and mean width."""
    rng = np.random.default_rng(seed)
    truth, scores = scenario.shares, []
    truths = np.tile(truth, (scenario.prompts, 1))
    if scenario.effect == "fixed":
        truths = around(truth, scenario.prompts, rng)
        truth = truths.mean(axis=0)
    for _ in range(effort.repetitions):
        if scenario.effect == "random":
            truths = around(truth, scenario.prompts, rng)
        cell = observe(truths, scenario.images, rng)
        scores.append(list(hits(cell, truth, scenario.elsewhere, effort.draws, rng)))
    return np.asarray(np.mean(scores, axis=0))


def simulate_targets(follow: str, prompts: int, groups: int, effort: Effort, seed: int) -> Array:
    """Return coverage and mean width of the TV of 16 images a prompt when each prompt has its own target."""
    rng, mean = np.random.default_rng(seed), np.full(groups, 1 / groups)
    habit = np.array([0.95, *[0.05 / (groups - 1)] * (groups - 1)])
    pull, scores = FOLLOWS[follow], []
    value = float(total_variation((1 - pull) * mean + pull * habit, mean))
    for _ in range(effort.repetitions):
        targets = around(mean, prompts, rng)
        cell = observe((1 - pull) * targets + pull * habit, 16, rng)
        interval = divergence_interval(cell, targets, total_variation, rng=rng, draws=effort.draws)
        scores.append(held(interval, value))
    return np.asarray(np.mean(scores, axis=0))


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def cell_text(score: Array) -> str:
    """Return coverage in per cent and mean width; coverage below 93 % in bold."""
    percent = f"{100 * score[0]:.1f}"
    return f"{f'**{percent}**' if score[0] < 0.93 else percent} ({score[1]:.3f})"


def report(effort: Effort, jobs: int) -> Iterator[str]:
    """Yield the tables as they are done."""
    grid, columns = list(scenarios()), len(GROUPS) * len(TRUTHS)
    own = list(product(FOLLOWS, PROMPTS[1:], GROUPS))
    with ProcessPoolExecutor(jobs) as pool:
        scores = list(pool.map(simulate, grid, [effort] * len(grid), range(len(grid))))
        follow, prompts, groups = zip(*own, strict=True)
        owned = list(pool.map(simulate_targets, follow, prompts, groups, [effort] * len(own), range(len(own))))
    head = ["prompts are", "prompts", "images each", *(f"{k} groups, {name}" for k, name in product(GROUPS, TRUTHS))]
    for position, statistic in enumerate(STATISTICS):
        rows = []
        for start in range(0, len(grid), columns):
            first, part = grid[start], scores[start : start + columns]
            label = "one" if first.prompts == 1 else first.effect
            texts = [cell_text(score[position]) for score in part]
            rows.append([label, str(first.prompts), str(first.images), *texts])
        yield f"### {statistic}\n\n{table(head, rows)}\n"
    rows = [
        [*map(str, own[start][:2]), *(cell_text(score) for score in owned[start : start + len(GROUPS)])]
        for start in range(0, len(own), len(GROUPS))
    ]
    yield f"### TV, each prompt with its own target\n\n{table(['shares', 'prompts', *map(str, GROUPS)], rows)}\n"


def main() -> None:
    """Run the study."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=200, help="simulated studies per cell (default 200)")
    parser.add_argument("--draws", type=int, default=200, help="resamples per interval (default 200)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default 1)")
    options = parser.parse_args()
    for text in report(Effort(options.repetitions, options.draws), options.jobs):
        print(text)


if __name__ == "__main__":
    main()
