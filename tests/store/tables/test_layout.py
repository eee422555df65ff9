from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from portrayal.store.tables.keys import key_numbers
from portrayal.store.tables.layout import Layout, key_column, keys_of
from portrayal.store.tables.table import Table
from portrayal.store.workspace import LAYOUTS, SCHEMAS, Workspace

SCHEMA = pa.schema([("name", pa.string()), ("n", pa.int64()), ("mass", pa.list_(pa.float32()))])
LAYOUT = Layout(keyed=("name",), unique=("name", "mass"))
NAMES = ["0" * 15 + "a" + "f" * 48, None, "a name of somebody's own"]
ROWS = pa.table({"name": NAMES, "n": [1, 2, 3], "mass": [[0.5, 0.5], None, []]}, schema=SCHEMA)


def keys(table: Table) -> list[int]:
    batches = table.scan((key_column("name"), "n"), ("name",))
    return [key for batch in batches for key in keys_of(batch, "name").tolist()]


def test_keys_are_written_beside_names_and_are_no_columns_of_the_table(tmp_path: Path) -> None:
    table = Table(tmp_path, SCHEMA, layout=LAYOUT)
    table.append(ROWS)
    assert keys(table) == key_numbers(ROWS["name"].chunk(0)).tolist()
    assert keys(table)[:2] == [10, 0]
    assert pa.concat_tables(table.batches()) == ROWS
    (segment,) = table.segments()
    assert pq.read_schema(segment.path).names == ["name", "n", "mass", "name_key"]


@pytest.mark.parametrize("first", [Layout(), LAYOUT])
def test_segments_with_and_without_keys_are_one_table(tmp_path: Path, first: Layout) -> None:
    second = LAYOUT if first == Layout() else Layout()
    Table(tmp_path, SCHEMA, layout=first).append(ROWS)
    table = Table(tmp_path, SCHEMA, layout=second)
    table.append(ROWS)
    assert [len(pq.read_schema(segment.path)) for segment in table.segments()].count(4) == 1
    assert keys(table) == 2 * key_numbers(ROWS["name"].chunk(0)).tolist()
    groups = table.row_groups()
    found = [keys_of(batch, "name") for _, batch in groups.scan((key_column("name"),), ("name",))]
    assert np.concatenate(found).tolist() == keys(table)


@pytest.mark.parametrize("old_first", [True, False])
def test_queries_read_segments_of_both_kinds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, old_first: bool
) -> None:
    rows = pa.table({"image": ["aa" * 32, "bb" * 32]})
    rows = pa.Table.from_arrays(
        [rows["image"] if name == "image" else pa.nulls(2, kind) for name, kind in fields()],
        schema=SCHEMAS["observations"],
    )
    for old in (old_first, not old_first):
        with monkeypatch.context() as patch:
            if old:
                patch.setattr("portrayal.store.workspace.LAYOUTS", {})
            Workspace(tmp_path).tables["observations"].append(rows)
    found = Workspace(tmp_path).query("SELECT image, count(*) AS n FROM observations GROUP BY ALL ORDER BY image")
    assert found.to_pylist() == [{"image": "aa" * 32, "n": 2}, {"image": "bb" * 32, "n": 2}]


def fields() -> list[tuple[str, pa.DataType]]:
    return [(field.name, field.type) for field in SCHEMAS["observations"]]


def test_what_is_said_of_layouts_names_columns_of_their_tables() -> None:
    for name, layout in LAYOUTS.items():
        assert {*layout.keyed, *layout.unique} <= set(SCHEMAS[name].names)


def test_unique_columns_have_no_dictionary(tmp_path: Path) -> None:
    Table(tmp_path, SCHEMA, layout=LAYOUT).append(ROWS)
    (path,) = tmp_path.glob("*.parquet")
    group = pq.read_metadata(path).row_group(0)
    columns = [group.column(place) for place in range(group.num_columns)]
    found = {column.path_in_schema: "RLE_DICTIONARY" in column.encodings for column in columns}
    assert found == {"name": False, "n": True, "mass.list.element": False, "name_key": False}
    assert columns[-1].compression == "UNCOMPRESSED"
