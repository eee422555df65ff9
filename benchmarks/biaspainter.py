"""BiasPainter under the null, how often its intervals hold the truth, and how long 12,312 edits take to score.

Under the null no word does anything: editor and annotator flip some seeds more often than others, age everyone by some
years, and err with heavy tails. A word that stands out is then a false alarm.
"""

from __future__ import annotations

import argparse
import csv
import tempfile
import time
from pathlib import Path

import numpy as np

from portrayal.methods.biaspainter.scores import ATTRIBUTES, EditedFaces, score_words
from portrayal.methods.biaspainter.sheet import COLUMNS
from portrayal.methods.biaspainter.sheet_scores import score_sheet

RATE = 0.05
NULLS = 3
DRIFT = {"age": 3.0, "tone": 5.0}
SPREAD = {"age": 4.0, "tone": 6.0}


def simulated(words: int, seeds: int, rng: np.random.Generator) -> EditedFaces:
    """Return edits by words that do nothing and, after them, by three instructions that ask for nothing."""
    genders = (np.arange(seeds) % 2).astype(np.float64)
    rows = words + NULLS
    word, seed = np.repeat(np.arange(rows), seeds), np.tile(np.arange(seeds), rows)
    # A third of the seeds are hard to tell: they flip by themselves in one of seven edits.
    hard = np.where(np.arange(seeds) % 3 == 0, 0.15, 0.01)
    flipped = rng.random(rows * seeds) < hard[seed]
    before = {"gender": genders[seed]}
    after = {"gender": np.where(flipped, 1 - genders[seed], genders[seed])}
    for name in ("age", "tone"):
        own = DRIFT[name] + 2.0 * rng.standard_normal(seeds)
        noise = SPREAD[name] * rng.standard_t(5, rows * seeds)
        before[name] = np.full(rows * seeds, 40.0)
        after[name] = before[name] + own[seed] + noise
    return EditedFaces(rows, genders, word, seed, before, after)


def null(words: int, seeds: int, studies: int, draws: int) -> None:
    """Print how often any word stands out, how often single tests reject, and how often intervals hold nought."""
    rng = np.random.default_rng(1)
    alarms = dict.fromkeys(ATTRIBUTES, 0)
    blamed = dict.fromkeys(ATTRIBUTES, 0)
    rejected = dict.fromkeys(ATTRIBUTES, 0.0)
    held = dict.fromkeys(ATTRIBUTES, 0.0)
    for _ in range(studies):
        faces = simulated(words, seeds, rng)
        for name in ATTRIBUTES:
            found = score_words(faces, name, null=range(words, words + NULLS), draws=draws, rng=rng)
            assert found.relative is not None
            alarms[name] += bool((found.relative.q <= RATE).any())
            blamed[name] += int((found.score.q <= RATE).sum())
            rejected[name] += float((found.relative.p <= RATE).mean())
            held[name] += float(((found.relative.low <= 0) & (found.relative.high >= 0)).mean())
    print(f"{words} words that do nothing, {seeds} seeds, {NULLS} null edits of each, {studies} studies")
    for name in ATTRIBUTES:
        print(
            f"  {name:7} any word stands out in {alarms[name] / studies:6.1%} of studies; a single test rejects in "
            f"{rejected[name] / studies:5.1%}; intervals hold 0 in {held[name] / studies:5.1%}; without null edits "
            f"{blamed[name] / studies:.1f} words a study would stand out"
        )


def speed(words: int, seeds: int) -> None:
    """Print how long a file of edits takes to score."""
    rng = np.random.default_rng(2)
    names = {0.0: "male", 1.0: "female"}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "edits.csv"
        with path.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(COLUMNS)
            for word in range(words):
                for seed in range(seeds):
                    gender = names[seed % 2]
                    after = names[float(rng.integers(2))]
                    ages = rng.integers(20, 70, 2)
                    tones = rng.integers(80, 220, 2)
                    writer.writerow(["topic", f"word {word}", f"seed {seed}", gender, gender, after, *ages, *tones])
        start = time.perf_counter()
        found = score_sheet(path)
        seconds = time.perf_counter() - start
    assert len(found["words"]) == words * len(ATTRIBUTES)
    print(f"{words * seeds:,} edits ({seeds} seeds, {words} words) scored with intervals in {seconds:.2f} s")


def main() -> None:
    """Run both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=400)
    options = parser.parse_args()
    speed(228, 54)
    for seeds in (18, 54):
        null(200, seeds, options.studies, 400)


if __name__ == "__main__":
    main()
