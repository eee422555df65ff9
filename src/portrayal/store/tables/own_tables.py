"""Tables of methods' own, beside the measurements: any columns, one Parquet file each.

::

    tables/<method>.<name>/00000003.CHECKSUM.parquet

Which file is valid stands in the file of the measurements, as metadata of its schema. So the rename that commits the
measurements commits these tables too; a file that is not named there is left over, from before or from a crash.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from portrayal.errors import DamagedError, StudyError
from portrayal.store.files import TEMPORARY, storage_errors
from portrayal.store.own_files import check_entries
from portrayal.store.tables.parquet_bounds import open_parquet
from portrayal.store.tables.parquet_file import check_file, read_errors, write_parquet
from portrayal.store.tables.table import READ_TRIES, ROW_GROUP, Table

__all__ = ["OwnTables", "StoredTable"]

_KEY = "own_tables"
_SEPARATOR = "."
_TABLE = re.compile(r"\w[\w.:@+ -]*\.[a-z0-9_]{1,40}")
_NAME = re.compile(r"([0-9]{8})(\.[0-9a-f]{8})?\.parquet")


class StoredTable:
    """One of the tables, open; it stays readable when it is replaced meanwhile."""

    def __init__(self, path: Path, file: pq.ParquetFile) -> None:
        self._path, self._file = path, file
        self.schema: pa.Schema = file.schema_arrow

    def count(self) -> int:
        """Return the number of rows."""
        return int(self._file.metadata.num_rows)

    def batches(self) -> Iterator[pa.Table]:
        """Yield the rows in order, some at a time."""
        with read_errors(self._path):
            for batch in self._file.iter_batches(ROW_GROUP):
                yield pa.Table.from_batches([batch])


class OwnTables:
    """The tables of methods' own by ``method.name``. One writer at a time; readers need no lock."""

    def __init__(self, folder: Path, measurements: Table) -> None:
        self._folder = folder
        self._measurements = measurements

    @staticmethod
    def method(name: str) -> str:
        """Return whose table it is."""
        return name.rpartition(_SEPARATOR)[0]

    def names(self) -> list[str]:
        """Return the tables there are."""
        return list(self._files())

    def path(self, name: str) -> Path:
        """Return the file of a table."""
        return self._folder / name / self._files()[name]

    @contextlib.contextmanager
    def open(self, name: str) -> Iterator[StoredTable]:
        """Open a table that there is."""
        for _ in range(READ_TRIES):
            with contextlib.ExitStack() as stack:
                try:
                    path = self.path(name)
                    with read_errors(path):
                        check_file(path)
                        file = stack.enter_context(open_parquet(path))
                except (FileNotFoundError, KeyError):
                    continue  # replaced between looking it up and opening it
                yield StoredTable(path, file)
                return
        raise StudyError(f"{self._folder / name}: the table is not there any more; measure again")

    def check(self, name: str) -> None:
        """Read a table to its end; raise an error when it is damaged or gone."""
        with self.open(name) as table:
            for _ in table.batches():
                pass

    def replace(
        self,
        rows: Iterable[pa.Table],
        new: Mapping[str, pa.Table],
        kept: Collection[str],
        metadata: Mapping[str, str] | None = None,
    ) -> None:
        """Replace the measurements and, in the same step, tables of methods' own; keep some, drop all others.

        ``metadata`` is what else is written with the measurements.
        """
        files = {name: file for name, file in self._files().items() if name in kept}
        for name, table in new.items():
            files[name] = self._write(name, table)
        self._measurements.replace(rows, {**(metadata or {}), _KEY: json.dumps(files)})
        self.clean()

    def clean(self) -> None:
        """Delete what is not valid any more, and what a crash left."""
        valid = {self._folder / name / file for name, file in self._files().items()}
        with storage_errors(self._folder):
            for folder in check_entries(self._folder):
                if _SEPARATOR not in folder.name:
                    continue
                for path in folder.iterdir():
                    if path not in valid and (path.name.startswith(TEMPORARY) or _is_file(path.name)):
                        path.unlink()
                if not any(folder.iterdir()):
                    folder.rmdir()

    def _files(self) -> dict[str, str]:
        """Return the valid files by table."""
        said = self._measurements.metadata().get(_KEY, "{}")
        try:
            files = json.loads(said)
        except (ValueError, RecursionError):
            files = None
        # They become paths, and the measurements may be somebody else's.
        if not isinstance(files, dict) or not all(_TABLE.fullmatch(name) and _is_file(files[name]) for name in files):
            raise DamagedError(
                f"{self._measurements.folder}: the file names tables of methods as Portrayal never does; delete it: "
                "portrayal measure computes it again"
            )
        return files

    def _write(self, name: str, table: pa.Table) -> str:
        """Write a table to a file of its own and return the file's name; nothing refers to it yet."""
        folder = self._folder / name
        numbers = [int(match[1]) for path in folder.glob("*.parquet") if (match := _NAME.fullmatch(path.name))]
        stem = folder / f"{max(numbers, default=-1) + 1:08d}"
        return write_parquet(stem, table.schema, [table], ROW_GROUP).name


def _is_file(name: object) -> bool:
    return isinstance(name, str) and _NAME.fullmatch(name) is not None
