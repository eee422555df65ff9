"""How much the prompts of one term differ, by the images that a study has."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from portrayal.records import Attribute
from portrayal.stats.intervals import Array
from portrayal.study.study import OpenStudy
from portrayal.study.tables.image_table import image_table

__all__ = ["pilot_correlation"]

_CELL = ("model", "annotator", "term")


def pilot_correlation(study: OpenStudy) -> float | None:
    """Return the intraclass correlation over all terms, models and attributes with groups; None: nothing tells it."""
    from portrayal.stats.shares.intraclass import pooled_correlation  # scipy takes a moment to load

    table = image_table(study)
    named = [study.attributes[name] for name in table.column_names if name in study.attributes]
    cells = [cell for attribute in named if attribute.groups for cell in _cells(table, attribute)]
    return pooled_correlation(cells)


def _cells(table: pa.Table, attribute: Attribute) -> Iterator[tuple[Array, Array]]:
    """Yield, of each model, annotator and term, how many images of each prompt show each group, and how many are."""
    columns = [*_CELL, "prompt", attribute.name]
    plain = pa.table({name: table[name].cast(pa.string()) for name in columns})
    known = plain.filter(pa.compute.is_valid(plain[attribute.name]))
    counted = known.group_by(columns).aggregate([([], "count_all")]).to_pylist()
    places = {group: place for place, group in enumerate(attribute.groups)}
    cells: dict[tuple[str, ...], dict[str, Array]] = {}
    for row in counted:
        prompts = cells.setdefault(tuple(row[name] for name in _CELL), {})
        seen = prompts.setdefault(row["prompt"], np.zeros(len(places)))
        seen[places[row[attribute.name]]] += row["count_all"]
    for prompts in cells.values():
        counts = np.array([prompts[name] for name in sorted(prompts)])
        yield counts, counts.sum(axis=1)
