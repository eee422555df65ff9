"""How often a model that never changes is called changed over many releases, and how often a change is found.

python benchmarks/history.py [--histories 1000]

A history is so many releases of a model that draws 20 terms with planted shares. Every release is compared with the one
before and with the first, by the test, the correction and the levels of ``portrayal history``. Prints the tables of
docs/validity.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np

from portrayal.apps.history.changes import level_of
from portrayal.stats.intervals import Array
from portrayal.stats.multiple import holm
from portrayal.stats.two_sides.two_shares import difference_p

TERMS = 20
SHARES = (0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--histories", type=int, default=1000)
    options = parser.parse_args()
    rng = np.random.default_rng(28)
    print(*stable(options.histories, rng), sep="\n")
    print(*changing(options.histories, rng), sep="\n")


def stable(histories: int, rng: np.random.Generator) -> Iterator[str]:
    """Yield how many histories of models that never change have any change called, and how many without correction."""
    yield "| releases | images of a term | called changed | without a correction |"
    yield "| --- | --- | --- | --- |"
    for releases in (2, 5, 12, 30):
        for images in (10, 50, 200):
            shares = rng.choice(SHARES, (histories, 1, TERMS))
            seen = rng.binomial(images, np.broadcast_to(shares, (histories, releases, TERMS)))
            p = p_values(seen / images, images)
            wrong = called(p).any(axis=(1, 2, 3)).mean()
            plain = (np.nan_to_num(p, nan=1.0) <= 0.05).any(axis=(1, 2, 3)).mean()
            yield f"| {releases} | {images} | {100 * wrong:.1f} % | {100 * plain:.0f} % |"


def changing(histories: int, rng: np.random.Generator) -> Iterator[str]:
    """Yield how often the change of one term at the last release is found there, and any other term is called."""
    yield "| changes at release | images of a term | from 50 % by | found | anything else called |"
    yield "| --- | --- | --- | --- | --- |"
    for releases in (2, 6, 12):
        for images, points in ((50, 0.4), (100, 0.3), (200, 0.2), (200, 0.1)):
            shares = np.full((releases, TERMS), 0.5)
            shares[-1, 0] += points
            seen = rng.binomial(images, np.broadcast_to(shares, (histories, releases, TERMS)))
            found = called(p_values(seen / images, images))
            hit = found[:, -1, 0].any(axis=1).mean()
            found[:, -1, 0] = False
            wrong = found.any(axis=(1, 2, 3)).mean()
            points_said = f"{100 * points:.0f} points"
            yield f"| {releases} | {images} | {points_said} | {100 * hit:.0f} % | {100 * wrong:.1f} % |"


def p_values(seen: Array, images: int) -> Array:
    """Return p by history, look, term, and whether it is against the release before or the first; nan is no test."""
    n = np.full(seen[:, 1:].size, float(images))
    before = difference_p(seen[:, 1:].ravel(), n, seen[:, :-1].ravel(), n).reshape(seen[:, 1:].shape)
    first = np.broadcast_to(seen[:, :1], seen[:, 1:].shape)
    since = difference_p(seen[:, 1:].ravel(), n, first.ravel(), n).reshape(seen[:, 1:].shape)
    since[:, 0] = np.nan  # of the second release the one before is the first
    return np.stack([before, since], axis=-1)


def called(p: Array) -> Array:
    """Return which changes are called, each look with Holm's correction at its own level."""
    found = np.zeros(p.shape, dtype=bool)
    for history in range(len(p)):
        for look in range(p.shape[1]):
            adjusted = holm(p[history, look].ravel())
            found[history, look] = (np.nan_to_num(adjusted, nan=1.0) <= level_of(look + 2)).reshape(p.shape[2:])
    return found


if __name__ == "__main__":
    main()
