"""How long an atlas of 100,000 models takes: reading the CSV, writing the tables, building the report.

Models, dates, likes and scores are drawn by chance; nothing in them is a finding. ``--keep FOLDER`` leaves the atlas.
"""

from __future__ import annotations

import csv
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

import numpy as np

from portrayal.apps.atlas.evaluations.csv_rows import read_atlas_csv
from portrayal.apps.atlas.folder.atlas_store import AtlasStore
from portrayal.apps.atlas.folder.write_report import write_report

CATEGORIES = ("foundation", "photo_realism", "animation", "art")
SCHEDULERS = ("PNDMScheduler", "DDIMScheduler", "EulerDiscreteScheduler", "FlowMatchEulerDiscreteScheduler")


def write(path: Path, models: int, rng: np.random.Generator) -> None:
    """Write the models: each kind has a level and a slope of its own."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        scores = ("distribution_bias", "jaccard_hallucination", "miss_rate")
        writer.writerow(("model", "category", "scheduler", "created", "likes", "downloads", "protocol", "run", *scores))
        for number in range(models):
            kind, month = int(rng.integers(4)), int(rng.integers(29))
            created = f"{2022 + (7 + month) // 12}-{(7 + month) % 12 + 1:02d}-{rng.integers(1, 28):02d}"
            spread = 6 - kind - (kind - 1.5) * month / 24 + rng.normal(0, 0.8)
            values = (max(spread, 0.4), min(0.55 + 0.05 * kind + rng.normal(0, 0.03), 0.98), abs(rng.normal(0, 0.02)))
            likes = int(np.exp(rng.normal(4 - kind / 2, 1.5)))
            loaded = int(np.exp(rng.normal(7 - kind / 2, 2)))
            name = f"organisation-{number % 997}/model-{number}"
            row = (name, CATEGORIES[kind], SCHEDULERS[int(rng.integers(4))], created, likes, loaded, "made up", "1")
            writer.writerow((*row, *(f"{value:.4f}" for value in values)))


def main(models: int, keep: Path | None) -> None:
    """Print how long each step takes."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = keep or Path(temporary) / "atlas"
        path = Path(temporary) / "models.csv"
        write(path, models, np.random.default_rng(0))
        store = AtlasStore(folder)
        began = time.perf_counter()
        found = read_atlas_csv(path.read_text(encoding="utf-8"), path.name, "made up", today=date(2025, 1, 31))
        with store.writing():
            store.add(found.evaluations, found.models, empty=True)
        imported = time.perf_counter()
        page = write_report(store)
        ended = time.perf_counter()
        size = page.stat().st_size / 1e6
        print(
            f"{models:,} models: import {imported - began:.1f} s, report {ended - imported:.1f} s, page {size:.1f} MB"
        )


if __name__ == "__main__":
    kept = Path(sys.argv[sys.argv.index("--keep") + 1]) if "--keep" in sys.argv else None
    numbers = [int(word) for word in sys.argv[1:] if word.isdecimal()]
    main(numbers[0] if numbers else 100_000, kept)
