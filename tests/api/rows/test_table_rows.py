"""Rows stay in Arrow, say what was meant when a name is wrong, and go to the frames that people use."""

from __future__ import annotations

import copy
import importlib.util
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from portrayal.api.rows.filters import choose, one_of, refuse_unknown, with_names
from portrayal.api.rows.table_rows import SHOWN, Rows
from portrayal.errors import InputError, MissingExtraError, UnknownNameError
from portrayal.records import PartNames

TABLE = pa.table(
    {
        "term": ["nurse", "CEO", "nurse", None],
        "generator": pa.array(["facegan@2", "simulated@1#0ab", "simulated@1#0ab", "facegan@2"]).dictionary_encode(),
        "value": [0.25, 0.5, None, 1.0],
        "empty": ["", "", "", ""],
        "notes": pa.array([[("n", "1")], [], None, []], pa.map_(pa.string(), pa.string())),
    }
)


def terms(table: pa.Table) -> list[Any]:
    return list(table["term"].to_pylist())


def test_rows_are_counted_and_read_one_by_one() -> None:
    rows = Rows(TABLE)
    assert len(rows) == 4
    assert [row["term"] for row in rows] == ["nurse", "CEO", "nurse", None]
    assert rows[0] == {"term": "nurse", "generator": "facegan@2", "value": 0.25, "empty": "", "notes": {"n": "1"}}
    assert rows[-1]["value"] == 1.0
    assert rows.columns == ["term", "generator", "value", "empty", "notes"]
    with pytest.raises(IndexError, match="no row 4, for there are 4"):
        rows[4]


def test_rows_that_are_taken_for_a_frame_say_what_to_write() -> None:
    rows: Any = Rows(TABLE)
    said = r"rows are chosen by number; for a column write \[row\['term'\] for row in rows\] or to_pandas\(\)\['term'\]"
    with pytest.raises(InputError, match=said):
        rows["term"]
    with pytest.raises(AttributeError, match=said):
        rows.term  # noqa: B018 - it is asked for
    with pytest.raises(InputError, match=r"^rows\['terms'\]: .* no column has that name; did you mean 'term'\?$"):
        rows["terms"]
    with pytest.raises(InputError, match=r"^rows\[0.5\]: rows are chosen by number, as rows\[0\] or rows\[:10\]$"):
        rows[0.5]
    with pytest.raises(AttributeError, match=r"^rows have no 'terms'; they have the columns in rows.columns$"):
        rows.terms  # noqa: B018 - it is asked for
    assert not hasattr(rows, "term")
    assert rows[np.int64(1)]["term"] == "CEO"
    assert [row["term"] for row in copy.copy(rows)] == [row["term"] for row in rows]


def test_a_slice_of_rows_is_rows() -> None:
    rows = Rows(TABLE)
    assert [row["value"] for row in rows[1:3]] == [0.5, None]
    assert [row["value"] for row in rows[::-2]] == [1.0, 0.5]
    assert len(rows[-1:]) == 1
    assert len(rows[9:]) == len(rows[3:1]) == 0
    assert type(rows[:2]) is Rows
    assert len(rows) == 4


def test_what_is_wanted_is_chosen() -> None:
    assert choose(TABLE, "row", {"term": None}) is TABLE
    assert terms(choose(TABLE, "row", {"term": "nurse"})) == ["nurse", "nurse"]
    assert terms(choose(TABLE, "row", {"term": ["CEO", "nurse"]})) == ["nurse", "CEO", "nurse"]
    assert terms(choose(TABLE, "row", {"term": "nurse", "generator": "simulated@1#0ab"})) == ["nurse"]
    assert terms(choose(TABLE, "row", {"term": "CEO", "generator": "facegan@2"})) == []


def test_a_part_may_be_called_by_its_name_alone() -> None:
    assert terms(choose(TABLE, "row", {"generator": "simulated"})) == ["CEO", "nurse"]
    with pytest.raises(UnknownNameError):
        choose(TABLE, "row", {"generator": "simul"})


def test_parts_are_called_by_their_names_and_their_identities_stay() -> None:
    names = PartNames({"facegan@2": "Model A"}, {"facegan@2": "no generator"})
    table = with_names(TABLE, names)
    assert table["generator"].to_pylist() == ["Model A", "simulated@1#0ab", "simulated@1#0ab", "Model A"]
    assert table["generator_id"].to_pylist() == TABLE["generator"].to_pylist()
    assert table.column_names == [*TABLE.column_names, "generator_id"]
    plain = with_names(TABLE.set_column(1, "generator", TABLE["generator"].cast(pa.string())), names)
    assert plain["generator"].type == pa.string()
    for name in ("Model A", "facegan@2", "facegan"):
        assert terms(choose(table, "row", {"generator": name}, names=names)) == ["nurse", None]
        assert terms(choose(plain, "row", {"generator": [name, "simulated"]}, names=names)) == terms(TABLE)
    with pytest.raises(UnknownNameError, match=r"^no row has the generator 'Modell A'; did you mean 'Model A'\?$"):
        choose(table, "row", {"generator": "Modell A"}, names=names)
    with pytest.raises(UnknownNameError, match=r"^no row has the generator 'xyz'; known: Model A, simulated@1#0ab$"):
        choose(table, "row", {"generator": "xyz"}, names=names)
    empty = table.slice(0, 0)
    assert choose(empty, "row", {"generator": "Model A"}, lambda: {"generator": ["facegan@2"]}, names) is empty
    with pytest.raises(UnknownNameError, match=r"did you mean 'Model A'\?$"):
        choose(empty, "row", {"generator": "Modell A"}, lambda: {"generator": ["facegan@2"]}, names)


def test_a_column_of_identities_is_shown_only_where_it_says_more() -> None:
    assert "generator_id" not in repr(Rows(with_names(TABLE, PartNames())))
    assert "generator_id" in repr(Rows(with_names(TABLE, PartNames({"facegan@2": "Model A"}))))


def test_filters_that_there_are_not_and_those_that_are_the_same_are_told() -> None:
    with pytest.raises(UnknownNameError, match=r"^images\(\): no filter is called 'modl'; did you mean 'model'\?$"):
        refuse_unknown("images()", {"modl": "x"}, ["model", "term"])
    assert one_of(model=None, generator="x") == "x"
    assert one_of(model=None, generator=None) is None
    with pytest.raises(InputError, match=r"^model= and generator= are the same filter; give one of them$"):
        one_of(model="x", generator="x")


def test_a_wrong_name_says_which_was_meant() -> None:
    with pytest.raises(UnknownNameError, match=r"^no image has the term 'nurs'; did you mean 'nurse'\?$"):
        choose(TABLE, "image", {"term": "nurs"})
    with pytest.raises(UnknownNameError, match=r"^no image has the term 'xyz'; known: CEO, nurse$"):
        choose(TABLE, "image", {"term": ["nurse", "xyz"]})
    many = pa.table({"term": [f"number {n}" for n in range(100)]})
    with pytest.raises(UnknownNameError, match=r"^no image has the term 'xyz'$"):
        choose(many, "image", {"term": "xyz"})


@pytest.mark.parametrize("choice", [3, 0.5, ["nurse", None], [["nurse"]]])
def test_a_filter_that_is_no_name_is_one_line(choice: Any) -> None:
    with pytest.raises(InputError, match=r"^term=.*: a filter is a name or a list of names$"):
        choose(TABLE, "image", {"term": choice})


def test_of_no_rows_a_name_is_asked_for_among_those_to_come() -> None:
    none, to_come = TABLE.slice(0, 0), {"term": ["nurse", "CEO"], "generator": ["facegan@2"]}
    for wanted in (
        {"term": "nurse"},
        {"term": ["CEO"], "generator": "facegan"},
        {"value": "of which nothing is known"},
    ):
        assert len(choose(none, "row", wanted, lambda: to_come)) == 0
    with pytest.raises(UnknownNameError, match=r"^no row has the term 'nurs'; did you mean 'nurse'\?$"):
        choose(none, "row", {"term": "nurs"}, lambda: to_come)


def test_rows_go_to_arrow_as_they_are() -> None:
    assert Rows(TABLE).to_arrow() is TABLE


def test_rows_go_to_pandas() -> None:
    pytest.importorskip("pandas")
    frame = Rows(TABLE).to_pandas()
    assert frame["generator"].dtype == "category"
    assert frame["value"].sum() == 1.75
    assert frame["notes"][0] == {"n": "1"}


def test_rows_go_to_polars() -> None:
    pytest.importorskip("polars")
    frame = Rows(TABLE).to_polars()
    assert frame["value"].sum() == 1.75
    assert frame["generator"].to_list()[0] == "facegan@2"
    assert frame["notes"].to_list() == ['{"n": "1"}', "{}", None, "{}"]


def test_rows_go_to_duckdb_also_by_a_connection_of_ones_own() -> None:
    assert Rows(TABLE).to_duckdb().filter("term = 'nurse'").count("*").fetchall() == [(2,)]
    with duckdb.connect() as connection:
        rows = Rows(TABLE).to_duckdb(connection)
        assert rows.aggregate("sum(value)").fetchall() == [(1.75,)]


def test_a_frame_that_is_not_installed_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"^to_polars\(\) needs polars: run pip install polars$"):
        Rows(TABLE).to_polars()
    with pytest.raises(MissingExtraError, match=r"^to_pandas\(\) needs pandas: run pip install pandas$"):
        Rows(TABLE).to_pandas()


def test_a_prompt_shows_the_first_rows_and_how_many_there_are() -> None:
    assert repr(Rows(TABLE)).splitlines() == [
        "term   generator        value",
        "nurse  facegan@2        0.25",
        "CEO    simulated@1#0ab  0.5",
        "nurse  simulated@1#0ab",
        "       facegan@2        1",
        "4 rows",
    ]
    assert repr(Rows(pa.table({"n": range(1500)}))).endswith("1,500 rows, of which the first 10 are shown")
    assert repr(Rows(pa.table({"n": [1]}))).endswith("\n1 row")
    assert repr(Rows(TABLE.slice(0, 0))) == "0 rows"


def test_a_notebook_shows_them_escaped() -> None:
    shown = Rows(pa.table({"text": ["<b>&"] * 20}))._repr_html_()
    assert shown.count("<td>&lt;b&gt;&amp;</td>") == SHOWN
    assert "20 rows" in shown
