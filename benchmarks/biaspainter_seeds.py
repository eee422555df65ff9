"""BiasPainter with few seeds, numbers of topics and the model, and what its report says could have been found.

python -m benchmarks.biaspainter_seeds [--studies 400] [--only few levels reach unasked]

Each study has seeds of its own. Prints tables of docs/validity.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping

import numpy as np
from benchmarks.biaspainter import DRIFT, EASY, HARD, NULLS, SPREAD

from portrayal.methods.biaspainter.scores import SCALES, EditedFaces, score_words
from portrayal.methods.biaspainter.scores.image_sizes import image_sizes
from portrayal.methods.biaspainter.scores.levels import word_sizes
from portrayal.methods.biaspainter.scores.significance import fewest_flips, least_shift

Draw = Callable[[np.random.Generator, tuple[int, int]], np.ndarray]
SEEDS = (3, 4, 5, 6, 7, 8, 9, 10, 12, 18)
WORDS = 10
YEARS = 10.0
"""What words with an effect add to perceived age on average."""
ERRORS: Mapping[str, Draw] = {
    "normal": lambda rng, size: YEARS + 5 * rng.standard_normal(size),
    "heavy tails": lambda rng, size: YEARS + 4 * rng.standard_t(5, size),
    "skewed": lambda rng, size: YEARS * rng.gamma(4.0, 0.25, size) + 2 * rng.standard_normal(size),
    "very skewed": lambda rng, size: YEARS * rng.exponential(1.0, size),
    "whole fives": lambda rng, size: 5 * rng.binomial(4, 0.5, size).astype(float),
    "25 or none": lambda rng, size: np.where(rng.random(size) < 0.4, 25.0, 0.0),
}
"""How far faces move with a word that moves them by ten years on average."""


def edits(genders: np.ndarray, name: str, before: float | np.ndarray, after: np.ndarray) -> EditedFaces:
    """Return edits of every seed by every word: ``after`` is (words, seeds)."""
    words, seeds = after.shape
    word, seed = np.repeat(np.arange(words), seeds), np.tile(np.arange(seeds), words)
    first = np.broadcast_to(before, after.shape).ravel().astype(float)
    return EditedFaces(words, genders, word, seed, {name: first}, {name: after.ravel()})


def few(studies: int) -> None:
    """Print how often intervals of age hold the truth, by the number of seeds and by how faces move."""
    print("| seeds | " + " | ".join(ERRORS) + " |")
    print("| --- " * (len(ERRORS) + 1) + "|")
    for seeds in SEEDS:
        rng, genders = np.random.default_rng(seeds), (np.arange(seeds) % 2).astype(float)
        cells = []
        for draw in ERRORS.values():
            held = np.zeros(2)
            for _ in range(studies):
                moved = np.concatenate([draw(rng, (WORDS, seeds)), draw(rng, (NULLS, seeds)) - YEARS])
                faces = edits(genders, "age", 40.0, 40.0 + moved)
                found = score_words(faces, "age", null=range(WORDS, WORDS + NULLS), draws=100, rng=rng)
                assert found.relative is not None
                truth = YEARS / SCALES["age"]
                for place, own in enumerate((found.score, found.relative)):
                    held[place] += ((own.low <= truth + 1e-9) & (truth - 1e-9 <= own.high)).mean()
            cells.append(" / ".join(f"{100 * own / studies:.1f}" for own in held))
        print(f"| {seeds} | " + " | ".join(cells) + " |", flush=True)


def mixed(name: str, seeds: int, words: int, rng: np.random.Generator) -> tuple[EditedFaces, np.ndarray]:
    """Return a study in which every other word does something, and the true biases of words beyond null edits."""
    genders = (np.arange(seeds) % 2).astype(float)
    rows, does = words + NULLS, (np.arange(words + NULLS) % 2 == 0) & (np.arange(words + NULLS) < words)
    if name == "gender":
        own = np.where(rng.random(seeds) < 1 / 3, HARD, EASY)
        turned = rng.beta(2.0, 2.0, (rows, seeds))
        chance = np.where(does[:, None] & (genders == 0), turned, own)
        after = np.where(rng.random((rows, seeds)) < chance, 1 - genders, genders)
        truth = np.where(does, 0.5 - (HARD + 2 * EASY) / 3, 0.0)
        return edits(genders, name, genders, after), truth[:words]
    drift = DRIFT[name] + 2 * rng.standard_normal(seeds)
    moved = np.where(does, SCALES[name] / 2, 0.0)[:, None] * rng.gamma(4.0, 0.25, (rows, seeds))
    after = 40 + drift + moved + SPREAD[name] * rng.standard_t(5, (rows, seeds))
    return edits(genders, name, 40.0, after), np.where(does, 0.5, 0.0)[:words]


def levels(studies: int) -> None:
    """Print how often the interval of the mean size beyond null edits holds it, what is shown by chance, and widths."""
    print("| seeds | words | attribute | half of the words do something: true, mean shown, held | ", end="")
    print("none does: mean shown, chance stated, held 0 | image bias beyond null edits, held |")
    print("| --- " * 6 + "|")
    for seeds in (6, 18, 54):
        for words in (15, 100):
            for name in ("gender", "age"):
                rng = np.random.default_rng(seeds + words)
                sums = np.zeros(6)
                for _ in range(studies):
                    faces, truth = mixed(name, seeds, words, rng)
                    found = score_words(faces, name, null=range(words, words + NULLS), draws=200, rng=rng)
                    own = word_sizes(found, np.arange(words), relative=True)
                    idle = word_sizes(found, np.flatnonzero(truth == 0), relative=True)
                    sizes = faces.sizes(name)
                    null = sizes.take(np.arange(words, words + NULLS))
                    image = image_sizes(sizes.take(np.flatnonzero(truth == 0)), null, share=name == "gender")
                    assert own is not None
                    assert idle is not None
                    assert image is not None
                    size = truth.mean()
                    sums += (own.mean, own.low <= size <= own.high, idle.mean, idle.chance, idle.low <= 0,
                             image.gap_low <= 0 <= image.gap_high)  # fmt: skip
                mean, held, none, chance, nought, gap = sums / studies
                print(
                    f"| {seeds} | {words} | {name} | {size:.2f}, {mean:.2f}, {held:.1%} | {none:.3f}, {chance:.3f}, "
                    f"{nought:.1%} | {gap:.1%} |",
                    flush=True,
                )


def reach(studies: int) -> None:
    """Print how often a word stands out that does as much as the report says that one must."""
    for seeds in (18, 54):
        for words in (15, 229):
            rng, genders = np.random.default_rng(seeds + words), (np.arange(seeds) % 2).astype(float)
            rate, told = 0.05 / words, []
            for _ in range(studies):
                own = 2 * rng.standard_normal(seeds)
                after = 40 + own + 4 * rng.standard_normal((words + NULLS, seeds))
                found = score_words(
                    edits(genders, "age", 40.0, after), "age", null=range(words, words + NULLS), draws=100, rng=rng
                ).relative
                assert found is not None
                size = least_shift(found.value, found.p, seeds, rate) * SCALES["age"]
                other = 40 + own + 4 * rng.standard_normal((words + NULLS, seeds))
                other[0] += size
                again = score_words(
                    edits(genders, "age", 40.0, other), "age", null=range(words, words + NULLS), draws=100, rng=rng
                ).relative
                assert again is not None
                told.append((size, again.q[0] <= 0.05))
            size, often = np.mean(told, axis=0)
            flips = fewest_flips(seeds // 2, seeds // 2, NULLS, rate)
            print(
                f"{seeds} seeds, {words} words: {size:.1f} years stand out in {often:.1%}; {flips} flips of "
                f"{seeds // 2} are needed",
                flush=True,
            )


def unasked(studies: int) -> None:
    """Print how often the test of null edits rejects at 5 % where editor and annotator have no drift."""
    for seeds in (6, 18, 54):
        rng, genders = np.random.default_rng(seeds), (np.arange(seeds) % 2).astype(float)
        rejected = np.zeros(2)
        for _ in range(studies):
            own = np.where(rng.random(seeds) < 1 / 3, HARD, EASY)
            turned = np.where(rng.random((1 + NULLS, seeds)) < own, 1 - genders, genders)
            aged = 40 + 2 * rng.standard_normal(seeds) + SPREAD["age"] * rng.standard_t(5, (1 + NULLS, seeds))
            for place, faces in enumerate(
                (edits(genders, "gender", genders, turned), edits(genders, "age", 40.0, aged))
            ):
                name = ("gender", "age")[place]
                found = score_words(faces, name, null=range(1, 1 + NULLS), draws=100, rng=rng).null
                assert found is not None
                rejected[place] += found.p[0] <= 0.05 and not found.low[0] <= 0 <= found.high[0]
        print(
            f"{seeds} seeds: null edits told for gender in {rejected[0] / studies:.1%}, age {rejected[1] / studies:.1%}"
        )


def main() -> None:
    """Run those that are asked for, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=400)
    parser.add_argument("--only", nargs="*", default=["few", "levels", "reach", "unasked"])
    options = parser.parse_args()
    for name, run in (("few", few), ("levels", levels), ("reach", reach), ("unasked", unasked)):
        if name in options.only:
            run(options.studies)


if __name__ == "__main__":
    main()
