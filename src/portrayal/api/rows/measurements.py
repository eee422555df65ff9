"""Measurements, and charts of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

import pyarrow as pa

from portrayal.api.plot import Plot
from portrayal.api.rows.table_rows import Rows
from portrayal.errors import InputError
from portrayal.language.translation import speaking
from portrayal.records import Measurement, from_table
from portrayal.reports.charts.figure_svg import figure_svg
from portrayal.reports.charts.rows_figure import rows_figure
from portrayal.reports.text.notes import naming
from portrayal.study.study import OpenStudy

__all__ = ["Measurements"]

_IDENTITIES = {"generator": "generator_id", "annotator": "annotator_id"}
MOST_ROWS = 20_000
"""More rows than this are no chart."""


class Measurements(Rows):
    """Rows of measurements; see :meth:`portrayal.Study.measurements`."""

    def __init__(self, table: pa.Table, study: OpenStudy) -> None:
        super().__init__(table)
        self._study = study

    def records(self) -> list[dict[str, Any]]:
        """Return the rows as plain data, as ``portrayal measure --json`` prints them: parts by their identities.

        Where study.toml gives names, ``generator_name`` and ``annotator_name`` have them.
        """
        names = self._study.names
        rows = [asdict(row) for row in self._rows(_IDENTITIES)]
        if not names:
            return rows
        return [
            {
                "generator_name": names.generator(row["generator"]),
                "annotator_name": names.annotator(row["annotator"]),
                **row,
            }
            for row in rows
        ]

    def plot(self) -> Plot:
        """Return the report's chart of these rows: values with their intervals, and what they are compared with.

        Terms or categories are its rows, generators its colours; whatever else differs is drawn apart. So choose a
        metric, an attribute and a level first.
        """
        if len(self) > MOST_ROWS:
            raise InputError(f"{len(self):,} rows are too many for a chart; choose with metric=, attribute=, level=")
        with speaking(self._study.config.report.language), naming(self._study.attributes):
            return Plot(figure_svg(rows_figure(self._rows(), self._study.attributes)))

    def _rows(self, parts: Mapping[str, str] = MappingProxyType({})) -> list[Measurement]:
        """Return the rows; ``parts`` are columns that are taken from others."""
        table = self.to_arrow()
        for column, source in parts.items():
            table = table.set_column(table.column_names.index(column), column, table[source])
        return list(from_table(table.drop_columns(["note", *_IDENTITIES.values()]), Measurement))
