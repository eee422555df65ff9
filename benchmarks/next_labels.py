"""Whether further labels narrow an interval as much as ``portrayal labels --next`` promises.

A model draws women in a known share of 2,000 pictures; an annotator reads one woman in five as a man and one man in
fifty as a woman, as in corrections.py. Some pictures are labelled, and more are drawn. What is promised follows from
the labels there are; it is compared with the width of the interval once all are labelled.

    python benchmarks/next_labels.py
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import numpy as np
from benchmarks.corrections import PICTURES, Counts, drawn

from portrayal.records import Measurement
from portrayal.stats.annotation.prediction_powered import LabelledImages
from portrayal.stats.intervals import Array
from portrayal.study.correction.correct_shares import powered_share
from portrayal.study.correction.next_labels import LabelledShare, labelled_share
from portrayal.terminal import say, say_table

STEPS = ((0, 40), (0, 200), (20, 40), (50, 40), (50, 150), (200, 200))
SHARES = (0.05, 0.2, 0.5, 0.9)
ANNOTATORS = {"one woman in five": (0.2, 0.02), "one in ten": (0.1, 0.1), "nobody": (0.0, 0.0)}


def images(counts: Counts) -> LabelledImages:
    """Return labelled images from counts (who they are, as whom they are read)."""
    return LabelledImages.of(np.repeat([0, 0, 1, 1], counts.ravel()), np.repeat([0, 1, 0, 1], counts.ravel()))


def widths(rng: np.random.Generator, share: float, step: tuple[int, int], errors: tuple[float, float]) -> list[float]:
    """Return the width before, as promised, and as it came out."""
    (there, more), row = step, Measurement("m", "share", "g")
    first, later, rest = (drawn(rng, share, n, 1, errors)[0] for n in (there, more, PICTURES - there - more))
    read = float((first + later + rest)[:, 1].sum()) / PICTURES
    row = replace(row, value=read, n=PICTURES, worth=float(PICTURES))
    known: LabelledShare = labelled_share(row, images(first) if there else None, there, 1.0)
    return [known.width(0), known.width(more), powered_share(row, images(first + later)).interval().width]


def main() -> None:
    """Print mean widths in points, and how often what came out lies within a quarter of what was promised."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=1000)
    times = parser.parse_args().times
    for misread, errors in ANNOTATORS.items():
        rows = []
        for there, more in STEPS:
            cells = []
            for share in SHARES:
                rng = np.random.default_rng([there, more, round(100 * share)])
                found: Array = np.array([widths(rng, share, (there, more), errors) for _ in range(times)])
                before, promised, came = 100 * found.mean(axis=0)
                near = np.mean(np.abs(found[:, 2] / found[:, 1] - 1) <= 0.25)
                begin = f"{before:.0f} to " if there else ""
                cells.append(f"{begin}{promised:.0f}, {came:.0f} ({100 * near:.0f})")
            rows.append((str(there), str(more), *cells))
        say("", f"Misread: {misread}. Promised width and what it came to, in points (within a quarter, % of studies):")
        say_table(("labels", "more", *(f"{share:.2f}" for share in SHARES)), rows)


if __name__ == "__main__":
    main()
