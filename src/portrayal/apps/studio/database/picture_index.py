"""Every picture of a study, filtered and paged: an index in one file, made again when tables change."""

from __future__ import annotations

import contextlib
import hashlib
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import duckdb
import pyarrow as pa

from portrayal.apps.studio.database.index_columns import DISAGREED, LEFT_OUT, ONE, SURE, with_columns
from portrayal.errors import DamagedError
from portrayal.inputfile import read_regular
from portrayal.store.own_files import check_own
from portrayal.store.tables.parquet_file import check_file, write_parquet
from portrayal.study.study import OpenStudy
from portrayal.study.tables.image_table import image_table
from portrayal.study.tables.left_out import LEFT_OUT_NAME

__all__ = ["Facet", "PictureIndex", "PicturePage"]

PER_PAGE = 60
_ROWS = 2**20
"""Of a group of rows in the index."""
_VERSION = 3
"""Of the columns: an index of another version is made again."""
_TABLES = ("jobs", "outcomes", "observations")
_FIXED = (
    "file",
    "prompt",
    "picture",
    "term",
    "category",
    "model",
    "seed",
    "annotator",
    "subject",
    "box",
    "reason",
    LEFT_OUT,
)
_FACETS = ("model", "term", "category", "annotator", "reason", LEFT_OUT)
UNSURE = "unsure"
"""A filter: the likeliest group of some attribute is less probable than this."""
WORDS = "words"
"""A filter: the prompt holds these words, in capitals or not."""
_PROMPT = "prompt"
MOST_VALUES = 300
"""Values of a filter that a page offers."""


@dataclass(frozen=True, slots=True)
class Facet:
    """A filter: the column, and the values it can have."""

    name: str
    values: Sequence[str]


@dataclass(frozen=True, slots=True)
class PicturePage:
    """Some of the pictures that a filter leaves, in the order of the plan, and how many there are in all."""

    pictures: Sequence[Mapping[str, Any]]
    total: int
    number: int
    facets: Sequence[Facet]
    attributes: Sequence[str]
    """The columns that say what was perceived: the likeliest group of each attribute."""
    several: bool = False
    """Whether several annotators looked, who may disagree."""

    @property
    def models(self) -> int:
        """How many models drew, where there are several."""
        return next((len(facet.values) for facet in self.facets if facet.name == "model"), 1)

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return max(-(-self.total // PER_PAGE), 1)


@dataclass(frozen=True, slots=True)
class _Known:
    """What is looked up once for each state of the tables."""

    path: Path
    attributes: Sequence[str]
    facets: Sequence[Facet]
    one_row_each: bool
    several: bool


class PictureIndex:
    """The pictures of one study. ``folder`` is where the index is kept; it can be deleted."""

    def __init__(self, study: Path, folder: Path) -> None:
        self._study, self._folder = study, folder
        self._lock = threading.Lock()
        self._known: _Known | None = None

    def page(self, wanted: Mapping[str, str], number: int) -> PicturePage:
        """Return a page of the pictures that have these values; unknown columns are ignored."""
        with self._opened() as (database, known):
            _find(database, known, wanted)
            ((total,),) = database.execute("SELECT count(*) FROM fitting").fetchall()
            number = min(max(number, 1), max(-(-total // PER_PAGE), 1))
            shown = ", ".join(f'"{name}"' for name in ("reason", LEFT_OUT, *known.attributes))
            places = f"FROM fitting ORDER BY place LIMIT {PER_PAGE} OFFSET {PER_PAGE * (number - 1)}"
            query = f"SELECT {ONE}, {shown} FROM pictures SEMI JOIN ({places}) USING (place) ORDER BY place"
            pictures = _rows(database.execute(query))
        facets = [facet for facet in known.facets if len(facet.values) > 1 or (facet.name == LEFT_OUT and facet.values)]
        return PicturePage(pictures, total, number, facets, known.attributes, several=known.several)

    def rows(self, wanted: Mapping[str, str], most: int) -> pa.Table:
        """Return all that is known of the pictures that have these values, up to so many rows."""
        with self._opened() as (database, known):
            _find(database, known, wanted)
            chosen = f"FROM pictures SEMI JOIN fitting USING (place) ORDER BY place LIMIT {most}"
            return database.sql(f"SELECT * EXCLUDE (place, picture) {chosen}").to_arrow_table()

    def files(self, images: Sequence[str]) -> list[str]:
        """Return the files of pictures by the 64 digits of their names, in the order of the plan."""
        with self._opened() as (database, _):
            query = """
                SELECT file FROM pictures WHERE regexp_extract(file, '[0-9a-f]{64}') IN (SELECT unnest(?))
                GROUP BY file ORDER BY min(place)
            """
            return [file for (file,) in database.execute(query, [list(images)]).fetchall()]

    @contextlib.contextmanager
    def opened(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Open the index, as the view ``pictures``."""
        with self._opened() as (database, _):
            yield database

    def one(self, name: str) -> list[dict[str, Any]]:
        """Return the rows about one picture: one for each annotator and person in it."""
        with self._opened() as (database, _):
            query = "SELECT * EXCLUDE (place, picture) FROM pictures WHERE ends_with(file, ?) ORDER BY place"
            return _rows(database.execute(query, [f"/{name}"]))

    def neighbours(self, name: str, wanted: Mapping[str, str]) -> tuple[str, str]:
        """Return the names of the pictures before and after one among those that have these values; empty: none."""
        with self._opened() as (database, known):
            _find(database, known, wanted)
            query = "SELECT min(place) FROM pictures WHERE ends_with(file, ?)"
            ((place,),) = database.execute(query, [f"/{name}"]).fetchall()
            if place is None:
                return "", ""
            found = [
                database.execute(
                    f"SELECT file FROM pictures SEMI JOIN (SELECT {which}(place) AS place FROM fitting "
                    f"WHERE place {side} ?) USING (place)",
                    [place],
                ).fetchall()
                for which, side in (("max", "<"), ("min", ">"))
            ]
        before, after = (PurePosixPath(rows[0][0]).name if rows else "" for rows in found)
        return before, after

    @contextlib.contextmanager
    def _opened(self) -> Iterator[tuple[duckdb.DuckDBPyConnection, _Known]]:
        path = self._fresh()
        with duckdb.connect(config={"python_enable_replacements": False, "threads": 1}) as database:
            database.read_parquet(str(path)).create_view("pictures")
            if self._known is None or self._known.path != path:
                self._known = _look_through(database, path)
            yield database, self._known

    def _fresh(self) -> Path:
        """Return the index of the tables as they are, made now if need be."""
        study = OpenStudy.to_read(self._study)
        stem = self._folder / f"pictures-{_fingerprint(study)}"
        with self._lock:
            path = self._whole(stem)
            if path is None:
                table = with_columns(_with_names(image_table(study), study), study)
                path = write_parquet(stem, table.schema, [table], _ROWS)
                for old in self._folder.glob("pictures-*.parquet"):
                    if old != path:
                        old.unlink(missing_ok=True)
        return path

    def _whole(self, stem: Path) -> Path | None:
        """Return the index that is there, compared with its checksum once; one that is damaged is made again."""
        for path in self._folder.glob(f"{stem.name}.*.parquet"):
            with contextlib.suppress(DamagedError):
                if self._known is None or self._known.path != path:
                    check_own(path)
                    check_file(path)
                return path
        return None


def _look_through(database: duckdb.DuckDBPyConnection, path: Path) -> _Known:
    columns = database.execute("DESCRIBE pictures").fetchall()
    # Groups are texts of few values; numbers, captions and probabilities are nothing to choose from.
    texts = [str(name) for name, kind, *_ in columns if name not in _FIXED and kind == "VARCHAR"]
    attributes = [facet for facet in (_facet(database, name) for name in texts) if facet.values]
    query = "SELECT count(*), count(DISTINCT picture) FROM pictures"
    ((rows, pictures),) = database.execute(query).fetchall()
    facets = [*(_facet(database, name) for name in _FACETS), *attributes]
    several = len(next(facet.values for facet in facets if facet.name == "annotator")) > 1
    return _Known(path, [facet.name for facet in attributes], facets, rows == pictures, several)


def _find(database: duckdb.DuckDBPyConnection, known: _Known, wanted: Mapping[str, str]) -> None:
    """Put the places of the pictures that a filter leaves into the table ``fitting``."""
    names = (*_FACETS, _PROMPT, *known.attributes)
    chosen = {name: value for name, value in wanted.items() if name in names and value}
    tests = [f'CAST("{name}" AS VARCHAR) = ?' for name in chosen]
    values: list[Any] = [*chosen.values()]
    with contextlib.suppress(ValueError):
        if wanted.get(UNSURE):
            values.append(float(wanted[UNSURE]) / 100)
            tests.append(f"{SURE} < ?")
    if wanted.get(WORDS):
        values.append(wanted[WORDS])
        tests.append(f"contains(lower(CAST({_PROMPT} AS VARCHAR)), lower(?))")
    if wanted.get(DISAGREED):
        tests.append(DISAGREED)
    # Of several rows about a picture the first that fits stands for it.
    grouped = "min(place) AS place FROM pictures WHERE {} GROUP BY picture"
    query = grouped if tests and not known.one_row_each else "place FROM pictures WHERE {}"
    where = " AND ".join(tests) or "place = picture"
    database.execute(f"CREATE TEMP TABLE fitting AS SELECT {query.format(where)}", values)


def _rows(result: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    names = [column[0] for column in result.description or ()]
    rows = [dict(zip(names, row, strict=True)) for row in result.fetchall()]
    return [row | {"name": PurePosixPath(row["file"]).name} for row in rows]


def _facet(database: duckdb.DuckDBPyConnection, name: str) -> Facet:
    query = f'SELECT DISTINCT CAST("{name}" AS VARCHAR) AS value FROM pictures WHERE "{name}" IS NOT NULL'
    values = database.execute(f"{query} ORDER BY value LIMIT {MOST_VALUES + 1}").fetchall()
    # Captions have too many values to choose from.
    return Facet(name, [value for (value,) in values] if len(values) <= MOST_VALUES else [])


def _with_names(table: pa.Table, study: OpenStudy) -> pa.Table:
    """Return the rows with what people call the parts, and their place in the order of the plan."""
    for column, called in (("model", study.names.generator), ("annotator", study.names.annotator)):
        plain = table[column].cast(pa.string())
        names = {name: called(name) for name in plain.unique().to_pylist() if name is not None}
        values = pa.array([None if name is None else names[name] for name in plain.to_pylist()], pa.string())
        table = table.set_column(table.column_names.index(column), column, values.dictionary_encode())
    return table.append_column("place", pa.array(range(table.num_rows), pa.int64()))


def _fingerprint(study: OpenStudy) -> str:
    """Return what changes when any of the tables does, or study.toml."""
    digest = hashlib.sha256(study.config_file + bytes([_VERSION]))
    with contextlib.suppress(FileNotFoundError):
        digest.update(read_regular(study.root / LEFT_OUT_NAME))
    for name in _TABLES:
        folder = study.root / "tables" / name
        for part in sorted(folder.glob("*")) if folder.is_dir() else ():
            stat = part.stat()
            digest.update(f"{name}/{part.name} {stat.st_size} {stat.st_mtime_ns}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:16]
