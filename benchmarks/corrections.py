"""How often corrected shares hold the truth, and how much of an annotator's error the correction removes.

A model draws women in a known share of 2,000 pictures; an annotator reads one woman in five as a man and one man in
fifty as a woman. People label 50, 200 or 1,000 of the pictures, chosen at random. The confusion matrix is asked about
200 further pictures of another share, none of which is labelled, as of a single term; the sample about all pictures.

    python benchmarks/corrections.py
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

from portrayal.stats.misreading import Misreading
from portrayal.stats.prediction_powered import LabelledImages, Unlabelled, prediction_powered
from portrayal.terminal import say, say_table

LOST, TAKEN = 0.2, 0.02
PICTURES, TERM = 2000, 200
SHARES = (0.0, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 1.0)
LABELS = (50, 200, 1000)
Counts = NDArray[np.int64]


def drawn(rng: np.random.Generator, share: float, pictures: int, times: int) -> Counts:
    """Return counts (times, who it is, as whom it is read) of so many pictures."""
    men, women = 1 - share, share
    cells = [men * (1 - TAKEN), men * TAKEN, women * LOST, women * (1 - LOST)]
    return rng.multinomial(pictures, cells, size=times).reshape(times, 2, 2)


def by_matrix(rng: np.random.Generator, share: float, labels: int, times: int) -> list[list[float]]:
    """Return share as read, corrected, low and high of a term; people label pictures of which 40 in 100 show women."""
    found = []
    known, term = drawn(rng, 0.4, labels, times), drawn(rng, share, TERM, times)
    for number in range(times):
        seen = term[number].sum(axis=0) / TERM
        result = Misreading(known[number].tolist(), seed=number).corrected(seen, TERM)
        found.append([float(part[1]) for part in (seen, result.shares, result.low, result.high)])
    return found


def by_sample(rng: np.random.Generator, share: float, labels: int, times: int) -> list[list[float]]:
    """Return share as read, corrected, low and high over all pictures, of which so many are labelled."""
    found = []
    known, others = drawn(rng, share, labels, times), drawn(rng, share, PICTURES - labels, times)
    for number in range(times):
        each = known[number].ravel()
        labelled = LabelledImages.of(np.repeat([0, 0, 1, 1], each), np.repeat([0, 1, 0, 1], each))
        read = float(known[number, :, 1].sum() + others[number, :, 1].sum()) / PICTURES
        result = prediction_powered(labelled, Unlabelled.rest(PICTURES, read, labelled))
        bounds = result.interval()
        found.append([read, min(max(result.value, 0.0), 1.0), bounds.low, bounds.high])
    return found


def main() -> None:
    """Print, for either way, coverage, mean width, and what is left of the bias."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=1000)
    times = parser.parse_args().times
    for name, correct in (("confusion matrix", by_matrix), ("labelled sample", by_sample)):
        rows = []
        for labels in LABELS:
            for share in SHARES:
                rng = np.random.default_rng([labels, round(100 * share)])
                read, value, low, high = np.array(correct(rng, share, labels, times)).T
                holds = np.mean((low <= share + 1e-9) & (share - 1e-9 <= high))
                before, after = abs(float(read.mean()) - share), abs(float(value.mean()) - share)
                removed = f"{1 - after / before:.0%}" if before > 0.01 else "-"
                bias = f"{read.mean() - share:+.3f}", f"{value.mean() - share:+.3f}"
                rows.append((str(labels), f"{share:.2f}", f"{holds:.3f}", f"{(high - low).mean():.3f}", *bias, removed))
        say("", f"By the {name}, {times} studies each:")
        say_table(("labels", "share", "coverage", "width", "error as read", "corrected", "removed"), rows)


if __name__ == "__main__":
    main()
