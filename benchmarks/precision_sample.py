"""Whether 64 pictures tell what rounding costs on all of them: the check of precisions against a full comparison.

    python -m benchmarks.precision_sample [--images 5000] [--samples 200]

Small CLIPs of random weights, as sure as a trained one, one of them with outliers planted in its activations, look at
pictures of noise without rounding, in bfloat16 and in eight bits (rounded as a card would, multiplied on the
processor). Many samples of 64 pictures, each as large as an annotator's own check takes, are then compared with all
pictures: how far their mean shift lies from that of all, how often the interval for the effect on a share holds the
effect on all, and how many samples would stop. Prints Markdown. Any machine will do.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from unittest import mock

import numpy as np
from PIL import Image as Pillow
from tests.annotators.clip.test_precision import build, model

from portrayal.annotators import Observed
from portrayal.annotators.clip import Clip
from portrayal.records import Image, PrecisionCheck
from portrayal.study.annotate import precision as checking

OUTLIERS = {"ordinary": 1.0, "300 times": 300.0, "a million times": 1e6}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", type=int, default=5000)
    parser.add_argument("--samples", type=int, default=200)
    options = parser.parse_args()
    print("| outliers | precision | mean shift, all | samples of 64 | effects held by their interval | stopped |")
    print("| --- | --- | --- | --- | --- | --- |")
    # Eight bits are rounded alike without a card.
    with tempfile.TemporaryDirectory() as name, mock.patch("portrayal.annotators.clip.annotator.require_float8"):
        folder = Path(name)
        images = draw(folder, options.images)
        for outliers, times in OUTLIERS.items():
            files = model(folder / f"model-{times:g}", times)
            exact = Told(build(files, precision="exact"), images)
            for precision in ("bf16", "fp8"):
                rounded = Told(build(files, precision=precision), images)
                print(f"| {outliers} | {precision} | {row(rounded, exact, images, options.samples)} |", flush=True)


def draw(folder: Path, count: int) -> list[Image]:
    """Write pictures of smooth noise, each of its own brightness and colour."""
    rng = np.random.default_rng(1)
    images = []
    for number in range(count):
        coarse = np.clip(rng.normal(rng.uniform(60, 200, 3), rng.uniform(5, 60), (5, 5, 3)), 0, 255).astype(np.uint8)
        path = folder / f"{number}.png"
        Pillow.fromarray(coarse).resize((40, 40), Pillow.Resampling.BICUBIC).save(path)
        images.append(Image(str(number), path, people=1))
    return images


class Told:
    """An annotator that says again what one has said of all images."""

    looks = True
    citations: Sequence[str] = ()

    def __init__(self, annotator: Clip, images: Sequence[Image]) -> None:
        self.name, self.attributes, self.precision = annotator.name, annotator.attributes, annotator.precision
        self._rows: dict[str, list[Observed]] = {image.id: [] for image in images}
        for row in annotator.annotate(images):
            self._rows[row.image].append(row)

    def annotate(self, images: Sequence[Image]) -> Iterator[Observed]:
        """Yield its rows about these images."""
        for image in images:
            yield from self._rows[image.id]


def row(rounded: Told, exact: Told, images: Sequence[Image], samples: int) -> str:
    """Return how samples compare with all images."""
    rng = np.random.default_rng(2)
    whole = checking.compare(rounded, exact, images)
    effects = {(check.attribute, check.group): check.effect for check in whole}
    shifts, held, stopped = list[float](), list[bool](), 0
    for _ in range(samples):
        chosen = [images[place] for place in rng.choice(len(images), checking.SAMPLE, replace=False)]
        checks = checking.compare(rounded, exact, chosen)
        shifts.append(mean(checks))
        for check in checks:
            assert check.low is not None
            assert check.high is not None
            held.append(check.low <= effects[check.attribute, check.group] <= check.high)
        stopped += checking._too_much(checks)
    low, high = np.quantile(shifts, (0.025, 0.975))
    all_stop = "all would" if checking._too_much(whole) else "all would not"
    return f"{mean(whole):.4f} | {low:.4f} to {high:.4f} | {np.mean(held):.1%} | {stopped} of {samples} ({all_stop})"


def mean(checks: Sequence[PrecisionCheck]) -> float:
    """Return the mean shift of a probability."""
    return checking._totals(checks)[0]


if __name__ == "__main__":
    main()
