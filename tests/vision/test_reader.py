"""With real processes, which open real files, and are really killed."""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from portrayal.errors import PortrayalError
from portrayal.vision.decoding import DecodeMode
from portrayal.vision.pictures import Unreadable, open_rgb
from portrayal.vision.preprocessing import Preprocessing
from portrayal.vision.reader import Batch, BatchReader

pytestmark = pytest.mark.usefixtures("nobody_left_behind")


@pytest.fixture
def nobody_left_behind() -> Iterator[None]:
    """Check that neither processes nor threads are left when the test ends."""
    before = set(threading.enumerate())
    yield
    assert not multiprocessing.active_children()
    assert set(threading.enumerate()) <= before


def batches(files: list[Path], size: int) -> Iterator[list[Path]]:
    return iter([files[start : start + size] for start in range(0, len(files), size)])


def read(
    preprocessing: Preprocessing, files: list[Path], workers: int, size: int, way: DecodeMode = "exact"
) -> list[Batch]:
    with contextlib.closing(BatchReader(preprocessing, way, workers)) as reader:
        return list(reader.read(batches(files, size), 2))


def by_hand(path: Path, preprocessing: Preprocessing) -> tuple[Any, str]:
    try:
        return preprocessing.apply(open_rgb(path)), ""
    except Unreadable as error:
        return np.zeros((*preprocessing.crop, 3), np.uint8), error.reason


@pytest.mark.slow
@pytest.mark.parametrize("workers", [0, 1, 3])
def test_files_come_in_order_and_as_if_opened_one_by_one(
    files: list[Path], preprocessing: Preprocessing, workers: int
) -> None:
    many = files * 3
    for size in (3, 20) if workers == 1 else (7,):
        found = read(preprocessing, many, workers, size)
        assert [len(batch.reasons) for batch in found][:-1] == [size] * (len(found) - 1)
        pixels = np.concatenate([batch.pixels.numpy() for batch in found])
        assert pixels.dtype == np.uint8
        reasons = [reason for batch in found for reason in batch.reasons]
        expected = [by_hand(path, preprocessing) for path in many]
        assert reasons == [reason for _, reason in expected]
        assert set(reasons) == {"", "missing_file", "unreadable_image"}
        np.testing.assert_array_equal(pixels.transpose(0, 2, 3, 1), [ours for ours, _ in expected])


@pytest.mark.slow
def test_the_quick_way_is_the_same_in_any_process(files: list[Path], preprocessing: Preprocessing) -> None:
    here, there = (read(preprocessing, files, workers, 6, "quick") for workers in (0, 2))
    for one, other in zip(here, there, strict=True):
        np.testing.assert_array_equal(one.pixels, other.pixels)
        assert one.reasons == other.reasons


def test_nothing_to_read_starts_no_process(preprocessing: Preprocessing) -> None:
    with contextlib.closing(BatchReader(preprocessing, "exact", 2)) as reader:
        assert list(reader.read(iter([]), 2)) == []
        assert not multiprocessing.active_children()


@pytest.mark.parametrize("ahead", [0, 2, 5])
def test_no_more_is_read_ahead_than_promised(files: list[Path], preprocessing: Preprocessing, ahead: int) -> None:
    begun = 0

    def endless() -> Iterator[list[Path]]:
        nonlocal begun
        for path in itertools.cycle(files):
            begun += 1
            yield [path]

    with contextlib.closing(BatchReader(preprocessing, "exact", 0)) as reader:
        found = reader.read(endless(), ahead)
        assert begun == 0
        for number in range(1, 20):
            next(found)
            time.sleep(0.002)
            assert begun <= number + ahead


@pytest.mark.slow
@pytest.mark.parametrize("workers", [0, 2])
def test_closing_early_ends_at_once(
    tmp_path: Path, photo: Callable[..., Image.Image], preprocessing: Preprocessing, workers: int
) -> None:
    photo(1000, 800).save(tmp_path / "a.png")
    with contextlib.closing(BatchReader(preprocessing, "exact", workers)) as reader:
        found = reader.read(itertools.repeat([tmp_path / "a.png"] * 8), 100)
        next(found)
        assert len(multiprocessing.active_children()) == workers
        waiting = list(reader._chunks)
    assert any(chunk.future.cancelled() for chunk in waiting)


@pytest.mark.slow
def test_what_was_opened_for_nothing_is_freed(
    tmp_path: Path, photo: Callable[..., Image.Image], preprocessing: Preprocessing, no_memory_left_behind: None
) -> None:
    photo(800, 600).save(tmp_path / "a.png")
    with contextlib.closing(BatchReader(preprocessing, "packed", 2)) as reader:
        found = reader.decode([tmp_path / "a.png"] * 40)
        for number in (39, 0):
            assert found[number]().size == (600, 800)


@pytest.mark.slow
def test_a_process_that_is_killed_is_one_line(files: list[Path], preprocessing: Preprocessing) -> None:
    def read_and_kill(reader: BatchReader) -> None:
        for batch in reader.read(itertools.repeat(files), 2):  # for ever: a process that was idle is just replaced
            assert len(batch.reasons) == len(files)
            for process in multiprocessing.active_children():
                process.kill()

    with contextlib.closing(BatchReader(preprocessing, "exact", 2)) as reader, pytest.raises(PortrayalError) as caught:
        read_and_kill(reader)
    assert str(caught.value) == (
        "a process that opens images died, perhaps for want of memory; what was done is kept: run again with fewer "
        "workers"
    )
    assert caught.value.__suppress_context__


def test_an_error_of_the_caller_passes_through(files: list[Path], preprocessing: Preprocessing) -> None:
    def breaking() -> Iterator[list[Path]]:
        yield files[:2]
        raise KeyError("the caller's")

    with contextlib.closing(BatchReader(preprocessing, "exact", 0)) as reader, pytest.raises(KeyError):
        list(reader.read(breaking(), 2))


def test_processes_that_open_files_load_no_heavy_library() -> None:
    code = (
        "import sys, portrayal.vision.decoding, portrayal.processes;"
        "print([name for name in ('torch', 'transformers', 'pydantic', 'pyarrow', 'duckdb') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


UNGUARDED = """
import sys
from contextlib import closing
from pathlib import Path
from portrayal.vision.preprocessing import Preprocessing
from portrayal.vision.reader import BatchReader

with closing(BatchReader(Preprocessing(32, (32, 32), 3, (0.0,) * 3, (1.0,) * 3), "exact", 2)) as reader:
    for batch in reader.read(iter([[Path(path)] for path in sys.argv[1:]]), 2):
        print(tuple(batch.pixels.shape), batch.reasons)
"""


@pytest.mark.slow
def test_a_script_without_a_guard_reads_files(files: list[Path]) -> None:
    words = [sys.executable, "-", *map(str, files[4:6])]
    ran = subprocess.run(words, input=UNGUARDED, capture_output=True, text=True, check=False)
    assert (ran.stdout.splitlines(), ran.stderr) == (["(1, 3, 32, 32) ['']", "(1, 3, 32, 32) ['unreadable_image']"], "")
