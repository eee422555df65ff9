"""Rows of a study: an Arrow table that can be counted, chosen from, looked at and handed on."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, Self, overload

import pyarrow as pa
import pyarrow.compute as pc

from portrayal.errors import InputError, MissingExtraError, UnknownNameError, did_you_mean
from portrayal.reports.notebook import html_table
from portrayal.terminal import text_table

if TYPE_CHECKING:
    import duckdb
    import pandas
    import polars

__all__ = ["Choice", "Rows", "choose"]

Choice = str | Sequence[str] | None
"""What a column may hold: a name, several, or None for anything."""
SHOWN = 10
"""Rows that a notebook or a prompt shows."""
_WIDEST = 32
_LISTED = 30
"""Of more names than this none is listed when none is near."""
_IDENTITIES = ("generator", "annotator", "model")


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
        if not -len(self) <= number < len(self):
            raise IndexError(f"there is no row {number}, for there are {len(self)}")
        row: dict[str, Any] = self._table.slice(number % len(self), 1).to_pylist(maps_as_pydicts="strict")[0]
        return row

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
        return self._table.to_pandas(maps_as_pydicts="strict")

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
            own.name for own in self._table.schema if not pa.types.is_nested(getattr(own.type, "value_type", own.type))
        ]
        header = [name for name in flat if any(row[name] not in (None, "", []) for row in rows)]
        more = f", of which the first {len(rows)} are shown" if len(self) > len(rows) else ""
        below = f"{len(self):,} row{'' if len(self) == 1 else 's'}{more}"
        return header, [[_cell(row[name]) for name in header] for row in rows], below


def choose(
    table: pa.Table, what: str, wanted: Mapping[str, Choice], to_come: Callable[[], Mapping[str, Sequence[str]]] = dict
) -> pa.Table:
    """Return the rows that hold what is wanted, by column; a name that no row holds is an error with a suggestion.

    A generator or annotator may be called by what stands before the ``@`` of its identity. While there are no rows,
    names are looked for among those ``to_come``; in a column of which it has none any name may be asked for.
    """
    choices = {column: choice for column, choice in wanted.items() if choice is not None}
    if not table.num_rows:
        expected = to_come() if choices else {}
        for column, choice in choices.items():
            if names := expected.get(column):
                _meant(names, what, column, choice)
        return table
    # Names are looked for in all rows, so that what one filter leaves does not make the next one's name unknown.
    masks = [_holds(table[column], _meant(_names(table[column]), what, column, own)) for column, own in choices.items()]
    return table.filter(reduce(pc.and_, masks)) if masks else table


def _names(values: pa.ChunkedArray) -> list[str]:
    return [name for name in pc.unique(values).to_pylist() if name is not None]


def _meant(known: Sequence[str], what: str, column: str, choice: str | Sequence[str]) -> list[str]:
    """Return the names as they are known."""
    meant: list[str] = []
    names = [choice] if isinstance(choice, str) or not isinstance(choice, Iterable) else list(choice)
    for name in names:
        if not isinstance(name, str):
            raise InputError(f"{column}={choice!r:.60}: a filter is a name or a list of names")
        found = [own for own in known if own == name or (column in _IDENTITIES and own.partition("@")[0] == name)]
        if not found:
            hint = did_you_mean(name, known)
            shown = hint if hint.endswith("?") or len(known) <= _LISTED else ""
            raise UnknownNameError(f"no {what} has the {column} {name!r}{shown}")
        meant += found
    return meant


def _holds(values: pa.ChunkedArray, names: Sequence[str]) -> pa.ChunkedArray:
    if pa.types.is_dictionary(values.type):
        return pa.chunked_array([_among(chunk, names) for chunk in values.chunks], pa.bool_())
    return pc.is_in(values, value_set=pa.array(names, values.type))


def _among(chunk: pa.DictionaryArray, names: Sequence[str]) -> pa.Array:
    codes = [code for code, name in enumerate(chunk.dictionary.to_pylist()) if name in names]
    return pc.is_in(chunk.indices, value_set=pa.array(codes, chunk.indices.type))


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
