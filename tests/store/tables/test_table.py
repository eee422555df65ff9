from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from portrayal.errors import DamagedError, StorageError
from portrayal.store.tables import table as module
from portrayal.store.tables.table import Table

SCHEMA = pa.schema([("n", pa.int64())])


def rows(*numbers: int) -> pa.Table:
    return pa.table({"n": pa.array(numbers, pa.int64())})


def numbers(table: Table) -> list[int]:
    return [n for batch in table.batches() for n in batch["n"].to_pylist()]


@pytest.mark.slow
@given(sizes=st.lists(st.integers(0, 3), max_size=40))
@settings(max_examples=25)
def test_appended_rows_come_back_in_order(tmp_path_factory: pytest.TempPathFactory, sizes: list[int]) -> None:
    table = Table(tmp_path_factory.mktemp("t"), SCHEMA)
    expected: list[int] = []
    for size in sizes:
        new = list(range(len(expected), len(expected) + size))
        table.append(rows(*new))
        expected += new
    assert numbers(table) == expected
    assert table.count() == len(expected)


@pytest.mark.slow
def test_parts_stay_few(tmp_path: Path) -> None:
    table = Table(tmp_path, SCHEMA)
    for number in range(300):
        table.append(rows(number))
    assert len(table.segments()) < 2 * module.FANOUT
    assert len(list(tmp_path.iterdir())) == len(table.segments())
    assert numbers(table) == list(range(300))


def test_a_crash_before_the_merged_parts_are_deleted_harms_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(tmp_path, SCHEMA)
    monkeypatch.setattr(Table, "clean", lambda self: None)  # the crash: the merge is committed, nothing deleted
    for number in range(module.FANOUT):
        table.append(rows(number))
    assert len(list(tmp_path.iterdir())) == module.FANOUT + 1
    assert numbers(table) == list(range(module.FANOUT))
    table.append(rows(99))
    assert numbers(table) == [*range(module.FANOUT), 99]


def test_replace_makes_the_batches_the_whole_content(tmp_path: Path) -> None:
    table = Table(tmp_path, SCHEMA)
    table.append(rows(1, 2))
    table.append(rows(3))
    table.replace([rows(7), rows(8)])
    assert numbers(table) == [7, 8]
    assert len(list(tmp_path.iterdir())) == 1
    table.replace([])
    assert numbers(table) == []


def test_a_replacement_that_breaks_off_leaves_the_old_content(tmp_path: Path) -> None:
    table = Table(tmp_path, SCHEMA)
    table.append(rows(1))

    def broken() -> Iterator[pa.Table]:
        yield rows(2)
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        table.replace(broken())
    assert numbers(table) == [1]
    assert len(list(tmp_path.iterdir())) == 1


def test_clean_removes_what_a_crash_left(tmp_path: Path) -> None:
    table = Table(tmp_path, SCHEMA)
    table.append(rows(1))
    (tmp_path / ".tmp-123-00000001-00000001.parquet").write_bytes(b"half")
    table.clean()
    assert list(tmp_path.iterdir()) == [segment.path for segment in table.segments()]


def test_other_files_are_not_parts(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    assert Table(tmp_path, SCHEMA).segments() == []


@given(ranges=st.sets(st.tuples(st.integers(0, 40), st.integers(0, 12)), max_size=20))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_a_part_inside_another_is_dead(ranges: set[tuple[int, int]], tmp_path: Path) -> None:
    folder = tmp_path / str(uuid.uuid4())
    folder.mkdir()
    spans = {(first, first + more) for first, more in ranges}
    for first, last in spans:
        (folder / f"{first:08d}-{last:08d}.parquet").touch()

    def inside(one: tuple[int, int], other: tuple[int, int]) -> bool:
        return other != one and other[0] <= one[0] and one[1] <= other[1]

    live = {span for span in spans if not any(inside(span, other) for other in spans)}
    assert [(segment.first, segment.last) for segment in Table(folder, SCHEMA).segments()] == sorted(live)


def test_a_sole_writer_need_not_list_the_folder_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(tmp_path, SCHEMA)
    table.append(rows(0))
    with table.sole_writer():
        with monkeypatch.context() as patch:
            patch.setattr(Path, "iterdir", lambda _: pytest.fail("listed again"))
            for number in range(1, 2 * module.FANOUT + 3):
                table.append(rows(number))
        assert table.segments() == Table(tmp_path, SCHEMA).segments()
    assert [n for batch in table.batches() for n in batch["n"].to_pylist()] == list(range(2 * module.FANOUT + 3))


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    blocker = tmp_path / "tables"
    blocker.write_text("a file where a folder should be")
    with pytest.raises(StorageError, match=r"tables") as caught:
        Table(blocker / "t", SCHEMA).append(rows(1))
    assert "\n" not in str(caught.value)


def test_parts_merged_while_they_are_read_are_read_to_the_end(tmp_path: Path) -> None:
    table = Table(tmp_path, SCHEMA)
    for number in range(module.FANOUT - 1):
        table.append(rows(number))
    reading = table.batches()
    seen = next(reading)["n"].to_pylist()
    table.append(rows(99))  # merges, and deletes what is being read
    assert len(list(tmp_path.iterdir())) == 1
    seen += [n for batch in reading for n in batch["n"].to_pylist()]
    assert seen == list(range(module.FANOUT - 1))


def test_a_scan_yields_the_columns_asked_for_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    schema = pa.schema([("n", pa.int64()), ("word", pa.string()), ("mass", pa.list_(pa.float32()))])
    table = Table(tmp_path, schema)
    words = ["a", "b", None, "a", "c"]
    for start in (0, 2, 4):
        chosen = range(start, min(start + 2, 5))
        columns = {"n": list(chosen), "word": [words[n] for n in chosen], "mass": [[n / 2] for n in chosen]}
        table.append(pa.table(columns, schema=schema))
    for size in (1, 2, 100):
        monkeypatch.setattr(module, "ROW_GROUP", size)
        batches = list(table.scan(["word", "n"], ["word"]))
        assert all(set(batch.schema.names) == {"word", "n"} for batch in batches)
        assert all(pa.types.is_dictionary(batch["word"].type) and batch.num_rows <= size for batch in batches)
        assert [n for batch in batches for n in batch["n"].to_pylist()] == list(range(5))
        assert [word for batch in batches for word in batch["word"].to_pylist()] == words


def test_a_file_of_another_table_is_refused_however_it_is_read(tmp_path: Path) -> None:
    later = pa.schema([*SCHEMA, ("word", pa.string())])
    own = Table(tmp_path, later, ["word"])
    Table(tmp_path, SCHEMA).append(rows(1))
    assert next(own.batches()).column_names == [*SCHEMA.names, "word"]
    strict = Table(tmp_path, later)
    for read in (
        strict.paths,
        strict.check,
        strict.count,
        strict.metadata,
        strict.current,
        lambda: [*strict.batches()],
    ):
        with pytest.raises(DamagedError, match=r"the file is of another table: it has no column 'word'; .*verify"):
            read()
    with pytest.raises(DamagedError, match="the file is of another table: its column 'n' is another"):
        Table(tmp_path, pa.schema([("n", pa.string())])).count()


def test_a_scan_of_nothing_yields_nothing(tmp_path: Path) -> None:
    table = Table(tmp_path / "none", SCHEMA)
    assert list(table.scan(["n"])) == []
    table.replace([])
    assert list(table.scan(["n"])) == []
    table.replace([SCHEMA.empty_table()])
    assert sum(batch.num_rows for batch in table.scan(["n"])) == 0


def test_small_batches_share_a_row_group_when_they_are_merged(tmp_path: Path) -> None:
    table = Table(tmp_path, SCHEMA)
    for number in range(module.FANOUT):
        table.append(rows(number, number))
    (segment,) = table.segments()
    assert pq.ParquetFile(segment.path).num_row_groups == 1
    assert numbers(table) == [number for number in range(module.FANOUT) for _ in range(2)]


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 16
    path.write_bytes(data)


def test_a_merge_does_not_take_damaged_rows_along(tmp_path: Path) -> None:
    table = Table(tmp_path, SCHEMA)
    for number in range(module.FANOUT - 1):
        table.append(rows(number))
    damaged = table.segments()[3].path
    flip(damaged)
    with pytest.raises(DamagedError, match=damaged.name):
        Table(tmp_path, SCHEMA).append(rows(99))  # the last of those that are merged
    damaged.unlink()
    assert numbers(Table(tmp_path, SCHEMA)) == [0, 1, 2, *range(4, module.FANOUT - 1)]


def test_a_part_is_compared_with_its_checksum_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        Table(tmp_path, SCHEMA).append(rows(number))
    checked: list[Path] = []
    monkeypatch.setattr(module, "check_file", checked.append)
    table = Table(tmp_path, SCHEMA)
    table.append(rows(3))  # known, for it is written here
    for _ in range(2):
        assert numbers(table) == [0, 1, 2, 3]
        assert table.count() == 4
        assert len(table.paths()) == 4
    assert checked == [segment.path for segment in table.segments()[:3]]


def test_parts_that_an_older_version_wrote_without_a_checksum_are_read_and_then_have_one(tmp_path: Path) -> None:
    first = tmp_path / "00000000-00000000.parquet"
    pq.write_table(pa.table({"other": [1]}), first)  # without a column, too
    table = Table(tmp_path, SCHEMA, later=["n"])
    assert numbers(table) == [None]
    with table.sole_writer():
        table.append(rows(1))
        assert numbers(table) == [None, 1]
    assert not first.exists()
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("data", [b"", b"PAR1", b"\0" * 500])
def test_a_part_without_a_checksum_that_cannot_be_read_is_one_line(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "00000000-00000000.parquet").write_bytes(data)
    table = Table(tmp_path, SCHEMA)
    for read in (table.count, table.metadata, lambda: list(table.batches()), lambda: list(table.scan(["n"]))):
        with pytest.raises(DamagedError, match="cannot be read") as caught:
            read()
        assert "\n" not in str(caught.value)


def test_a_writer_asks_before_each_commit(tmp_path: Path) -> None:
    table = Table(tmp_path, SCHEMA)

    def refuse() -> None:
        raise RuntimeError("another writer")

    with table.sole_writer(refuse), pytest.raises(RuntimeError, match="another writer"):
        table.append(rows(1))
    assert list(tmp_path.iterdir()) == []
    table.append(rows(2))
    assert numbers(table) == [2]
