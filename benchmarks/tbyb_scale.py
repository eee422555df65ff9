"""How long 100,000 captions (1,000 models, 100 objects) take to score with intervals: ``portrayal tbyb score``.

Captions are put together from a list of words that are the rarer the further down, as words are; every caption is
different in most models. Prints seconds and captions a second, with and without the similarity of words.
"""

from __future__ import annotations

import csv
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from portrayal.methods.tbyb.options import TbybOptions
from portrayal.methods.tbyb.score_captions import score_captions
from portrayal.methods.tbyb.suite.suite import objects

MODELS = 1_000


def write(path: Path, models: int, rng: np.random.Generator) -> None:
    """Write the captions: the object in nine of ten, and one to four other words."""
    vocabulary = [f"{first}{second}" for first in objects() for second in ("", "s", "like", "ish", "let", "house")]
    weights = 1 / np.arange(1, len(vocabulary) + 1)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("model", "prompt", "caption", "missed"))
        for model in range(models):
            numbers = rng.choice(len(vocabulary), size=(len(objects()), 4), p=weights / weights.sum())
            for name, own in zip(objects(), numbers, strict=True):
                words = [vocabulary[number] for number in own[: rng.integers(1, 5)]]
                named = name if rng.random() < 0.9 else "thing"
                caption = f"a picture of a {named} with a {' and a '.join(words)}"
                writer.writerow((f"model {model}", f"a picture of a {name}", caption, int(rng.random() < 0.05)))


def main(models: int = MODELS) -> None:
    """Print how long it takes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "captions.csv"
        write(path, models, np.random.default_rng(0))
        for similarity in (0.0, 0.75):
            began = time.perf_counter()
            found = score_captions(path, TbybOptions(similarity=similarity))
            seconds = time.perf_counter() - began
            captions = sum(model["captions"] for model in found["models"])
            print(f"similarity {similarity:g}: {captions:,} captions of {models:,} models in {seconds:.1f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else MODELS)
