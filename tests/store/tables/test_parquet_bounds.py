"""Parquet that would unpack to too much is refused before it is unpacked, and everything is read through that door."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.samples.hostile_tables import footer, hostile_tables, nested, parquet

import portrayal
from portrayal.errors import DamagedError
from portrayal.records import OBSERVATION_SCHEMA
from portrayal.store.tables import parquet_bounds
from portrayal.store.tables.parquet_bounds import check_bounds, read_footer
from portrayal.store.tables.parquet_file import check_file
from portrayal.store.tables.table import Table

SOURCES = Path(portrayal.__file__).parent
TEXTS = pa.schema([pa.field("text", pa.string())])


def write(path: Path, **columns: Any) -> Path:
    pq.write_table(pa.table(columns), path, compression="zstd")
    return path


@pytest.mark.slow
def test_what_would_take_all_memory_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_bounds, "PAGE", 2**22)
    monkeypatch.setattr(parquet_bounds, "GROUP", 2**24)  # as they are in tests/attack, where each takes far more
    path = tmp_path / "00000000-00000000.parquet"
    for kind, data in hostile_tables(OBSERVATION_SCHEMA, "reason", 50):
        path.write_bytes(data)
        if kind == "a long note":  # long, and no more than that
            check_file(path)
            continue
        with pytest.raises(DamagedError, match=re.escape(str(path))) as caught:
            check_file(path)
        assert "\n" not in str(caught.value), kind
        with pytest.raises(DamagedError):
            Table(tmp_path, OBSERVATION_SCHEMA).paths()


@pytest.mark.parametrize(
    ("limits", "fits", "too_much"),
    [
        ({"ROWS": 10, "ROWS_PER_BYTE": 0}, {"a": [0] * 10}, {"a": [0] * 11}),
        (
            {"VALUES": 20, "VALUES_PER_BYTE": 0},
            {"a": [0] * 10, "b": [0] * 10},
            {"a": [0] * 7, "b": [0] * 7, "c": [0] * 7},
        ),
        ({"VALUES": 20, "VALUES_PER_BYTE": 0}, {"a": [[0] * 10] * 2}, {"a": [[0] * 7] * 3}),
        ({"PAGE": 60}, {"a": ["x" * 40]}, {"a": ["x" * 80]}),
        ({"GROUP": 6_000}, {"a": ["x" * 40] * 100}, {"a": ["x" * 80] * 100}),
        ({"GROUP": 6_000}, {"a": [["x" * 40]] * 100}, {"a": [["x" * 80]] * 100}),
        ({"GROUP": 6_000}, {"a": [{"b": "x" * 40}] * 100}, {"a": [{"b": "x" * 80}] * 100}),
        ({"BYTES": 6_000, "BYTES_PER_BYTE": 0}, {"a": ["x" * 40] * 100}, {"a": ["x" * 80] * 100}),
        ({"COLUMNS": 3}, {"a": [0], "b": [0]}, {"a": [0], "b": [0], "c": [0]}),
    ],
)
def test_limits(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    limits: dict[str, int],
    fits: dict[str, Any],
    too_much: dict[str, Any],
) -> None:
    monkeypatch.setattr(parquet_bounds, "_SMALL", 0)
    for name, most in limits.items():
        monkeypatch.setattr(parquet_bounds, name, most)
    check_bounds(write(tmp_path / "fits", **fits))
    with pytest.raises(DamagedError, match="would take too much memory"):
        check_bounds(write(tmp_path / "too much", **too_much))


def test_a_footer_has_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "table", a=[1])
    length = int.from_bytes(path.read_bytes()[-8:-4], "little")
    monkeypatch.setattr(parquet_bounds, "FOOTER", length)
    assert read_footer(path).num_rows == 1
    monkeypatch.setattr(parquet_bounds, "FOOTER", length - 1)
    with pytest.raises(DamagedError, match=f"{length:,} bytes about its columns"):
        read_footer(path)


def test_footers_that_say_nothing(tmp_path: Path) -> None:
    path = tmp_path / "table"
    for data in (b"", b"PAR1", footer(b""), footer(b"\x15\x04"), footer(b"\x19\x2c"), footer(nested(200)), b"x" * 100):
        path.write_bytes(data)
        with pytest.raises((OSError, pa.ArrowException)):
            check_bounds(path)


def test_a_long_text_in_few_rows_is_no_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What counts is what the rows point to, not how long they could be all together."""
    monkeypatch.setattr(parquet_bounds, "_SMALL", 0)
    monkeypatch.setattr(parquet_bounds, "GROUP", 50_000)
    check_bounds(write(tmp_path / "table", a=["x" * 10_000, *["y"] * 1_000]))


@pytest.mark.slow
def names(count: int, length: int) -> list[str]:
    return [f"{number:0{length}d}" for number in range(count)]


def test_rows_that_point_to_words_of_one_length_need_not_be_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_bounds, "_SMALL", 0)
    looked: list[str] = []
    exact = parquet_bounds._Bounds._texts

    def counted(self: Any, number: int, column: Any) -> int:
        looked.append(column.name)
        return exact(self, number, column)

    monkeypatch.setattr(parquet_bounds._Bounds, "_texts", counted)
    even, uneven = names(900, 64) * 3, ["a", "bc"] * 1350
    check_bounds(write(tmp_path / "packed.parquet", even=even, uneven=uneven, none=[None] * 2700))
    assert looked == ["uneven"]
    path = tmp_path / "plain.parquet"
    pq.write_table(pa.table({"even": even}), path, compression="none")
    check_bounds(path)
    pq.write_table(pa.table({"even": even}), path, compression="snappy")  # as no version has written them
    check_bounds(path)
    assert looked == ["uneven", "even"]


def test_words_of_one_length_are_held_to_the_same_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_bounds, "_SMALL", 0)
    path = write(tmp_path / "some.parquet", even=names(900, 64) * 3)
    monkeypatch.setattr(parquet_bounds, "GROUP", 64 * 2700 + 8 * 2700 + 100_000)
    check_bounds(path)
    monkeypatch.setattr(parquet_bounds, "GROUP", 64 * 2700)
    with pytest.raises(DamagedError, match="bytes in a row group"):
        check_bounds(path)


def test_one_long_word_that_few_rows_point_to_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "rare.parquet", rare=["x" * 60_000] * 3 + [None] * 90_000)
    monkeypatch.setattr(parquet_bounds, "GROUP", 1_500_000)  # far less than if each of the rows had the word
    check_bounds(path)


def test_a_damaged_dictionary_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_bounds, "_SMALL", 0)
    path = write(tmp_path / "00000000-00000000.parquet", even=names(900, 64) * 3)
    begins = pq.read_metadata(path).row_group(0).column(0).dictionary_page_offset
    data = bytearray(path.read_bytes())
    data[begins + 20 : begins + 220] = bytes(200)
    path.write_bytes(data)
    with pytest.raises(DamagedError, match="the file is damaged"):
        check_file(path)


def test_what_is_written_can_be_read_however_long_its_texts_are(tmp_path: Path) -> None:
    long = pa.array(["x" * 36_000, "y"]).take(pa.array([0] * 5_000))
    table = Table(tmp_path, TEXTS)
    table.append(pa.table({"text": long}))
    again = Table(tmp_path, TEXTS)
    assert [again.count(), sum(batch.num_rows for batch in again.scan(["text"]))] == [5_000, 5_000]
    (part,) = tmp_path.iterdir()
    assert read_footer(part).num_row_groups >= 5


def test_empty_tables_and_nested_ones_are_read(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.write_bytes(parquet(TEXTS, {}, 0))
    check_bounds(empty)
    rows = {"a": [None, [], [{"k": "v"}], [{"k": None}] * 3], "b": [[("x", [1, 2])], [], None, []]}
    types = {"a": pa.list_(pa.struct([("k", pa.string())])), "b": pa.map_(pa.string(), pa.list_(pa.int32()))}
    check_bounds(write(tmp_path / "nested", **{name: pa.array(rows[name], types[name]) for name in rows}))


def test_no_parquet_is_read_but_through_the_door() -> None:
    """DuckDB reads those of a table, whose paths were checked, and an index that the studio has made itself."""
    reading = re.compile(r"\bpq\.(?!ParquetWriter|write_|FileMetaData|ParquetFile\b[^(])|read_parquet|pyarrow\.dataset")
    found = {
        str(path.relative_to(SOURCES))
        for path in SOURCES.rglob("*.py")
        if reading.search(re.sub(r'""".*?"""', "", path.read_text(encoding="utf-8"), flags=re.DOTALL))
    }
    door = "store/tables/parquet_bounds.py"
    assert found == {door, "store/workspace.py", "apps/studio/database/picture_index.py"}
