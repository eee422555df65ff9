"""An atlas on disk: two tables, each one file that is replaced as a whole.

::

    ATLAS/
      evaluations.parquet    scores of models, a row for each evaluation
      models.parquet         what is known of the models
      checksums.json         of both, see :mod:`portrayal.store.checksums.file_checksums`
      report/                the page and its tables; can be deleted and made again

The same rows give the same files, byte for byte.
"""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from portrayal.errors import InputError, StudyError
from portrayal.methods.atlas_part import released
from portrayal.records.evaluated_models.evaluation import (
    EVALUATION_SCHEMA,
    MODEL_SCHEMA,
    AtlasRows,
    Evaluation,
    ModelInfo,
    evaluation_table,
    evaluations_of,
    model_table,
    models_of,
)
from portrayal.store.checksums.file_checksums import read_checked, write_checked
from portrayal.store.lock import one_writer
from portrayal.store.tables.parquet_bounds import check_bounds, open_parquet

__all__ = ["Added", "AtlasStore"]

EVALUATIONS, MODELS = "evaluations.parquet", "models.parquet"
RowT = TypeVar("RowT")


class Added(NamedTuple):
    """All rows, how many evaluations are new, and which took the place of another of the same run."""

    rows: AtlasRows
    new: int
    replaced: list[tuple[Evaluation, Evaluation]]


class AtlasStore:
    """The folder of an atlas. A new one begins with the evaluations that authors of methods released."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def exists(self) -> bool:
        """Whether there is an atlas."""
        return (self.folder / EVALUATIONS).is_file() and (self.folder / MODELS).is_file()

    def read(self) -> AtlasRows:
        """Return all rows, or say that there is no atlas."""
        if not self.exists:
            place = shlex.quote(str(self.folder))
            raise StudyError(f"{self.folder}: no atlas here; begin one with: portrayal atlas import {place} FILE")
        evaluations = self._rows(EVALUATIONS, EVALUATION_SCHEMA, evaluations_of)
        models = self._rows(MODELS, MODEL_SCHEMA, models_of)
        return AtlasRows(tuple(evaluations), {info.model: info for info in models})

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Keep other writers out; the folder is made where there is none."""
        if self.folder.is_file():
            raise InputError(f"{self.folder}: is a file; an atlas is a folder")
        self.folder.mkdir(parents=True, exist_ok=True)
        with one_writer(self.folder, wait=True):
            yield

    def add(self, evaluations: Iterable[Evaluation], models: Iterable[ModelInfo], *, empty: bool = False) -> Added:
        """Add rows; ``empty`` begins a new atlas without the released ones."""
        first = AtlasRows() if empty else AtlasRows().joined(released(), [])
        old = self.read() if self.exists else first
        given = list(evaluations)
        rows = old.joined(given, models)
        self._write(MODELS, model_table(rows.models.values()))
        self._write(EVALUATIONS, evaluation_table(rows.evaluations))
        return Added(rows, len({row.key for row in given} - {row.key for row in old.evaluations}), old.replaced(given))

    def _rows(self, name: str, schema: pa.Schema, rows_of: Callable[[pa.Table], list[RowT]]) -> list[RowT]:
        data = read_checked(self.folder / name)
        try:
            check_bounds(self.folder / name)
            table = open_parquet(pa.BufferReader(data)).read()
            if any(one.name not in schema.names or schema.field(one.name).type != one.type for one in table.schema):
                raise ValueError("its columns are others")
            return rows_of(table)
        # A file without a checksum may hold anything.
        except (pa.ArrowException, OSError, ValueError, TypeError, KeyError) as error:
            line = next(iter(str(error).splitlines()), type(error).__name__)
            raise InputError(f"{self.folder / name}: not a table of an atlas: {line}") from None

    def _write(self, name: str, table: pa.Table) -> None:
        sink = pa.BufferOutputStream()
        pq.write_table(table, sink, compression="zstd")
        write_checked(self.folder / name, sink.getvalue().to_pybytes())
