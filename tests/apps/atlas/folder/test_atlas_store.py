from __future__ import annotations

import contextlib
import random
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from portrayal.apps.atlas.folder.atlas_store import AtlasStore
from portrayal.errors import DamagedError, InputError, StorageError, StudyError
from portrayal.methods.atlas_part import released
from portrayal.records.evaluated_models.evaluation import Evaluation, ModelInfo, Score
from portrayal.store.checksums import checked_json, file_checksums
from portrayal.store.files import write_atomic

ROW = Evaluation("a/one", {"log_bias": Score(0.5, 0.4, 0.6)}, "objects", "1", "me", 300)


def add(store: AtlasStore, *rows: Evaluation, empty: bool = False, models: tuple[ModelInfo, ...] = ()) -> int:
    with store.writing():
        return store.add(rows, models, empty=empty)[1]


def test_a_new_atlas_begins_with_what_authors_released(tmp_path: Path) -> None:
    store = AtlasStore(tmp_path / "atlas")
    assert add(store, ROW) == 1
    assert len(store.read().evaluations) == 1 + len(released())
    bare = AtlasStore(tmp_path / "bare")
    add(bare, ROW, empty=True)
    assert bare.read().evaluations == (ROW,)


def test_rows_stay_and_are_not_added_twice(tmp_path: Path) -> None:
    store = AtlasStore(tmp_path)
    add(store, ROW, empty=True)
    assert add(store, ROW, replace(ROW, run="2"), models=(ModelInfo("a/one", "art"),)) == 1
    rows = store.read()
    assert [row.run for row in rows.evaluations] == ["1", "2"]
    assert rows.models["a/one"].category == "art"


def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    others = [replace(ROW, model=name) for name in ("c", "b", "d")]
    one, two = AtlasStore(tmp_path / "one"), AtlasStore(tmp_path / "two")
    add(one, *others)
    add(one, ROW)
    add(two, ROW, *reversed(others))
    for name in ("evaluations.parquet", "models.parquet"):
        assert (one.folder / name).read_bytes() == (two.folder / name).read_bytes()


def test_a_folder_without_an_atlas_is_named(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="no atlas here; begin one with"):
        AtlasStore(tmp_path).read()


def test_files_that_are_no_tables_are_named(tmp_path: Path) -> None:
    store = AtlasStore(tmp_path)
    add(store, ROW)
    (tmp_path / "checksums.json").unlink()
    (tmp_path / "models.parquet").write_bytes(b"nothing")
    with pytest.raises(InputError, match=r"models.parquet: not a table of an atlas"):
        store.read()
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="is a file; an atlas is a folder"):
        add(AtlasStore(tmp_path / "file"), ROW)


def test_every_flipped_bit_is_found(tmp_path: Path) -> None:
    store, rng = AtlasStore(tmp_path), random.Random(6)
    add(store, ROW, models=(ModelInfo("a/one", "art"),))
    for path in (tmp_path / name for name in ("evaluations.parquet", "models.parquet", "checksums.json")):
        before = path.read_bytes()
        for _ in range(60):
            data = bytearray(before)
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
            path.write_bytes(data)
            with pytest.raises(DamagedError, match=f"{path.name}: the file is damaged"):
                store.read()
            with store.writing(), pytest.raises(DamagedError, match="the file is damaged"):
                store.add([ROW], ())  # nor is it replaced by what was read of it
        path.write_bytes(before)
    store.read()


def test_an_atlas_of_an_older_version_is_read_and_gets_checksums(tmp_path: Path) -> None:
    store = AtlasStore(tmp_path)
    add(store, ROW, empty=True)
    (tmp_path / "checksums.json").unlink()
    assert store.read().evaluations == (ROW,)
    add(store, replace(ROW, run="2"))
    assert len(store.read().evaluations) == 2
    (tmp_path / "models.parquet").write_bytes((tmp_path / "models.parquet").read_bytes() + b"x")
    with pytest.raises(DamagedError, match=r"models\.parquet: the file is damaged"):
        store.read()


def test_damage_without_a_checksum_is_one_line(tmp_path: Path) -> None:
    store, rng = AtlasStore(tmp_path), random.Random(7)
    add(store, ROW, models=(ModelInfo("a/one", "art"),))
    (tmp_path / "checksums.json").unlink()
    for path in (tmp_path / name for name in ("evaluations.parquet", "models.parquet")):
        before = path.read_bytes()
        for _ in range(150):
            data = bytearray(before)
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
            path.write_bytes(data)
            with contextlib.suppress(InputError, StorageError):  # nothing else, though some are not found
                store.read()
        path.write_bytes(before)
    pq.write_table(pa.table({"modem": ["a"]}), tmp_path / "models.parquet")
    with pytest.raises(InputError, match="not a table of an atlas: its columns are others"):
        store.read()


@pytest.mark.parametrize("step", [1, 2, 3])
def test_a_write_that_ends_at_any_step_leaves_what_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    store = AtlasStore(tmp_path)
    add(store, ROW, empty=True)
    done = 0

    def cut(path: Path, data: bytes) -> None:
        nonlocal done
        done += 1
        if done == step:
            raise KeyboardInterrupt
        write_atomic(path, data)

    monkeypatch.setattr(file_checksums, "write_atomic", cut)
    monkeypatch.setattr(checked_json, "write_atomic", cut)
    with pytest.raises(KeyboardInterrupt):
        add(store, replace(ROW, run="2"), models=(ModelInfo("a/one", "art"),))
    assert ROW in store.read().evaluations
    monkeypatch.undo()
    assert add(store, replace(ROW, run="2")) == 1
    assert len(store.read().evaluations) == 2
