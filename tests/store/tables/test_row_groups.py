from __future__ import annotations

import pickle
from pathlib import Path

import pyarrow as pa
import pytest

from portrayal.errors import StorageError
from portrayal.store.tables import table
from portrayal.store.tables.row_groups import GroupRange, RowGroups
from portrayal.store.tables.table import Table

SCHEMA = pa.schema([("n", pa.int64()), ("word", pa.string())])


@pytest.fixture
def numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """Twenty-three rows in two files, four or fewer to a row group."""
    monkeypatch.setattr(table, "ROW_GROUP", 4)
    found = Table(tmp_path / "numbers", SCHEMA, later=("word",))
    for start, end in ((0, 10), (10, 23)):
        found.append(pa.table({"n": range(start, end), "word": [f"w{n % 3}" for n in range(start, end)]}, SCHEMA))
    return found


def read(groups: RowGroups, start: int = 0) -> list[int]:
    return [n for _, batch in groups.scan(["n"], (), start) for n in batch["n"].to_pylist()]


def test_row_groups_are_numbered_through_all_files(numbers: Table) -> None:
    groups = numbers.row_groups()
    assert groups.rows == ((4, 4, 2), (4, 4, 4, 1))
    assert [number for number, _ in groups.scan(["n"])] == list(range(7))
    assert read(groups) == list(range(23))
    assert read(groups, 2) == list(range(8, 23))
    assert read(groups, 4) == list(range(14, 23))
    assert [batch["n"].to_pylist() for batch in groups.read(3, ["n"])] == [[10, 11, 12, 13]]


def test_another_process_reads_the_same(numbers: Table) -> None:
    groups = numbers.row_groups()
    list(groups.read(0, ["n"]))
    again = pickle.loads(pickle.dumps(groups))
    assert again == groups
    assert read(again, 1) == list(range(4, 23))


def test_columns_may_come_as_numbers_of_their_values(numbers: Table) -> None:
    (batch,) = numbers.row_groups().read(0, ["word"], ["word"])
    assert pa.types.is_dictionary(batch["word"].type)
    assert batch["word"].to_pylist() == ["w0", "w1", "w2", "w0"]


def test_a_column_that_an_older_version_did_not_write_is_empty(tmp_path: Path) -> None:
    Table(tmp_path / "old", pa.schema([SCHEMA.field("n")])).append(pa.table({"n": [1]}))
    (batch,) = Table(tmp_path / "old", SCHEMA, later=("word",)).row_groups().read(0, ["n", "word"])
    assert batch.to_pylist() == [{"n": 1, "word": None}]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (1, [(0, 1, 4), (1, 2, 4), (2, 3, 2), (3, 4, 4), (4, 5, 4), (5, 6, 4), (6, 7, 1)]),
        (8, [(0, 2, 8), (2, 5, 10), (5, 7, 5)]),
        (100, [(0, 7, 23)]),
    ],
)
def test_a_table_is_cut_at_row_groups(numbers: Table, rows: int, expected: list[tuple[int, int, int]]) -> None:
    assert numbers.row_groups().ranges(rows) == [GroupRange(*own) for own in expected]


def test_an_empty_table_has_no_parts(tmp_path: Path) -> None:
    empty = Table(tmp_path / "empty", SCHEMA).row_groups()
    assert empty.ranges(10) == []
    assert read(empty) == []


def test_a_file_that_a_worker_cannot_see_is_one_line(numbers: Table) -> None:
    groups = numbers.row_groups()
    groups.files[1].unlink()
    with pytest.raises(StorageError, match="the file is gone, or cannot be seen where it is read; all workers must"):
        read(groups, 4)
