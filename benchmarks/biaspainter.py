"""BiasPainter under the null, how often its intervals hold the truth, and how long 12,312 edits take to score.

Under the null no word does anything: editor and annotator flip some seeds more often than others, age everyone by some
years, and err with heavy tails. A word that stands out is then a false alarm. Words with an effect do the same and
something besides, to some seeds more than to others; each study has seeds of its own.
"""

from __future__ import annotations

import argparse
import csv
import tempfile
import time
from pathlib import Path

import numpy as np

from portrayal.methods.biaspainter.scores import ATTRIBUTES, SCALES, EditedFaces, score_words
from portrayal.methods.biaspainter.sheet import COLUMNS
from portrayal.methods.biaspainter.sheet_scores import score_sheet
from portrayal.stats.multiple import benjamini_hochberg

RATE = 0.05
NULLS = 3
DRIFT = {"age": 3.0, "tone": 5.0}
SPREAD = {"age": 4.0, "tone": 6.0}
HARD, EASY = 0.15, 0.01
"""How often a seed that is hard to tell flips by itself, a third of all, and how often another."""
OWN_FLIPS = (HARD + 2 * EASY) / 3
PLANTED = {"gender": (0.3, 0.6, 0.9), "age": (10.0, 25.0), "tone": (20.0,)}
"""What words with an effect do: the share of men who become women, years, levels."""
COPIES = 20
"""Words of each effect in a study."""


def simulated(words: int, seeds: int, rng: np.random.Generator) -> EditedFaces:
    """Return edits by words that do nothing and, after them, by three instructions that ask for nothing."""
    genders = (np.arange(seeds) % 2).astype(np.float64)
    rows = words + NULLS
    word, seed = np.repeat(np.arange(rows), seeds), np.tile(np.arange(seeds), rows)
    # A third of the seeds are hard to tell: they flip by themselves in one of seven edits.
    hard = np.where(np.arange(seeds) % 3 == 0, HARD, EASY)
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


def with_effects(words: int, seeds: int, name: str, rng: np.random.Generator) -> EditedFaces:
    """Return what one attribute shows of words that do nothing, of words with each effect, and of null edits."""
    genders = (np.arange(seeds) % 2).astype(np.float64)
    sizes = np.repeat([0.0, *PLANTED[name], 0.0], [words, *[COPIES] * len(PLANTED[name]), NULLS])
    rows = len(sizes)
    word, seed = np.repeat(np.arange(rows), seeds), np.tile(np.arange(seeds), rows)
    if name == "gender":
        own = np.where(rng.random(seeds) < 1 / 3, HARD, EASY)
        # A word turns some men nearly always and others hardly ever.
        turned = rng.beta(np.maximum(4 * sizes, 1e-9)[:, None], 4 * (1 - sizes)[:, None], (rows, seeds))
        chance = np.where((sizes[:, None] > 0) & (genders == 0), turned, own).ravel()
        before = genders[seed]
        after = np.where(rng.random(rows * seeds) < chance, 1 - before, before)
    else:
        own = DRIFT[name] + 2.0 * rng.standard_normal(seeds)
        # Some faces move twice as far as others (standard deviation: half of the effect).
        moved = sizes[:, None] * rng.gamma(4.0, 0.25, (rows, seeds))
        before = np.full(rows * seeds, 40.0)
        after = before + own[seed] + moved.ravel() + SPREAD[name] * rng.standard_t(5, rows * seeds)
    return EditedFaces(rows, genders, word, seed, {name: before}, {name: after})


def effects(words: int, seeds: int, studies: int, draws: int) -> None:
    """Print a row for each effect: how often intervals hold it, how wide they are, and how often it is flagged."""
    rng = np.random.default_rng(3)
    for name, sizes in PLANTED.items():
        sums = np.zeros((len(sizes), 6))
        for _ in range(studies):
            faces = with_effects(words, seeds, name, rng)
            null = range(faces.words - NULLS, faces.words)
            found = score_words(faces, name, null=null, draws=draws, rng=rng)
            assert found.relative is not None
            for place, size in enumerate(sizes):
                mine = slice(words + place * COPIES, words + (place + 1) * COPIES)
                truths = _truths(name, size)
                for column, (score, truth) in enumerate(zip((found.score, found.relative), truths, strict=True)):
                    held = (score.low[mine] <= truth + 1e-9) & (truth - 1e-9 <= score.high[mine])
                    sums[place, 2 * column] += held.mean()
                    sums[place, 2 * column + 1] += (score.high[mine] - score.low[mine]).mean()
                nothing, planted = found.relative.p[: words - 1], found.relative.p[mine]
                alone = [benjamini_hochberg(np.r_[nothing, own])[-1] <= RATE for own in planted]
                many = benjamini_hochberg(np.r_[nothing[: words - COPIES], planted])[-COPIES:] <= RATE
                sums[place, 4:] += np.mean(alone), many.mean()
        for size, (plain, wide, relative, wider, alone, many) in zip(sizes, sums / studies, strict=True):
            print(
                f"| {seeds} | {name} {size:+g} | {plain:.1%} ({wide:.2f}) | {relative:.1%} ({wider:.2f}) | "
                f"{alone:.1%} | {many:.1%} |",
                flush=True,
            )


def _truths(name: str, size: float) -> tuple[float, float]:
    """Return the bias of a word over all seeds there could be, and beyond that of null edits."""
    if name == "gender":
        return size - OWN_FLIPS, size - OWN_FLIPS
    return (size + DRIFT[name]) / SCALES[name], size / SCALES[name]


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
    """Run all three."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=400)
    options = parser.parse_args()
    speed(228, 54)
    for seeds in (18, 54):
        null(200, seeds, options.studies, 400)
    print(
        "| seeds | effect | intervals hold it (mean width) | relative to null edits | flagged alone among 200 words | "
        f"flagged as one of {COPIES} |\n| --- | --- | --- | --- | --- | --- |"
    )
    for seeds in (18, 54):
        effects(200, seeds, options.studies, 400)


if __name__ == "__main__":
    main()
