"""Rows of a study: an Arrow table that can be counted, chosen from, looked at and handed on."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, overload

import pyarrow as pa

from portrayal.errors import InputError, MissingExtraError, did_you_mean
from portrayal.reports.figures.notebook import html_table
from portrayal.terminal import text_table

if TYPE_CHECKING:
    import duckdb
    import pandas
    import polars

__all__ = ["Rows", "finite"]

SHOWN = 10
"""Rows that a notebook or a prompt shows."""
_WIDEST = 32
_IDENTITY = "_id"


class Rows:
    """Rows of one of a study's tables. They stay in Arrow until you ask for something else.

    ``len(rows)`` counts them, ``rows[0]`` and iteration give dictionaries, ``rows[:10]`` gives rows again, and
    ``rows.columns`` names the columns.
    """

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._table.column_names)

    def __len__(self) -> int:
        return int(self._table.num_rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for batch in self._table.to_batches(max_chunksize=10_000):
            yield from batch.to_pylist(maps_as_pydicts="strict")

    @overload
    def __getitem__(self, number: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, number: slice) -> Self: ...
    def __getitem__(self, number: int | slice) -> dict[str, Any] | Self:
        if isinstance(number, slice):
            places = range(len(self))[number]
            if places.step == 1:
                return self._of(self._table.slice(places.start, len(places)))  # nothing is copied
            return self._of(self._table.take(pa.array(places, pa.int64())))
        if not hasattr(number, "__index__"):
            raise InputError(self._instead(number))
        if not -len(self) <= number < len(self):
            raise IndexError(f"there is no row {number}, for there are {len(self)}")
        row: dict[str, Any] = self._table.slice(number % len(self), 1).to_pylist(maps_as_pydicts="strict")[0]
        return row

    if not TYPE_CHECKING:  # else a name that is not there would pass for a column

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_") or name not in self._table.column_names:
                raise AttributeError(
                    f"rows have no {name!r}; they have the columns in rows.columns", name=name, obj=self
                )
            raise AttributeError(self._instead(name), name=name, obj=self)

    def _instead(self, key: object) -> str:
        """Return what to write in place of ``rows[key]``, for who takes rows for a frame."""
        if not isinstance(key, str):
            return f"rows[{key!r:.60}]: rows are chosen by number, as rows[0] or rows[:10]"
        if key not in self._table.column_names:
            hint = did_you_mean(key, self.columns)
            return f"rows[{key!r:.60}]: rows are chosen by number, and no column has that name{hint}"
        return f"rows are chosen by number; for a column write [row[{key!r}] for row in rows] or to_pandas()[{key!r}]"

    def _of(self, table: pa.Table) -> Self:
        """Return other rows of the same kind."""
        other = copy.copy(self)
        other._table = table
        return other

    def to_arrow(self) -> pa.Table:
        """Return the rows as a ``pyarrow.Table``; nothing is copied."""
        return self._table

    def to_pandas(self) -> pandas.DataFrame:
        """Return the rows as a ``pandas.DataFrame``; names that repeat become categories."""
        _require("pandas")
        frame: pandas.DataFrame = self._table.to_pandas(maps_as_pydicts="strict")
        return frame

    def to_polars(self) -> polars.DataFrame:
        """Return the rows as a ``polars.DataFrame``."""
        _require("polars")
        import polars

        frame = polars.from_arrow(_without_maps(self._table))
        assert isinstance(frame, polars.DataFrame)
        return frame

    def to_duckdb(self, connection: duckdb.DuckDBPyConnection | None = None) -> duckdb.DuckDBPyRelation:
        """Return the rows as a relation to query with SQL, of your connection or DuckDB's own."""
        import duckdb

        return connection.from_arrow(self._table) if connection else duckdb.from_arrow(self._table)

    def __repr__(self) -> str:
        header, rows, below = self._excerpt()
        return "\n".join([*text_table(header, rows), below]) if rows else below

    def _repr_html_(self) -> str:
        header, rows, below = self._excerpt()
        return html_table(header, rows, below=below)

    def _excerpt(self) -> tuple[list[str], list[list[str]], str]:
        """Return the first rows as words, without columns in which none of them has any, and how many there are."""
        rows = self._table.slice(0, SHOWN).to_pylist(maps_as_pydicts="strict")
        flat = [
            one.name for one in self._table.schema if not pa.types.is_nested(getattr(one.type, "value_type", one.type))
        ]
        told = [name for name in flat if any(row[name] not in (None, "", []) for row in rows)]
        header = [name for name in told if not _says_no_more(name, rows)]
        more = f", of which the first {len(rows)} are shown" if len(self) > len(rows) else ""
        below = f"{len(self):,} row{'' if len(self) == 1 else 's'}{more}"
        return header, [[_cell(row[name]) for name in header] for row in rows], below


def finite(number: float | None) -> float | None:
    """Return a number as a row of a table holds it: None where there is none, or none that is finite."""
    return None if number is None or not math.isfinite(number) else float(number)


def _says_no_more(column: str, rows: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether a column of identities repeats the names beside it."""
    name = column.removesuffix(_IDENTITY)
    return name != column and all(name in row and row[name] == row[column] for row in rows)


def _require(package: str) -> None:
    from importlib.util import find_spec

    if find_spec(package) is None:
        raise MissingExtraError(f"to_{package}() needs {package}: run pip install {package}")


def _without_maps(table: pa.Table) -> pa.Table:
    """Return the table with maps as JSON: Polars has none."""
    for place, field in enumerate(table.schema):
        if "map<" in str(field.type):
            values = table.column(place).to_pylist(maps_as_pydicts="strict")
            texts = [None if value is None else json.dumps(value, ensure_ascii=False) for value in values]
            table = table.set_column(place, field.name, pa.array(texts, pa.string()))
    return table


def _cell(value: Any) -> str:
    text = "" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
    text = " ".join(text.split())
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"
