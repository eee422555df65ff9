from __future__ import annotations

import pickle
import tempfile
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from portrayal.engines import LocalEngine
from portrayal.engines.shared import SharedPickle, shared_pickle
from portrayal.errors import StorageError

LARGE = np.arange(100_001, dtype=np.float64)
SMALL = np.arange(5)


def test_large_arrays_lie_in_a_file_and_the_rest_travels() -> None:
    with shared_pickle({"large": LARGE, "again": LARGE, "small": SMALL, "text": "x"}) as shared:
        assert len(pickle.dumps(shared)) < 2_000
        found = pickle.loads(pickle.dumps(shared)).load()
    assert np.array_equal(found["large"], LARGE)
    assert found["again"] is found["large"]
    assert np.array_equal(found["small"], SMALL)
    assert found["text"] == "x"


def test_what_is_shared_cannot_be_written_to_and_is_aligned() -> None:
    with shared_pickle([np.ones(100_001, dtype=np.uint8), LARGE]) as shared:
        _, found = shared.load()
    assert not found.flags.writeable
    assert found.flags.aligned
    with pytest.raises(ValueError, match="read-only"):
        found[0] = 1


def test_what_is_small_needs_no_file() -> None:
    with shared_pickle([1, SMALL]) as shared:
        assert shared == SharedPickle(shared.data)
        assert shared.load()[0] == 1


def test_no_file_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with shared_pickle(LARGE) as shared:
        during = list(tmp_path.iterdir())
        assert np.array_equal(shared.load(), LARGE)
    assert list(tmp_path.iterdir()) == []
    assert during == [] or not Path("/proc/self/fd").is_dir()


def test_a_full_disk_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/dev/full/none")
    with pytest.raises(StorageError) as caught, shared_pickle(LARGE):
        pass
    assert str(caught.value) == (
        "/dev/full/none: cannot write what worker processes share (Not a directory); free some space, set TMPDIR to "
        "another folder, or use one worker"
    )


@pytest.mark.slow
def test_workers_get_what_is_shared() -> None:
    # Called in a worker, it returns the function that looks a place up in the array.
    build = partial(partial, np.take, LARGE)
    assert list(LocalEngine(2).map(build, [0, 7, 100_000])) == [0.0, 7.0, 100_000.0]
