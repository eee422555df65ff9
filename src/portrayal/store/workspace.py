"""A study's folder: its tables, its images, the lock that keeps two writers apart, and queries over all of it.

::

    STUDY/
      study.toml                   what the user wrote
      tables/<name>/*.parquet      prompts, truths, jobs, imports, outcomes, observations, comparisons,
                                   measurements, spending, rounds, votes
      tables/<method>.<name>/      a method's own, see :mod:`portrayal.store.tables.own_tables`
      images/ab/<sha256>.<ext>     every picture once, unless study.toml names a store elsewhere
      arena/                       votes as they come in, and copies of pictures for raters; once there is an arena
      report/                      pages and exports; can be deleted and made again
"""

from __future__ import annotations

import contextlib
import re
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

import duckdb
import pyarrow as pa

from portrayal.errors import InputError
from portrayal.records import (
    COMPARISON_SCHEMA,
    JOB_SCHEMA,
    MEASUREMENT_SCHEMA,
    OBSERVATION_SCHEMA,
    OUTCOME_SCHEMA,
    PRECISION_SCHEMA,
    PROMPT_SCHEMA,
    ROUND_SCHEMA,
    SPENDING_SCHEMA,
    TRUTH_SCHEMA,
    VOTE_SCHEMA,
)
from portrayal.store.database import Database
from portrayal.store.files import TEMPORARY
from portrayal.store.images.image_folder import ImageFolder
from portrayal.store.images.image_store import ImageStore
from portrayal.store.lock import one_writer
from portrayal.store.own_files import check_entries, check_own
from portrayal.store.tables.layout import Layout
from portrayal.store.tables.own_tables import OwnTables
from portrayal.store.tables.segment import vanished
from portrayal.store.tables.table import READ_TRIES, Table

__all__ = ["SCHEMAS", "Workspace"]

IMPORT_SCHEMA = pa.schema(
    [
        *(pa.field(f"prompt_{field.name}", field.type) for field in PROMPT_SCHEMA if field.name != "id"),
        *JOB_SCHEMA,
        pa.field("source", pa.string()),
        pa.field("position", pa.int64()),
        pa.field("about", pa.map_(pa.string(), pa.string())),
    ]
)
"""What was brought in from outside: the prompt's and the job's fields, the file it came from, the order, and what else
a list told of the image."""

SCHEMAS: Mapping[str, pa.Schema] = {
    "prompts": PROMPT_SCHEMA,
    "truths": TRUTH_SCHEMA,
    "jobs": JOB_SCHEMA,
    "imports": IMPORT_SCHEMA,
    "outcomes": OUTCOME_SCHEMA,
    "observations": OBSERVATION_SCHEMA,
    "comparisons": COMPARISON_SCHEMA,
    "measurements": MEASUREMENT_SCHEMA,
    "precision": PRECISION_SCHEMA,
    "spending": SPENDING_SCHEMA,
    "rounds": ROUND_SCHEMA,
    "votes": VOTE_SCHEMA,
}

_OF_PROMPTS = ("kind", "suffix", "people", "reference", "seeds", "edits")
LATER: Mapping[str, Collection[str]] = {
    "prompts": _OF_PROMPTS,
    "jobs": ("source_job",),
    "imports": (*(f"prompt_{name}" for name in _OF_PROMPTS), "source_job", "about"),
    "observations": ("text",),
    "measurements": (
        *[
            "drawn",
            "notes",
            "language",
            "variant",
            "corrected",
            "worth",
            "like_low",
            "like_high",
            "prompt_set",
            "looks",
        ],
    ),
}
"""Columns that the first versions did not write."""

LAYOUTS: Mapping[str, Layout] = {
    "jobs": Layout(keyed=("id",), unique=("id",), times=6),
    "outcomes": Layout(keyed=("job", "image"), unique=("job", "image"), times=6),
    "observations": Layout(keyed=("image",), unique=("mass",), times=6),
}
"""How those tables lie on disk that have a row, or several, for every image."""

_OWN = ("tables", "images", "arena", "labels", "report", ".lock", ".lock-owner")
"""What a study's folder holds besides what the user put there."""

_LARGE = 16_000_000
"""Bytes of files: what a query reads of them, and more, may stay in memory for as long as the database does."""


class Workspace:
    """The folder of one study; its ``images`` lie in it too, unless they are in a store elsewhere."""

    def __init__(self, root: Path, images: ImageStore | None = None) -> None:
        _check_path(root)
        self.root = root
        self.tables = {
            name: Table(root / "tables" / name, schema, LATER.get(name, ()), LAYOUTS.get(name))
            for name, schema in SCHEMAS.items()
        }
        self.own_tables = OwnTables(root / "tables", self.tables["measurements"])
        self.images: ImageStore = images or ImageFolder(root / "images")
        self._database = Database(root)
        self.check()

    def check(self) -> None:
        """Raise an error when a link or a pipe is where the study keeps its own files and folders.

        The study's folder itself may be a link, and so may what the user put beside them.
        """
        for name in _OWN:
            check_own(self.root / name)
        for folder in check_entries(self.root / "tables"):
            check_entries(folder)
        check_entries(self.root / "images")
        for name in ("arena", "labels"):
            check_entries(self.root / name)

    @contextlib.contextmanager
    def writing(self, *, wait: bool = False) -> Iterator[None]:
        """Hold the study's lock, and remove first what a crash left."""
        self.check()
        with one_writer(self.root, wait=wait) as held, contextlib.ExitStack() as stack:
            self._clean()
            for table in self.tables.values():
                stack.enter_context(table.sole_writer(held.check))
            yield

    def query(self, sql: str, **tables: pa.Table) -> pa.Table:
        """Run ``sql`` over the study's tables and the Arrow tables given by name."""
        for attempt in range(READ_TRIES):
            try:
                return self._ask(sql, tables)
            except (duckdb.Error, FileNotFoundError) as error:
                # A writer may have merged segments between listing and reading them; the new listing is complete.
                if attempt < READ_TRIES - 1 and isinstance(error, duckdb.IOException | FileNotFoundError):
                    continue
                if isinstance(error, FileNotFoundError):
                    raise vanished(self.root / "tables") from None
                self._find_damage(sql)
                raise
        raise AssertionError("unreachable")

    def _ask(self, sql: str, tables: Mapping[str, pa.Table]) -> pa.Table:
        # Opening files is most of the cost of a small query.
        files = {name: table.paths() for name, table in self.tables.items() if _mentions(sql, name)}
        size = sum(Path(path).stat().st_size for paths in files.values() for path in paths)
        size += sum(table.nbytes for table in tables.values())
        with self._database.connect(large=size > _LARGE) as connection:
            for name, table in tables.items():
                connection.register(name, table)
            for name, paths in files.items():
                _create_view(connection, name, self.tables[name].schema, paths)
            return connection.sql(sql).to_arrow_table()

    def _find_damage(self, sql: str) -> None:
        """Raise an error about a file that cannot be read, if that is why a query failed."""
        for name, table in self.tables.items():
            if _mentions(sql, name):
                table.check()

    def _clean(self) -> None:
        for table in self.tables.values():
            table.clean()
        self.own_tables.clean()
        self.images.clean()
        for folder in self.root.glob(f"{TEMPORARY}*"):
            shutil.rmtree(folder, ignore_errors=True)  # a query that was killed left it
        for path in (self.root / "tables").glob(f"{TEMPORARY}*"):
            path.unlink(missing_ok=True)  # half of a plan's fingerprint


def _check_path(root: Path) -> None:
    """Refuse a path that is no text: neither Arrow nor DuckDB opens files there."""
    try:
        str(root.absolute()).encode()
    except UnicodeEncodeError:
        raise InputError(
            f"{root}: the path of a study must be UTF-8, and this one is not; rename the folder, or the one it lies in"
        ) from None


def _create_view(connection: duckdb.DuckDBPyConnection, name: str, schema: pa.Schema, paths: Sequence[str]) -> None:
    if not paths:
        connection.register(name, schema.empty_table())
        return
    files = ", ".join(map(_quote, paths))
    # The empty table brings columns that an older version did not write; segments do not differ in them.
    # Columns that only an older version wrote are left out.
    connection.register(f"{name}_schema", schema.empty_table())
    columns = ", ".join(f'"{column}"' for column in schema.names)
    connection.execute(
        f"CREATE TEMP VIEW {name} AS SELECT {columns} FROM (SELECT * FROM {name}_schema "
        f"UNION ALL BY NAME SELECT * FROM read_parquet([{files}]))"
    )


def _mentions(sql: str, name: str) -> bool:
    return re.search(rf"\b{name}\b", sql) is not None


def _quote(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
