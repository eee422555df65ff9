"""The figures behind the charts of a section."""

from __future__ import annotations

from collections.abc import Iterable

from portrayal.reports.charts.marks import Figure
from portrayal.reports.figures.named_figures import NamedChart

__all__ = ["figure_named", "figure_of"]


def figure_of(chart: NamedChart | None) -> Figure:
    """Return the figure that a chart is."""
    assert chart is not None
    assert isinstance(chart.drawing, Figure)
    return chart.drawing


def figure_named(name: str, charts: Iterable[NamedChart]) -> Figure:
    """Return the figure of the one chart whose name ends like this."""
    (chart,) = [chart for chart in charts if chart.name.endswith(name)]
    return figure_of(chart)
