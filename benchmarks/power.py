"""Whether ``portrayal power`` promises what simulated studies find.

python benchmarks/power.py [--studies 4000]

Of each setting studies are drawn image by image: every prompt has a planted share, every image may be missing, and
shares, their worth, intervals and p-values are computed as a measured study computes them. Prints the table of
docs/validity.md: power promised and found, in per cent, and the largest distance.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import betainc
from scipy.stats import beta

from portrayal.stats.intervals import Array
from portrayal.stats.sample_size import Decision, Deviation, Difference, HalfWidth, Question, expected_power
from portrayal.stats.shares.cells import PromptShares, share_intervals, worth
from portrayal.stats.two_sides.two_shares import difference_p


@dataclass(frozen=True)
class Setting:
    """A question, and the study that is to answer it: prompts of a term, images of each, the part that is missing."""

    question: Question
    prompts: int
    images: int
    missing: float
    icc: float = 0.0


def settings() -> Iterator[Setting]:
    """Yield 50 settings whose prompts are alike, then 12 whose prompts differ."""
    sizes = ((1, 30, 0.0), (1, 120, 0.1), (4, 12, 0.0), (8, 10, 0.2), (3, 80, 0.05))
    questions: tuple[Question, ...] = (
        HalfWidth(0.12, 0.5),
        HalfWidth(0.07, 0.1),
        Deviation(0.2, 0.5, 0.02 / 12),
        Deviation(0.12, 0.1, 0.02 / 12),
        Deviation(0.25, 0.8, 0.05),
        Difference(0.3, 0.5, 0.05 / 12),
        Difference(0.15, 0.05, 0.05),
        Difference(0.4, 0.3, 0.05 / 12),
        Decision(0.15, 0.5, 0.5),
        Decision(0.1, 0.1, 0.3),
    )
    yield from (Setting(question, *size) for question in questions for size in sizes)
    yield from (
        Setting(question, prompts, images, 0.05, icc)
        for question in (questions[0], questions[2], questions[5], questions[8])
        for prompts, images, icc in ((4, 12, 0.3), (8, 10, 0.1), (6, 30, 0.3))
    )


def main() -> None:
    """Print the table, and the largest distance."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, default=4000)
    studies = parser.parse_args().studies
    rng = np.random.default_rng(29)
    print("| question | prompts x images, missing, prompts differ | promised % | found % |\n| --- | --- | --- | --- |")
    apart: dict[bool, list[float]] = {True: [], False: []}
    for setting in settings():
        total = setting.prompts * setting.images
        promised = expected_power(setting.question, total, setting.missing, setting.prompts)
        seen = _found(setting, studies, rng)
        apart[setting.icc > 0].append(100 * (seen - promised))
        design = f"{setting.prompts} x {setting.images}, {setting.missing:.0%}, {setting.icc:g}"
        print(f"| {_words(setting.question)} | {design} | {100 * promised:.1f} | {100 * seen:.1f} |")
    for differ, distances in apart.items():
        which = "prompts differ" if differ else "prompts alike"
        print(
            f"\n{which}: {len(distances)} settings, found less promised {min(distances):+.1f} to {max(distances):+.1f}"
        )


def _found(setting: Setting, studies: int, rng: np.random.Generator) -> float:
    """Return in how many of the studies the question was answered."""
    question = setting.question
    if isinstance(question, Difference):
        one, other = (_draw(setting, share, studies, rng) for share in (question.share, question.other))
        p = difference_p(*one, *other)
        return float((p <= question.level).mean())
    if isinstance(question, Deviation):
        side = 1.0 if question.target <= 0.5 else -1.0
        share, images = _draw(setting, question.target + side * question.size, studies, rng)
        return float((_p(share, images, question.target) <= question.level).mean())
    assert isinstance(question, HalfWidth | Decision)
    low, high = _draw(setting, question.share, studies, rng, bounds=True)
    if isinstance(question, HalfWidth):
        return float(((high - low) / 2 <= question.size).mean())
    least, most = question.target - question.size, question.target + question.size
    inside = (low >= least) & (high <= most)
    outside = (high < least) | (low > most)
    return float((inside if least <= question.share <= most else outside).mean())


def _draw(
    setting: Setting, share: float, studies: int, rng: np.random.Generator, *, bounds: bool = False
) -> tuple[Array, Array]:
    """Return of each study the share seen and its worth, or the bounds of its interval."""
    planted = np.full(setting.prompts, share)
    if setting.icc:
        mass = (1 - setting.icc) / setting.icc
        planted = beta.ppf((np.arange(setting.prompts) + 0.5) / setting.prompts, share * mass, (1 - share) * mass)
        planted = np.clip(planted + share - planted.mean(), 0, 1)  # the term's share is what is asked about
    results = []
    for _ in range(studies):
        usable = rng.binomial(setting.images, 1 - setting.missing, setting.prompts)
        seen = rng.binomial(usable, planted) / np.maximum(usable, 1)
        cell = PromptShares.of(seen[:, None], usable)
        one, two = share_intervals(cell) if bounds else (cell.share, worth(cell))
        results.append((one[0], two[0]))
    first, second = np.array(results).T
    return first, second


def _p(share: Array, images: Array, target: float) -> Array:
    """Return the exact p-values, as :class:`portrayal.stats.targets.target.ShareTest` has them."""
    seen, others = share * images, (1 - share) * images
    many = np.where(seen > 0, betainc(np.maximum(seen, 1e-9), others + 1, target), 1.0)
    few = np.where(others > 0, betainc(np.maximum(others, 1e-9), seen + 1, 1 - target), 1.0)
    return np.asarray(np.minimum(2 * np.minimum(many, few), 1.0))


def _words(question: Question) -> str:
    values = ", ".join(f"{name} {value:.3g}" for name, value in vars(question).items() if name != "other")
    return f"{type(question).__name__} ({values})"


if __name__ == "__main__":
    main()
