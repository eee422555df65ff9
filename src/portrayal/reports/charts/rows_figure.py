"""Any measurements as the report's charts: one panel for each thing that differs, one colour for each generator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from portrayal.errors import InputError
from portrayal.language.translation import t, word
from portrayal.records import Attribute, Measurement
from portrayal.reports.charts.axes import PERCENTAGES, Scale, number_scale, share_scale
from portrayal.reports.charts.interval_chart import Cells, Figure, Fold, Panel, figure, panel, sorted_by_value
from portrayal.reports.charts.model_charts import ModelCharts
from portrayal.reports.data import ReportData
from portrayal.reports.lookup import chart_groups
from portrayal.reports.text.words import aspect_title, capital, human, known

__all__ = ["MOST_PANELS", "group_figure", "rows_figure"]

MOST_PANELS = 24
"""A picture of more charts than this cannot be read."""
_APART = ("method", "metric", "attribute", "group", "level", "annotator", "language", "variant")
"""Columns that a chart holds one value of; ``item`` are its rows and generators its colours."""
_CUT = Fold(middle=False)


def rows_figure(rows: Sequence[Measurement], attributes: Mapping[str, Attribute]) -> Figure:
    """Return the charts of measurements that have a value; of two groups one is the other's mirror image."""
    shown = [row for row in rows if known(row.value) is not None and _is_charted(row, rows, attributes)]
    if not shown:
        raise InputError("there is no number to draw; choose other measurements")
    differ = [name for name in _APART if len({getattr(row, name) for row in shown}) > 1]
    label = _label(shown, differ)
    apart = [name for name in differ if name != label]
    charts: dict[tuple[str, ...], list[Measurement]] = {}
    for row in shown:
        charts.setdefault(tuple(getattr(row, name) for name in apart), []).append(row)
    generators = list(dict.fromkeys(row.generator for row in shown))
    panels = [
        drawn
        for values, chart in charts.items()
        for drawn in _panels(chart, _title(dict(zip(apart, values, strict=True)), attributes), label, generators)
    ]
    if len(panels) > MOST_PANELS:
        raise InputError(
            f"{len(panels)} charts are too many to draw, for these differ: {', '.join(apart)}; choose with "
            f"{apart[0] if apart else 'generator'}=..."
        )
    return figure(_heading(shown, attributes), panels, generators)


def group_figure(rows: Sequence[Measurement], data: ReportData, scale: Scale) -> Figure:
    """Return a chart for each attribute and annotator: a row for each group, a colour for each generator.

    A row of no group, such as a note that there is no number, is called by its metric.
    """
    several = len({row.annotator for row in rows}) > 1
    panels = []
    for name, annotator in dict.fromkeys((row.attribute, row.annotator) for row in rows):
        mine = [row for row in rows if (row.attribute, row.annotator) == (name, annotator)]
        table: dict[str, dict[str, Measurement]] = {}
        for row in mine:
            table.setdefault(human(row.group) or word(row.metric.replace("_", " ")), {})[row.generator] = row
        seen_by = t(", seen by {annotator}", annotator=annotator) if several else ""
        lines = [(label, list(enumerate(_cells(cells, data.generators)))) for label, cells in table.items()]
        panels.append(panel(capital(aspect_title(name, data.attributes)) + seen_by, "Group", lines, scale))
    return figure("", panels, data.generators)


def _is_charted(row: Measurement, rows: Sequence[Measurement], attributes: Mapping[str, Attribute]) -> bool:
    attribute = attributes.get(row.attribute)
    if attribute is None or len(attribute.groups) != 2 or row.metric != "share":
        return True
    both = {other.group for other in rows if other.attribute == row.attribute} >= set(attribute.groups)
    return not both or row.group in chart_groups(attribute)


def _label(rows: Sequence[Measurement], differ: Sequence[str]) -> str:
    """Return the column that labels the rows: the term or category, else a column in which they differ."""
    if len({row.item for row in rows}) > 1:
        return "item"
    return next((name for name in ("group", "attribute", "metric") if name in differ), "generator")


def _panels(rows: Sequence[Measurement], title: str, label: str, generators: Sequence[str]) -> list[Panel]:
    scale = _scale(rows)
    # Of rows that differ only in their reference the first is drawn, as in the report.
    table: dict[str, dict[str, Measurement]] = {}
    for row in rows:
        table.setdefault(str(getattr(row, label)), {}).setdefault(row.generator, row)
    if label == "generator":
        lines: list[tuple[str, Cells]] = [(name, [(0, by_model[name])]) for name, by_model in table.items()]
        return [panel(title, capital(label), sorted_by_value(lines), scale, _CUT)]
    header = capital(rows[0].level if label == "item" else label)
    charts = ModelCharts(generators, header, scale, ranked=True, heading="{title} · {model}", fold=_CUT)
    return charts.panels(title, [(_words(label, key), _cells(by_model, generators)) for key, by_model in table.items()])


def _cells(by_model: Mapping[str, Measurement], generators: Sequence[str]) -> list[Measurement | None]:
    return [by_model.get(name) for name in generators]


def _words(label: str, name: str) -> str:
    return name if label == "item" else human(name)


def _scale(rows: Sequence[Measurement]) -> Scale:
    return share_scale(rows) if {row.metric for row in rows} <= set(PERCENTAGES) else number_scale(rows)


def _title(values: Mapping[str, str], attributes: Mapping[str, Attribute]) -> str:
    told = {name: value for name, value in values.items() if value}
    words = [aspect_title(value, attributes) if name == "attribute" else human(value) for name, value in told.items()]
    return capital(" · ".join(words))


def _heading(rows: Sequence[Measurement], attributes: Mapping[str, Attribute]) -> str:
    """Return what all of them are about."""
    same = {name: values.pop() for name in ("metric", "attribute", "group") if len(values := _values(rows, name)) == 1}
    return _title(same, attributes)


def _values(rows: Sequence[Measurement], name: str) -> set[str]:
    return {getattr(row, name) for row in rows}
