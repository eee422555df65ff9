"""Export: a study's tables for other programs."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from portrayal.csvfile import FORMULA, NUMBER
from portrayal.errors import UnknownNameError, did_you_mean
from portrayal.records import PartNames
from portrayal.records.codes.note import NOTES_TYPE, notes_of
from portrayal.reports.text.notes import plain_notes
from portrayal.store.files import atomic_file
from portrayal.study.study import OpenStudy
from portrayal.study.tables.image_table import image_table

__all__ = ["FORMATS", "IMAGES", "export_tables"]

IMAGES = "images"
"""A table that is put together from others, and so written only when it is named."""
_ROWS = 20_000


def export_tables(study: OpenStudy, folder: Path, form: str, names: Sequence[str] = ()) -> list[Path]:
    """Write the named tables (all that are stored, when none is named) to ``folder`` and return the files."""
    if form not in FORMATS:
        raise UnknownNameError(f"tables are written as {', '.join(FORMATS)}, not {form!r}{did_you_mean(form, FORMATS)}")
    tables, own_tables = study.workspace.tables, study.workspace.own_tables
    known = [*tables, *own_tables.names()]
    for name in names:
        if name not in (*known, IMAGES):
            raise UnknownNameError(f"no table named {name!r}{did_you_mean(name, [*known, IMAGES])}")
    written = []
    for name in names or known:
        path = folder / f"{name}.{form}"
        with _opened(study, name) as table, atomic_file(path) as file:
            FORMATS[form](_NamedTable(table, study.names) if form != "parquet" and study.names else table, file)
        written.append(path)
    return written


class ReadTable(Protocol):
    """A table that can be read in batches."""

    @property
    def schema(self) -> pa.Schema:
        """What columns it has."""
        ...

    def batches(self) -> Iterator[pa.Table]:
        """Yield the rows in order."""
        ...


def _opened(study: OpenStudy, name: str) -> contextlib.AbstractContextManager[ReadTable]:
    if name == IMAGES:
        return contextlib.nullcontext(_Whole(image_table(study)))
    tables = study.workspace.tables
    return contextlib.nullcontext(tables[name]) if name in tables else study.workspace.own_tables.open(name)


@dataclass(frozen=True, slots=True)
class _Whole:
    """A table in memory, with plain text where names are stored once."""

    table: pa.Table

    @property
    def schema(self) -> pa.Schema:
        return pa.schema([(field.name, _plain(field.type)) for field in self.table.schema])

    def batches(self) -> Iterator[pa.Table]:
        for start in range(0, self.table.num_rows, _ROWS):
            yield self.table.slice(start, _ROWS).cast(self.schema)


def _plain(type_: pa.DataType) -> pa.DataType:
    return type_.value_type if pa.types.is_dictionary(type_) else type_


@dataclass(frozen=True, slots=True)
class _NamedTable:
    """A table whose rows also tell what generators and annotators are called, for whoever reads the file."""

    table: ReadTable
    names: PartNames

    @property
    def schema(self) -> pa.Schema:
        """The columns, those of names before those of identities."""
        return self._named(self.table.schema.empty_table()).schema

    def batches(self) -> Iterator[pa.Table]:
        """Yield the rows in order."""
        return map(self._named, self.table.batches())

    def _named(self, batch: pa.Table) -> pa.Table:
        draws, looks = self.names.generator, self.names.annotator
        drawing = dict.fromkeys(("generator", "model", "first", "second"), draws)
        for column, name in {**drawing, "annotator": looks}.items():
            place = batch.schema.get_field_index(column)
            if place >= 0:
                texts = [None if part is None else name(part) for part in batch.column(column).to_pylist()]
                batch = batch.add_column(place, f"{column}_name", pa.array(texts, pa.string()))
        return batch


def _write_csv(table: ReadTable, file: BinaryIO) -> None:
    schema = _flat(_worded(table.schema.empty_table())).schema
    with pacsv.CSVWriter(file, schema) as writer:
        for batch in table.batches():
            writer.write_table(_safe(_flat(_worded(batch))))


def _write_jsonl(table: ReadTable, file: BinaryIO) -> None:
    for batch in table.batches():
        for row in _worded(batch).to_pylist(maps_as_pydicts="strict"):
            file.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")


def _write_parquet(table: ReadTable, file: BinaryIO) -> None:
    with pq.ParquetWriter(file, table.schema, compression="zstd") as writer:
        for batch in table.batches():
            writer.write_table(batch)


FORMATS: Mapping[str, Callable[[ReadTable, BinaryIO], None]] = {
    "csv": _write_csv,
    "jsonl": _write_jsonl,
    "parquet": _write_parquet,
}


def _worded(batch: pa.Table) -> pa.Table:
    """Add the words of notes, in English: whoever reads a file has no page that words them."""
    position = batch.schema.get_field_index("notes")
    if position < 0 or batch.schema.field(position).type != NOTES_TYPE:
        return batch
    texts = [plain_notes(notes_of(notes)) for notes in batch.column(position).to_pylist(maps_as_pydicts="strict")]
    return batch.add_column(position + 1, "note", pa.array(texts, pa.string()))


def _safe(batch: pa.Table) -> pa.Table:
    """Write texts that a spreadsheet could take for formulas as :func:`portrayal.csvfile.safe_cell` does."""
    for position, field in enumerate(batch.schema):
        if pa.types.is_string(field.type):
            texts = batch.column(position)
            risky = pc.and_not(pc.match_substring_regex(texts, FORMULA), pc.match_substring_regex(texts, NUMBER))
            if pc.any(risky).as_py():
                safe = pc.if_else(risky, pc.binary_join_element_wise("'", texts, ""), texts)
                batch = batch.set_column(position, field, safe)
    return batch


def _flat(batch: pa.Table) -> pa.Table:
    """Write lists and maps as JSON text, since a CSV cell holds one value."""
    for position, field in enumerate(batch.schema):
        if pa.types.is_nested(field.type):
            values = batch.column(position).to_pylist(maps_as_pydicts="strict")
            texts = [None if value is None else json.dumps(value, ensure_ascii=False) for value in values]
            batch = batch.set_column(position, field.name, pa.array(texts, pa.string()))
    return batch
