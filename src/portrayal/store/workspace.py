"""A study's folder: its tables, its images, the lock that keeps two writers apart, and queries over all of it.

::

    STUDY/
      study.toml                   what the user wrote
      tables/<name>/*.parquet      prompts, truths, jobs, imports, outcomes, observations, comparisons,
                                   measurements, spending, votes
      tables/<method>.<name>/      a method's own, see :mod:`portrayal.store.own_tables`
      images/ab/<sha256>.<ext>     every picture once, unless study.toml names a store elsewhere
      arena/                       votes as they come in, and copies of pictures for raters; once there is an arena
      report/                      pages and exports; can be deleted and made again
"""

from __future__ import annotations

import contextlib
import re
import shutil
import uuid
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import duckdb
import pyarrow as pa

from portrayal.records import (
    COMPARISON_SCHEMA,
    JOB_SCHEMA,
    MEASUREMENT_SCHEMA,
    OBSERVATION_SCHEMA,
    OUTCOME_SCHEMA,
    PROMPT_SCHEMA,
    SPENDING_SCHEMA,
    TRUTH_SCHEMA,
    VOTE_SCHEMA,
)
from portrayal.store.files import TEMPORARY
from portrayal.store.image_folder import ImageFolder
from portrayal.store.images import ImageStore
from portrayal.store.lock import one_writer
from portrayal.store.own_files import check_entries, check_own
from portrayal.store.own_tables import OwnTables
from portrayal.store.table import READ_TRIES, Table, vanished

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
    "spending": SPENDING_SCHEMA,
    "votes": VOTE_SCHEMA,
}

_OF_PROMPTS = ("kind", "suffix", "people", "reference", "seeds", "edits")
LATER: Mapping[str, Collection[str]] = {
    "prompts": _OF_PROMPTS,
    "jobs": ("source_job",),
    "imports": (*(f"prompt_{name}" for name in _OF_PROMPTS), "source_job"),
    "observations": ("text",),
    "measurements": ("drawn", "notes", "language", "variant", "corrected"),
}
"""Columns that the first versions did not write."""

_OWN = ("tables", "images", "arena", "report", ".lock", ".lock-owner")
"""What a study's folder holds besides what the user put there."""

# Only tables registered by name may be read, not any Python variable that happens to be called like one.
_DUCKDB: dict[str, str | bool | int | float | list[str]] = {
    "memory_limit": "1GB",
    "preserve_insertion_order": True,
    "python_enable_replacements": False,
}


class Workspace:
    """The folder of one study; its ``images`` lie in it too, unless they are in a store elsewhere."""

    def __init__(self, root: Path, images: ImageStore | None = None) -> None:
        self.root = root
        self.tables = {
            name: Table(root / "tables" / name, schema, LATER.get(name, ())) for name, schema in SCHEMAS.items()
        }
        self.own_tables = OwnTables(root / "tables", self.tables["measurements"])
        self.images: ImageStore = images or ImageFolder(root / "images")
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
        check_entries(self.root / "arena")

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
            # What does not fit into memory goes to the study's own disk, apart from other queries at the same time.
            spill = str(self.root / f"{TEMPORARY}{uuid.uuid4().hex}")
            with duckdb.connect(config={**_DUCKDB, "temp_directory": spill}) as connection:
                connection.execute("SET enable_progress_bar = false")  # it would print into a command's results
                for name, table in tables.items():
                    connection.register(name, table)
                try:
                    self._create_views(connection, sql)
                    return connection.sql(sql).to_arrow_table()
                except (duckdb.Error, FileNotFoundError) as error:
                    # A writer may have merged segments between listing and reading them; the new listing is complete.
                    if attempt < READ_TRIES - 1 and isinstance(error, duckdb.IOException | FileNotFoundError):
                        continue
                    if isinstance(error, FileNotFoundError):
                        raise vanished(self.root / "tables") from None
                    self._find_damage(sql)
                    raise
        raise AssertionError("unreachable")

    def _find_damage(self, sql: str) -> None:
        """Raise an error about a file that cannot be read, if that is why a query failed."""
        for name, table in self.tables.items():
            if _mentions(sql, name):
                table.check()

    def _create_views(self, connection: duckdb.DuckDBPyConnection, sql: str) -> None:
        for name, table in self.tables.items():
            if not _mentions(sql, name):
                continue  # opening files is most of the cost of a small query
            if paths := table.paths():
                files = ", ".join(_quote(path) for path in paths)
                # The empty table brings columns that an older version did not write; segments do not differ in them.
                # Columns that only an older version wrote are left out.
                connection.register(f"{name}_schema", table.schema.empty_table())
                columns = ", ".join(f'"{column}"' for column in table.schema.names)
                connection.execute(
                    f"CREATE VIEW {name} AS SELECT {columns} FROM (SELECT * FROM {name}_schema "
                    f"UNION ALL BY NAME SELECT * FROM read_parquet([{files}]))"
                )
            else:
                connection.register(name, table.schema.empty_table())

    def _clean(self) -> None:
        for table in self.tables.values():
            table.clean()
        self.own_tables.clean()
        self.images.clean()
        for folder in self.root.glob(f"{TEMPORARY}*"):
            shutil.rmtree(folder, ignore_errors=True)  # a query that was killed left it


def _mentions(sql: str, name: str) -> bool:
    return re.search(rf"\b{name}\b", sql) is not None


def _quote(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
