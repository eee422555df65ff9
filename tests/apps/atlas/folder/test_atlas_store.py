from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from portrayal.apps.atlas.folder.atlas_store import AtlasStore
from portrayal.errors import InputError, StudyError
from portrayal.methods.atlas_part import released
from portrayal.records.evaluation import Evaluation, ModelInfo, Score

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
    (tmp_path / "models.parquet").write_bytes(b"nothing")
    with pytest.raises(InputError, match=r"models.parquet: not a table of an atlas"):
        store.read()
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="is a file; an atlas is a folder"):
        add(AtlasStore(tmp_path / "file"), ROW)
