"""What the index knows of a picture beside the table of images: how sure, how agreed, and whether it is left out."""

from __future__ import annotations

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from portrayal.study.study import OpenStudy
from portrayal.study.tables.left_out import read_left_out

__all__ = ["DISAGREED", "LEFT_OUT", "ONE", "SURE", "with_columns"]

LEFT_OUT, SURE, DISAGREED, PICTURE = "left_out", "sure", "disagreed", "picture"
ONE = "file, model, prompt, term, seed"
"""What rows about the same picture have alike."""


def with_columns(table: pa.Table, study: OpenStudy) -> pa.Table:
    """Return the rows with four columns more.

    ``sure`` is the probability of the likeliest group, of the attribute where that is lowest; ``disagreed``, whether
    annotators perceived different groups in the same person; ``left_out``, the reason, if there is one;
    ``picture``, the place of the first row about the same picture.
    """
    grouped = {
        name: kind.groups for name, kind in study.attributes.items() if kind.groups and name in table.schema.names
    }
    return (
        table.append_column(SURE, _sure(table, grouped))
        .append_column(DISAGREED, _disagreed(table, list(grouped)))
        .append_column(LEFT_OUT, _left_out(table, study))
        .append_column(PICTURE, _picture(table))
    )


def _picture(table: pa.Table) -> pa.Array:
    """Return for each row the place of the first one about its picture: numbers are found faster than names."""
    with duckdb.connect(config={"python_enable_replacements": False, "threads": 1}) as database:
        database.from_arrow(table.select([*ONE.split(", "), "place"])).create_view("rows")
        query = f"SELECT min(place) OVER (PARTITION BY {ONE}) AS picture FROM rows ORDER BY place"
        return database.sql(query).to_arrow_table()["picture"]


def _sure(table: pa.Table, grouped: dict[str, tuple[str, ...]]) -> pa.Array:
    lowest = np.full(table.num_rows, np.nan, dtype=np.float32)
    for name, groups in grouped.items():
        best = np.full(table.num_rows, np.nan, dtype=np.float32)
        for column in (f"{name}_{group}" for group in groups):
            best = np.fmax(best, table[column].to_numpy(zero_copy_only=False).astype(np.float32))
        lowest = np.fmin(lowest, best)
    return pa.array(lowest, mask=np.isnan(lowest))


def _disagreed(table: pa.Table, names: list[str]) -> pa.Array:
    """Return whether those who looked at a person do not agree about a group of theirs."""
    if len(pc.unique(table["annotator"].cast(pa.string()).drop_null())) < 2 or not names:
        return pa.array(np.zeros(table.num_rows, dtype=bool))
    tests = " OR ".join(f'coalesce(min("{name}"::VARCHAR) <> max("{name}"::VARCHAR), false)' for name in names)
    with duckdb.connect(config={"python_enable_replacements": False, "threads": 1}) as database:
        database.from_arrow(table.select(["file", "subject", *names])).create_view("seen")
        people = f"SELECT file, {tests} AS apart FROM seen GROUP BY file, subject"
        apart = database.execute(f"SELECT DISTINCT file FROM ({people}) WHERE apart").fetchall()
    return pc.is_in(table["file"].cast(pa.string()), pa.array([file for (file,) in apart], pa.string()))


def _left_out(table: pa.Table, study: OpenStudy) -> pa.Array:
    reasons = read_left_out(study.root)
    if not reasons:
        return pa.nulls(table.num_rows, pa.string())
    names = pc.extract_regex(table["file"].cast(pa.string()), r"(?P<name>[0-9a-f]{64})")
    place = pc.index_in(pc.struct_field(names, "name"), pa.array(list(reasons), pa.string()))
    return pa.array(list(reasons.values()), pa.string()).take(place.combine_chunks())
