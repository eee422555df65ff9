"""How fast the studio filters an index of a million pictures: python benchmarks/studio_pictures.py."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from portrayal.apps.studio.database.picture_index import PictureIndex
from portrayal.apps.studio.database.side_by_side import side_by_side

PICTURES = 1_000_000
FILTERS: list[dict[str, str]] = [
    {},
    {"gender": "female"},
    {"unsure": "60"},
    {"disagreed": "yes"},
    {"term": "t7", "gender": "male"},
]


class MadeUp(PictureIndex):
    """An index that is there already."""

    def _fresh(self) -> Path:
        return self._folder / "pictures.parquet"


def words(values: list[str], codes: Any) -> pa.DictionaryArray:
    """Return words by their numbers."""
    return pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32)), pa.array(values))


def index(folder: Path) -> PictureIndex:
    """Write an index of pictures that nobody drew."""
    random, place = np.random.default_rng(0), np.arange(PICTURES)
    female = random.random(PICTURES).astype(np.float32)
    columns = {
        "file": pa.array([f"images/{number:064x}.png" for number in range(PICTURES)]),
        "prompt": words([f"p{number}" for number in range(200)], place % 200),
        "term": words([f"t{number}" for number in range(200)], place % 200),
        "category": words(list("abcde"), place % 5),
        "model": words(["A", "B"], place // (PICTURES // 2)),
        "seed": pa.array(place % (PICTURES // 2)),
        "annotator": words(["faces"], np.zeros(PICTURES)),
        "subject": pa.array(np.zeros(PICTURES, np.int32)),
        "gender": words(["female", "male"], female < 0.5),
        "gender_female": pa.array(female),
        "gender_male": pa.array(1 - female),
        "reason": pa.nulls(PICTURES, pa.string()).dictionary_encode(),
        "sure": pa.array(np.maximum(female, 1 - female)),
        "disagreed": pa.array(random.random(PICTURES) < 0.1),
        "left_out": pa.nulls(PICTURES, pa.string()),
        "place": pa.array(place),
    }
    pq.write_table(pa.table(columns), folder / "pictures.parquet")
    return MadeUp(folder, folder)


def main() -> None:
    """Print how long each filter takes."""
    with tempfile.TemporaryDirectory() as folder:
        pictures = index(Path(folder))
        pictures.page({}, 1)  # what is looked up once
        for wanted in FILTERS:
            times = []
            for _ in range(5):
                began = time.perf_counter()
                found = pictures.page(wanted, 3)
                times.append(1000 * (time.perf_counter() - began))
            print(f"{wanted}: {found.total:,} pictures, {min(times):.0f} ms, median {sorted(times)[2]:.0f} ms")
        began = time.perf_counter()
        pairs = side_by_side(pictures, ("A", "B"), "t7", 1)
        print(f"side by side: {pairs.total:,} pairs, {1000 * (time.perf_counter() - began):.0f} ms")


if __name__ == "__main__":
    main()
