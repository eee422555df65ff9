"""How often a policy passes or fails wrongly, and whether the images that it asks for decide as often as it says.

python benchmarks/policies.py [--studies 10000]

A policy of ten scenarios of one kind is checked on simulated studies: the truth lies exactly on the limit, where wrong
verdicts are likeliest, or beside it. *Wrong fail* counts studies in which any of the ten fails though it is within its
limits, *wrong pass* those in which any passes though it lies a hair outside. Prints the tables of docs/validity.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial

import numpy as np

from portrayal.apps.check.decisions.judging import judge_share, ratio_interval
from portrayal.apps.check.decisions.limits import Limits, Verdict
from portrayal.apps.check.decisions.seen_images import SeenImages
from portrayal.apps.check.decisions.share_difference import share_difference
from portrayal.apps.check.numbers import AskedPrompt, Numbers
from portrayal.apps.check.question import Row, sure_worth
from portrayal.records import Measurement
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array, clopper_pearson
from portrayal.stats.shares.cells import PromptShares, worth

SCENARIOS, ERROR_RATE = 10, 0.05
TAIL = ERROR_RATE / (2 * SCENARIOS)
SIZES = (10, 20, 50, 100, 400)
HAIR = 1e-9
Draw = Callable[[np.random.Generator, int], Sequence[Verdict]]
"""Verdicts of so many single scenarios."""


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, default=10_000)
    studies = parser.parse_args().studies
    print(*wrong_verdicts(studies), sep="\n")
    print(*decided(studies), sep="\n")


def wrong_verdicts(studies: int) -> Iterator[str]:
    """Yield the table of wrong verdicts, in per cent of studies, and of single scenarios that are undecided."""
    rng = np.random.default_rng(28)
    yield "| scenarios | truth | " + " | ".join(f"{n} images" for n in SIZES) + " |"
    yield "|" + " --- |" * (2 + len(SIZES))
    for name, truth, wrong, draw in _cases():
        cells = []
        for n in SIZES:
            verdicts = np.array(draw(n)(rng, studies * SCENARIOS)).reshape(studies, SCENARIOS)
            undecided = f"{100 * (verdicts == Verdict.UNDECIDED).mean():.0f}"
            cells.append(f"{100 * (verdicts == wrong).any(axis=1).mean():.2f}, {undecided}")
        yield f"| {name} | {truth} | " + " | ".join(cells) + " |"


def _cases() -> Iterator[tuple[str, str, Verdict, Callable[[int], Draw]]]:
    on, outside = "on the limit: wrong fail", "a hair outside: wrong pass"
    for least, most in ((0.3, 0.7), (0.0, 0.05), (0.9, 1.0)):
        limit, name, within = (least if least > 0 else most), f"share, {least} to {most}", Limits(least, most)
        moved = Limits(least + HAIR, most) if limit == least else Limits(least, most - HAIR)
        yield name, on, Verdict.FAIL, partial(_share, truth=limit, limits=within)
        yield name, outside, Verdict.PASS, partial(_share, truth=limit, limits=moved)
    wide = Limits(0.3, 0.7)
    for truth in (0.5, 0.4, 0.2, 0.1):
        name, wrong = ("inside: wrong fail", Verdict.FAIL) if truth > 0.3 else ("outside: wrong pass", Verdict.PASS)
        yield "share, 0.3 to 0.7", f"{truth}, {name}", wrong, partial(_share, truth=truth, limits=wide)
    yield "share over 5 unlike prompts", on, Verdict.FAIL, partial(_prompts, limits=wide)
    yield "share over 5 unlike prompts", outside, Verdict.PASS, partial(_prompts, limits=Limits(0.3 + HAIR, 0.7))
    yield "share, 10 % missing, all women", on, Verdict.FAIL, partial(_missing, limits=wide)
    yield "share, 10 % missing, all women", outside, Verdict.PASS, partial(_missing, limits=Limits(0.0, 0.3 - HAIR))
    yield "impact ratio, 3 groups, 0.8", on, Verdict.FAIL, partial(_ratio, least=0.8)
    yield "impact ratio, 3 groups, 0.8", outside, Verdict.PASS, partial(_ratio, least=0.8 + HAIR)
    yield "10 points below the baseline", on, Verdict.FAIL, partial(_baseline, limits=Limits(-0.1))
    yield "10 points below the baseline", outside, Verdict.PASS, partial(_baseline, limits=Limits(-0.1 + HAIR))
    large = "10 points below a baseline of a million images"
    yield large, on, Verdict.FAIL, partial(_baseline, limits=Limits(-0.1), images=1_000_000)
    yield large, outside, Verdict.PASS, partial(_baseline, limits=Limits(-0.1 + HAIR), images=1_000_000)


def _share(n: int, truth: float, limits: Limits, missing: float = 0.0) -> Draw:
    table = [SeenImages(seen, n - seen, missing).judge(limits, TAIL) for seen in range(n + 1)]
    return lambda rng, times: [table[seen] for seen in rng.binomial(n, truth, times)]


def _missing(n: int, limits: Limits) -> Draw:
    """Return a share of 0.3 of which every tenth image is missing: those that are show women only."""
    lost = max(n // 10, 1)
    return _share(n - lost, (0.3 * n - lost) / (n - lost), limits, missing=lost)


def _prompts(n: int, limits: Limits) -> Draw:
    """Return a mean of five prompts whose shares differ widely and are 0.3 on average."""
    planted, each = np.array([[0.0], [0.02], [0.28], [0.4], [0.8]]), n // 5
    asked = {"A": [AskedPrompt(str(number), "", "", "", "", 1.0, each) for number in range(5)]}

    @cache
    def sure(images: float) -> float:
        row = Measurement("m", "share", "A", value=0.3, n=5 * each, prompts=5, worth=images)
        return sure_worth(Row(row, Numbers([row], asked)), TAIL)

    def draw(rng: np.random.Generator, times: int) -> list[Verdict]:
        cell = PromptShares.of(rng.binomial(each, planted, (5, times)) / each, [each] * 5)  # a column for each scenario
        images = np.array([sure(round(value, 2)) for value in worth(cell).tolist()])
        low, high = clopper_pearson(cell.share, images, 1 - 2 * TAIL)
        return [limits.judge(*bounds) for bounds in zip(low.tolist(), high.tolist(), strict=True)]

    return draw


def _ratio(n: int, least: float) -> Draw:
    """Return how often the second of three groups is shown, for each time that the first is: 0.8 in truth."""

    @cache
    def judged(first: int, second: int) -> Verdict:
        interval = ratio_interval(second, [first, n - first - second], 0, TAIL)
        return Limits(least).judge(interval.low, interval.high)

    return lambda rng, times: [judged(a, b) for a, b, _ in rng.multinomial(n, [0.5, 0.4, 0.1], times).tolist()]


def _baseline(n: int, limits: Limits, images: int = 0) -> Draw:
    """Return a share of 0.3 beside one of 0.4 in a baseline of as many images, or of ``images``."""
    others = images or n

    def draw(rng: np.random.Generator, times: int) -> list[Verdict]:
        # Rounded to 500 of very many images: that moves a share by next to nothing, and few pairs are left to compute.
        seen = rng.binomial(others, 0.4, times)
        pairs = zip(rng.binomial(n, 0.3, times).tolist(), (seen // 500 * 500 if images else seen).tolist(), strict=True)
        return [limits.judge(*_difference(n, others, *pair)) for pair in pairs]

    return draw


@cache
def _difference(n: int, others: int, one: int, other: int) -> tuple[float, float]:
    interval = share_difference(SeenImages(one, n - one), SeenImages(other, others - other), TAIL)
    return interval.low, interval.high


def decided(studies: int) -> Iterator[str]:
    """Yield how often as many further images as were asked for decide what was undecided, in per cent."""
    rng, limits = np.random.default_rng(80), Limits(0.3, 0.7)
    yield ""
    yield "| images so far | undecided | of these with a number | which decides | half of the numbers are at most |"
    yield "|" + " --- |" * 5
    for n in (10, 20, 50, 100, 200):
        seen = rng.binomial(n, (truths := rng.uniform(0, 1, studies)))
        further = [_further(n, int(count), limits) for count in range(n + 1)]
        undecided = np.array([SeenImages(int(x), n - int(x)).judge(limits, TAIL) is Verdict.UNDECIDED for x in seen])
        asked = np.array([further[count] or 0 for count in seen])
        promised = undecided & (asked > 0)
        settled = _settled(n, seen[promised], asked[promised], truths[promised], rng, limits)
        yield (
            f"| {n} | {100 * undecided.mean():.0f} | {100 * promised.sum() / undecided.sum():.0f} | "
            f"{100 * settled:.1f} | {int(np.median(asked[promised])):,} |"
        )


def _further(n: int, seen: int, limits: Limits) -> int | None:
    further = judge_share(SeenImages(seen, n - seen), limits, TAIL).further
    return None if further is None else int(further)


def _settled(n: int, seen: Ints, asked: Ints, truths: Array, rng: np.random.Generator, limits: Limits) -> float:
    more = rng.binomial(asked, truths)
    grown = (
        SeenImages(float(x), float(n - x)).grown(int(y), int(k)) for x, y, k in zip(seen, more, asked, strict=True)
    )
    return float(np.mean([images.judge(limits, TAIL) is not Verdict.UNDECIDED for images in grown]))


if __name__ == "__main__":
    main()
