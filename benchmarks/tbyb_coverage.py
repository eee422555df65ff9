"""How often the intervals of Try Before You Bias hold the truth: captions with a planted peak, drawn many times.

Each image has up to six of 3,000 words that are the rarer the further down the list, ``rate`` of them on average; one
word, the peak, comes more often, and ``own`` of the words are favourites of the prompt. Prompts differ: each has a
share of images that leave its object out, and one of misses. Truths are means over 1,000 further studies of the size.

Prints a table with a row for each number of prompts and images: in per cent, of how many studies a score has an
interval, and the lowest, the mean and the highest coverage of the settings.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from portrayal.metrics import ObjectCounts, distribution_bias, object_scores
from portrayal.metrics.object_intervals import Bounded, Ints
from portrayal.metrics.objects import Array, hallucination_shares, log_bias

WORDS, TRUTHS, MOST = 3_000, 1_000, 6
TAIL = 1 / np.arange(2, WORDS + 1)
FAVOURITES = (0.6, 0.3, 0.1)


@dataclass(frozen=True, slots=True)
class Setting:
    """How many prompts and images a study has, and how its words fall."""

    prompts: int
    images: int
    peak: float
    own: float
    rate: float

    def study(self, rng: np.random.Generator) -> ObjectCounts:
        """Return one study's counts."""
        size = (self.prompts, self.images)
        added = rng.binomial(MOST, self.rate / MOST, size=size)
        omitted = rng.random(size) < rng.beta(1, 9, size=(self.prompts, 1))
        parts = [part.sum(axis=1) for part in hallucination_shares(~omitted, added, omitted)]
        images = np.full(self.prompts, float(self.images))
        missed = rng.binomial(self.images, rng.beta(1, 19, size=self.prompts)).astype(float)
        return ObjectCounts(images, np.column_stack(parts), self._words(added.sum(axis=1), rng), images, missed)

    def _words(self, total: Ints, rng: np.random.Generator) -> Array:
        shares = np.r_[self.peak, (1 - self.peak) * TAIL / TAIL.sum()]
        favoured = rng.binomial(total, self.own)
        words = rng.multinomial(total - favoured, shares).astype(float)
        if self.own:
            favourites = 1 + rng.choice(WORDS - 1, size=(self.prompts, len(FAVOURITES)), p=TAIL / TAIL.sum())
            for row, mine, times in zip(words, favourites, favoured.tolist(), strict=True):
                np.add.at(row, mine[rng.choice(len(FAVOURITES), size=times, p=FAVOURITES)], 1)
        words = np.minimum(words, self.images)  # a word counts once in an image
        return np.asarray(words[:, words.any(axis=0)])


def study(rng: np.random.Generator, prompts: int, peak: float) -> ObjectCounts:
    """Return the counts of a study with three images a prompt and one uninvited word in each, on average."""
    return Setting(prompts, 3, peak, 0.0, 1.0).study(rng)


def values(one: ObjectCounts) -> tuple[float, float, float, float]:
    """Return B_D, B_log, H_J and M_G without intervals."""
    images = one.images.sum()
    bias = float(distribution_bias(one.words.sum(axis=0)))
    shares = one.hallucinated[:, 0].sum() / images, one.missed.sum() / images
    return bias, float(log_bias(bias, *shares)), *shares


def measured(setting: Setting, repetitions: int, rng: np.random.Generator) -> tuple[float, Array, Array]:
    """Return the true B_D, and of each score in how many studies it has an interval and in how many that holds."""
    truths = np.nanmean([values(setting.study(rng)) for _ in range(TRUTHS)], axis=0)
    given, held = np.zeros(4), np.zeros(4)
    for _ in range(repetitions):
        found = object_scores(setting.study(rng), draws=400, rng=rng)
        for place, score in enumerate((found.distribution, found.log, found.hallucination, found.misses)):
            given[place] += not math.isnan(score.low)
            held[place] += _holds(score, float(truths[place]))
    return float(truths[0]), given, held


def _holds(score: Bounded, truth: float) -> bool:
    return score.low <= truth <= score.high


def settings(sizes: Iterable[tuple[int, int]], rates: Sequence[float]) -> Iterator[Setting]:
    """Yield the settings of each size."""
    for (prompts, images), rate, own, peak in product(list(sizes), rates, (0.0, 0.5), (0.02, 0.1, 0.3)):
        yield Setting(prompts, images, peak, own, rate)


def main() -> None:
    """Print the table, a row for each size of studies."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("repetitions", type=int, nargs="?", default=400)
    options.add_argument("--prompts", type=int, nargs="+", default=[10, 20, 100])
    options.add_argument("--images", type=int, nargs="+", default=[3])
    options.add_argument("--rates", type=float, nargs="+", default=[1.0, 3.0])
    chosen = options.parse_args()
    rng = np.random.default_rng(14)
    rows: dict[tuple[int, int], list[tuple[Array, Array]]] = {}
    for setting in settings(product(chosen.prompts, chosen.images), chosen.rates):
        _, given, held = measured(setting, chosen.repetitions, rng)
        rows.setdefault((setting.prompts, setting.images), []).append((given, held))
        if len(rows[setting.prompts, setting.images]) == 6 * len(chosen.rates):
            cells = " | ".join(
                _cell(rows[setting.prompts, setting.images], place, chosen.repetitions) for place in range(4)
            )
            print(f"| {setting.prompts} | {setting.images} | {cells} |", flush=True)


def _cell(found: list[tuple[Array, Array]], place: int, repetitions: int) -> str:
    """Return in how many per cent there is an interval, and how often it holds, in settings with 50 of them or more."""
    given = sum(float(own[place]) for own, _ in found) / (len(found) * repetitions)
    covered = [100 * float(held[place] / own[place]) for own, held in found if own[place] >= 50]
    if not covered:
        return f"{100 * given:.0f}: none"
    whole = sum(float(held[place]) for _, held in found) / sum(float(own[place]) for own, _ in found)
    return f"{100 * given:.0f}: {min(covered):.1f}, {100 * whole:.1f}, {max(covered):.1f}"


if __name__ == "__main__":
    main()
