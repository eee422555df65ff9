from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from portrayal.errors import DamagedError, StudyError
from portrayal.store.tables.own_tables import OwnTables
from portrayal.store.tables.table import ROW_GROUP, Table
from portrayal.store.workspace import Workspace

SCHEMA = pa.schema([("n", pa.int64())])
EDGES = pa.table({"from": ["a", "b"], "to": ["b", "c"], "weight": [0.5, None]})
WORDS = pa.table({"word": ["nurse"], "masses": [[0.1, 0.9]]})


def measurements(*numbers: int) -> list[pa.Table]:
    return [pa.table({"n": pa.array(numbers, pa.int64())})]


def store(folder: Path) -> OwnTables:
    return OwnTables(folder, Table(folder / "measurements", SCHEMA))


def read(folder: Path, name: str) -> pa.Table:
    with store(folder).open(name) as table:
        assert table.count() == sum(batch.num_rows for batch in table.batches())
        return pa.concat_tables(table.batches())


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_tables_of_any_columns_come_back(tmp_path: Path) -> None:
    assert store(tmp_path).names() == []
    store(tmp_path).replace(measurements(1), {"graph.edges": EDGES, "graph.words": WORDS}, ())
    assert store(tmp_path).names() == ["graph.edges", "graph.words"]
    assert read(tmp_path, "graph.edges") == EDGES
    assert read(tmp_path, "graph.words") == WORDS
    assert store(tmp_path).method("my.graph.edges") == "my.graph"


def test_what_is_not_kept_is_dropped(tmp_path: Path) -> None:
    store(tmp_path).replace(measurements(1), {"graph.edges": EDGES, "other.words": WORDS}, ())
    store(tmp_path).replace(measurements(2), {"graph.edges": EDGES.slice(1)}, ["other.words", "never.there"])
    assert read(tmp_path, "graph.edges") == EDGES.slice(1)
    assert read(tmp_path, "other.words") == WORDS
    store(tmp_path).replace(measurements(3), {}, ["graph.edges"])
    assert store(tmp_path).names() == ["graph.edges"]
    store(tmp_path).replace(measurements(4), {}, ())
    assert [name.partition(".")[0] for name in files(tmp_path)] == ["measurements/00000000-00000003"]


def test_a_crash_before_the_measurements_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store(tmp_path).replace(measurements(1), {"graph.edges": EDGES, "graph.words": WORDS}, ())
    before = files(tmp_path)

    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Table, "replace", crash)
        with pytest.raises(KeyboardInterrupt):
            store(tmp_path).replace(measurements(2), {"graph.edges": EDGES.slice(1), "graph.more": WORDS}, ())
    assert len(files(tmp_path)) == len(before) + 2
    assert store(tmp_path).names() == ["graph.edges", "graph.words"]
    assert read(tmp_path, "graph.edges") == EDGES
    store(tmp_path).clean()
    assert files(tmp_path) == before


def test_a_crash_after_them_leaves_everything_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store(tmp_path).replace(measurements(1), {"graph.edges": EDGES}, ())
    with monkeypatch.context() as patch:
        patch.setattr(OwnTables, "clean", lambda self: None)
        store(tmp_path).replace(measurements(2), {"graph.edges": EDGES.slice(1)}, ())
    assert read(tmp_path, "graph.edges") == EDGES.slice(1)
    assert len(files(tmp_path)) == 3
    store(tmp_path).clean()
    assert len(files(tmp_path)) == 2


def test_the_next_writer_removes_what_a_crash_left(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    workspace.own_tables.replace([workspace.tables["measurements"].schema.empty_table()], {"graph.edges": EDGES}, ())
    left = [tmp_path / "tables" / "graph.edges" / ".tmp-1-x", tmp_path / "tables" / "gone.words" / "00000000.parquet"]
    for path in left:
        path.parent.mkdir(exist_ok=True)
        path.touch()
    with workspace.writing():
        assert workspace.own_tables.names() == ["graph.edges"]
    assert not any(path.exists() for path in left)
    assert not left[1].parent.exists()


def test_a_reader_finishes_what_it_opened_though_it_is_replaced(tmp_path: Path) -> None:
    many = pa.table({"n": range(3 * ROW_GROUP)})
    store(tmp_path).replace(measurements(1), {"graph.edges": many}, ())
    with store(tmp_path).open("graph.edges") as table:
        batches = table.batches()
        first = next(batches)
        store(tmp_path).replace(measurements(2), {}, ())
        assert pa.concat_tables([first, *batches]) == many
    with pytest.raises(StudyError, match=r"graph\.edges: the table is not there any more; measure again"):
        store(tmp_path).open("graph.edges").__enter__()


def test_measurements_without_tables_have_no_metadata_of_them(tmp_path: Path) -> None:
    table = Table(tmp_path / "measurements", SCHEMA)
    table.replace(measurements(1))
    assert table.metadata() == {}
    assert store(tmp_path).names() == []
    table.replace(measurements(1), {"a": "ä"})
    assert table.metadata() == {"a": "ä"}
    assert pa.concat_tables(table.batches()).schema.metadata is None


def test_a_damaged_table_is_not_read(tmp_path: Path) -> None:
    store(tmp_path).replace(measurements(1), {"graph.edges": EDGES}, ())
    path = store(tmp_path).path("graph.edges")
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(DamagedError, match=path.name), store(tmp_path).open("graph.edges"):
        pytest.fail("read")
    assert store(tmp_path).names() == ["graph.edges"]


def test_only_files_of_its_own_are_deleted(tmp_path: Path) -> None:
    store(tmp_path).replace(measurements(1), {"graph.edges": EDGES}, ())
    folder = tmp_path / "some.folder"
    folder.mkdir()
    for name in ("letter.txt", "00000007.parquet", "00000008.0123abcd.parquet", ".tmp-5-00000009"):
        (folder / name).write_text("dear")
    store(tmp_path).clean()
    assert [path.name for path in folder.iterdir()] == ["letter.txt"]
    assert store(tmp_path).names() == ["graph.edges"]


@pytest.mark.parametrize(
    "said",
    [
        "[1]",
        "{",
        "[" * 100_000,
        '{"a.b": 5}',
        '{"x.y": "/etc/passwd"}',
        '{"../../victim.d": "00000000.parquet"}',
        '{"a": {}}',
    ],
)
def test_names_that_lead_elsewhere_are_refused(tmp_path: Path, said: str) -> None:
    Table(tmp_path / "measurements", SCHEMA).replace(measurements(1), {"own_tables": said})
    for read in (store(tmp_path).names, store(tmp_path).clean, lambda: store(tmp_path).path("a.b")):
        with pytest.raises(DamagedError, match=r"measurements: the file names tables.*delete it: .* measure") as caught:
            read()
        assert "\n" not in str(caught.value)
