"""How BAFIS's charts are drawn: model beside model where they are few, model below model where they are many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from portrayal.methods.bafis.report.rows import Seen
from portrayal.methods.bafis.report.words import points_range, points_text
from portrayal.records import Measurement
from portrayal.reports.charts import FOLD_ABOVE, MAX_COLOURS, Cells, Figure, Panel, figure, panel, sorted_by_value
from portrayal.reports.scales import Scale
from portrayal.reports.words import known

__all__ = ["Block", "PointScale", "Table", "drawn", "figures_of", "point_scale", "rows_of"]

Table = Sequence[tuple[str, Sequence[Measurement | None]]]
"""Labels, each with one row per model."""


@dataclass(frozen=True, slots=True)
class Block:
    """The charts of one attribute; with more models than colours each group has a figure of its own, with a title.

    ``name`` tells the block from others, in every language alike.
    """

    name: str
    title: str
    attribute: str
    figures: Sequence[Figure]


@dataclass(frozen=True, slots=True)
class PointScale(Scale):
    """An axis of differences between shares, written in points with their sign."""

    def text(self, value: float, n: int = 0) -> str:  # noqa: ARG002 - any number of pairs is written alike
        """Return one difference as words."""
        return points_text(value)

    def between(self, low: float, high: float, n: int = 0) -> str:  # noqa: ARG002
        """Return an interval as words."""
        return points_range(low, high)

    def _tick(self, value: float) -> str:
        return points_text(value)


def point_scale(rows: Iterable[Measurement | None]) -> PointScale:
    """Return an axis with no difference in its middle."""
    ends = [known(end) or 0.0 for row in rows if row for end in (row.value, row.low, row.high)]
    furthest = max((abs(end) for end in ends), default=0.0)
    half = next((half for half in (0.1, 0.2, 0.4, 0.6, 0.8) if furthest <= half), 1.0)
    return PointScale(-half, half)


def drawn(models: Sequence[str], tables: Mapping[str, Table], header: str, scale: Scale, by_model: bool) -> list[Panel]:
    """Return a chart for each table.

    A few models share it. Many become a chart for each model (``by_model``), or for each label with the models below
    each other. What is too long to be shown whole is sorted by value first, as a chart does that is folded.
    """
    tables = {title: _ordered(table) for title, table in tables.items()}
    if len(models) <= MAX_COLOURS:
        return [
            panel(title, header, [(label, list(enumerate(rows))) for label, rows in table], scale)
            for title, table in tables.items()
        ]
    if by_model:
        return [
            panel(_joined(model, title), header, [(label, [(0, rows[index])]) for label, rows in table], scale)
            for title, table in tables.items()
            for index, model in enumerate(models)
        ]
    return [
        panel(_joined(title, label), "Model", _per_model(models, rows), scale)
        for title, table in tables.items()
        for label, rows in table
    ]


def _ordered(table: Table) -> Table:
    if len(table) <= FOLD_ABOVE:
        return table
    ordered = sorted_by_value([(label, list(enumerate(rows))) for label, rows in table])
    return [(label, [row for _, row in cells]) for label, cells in ordered]


def _per_model(models: Sequence[str], rows: Sequence[Measurement | None]) -> list[tuple[str, Cells]]:
    cells: list[tuple[str, Cells]] = [(model, [(0, row)]) for model, row in zip(models, rows, strict=True)]
    return sorted_by_value(cells) if len(cells) > FOLD_ABOVE else cells


def _joined(*parts: str) -> str:
    return ": ".join(part for part in parts if part)


def figures_of(seen: Seen, tables: Mapping[str, Table], header: str, scale: Scale, by_model: bool) -> list[Figure]:
    """Return one figure with a panel per group, or with many models a figure per group, the first of them open."""
    if len(tables) == 1:
        # Its heading says already what a single table is about.
        tables = dict.fromkeys([""], *tables.values())
    if len(seen.models) <= MAX_COLOURS:
        return [figure("", drawn(seen.models, tables, header, scale, by_model), seen.models)]
    return [
        figure(title, drawn(seen.models, {"": table}, header, scale, by_model), seen.models, folded=bool(index))
        for index, (title, table) in enumerate(tables.items())
    ]


def rows_of(tables: Mapping[str, Table]) -> list[Measurement | None]:
    """Return every row of some tables, to find an axis for all of them."""
    return [row for table in tables.values() for _, rows in table for row in rows]
