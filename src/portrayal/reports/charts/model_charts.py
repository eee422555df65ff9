"""Measurements of several models: a few share a chart, a colour each; of many, each has a chart of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from portrayal.records import Measurement
from portrayal.reports.charts.axes import Scale
from portrayal.reports.charts.interval_chart import (
    FOLD_ABOVE,
    MAX_COLOURS,
    UNCUT,
    Cells,
    Figure,
    Fold,
    Panel,
    figure,
    panel,
    sorted_by_value,
)
from portrayal.reports.gallery.picture_links import Links

__all__ = ["ModelCharts", "Table", "model_figure", "rows_of", "sorted_table"]

Table = Sequence[tuple[str, Sequence[Measurement | None]]]
"""Labels, each with one row per model."""


def rows_of(tables: Mapping[str, Table]) -> list[Measurement | None]:
    """Return every row of some tables, to find an axis for all of them."""
    return [row for table in tables.values() for _, rows in table for row in rows]


def sorted_table(table: Table) -> list[tuple[str, list[Measurement | None]]]:
    """Return a table from the highest mean over models to the lowest, so that charts of models share an order."""
    ordered = sorted_by_value([(label, list(enumerate(rows))) for label, rows in table])
    return [(label, [row for _, row in cells]) for label, cells in ordered]


@dataclass(frozen=True, slots=True)
class ModelCharts:
    """How tables become charts.

    ``header`` says in English what the rows are. Many models have a chart each, which is titled by ``heading``; or,
    with ``models_as``, which is the header of their column, they stand below each other in a chart for each label.
    Rows are sorted where they are ``ranked``, and where they are too many to be shown whole: a folded chart names
    its highest and lowest rows.
    """

    models: Sequence[str]
    header: str
    scale: Scale
    models_as: str = ""
    ranked: bool = False
    heading: str = "{model}: {title}"
    fold: Fold = UNCUT

    def panels(self, title: str, table: Table, links: Links | None = None) -> list[Panel]:
        """Return the charts of one table; with ``links`` rows of one that all models share lead to their pictures."""
        if len(self.models) <= MAX_COLOURS:
            rows: list[tuple[str, Cells]] = [(label, list(enumerate(cells))) for label, cells in table]
            return [self._panel(title, self.header, rows, ranked=self.ranked, links=links)]
        if self.models_as:
            return [
                self._panel(
                    ": ".join(filter(None, (title, label))),
                    self.models_as,
                    [(model, [(0, row)]) for model, row in zip(self.models, cells, strict=True)],
                )
                for label, cells in table
            ]
        return [
            self._panel(
                self.heading.format(model=model, title=title) if title else model,
                self.header,
                [(label, [(0, cells[place])]) for label, cells in table],
                ranked=self.ranked,
            )
            for place, model in enumerate(self.models)
        ]

    def figure(self, tables: Mapping[str, Table], title: str = "", *, folded: bool = False) -> Figure:
        """Return the charts of some tables."""
        panels = [drawn for heading, table in tables.items() for drawn in self.panels(heading, table)]
        return figure(title, panels, self.models, folded)

    def _panel(
        self,
        title: str,
        header: str,
        rows: Sequence[tuple[str, Cells]],
        *,
        ranked: bool = False,
        links: Links | None = None,
    ) -> Panel:
        ordered = sorted_by_value(rows) if ranked or len(rows) > FOLD_ABOVE else rows
        return panel(title, header, rows=ordered, scale=self.scale, fold=self.fold, links=links)


def model_figure(
    models: Sequence[str],
    tables: Mapping[str, Table],
    header: str,
    scale: Callable[[list[Measurement | None]], Scale],
    *,
    models_as: str = "",
    ranked: bool = False,
) -> Figure | None:
    """Return the charts of some tables on one axis, which holds all of their rows; None when there is none."""
    rows = rows_of(tables)
    if not any(rows):
        return None
    return ModelCharts(models, header, scale(rows), models_as, ranked).figure(tables)
