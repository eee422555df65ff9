"""How many hours a study takes on how many graphics cards, from rates that were measured.

    python benchmarks/cluster_hours.py [--models 7] [--prompts 2654] [--images 800] [--seconds 0.5 2 8]

Without options it is FAIntbench at the size of its authors. ``--seconds`` is how long a card draws at one image: take
it from a run of some hundred images of your own. The other rates are those of docs/performance.md. Prints Markdown.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

GPUS = (1, 4, 8, 16, 64, 256)


@dataclass(frozen=True)
class Rates:
    """What a card and the driver do, measured, and how much of the cards' time is used, which is assumed."""

    looked_at: float = 229.0
    """Images a second that a card looks at: clip as it is by default, ViT-L/14, JPEG, an H200 with 16 cores."""
    committed: float = 500.0
    """Images a second that the driver writes and syncs to its disk, 2 ms each."""
    measured: float = 313_720.0
    """Images a second of the stage measure, in the driver."""
    efficiency: float = 0.9
    """Of the time of the cards, what they work in: less than was measured of the engine alone, as models must load."""


def hours(images: int, gpus: int, seconds: float, rates: Rates) -> tuple[float, str]:
    """Return how long all stages take, and what limits drawing.

    >>> hours(3600, 1, 0.9, Rates())
    (1.0, 'cards')
    """
    drawn = gpus / seconds * rates.efficiency
    speed = min(drawn, rates.committed)
    looked_at = min(gpus * rates.looked_at * rates.efficiency, rates.measured)
    took = images / speed + images / looked_at + images / rates.measured
    return round(took / 3600, 2), "cards" if drawn <= rates.committed else "driver"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=int, default=7)
    parser.add_argument("--prompts", type=int, default=2654)
    parser.add_argument("--images", type=int, default=800)
    parser.add_argument("--seconds", type=float, nargs="+", default=[0.25, 1.0, 4.0])
    given = parser.parse_args()
    images = given.models * given.prompts * given.images
    print(f"{images:,} images; hours by the number of cards (* the driver's disk limits)\n")
    print("| seconds to draw an image | " + " | ".join(f"{gpus}" for gpus in GPUS) + " |")
    print("| --- " * (len(GPUS) + 1) + "|")
    for seconds in given.seconds:
        found = [hours(images, gpus, seconds, Rates()) for gpus in GPUS]
        cells = [f"{took:,.{int(took < 10)}f}{'*' if limit == 'driver' else ''}" for took, limit in found]
        print(f"| {seconds:g} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
