"""Every picture of a study, filtered and paged: an index in one file, made again when tables change."""

from __future__ import annotations

import contextlib
import hashlib
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import duckdb
import pyarrow as pa

from portrayal.apps.studio.database.index_columns import LEFT_OUT, ONE, with_columns
from portrayal.apps.studio.database.index_filters import Facet, Known, find_pictures, look_through
from portrayal.errors import DamagedError
from portrayal.inputfile import read_regular
from portrayal.store.own_files import check_own
from portrayal.store.tables.parquet_file import check_file, write_parquet
from portrayal.study.study import OpenStudy
from portrayal.study.tables.image_table import image_table
from portrayal.study.tables.left_out import LEFT_OUT_NAME

__all__ = ["PictureIndex", "PicturePage"]

PER_PAGE = 60
_ROWS = 2**20
"""Of a group of rows in the index."""
_VERSION = 3
"""Of the columns: an index of another version is made again."""
_TABLES = ("jobs", "outcomes", "observations")


@dataclass(frozen=True, slots=True)
class PicturePage:
    """Some of the pictures that a filter leaves, in the order of the plan, and how many there are in all."""

    pictures: Sequence[Mapping[str, Any]]
    total: int
    number: int
    facets: Sequence[Facet]
    attributes: Sequence[str]
    """The columns that say what was perceived: the likeliest group of each attribute."""
    captions: Sequence[str] = ()
    """The columns with what annotators wrote about a picture."""
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


class PictureIndex:
    """The pictures of one study. ``folder`` is where the index is kept; it can be deleted."""

    def __init__(self, study: Path, folder: Path) -> None:
        self._study, self._folder = study, folder
        self._lock = threading.Lock()
        self._known: Known | None = None

    def page(self, wanted: Mapping[str, str], number: int) -> PicturePage:
        """Return a page of the pictures that have these values; unknown columns are ignored."""
        with self._opened() as (database, known):
            find_pictures(database, known, wanted)
            ((total,),) = database.execute("SELECT count(*) FROM fitting").fetchall()
            number = min(max(number, 1), max(-(-total // PER_PAGE), 1))
            shown = ", ".join(f'"{name}"' for name in ("reason", LEFT_OUT, *known.attributes, *known.captions))
            places = f"FROM fitting ORDER BY place LIMIT {PER_PAGE} OFFSET {PER_PAGE * (number - 1)}"
            query = f"SELECT {ONE}, {shown} FROM pictures SEMI JOIN ({places}) USING (place) ORDER BY place"
            pictures = _rows(database.execute(query))
        facets = [facet for facet in known.facets if len(facet.values) > 1 or (facet.name == LEFT_OUT and facet.values)]
        return PicturePage(pictures, total, number, facets, known.attributes, known.captions, several=known.several)

    def rows(self, wanted: Mapping[str, str], most: int) -> pa.Table:
        """Return all that is known of the pictures that have these values, up to so many rows."""
        with self._opened() as (database, known):
            find_pictures(database, known, wanted)
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
            find_pictures(database, known, wanted)
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
    def _opened(self) -> Iterator[tuple[duckdb.DuckDBPyConnection, Known]]:
        path, written = self._fresh()
        with duckdb.connect(config={"python_enable_replacements": False, "threads": 1}) as database:
            database.read_parquet(str(path)).create_view("pictures")
            if self._known is None or self._known.path != path:
                self._known = look_through(database, path, written)
            yield database, self._known

    def _fresh(self) -> tuple[Path, Collection[str]]:
        """Return the index of the tables as they are, made now if need be, and which columns are free text."""
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
        return path, [name for name, kind in study.attributes.items() if kind.is_text]

    def _whole(self, stem: Path) -> Path | None:
        """Return the index that is there, compared with its checksum once; one that is damaged is made again."""
        for path in self._folder.glob(f"{stem.name}.*.parquet"):
            with contextlib.suppress(DamagedError):
                if self._known is None or self._known.path != path:
                    check_own(path)
                    check_file(path)
                return path
        return None


def _rows(result: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    names = [column[0] for column in result.description or ()]
    rows = [dict(zip(names, row, strict=True)) for row in result.fetchall()]
    return [row | {"name": PurePosixPath(row["file"] or "").name} for row in rows]  # made-up people have no file


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
