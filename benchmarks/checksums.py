"""What checksums cost: tables written and read, and pictures opened, with them and without, in turn.

Each figure is the fastest of some rounds, in processor seconds; the last column is how many times longer it takes with
checksums. Reading looks at three columns of eleven, as the measure stage does, while the checksum is of the whole file.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest import mock

import numpy as np
import pyarrow as pa
from PIL import Image

from portrayal.records import OBSERVATION_SCHEMA
from portrayal.store.images.image_folder import ImageFolder
from portrayal.store.tables.table import ROW_GROUP, Table
from portrayal.vision.pictures import open_rgb

ROUNDS = 5
PICTURES = 100
SIDE = 512


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=1_000_000)
    rows = parser.parse_args().rows
    with tempfile.TemporaryDirectory() as folder:
        print(f"{'what':34}{'MB':>8}{'without':>9}{'with':>9}{'times':>7}")
        _tables(Path(folder), rows)
        for form in ("png", "jpg"):
            _pictures(Path(folder) / form, form)


def _tables(folder: Path, rows: int) -> None:
    batches = [_observations(start) for start in range(0, rows, ROW_GROUP)]
    table = Table(folder / "observations", OBSERVATION_SCHEMA)
    _compare("write observations", lambda: _size(folder), lambda: table.replace(batches))

    def read() -> None:
        for _ in Table(table.folder, OBSERVATION_SCHEMA).scan(("image", "annotator", "value"), ("annotator",)):
            pass

    _compare("read three columns of them", lambda: _size(folder), read)
    _compare("count them", lambda: _size(folder), lambda: Table(table.folder, OBSERVATION_SCHEMA).count())


def _observations(start: int) -> pa.Table:
    rng = np.random.default_rng(start)
    names = [hashlib.sha256(str(n).encode()).hexdigest() for n in range(start, start + ROW_GROUP)]
    rows = [
        {"image": name, "annotator": "faces@1", "subject": 0, "attribute": "age", "value": value}
        for name, value in zip(names, rng.uniform(18, 80, ROW_GROUP).tolist(), strict=True)
    ]
    return pa.Table.from_pylist(rows, OBSERVATION_SCHEMA)


def _pictures(folder: Path, form: str) -> None:
    store, paths = ImageFolder(folder), []
    for number in range(PICTURES):
        # As much detail as a photograph: coarse noise enlarged, and a little fine noise on it.
        rng = np.random.default_rng(number)
        coarse = Image.fromarray(rng.integers(0, 256, (SIDE // 16, SIDE // 16, 3), dtype=np.uint8))
        pixels = np.asarray(coarse.resize((SIDE, SIDE))) * 0.95 + rng.integers(0, 12, (SIDE, SIDE, 3))
        path = folder / f"drawn.{form}"
        folder.mkdir(exist_ok=True)
        Image.fromarray(pixels.astype(np.uint8)).save(path)
        data = path.read_bytes()
        path.unlink()
        name = hashlib.sha256(data).hexdigest()
        store.add({(name, form): data})
        paths.append(store.path(name, form))

    def read() -> None:
        for path in paths:
            open_rgb(path)

    _compare(f"open {PICTURES} {form} of {SIDE} x {SIDE}", lambda: _size(folder), read)


def _compare(what: str, size: Callable[[], int], work: Callable[[], object]) -> None:
    without, with_them = [], []
    for _ in range(ROUNDS):
        with _no_checksums():
            without.append(_seconds(work))
        with_them.append(_seconds(work))
    times = min(with_them) / min(without)
    print(f"{what:34}{size() / 1e6:8.1f}{min(without):9.3f}{min(with_them):9.3f}{times:7.2f}")


@contextlib.contextmanager
def _no_checksums() -> Iterator[None]:
    with (
        mock.patch("portrayal.store.tables.parquet_file.zlib", crc32=lambda data, before: 0),  # noqa: ARG005
        mock.patch("portrayal.store.tables.table.check_file"),
        mock.patch("portrayal.store.images.image_store.check_image"),
    ):
        yield


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


if __name__ == "__main__":
    main()
