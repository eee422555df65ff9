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

from portrayal.reports.text.wide_intervals import wide_by_labels
from portrayal.stats.annotation.corrected_difference import difference_bounds
from portrayal.stats.annotation.misreading import Misreading
from portrayal.stats.annotation.prediction_powered import LabelledImages, Unlabelled, prediction_powered
from portrayal.terminal import say, say_table

LOST, TAKEN = 0.2, 0.02
PICTURES, TERM = 2000, 200
SHARES = (0.0, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 1.0)
LABELS = (50, 200, 1000)
PAIRS = ((0.5, 0.5), (0.8, 0.2), (0.9, 0.7), (0.5, 0.05), (0.3, 0.2), (1.0, 0.5), (0.1, 0.0))
THREE = ((1.0, 0.0, 0.0), (0.9, 0.08, 0.02), (0.6, 0.3, 0.1), (1 / 3, 1 / 3, 1 / 3), (0.1, 0.8, 0.1))
Counts = NDArray[np.int64]


def drawn(
    rng: np.random.Generator, share: float, pictures: int, times: int, errors: tuple[float, float] = (LOST, TAKEN)
) -> Counts:
    """Return counts (times, who it is, as whom it is read) of so many pictures."""
    (lost, taken), men, women = errors, 1 - share, share
    cells = [men * (1 - taken), men * taken, women * lost, women * (1 - lost)]
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


def by_sample(
    rng: np.random.Generator, share: float, labels: int, times: int, errors: tuple[float, float] = (LOST, TAKEN)
) -> list[list[float]]:
    """Return share as read, corrected, low and high over all pictures, of which so many are labelled.

    And whether the interval carries the sign of one that is wider than it need be.
    """
    found = []
    known, others = (drawn(rng, share, pictures, times, errors) for pictures in (labels, PICTURES - labels))
    for number in range(times):
        each = known[number].ravel()
        labelled = LabelledImages.of(np.repeat([0, 0, 1, 1], each), np.repeat([0, 1, 0, 1], each))
        read = float(known[number, :, 1].sum() + others[number, :, 1].sum()) / PICTURES
        result = prediction_powered(labelled, Unlabelled.rest(PICTURES, read, labelled))
        bounds = result.interval()
        value = min(max(result.value, 0.0), 1.0)
        wide = wide_by_labels(value, labels, int(each[1] + each[2]))
        found.append([read, value, bounds.low, bounds.high, float(wide)])
    return found


def differences(way: str, labels: int, shares: tuple[float, float], times: int) -> list[list[float]]:
    """Return the difference of two models as read, corrected, low and high.

    By the matrix of so many labels in all, of 200 pictures of a term of each model; by the sample of so many labels of
    each model, among 2,000 of its pictures.
    """
    rng = np.random.default_rng([labels, *(round(100 * share) for share in shares)])
    found = []
    if way == "matrix":
        known = drawn(rng, 0.4, labels, times)
        terms = [drawn(rng, share, TERM, times).sum(axis=1) / TERM for share in shares]
        for number in range(times):
            seen = [term[number] for term in terms]
            result = Misreading(known[number].tolist(), seed=number).difference(*((each, TERM) for each in seen))
            ends = (float(part[1]) for part in (result.shares, result.low, result.high))
            found.append([float(seen[0][1] - seen[1][1]), *ends])
        return found
    counts = [(drawn(rng, share, labels, times), drawn(rng, share, PICTURES - labels, times)) for share in shares]
    for number in range(times):
        sides, read = [], []
        for mine, rest in counts:
            labelled = LabelledImages.of(
                np.repeat([0, 0, 1, 1], mine[number].ravel()), np.repeat([0, 1, 0, 1], mine[number].ravel())
            )
            share = float((mine[number] + rest[number])[:, 1].sum()) / PICTURES
            powered = prediction_powered(labelled, Unlabelled.rest(PICTURES, share, labelled))
            sides.append((min(max(powered.value, 0.0), 1.0), powered.interval()))
            read.append(share)
        bounds = difference_bounds(*sides)
        found.append([read[0] - read[1], sides[0][0] - sides[1][0], bounds.low, bounds.high])
    return found


def difference_rows(way: str, times: int) -> list[tuple[str, ...]]:
    """Return rows of how often the corrected difference of two models holds the truth, and what is left of the bias."""
    rows: list[tuple[str, ...]] = []
    for labels in LABELS:
        for shares in PAIRS:
            true = shares[0] - shares[1]
            read, value, low, high = np.array(differences(way, labels, shares, times)).T
            holds = np.mean((low <= true + 1e-9) & (true - 1e-9 <= high))
            before, after = abs(float(read.mean()) - true), abs(float(value.mean()) - true)
            removed = f"{1 - after / before:.0%}" if before > 0.01 else "-"
            about = f"{shares[0]:.2f} - {shares[1]:.2f}"
            bias = f"{read.mean() - true:+.3f}", f"{value.mean() - true:+.3f}"
            rows.append((str(labels), about, f"{holds:.3f}", f"{(high - low).mean():.3f}", *bias, removed))
    return rows


def three_groups(times: int) -> list[tuple[str, ...]]:
    """Return rows for three groups in an order, of whom one in five is read as a neighbour, by the matrix."""
    rates, rows = np.array([[0.8, 0.18, 0.02], [0.1, 0.8, 0.1], [0.02, 0.18, 0.8]]), []
    for labels in LABELS:
        for shares in THREE:
            rng, true = np.random.default_rng(labels), np.array(shares)
            holds, before, after = np.zeros((3, 3))
            for number in range(times):
                each = rng.multinomial(labels, [0.4, 0.4, 0.2])
                known = [rng.multinomial(count, rate).tolist() for count, rate in zip(each, rates, strict=True)]
                seen = rng.multinomial(TERM, true @ rates) / TERM
                result = Misreading(known, seed=number).corrected(seen, TERM)
                holds += (result.low <= true + 1e-9) & (true - 1e-9 <= result.high)
                before += (seen - true) / times
                after += np.nan_to_num(result.shares - true) / times
            covers = " ".join(f"{hold / times:.3f}" for hold in holds)
            bias = (" ".join(f"{part:+.3f}" for part in parts) for parts in (before, after))
            rows.append((str(labels), " ".join(f"{share:.2f}" for share in shares), covers, *bias))
    return rows


def other_annotators(times: int) -> list[tuple[str, ...]]:
    """Return rows of how often the sample holds the truth where annotators err in as many of either group.

    A plus follows where more than half of the intervals carry the sign of one that is wider than it need be.
    """
    rows = []
    for errs in (0.02, 0.1, 0.4):
        for labels in LABELS:
            held = list[str]()
            for share in (0.02, *SHARES[1:-1]):
                rng = np.random.default_rng([labels, round(100 * share), round(100 * errs)])
                low, high, wide = np.array(by_sample(rng, share, labels, times, (errs, errs))).T[2:]
                holds = np.mean((low <= share + 1e-9) & (share - 1e-9 <= high))
                held.append(f"{100 * holds:.1f}{'+' if wide.mean() > 0.5 else ''}")
            rows.append((f"{errs:.0%}", str(labels), *held))
    return rows


def uneven_errors(times: int) -> list[tuple[str, ...]]:
    """Return rows for two prompts, of one of which two women in five are misread and of the other none."""
    rows = []
    for labels in LABELS:
        rng = np.random.default_rng(labels)
        held = {"matrix": 0, "sample": 0}
        for number in range(times):
            strata = []
            for lost in (0.4, 0.0):
                cells = np.array([0.5, 0.0, 0.5 * lost, 0.5 * (1 - lost)])
                strata.append((rng.multinomial(labels // 2, cells), rng.multinomial((PICTURES - labels) // 2, cells)))
            known = strata[0][0] + strata[1][0]
            read = sum(int(counts[[1, 3]].sum()) for stratum in strata for counts in stratum) / PICTURES
            labelled = LabelledImages.of(np.repeat([0, 0, 1, 1], known), np.repeat([0, 1, 0, 1], known))
            bounds = prediction_powered(labelled, Unlabelled.rest(PICTURES, read, labelled)).interval()
            held["sample"] += bounds.low <= 0.5 <= bounds.high
            term = (strata[0][0] + strata[0][1]).reshape(2, 2).sum(axis=0)
            matrix = Misreading(known.reshape(2, 2).tolist(), seed=number).corrected(term / term.sum(), term.sum())
            held["matrix"] += bool(matrix.low[1] <= 0.5 <= matrix.high[1])
        rows.append((str(labels), *(f"{count / times:.3f}" for count in held.values())))
    return rows


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
                read, value, low, high, *wide = np.array(correct(rng, share, labels, times)).T
                holds = np.mean((low <= share + 1e-9) & (share - 1e-9 <= high))
                before, after = abs(float(read.mean()) - share), abs(float(value.mean()) - share)
                removed = f"{1 - after / before:.0%}" if before > 0.01 else "-"
                bias = f"{read.mean() - share:+.3f}", f"{value.mean() - share:+.3f}"
                signed = f"{np.mean(wide):.0%}" if wide else "-"
                width = f"{(high - low).mean():.3f}"
                rows.append((str(labels), f"{share:.2f}", f"{holds:.3f}", width, *bias, removed, signed))
        say("", f"By the {name}, {times} studies each:")
        say_table(("labels", "share", "coverage", "width", "error as read", "corrected", "removed", "signed"), rows)
    for name, way in (("confusion matrix", "matrix"), ("labelled samples of both", "sample")):
        say("", f"The difference of two models by the {name}, {times} studies each:")
        head = ("labels", "shares", "coverage", "width", "error as read", "corrected", "removed")
        say_table(head, difference_rows(way, times))
    say("", "Three groups, by the confusion matrix:")
    say_table(("labels", "shares", "coverage of each", "error as read", "corrected"), three_groups(times))
    say("", "Annotators that err in as many of either group, by the labelled sample:")
    shares = [f"{share:.2f}" for share in (0.02, *SHARES[1:-1])]
    say_table(("errs in", "labels", *shares), other_annotators(times))
    say("", "Errors that differ between prompts: coverage of the worse prompt by the matrix, of both by the sample:")
    say_table(("labels", "matrix", "sample"), uneven_errors(times))


if __name__ == "__main__":
    main()
