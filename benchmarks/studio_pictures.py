"""How fast the studio filters an index of a million pictures: python benchmarks/studio_pictures.py [ANNOTATORS]."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Collection
from functools import partial
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
    {"prompt": "p7"},
    {"words": "P19"},
]


class MadeUp(PictureIndex):
    """An index that is there already."""

    def _fresh(self) -> tuple[Path, Collection[str]]:
        return self._folder / "pictures.parquet", ()


def words(values: list[str], codes: Any) -> pa.DictionaryArray:
    """Return words by their numbers."""
    return pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32)), pa.array(values))


def index(folder: Path, annotators: int) -> PictureIndex:
    """Write an index of pictures that nobody drew, each seen by so many annotators."""
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
    table = pa.table(columns)
    several = [table.set_column(6, "annotator", words([f"a{n}"], np.zeros(PICTURES))) for n in range(annotators)]
    table = pa.concat_tables(several)
    first = table["place"]
    table = table.set_column(table.column_names.index("place"), "place", pa.array(np.arange(len(table))))
    pq.write_table(table.append_column("picture", first), folder / "pictures.parquet", row_group_size=2**20)
    return MadeUp(folder, folder)


def main() -> None:
    """Print how long each filter takes."""
    annotators = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    with tempfile.TemporaryDirectory() as folder:
        pictures = index(Path(folder), annotators)
        timed("looked up once", lambda: f"{pictures.page({}, 1).total:,} pictures", 1)
        for wanted in FILTERS:
            timed(str(wanted), partial(filtered, pictures, wanted))
        timed("side by side", lambda: f"{side_by_side(pictures, ('A', 'B'), 't7', 1).total:,} pairs")
        name = f"{PICTURES // 2:064x}.png"
        timed("one picture", lambda: f"{len(pictures.one(name))} rows")
        timed("the pictures beside it", lambda: "".join(each[60:64] for each in pictures.neighbours(name, {})))


def filtered(pictures: PictureIndex, wanted: dict[str, str]) -> str:
    """Filter, and say what came of it."""
    return f"{pictures.page(wanted, 3).total:,} pictures"


def timed(what: str, work: Callable[[], str], times: int = 5) -> None:
    """Print how long something takes by the clock and by the processor."""
    walls, processor = [], []
    for _ in range(times):
        began, used = time.perf_counter(), time.process_time()
        found = work()
        walls.append(1000 * (time.perf_counter() - began))
        processor.append(1000 * (time.process_time() - used))
    best, median = min(walls), sorted(walls)[times // 2]
    print(f"{what}: {found}, {best:.0f} ms, median {median:.0f} ms, processor {sorted(processor)[times // 2]:.0f} ms")


if __name__ == "__main__":
    main()
