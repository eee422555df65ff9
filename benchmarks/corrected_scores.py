"""How often corrected distances from a reference hold the truth, and how much of an annotator's error they lose.

An annotator reads one woman in five as a man and one man in fifty as a woman, as in corrections.py. The reference is
half of each. By the confusion matrix of 50, 200 or 1,000 labels: a cell of 200 pictures none of which is labelled, and
the mean over ten terms of 60 pictures; by the labelled sample: 2,000 pictures of which so many are labelled.

    python benchmarks/corrected_scores.py
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np

from portrayal.metrics import total_variation
from portrayal.stats.annotation.corrected_score import DrawnTerm, corrected_score, mean_total_variation
from portrayal.stats.annotation.misreading import Misreading
from portrayal.stats.annotation.prediction_powered import LabelledImages, Unlabelled, prediction_powered
from portrayal.stats.intervals import Array, Interval
from portrayal.terminal import say, say_table

RATES = np.array([[0.98, 0.02], [0.2, 0.8]])
THREE = np.array([[0.8, 0.18, 0.02], [0.1, 0.8, 0.1], [0.02, 0.18, 0.8]])
PICTURES, TERM, OF_TEN = 2000, 200, 60
LABELS = (50, 200, 1000)
SHARES = (0.0, 0.1, 0.3, 0.4, 0.5, 0.55, 0.6, 0.7, 0.9, 1.0)
OF_THREE = ((1 / 3, 1 / 3, 1 / 3), (0.4, 0.3, 0.3), (0.5, 0.3, 0.2), (0.7, 0.2, 0.1), (0.9, 0.08, 0.02))
TERMS = {"all on it": (0.5, 0.5), "all at 0.6": (0.6, 0.6), "0.3 to 0.7": (0.3, 0.7), "0 to 1": (0.0, 1.0)}
HEAD = ("labels", "true shares", "distance", "coverage", "width", "as read", "corrected", "removed")
Found = tuple[float, float, Interval]
"""As read, corrected, and its interval."""


def labelled(rng: np.random.Generator, shares: Array, rates: Array, labels: int) -> Array:
    """Return counts of labelled pictures (who it is, as whom it is read)."""
    return rng.multinomial(labels, (shares[:, None] * rates).ravel()).reshape(rates.shape).astype(float)


def by_matrix(rng: np.random.Generator, shares: Array, rates: Array, labels: int) -> Found:
    """Return the distance of one cell; of the labelled pictures as many show each group, but of two 40 in 100 women."""
    people = np.array([0.6, 0.4]) if len(shares) == 2 else np.array([0.4, 0.4, 0.2])
    matrix = Misreading(labelled(rng, people, rates, labels).tolist(), int(rng.integers(1 << 30)))
    seen, target = rng.multinomial(TERM, shares @ rates) / TERM, np.full(len(shares), 1 / len(shares))
    found = matrix.corrected(seen, TERM)
    if np.isnan(found.shares).any():  # groups that cannot be told apart
        return float(total_variation(seen, target)), float("nan"), Interval(0.0, 1.0)
    bounds = [Interval(*ends) for ends in zip(found.low.tolist(), found.high.tolist(), strict=True)]
    return float(total_variation(seen, target)), *corrected_score(bounds, found.shares, target, total_variation)


def by_sample(rng: np.random.Generator, shares: Array, rates: Array, labels: int) -> Found:
    """Return the distance of all pictures, of which so many are labelled."""
    known, others = labelled(rng, shares, rates, labels), labelled(rng, shares, rates, PICTURES - labels)
    read, groups = (known + others).sum(axis=0) / PICTURES, np.arange(len(shares))
    each, target = known.astype(int).ravel(), np.full(len(shares), 1 / len(shares))
    values, bounds = [], []
    for group in groups:
        truth, seen = np.repeat(np.repeat(groups, len(groups)), each), np.repeat(np.tile(groups, len(groups)), each)
        images = LabelledImages.of(truth == group, seen == group)
        found = prediction_powered(images, Unlabelled.rest(PICTURES, float(read[group]), images))
        values.append(min(max(found.value, 0.0), 1.0))
        bounds.append(found.interval())
    middle = np.array(values) / sum(values)
    return float(total_variation(read, target)), *corrected_score(bounds, middle, target, total_variation)


def of_terms(rng: np.random.Generator, women: Array, labels: int) -> Found:
    """Return the mean over terms by the confusion matrix; as read it is the plain mean."""
    matrix = Misreading(labelled(rng, np.array([0.6, 0.4]), RATES, labels).tolist(), int(rng.integers(1 << 30)))
    terms, read, target = [], [], np.full(2, 0.5)
    for number, share in enumerate(women):
        seen = rng.multinomial(OF_TEN, np.array([1 - share, share]) @ RATES) / OF_TEN
        read.append(float(total_variation(seen, target)))
        drawn = matrix.drawn(seen, OF_TEN, stream=number + 1)
        terms.append(DrawnTerm(matrix.shares(seen), drawn, target, 1.0))
    value, interval = mean_total_variation(terms)
    return float(np.mean(read)), value, interval


def row(labels: int, about: str, true: float, found: list[Found]) -> tuple[str, ...]:
    """Return a row: coverage, width, error as read and corrected, and how much of it the correction removes."""
    read, value = (np.nanmean([each[place] for each in found]) for place in (0, 1))
    holds = np.mean([each[2].low <= true + 1e-9 and true - 1e-9 <= each[2].high for each in found])
    width = np.mean([each[2].width for each in found])
    before, after = float(read) - true, float(value) - true
    removed = f"{1 - abs(after) / abs(before):.0%}" if abs(before) > 0.02 else "-"
    numbers = (f"{true:.3f}", f"{100 * holds:.1f}", f"{100 * width:.0f}", f"{100 * before:+.1f}", f"{100 * after:+.1f}")
    return (str(labels), about, *numbers, removed)


def cells(times: int, way: str) -> Iterator[tuple[str, ...]]:
    """Yield rows of cells of two groups, and of three."""
    correct = by_matrix if way == "matrix" else by_sample
    kinds = [((1 - share, share), RATES) for share in SHARES] + [(shares, THREE) for shares in OF_THREE]
    for labels in LABELS:
        for shares, rates in kinds:
            rng, true = np.random.default_rng([labels, *(round(1000 * share) for share in shares)]), np.array(shares)
            distance = float(total_variation(true, np.full(len(true), 1 / len(true))))
            found = [correct(rng, true, rates, labels) for _ in range(times)]
            yield row(labels, " / ".join(f"{share:.2f}" for share in shares), distance, found)


def means(times: int) -> Iterator[tuple[str, ...]]:
    """Yield rows of means over ten terms."""
    for labels in LABELS:
        for about, ends in TERMS.items():
            rng, women = np.random.default_rng([labels, len(about)]), np.linspace(*ends, 10)
            found = [of_terms(rng, women, labels) for _ in range(times)]
            yield row(labels, about, float(np.abs(women - 0.5).mean()), found)


def main() -> None:
    """Print coverage in per cent, width and errors in points."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=500)
    times = parser.parse_args().times
    for way in ("matrix", "sample"):
        say("", f"Total variation from even shares, by the {way}, {times} studies each:")
        say_table(HEAD, list(cells(times, way)))
    say("", f"Mean total variation of ten terms, by the matrix, {times} studies each:")
    say_table(HEAD, list(means(times)))


if __name__ == "__main__":
    main()
