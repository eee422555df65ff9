"""The charts and tables of a report as files of their own, for papers and slides."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from portrayal.language.translation import speaking, t
from portrayal.records import Measurement, content_id
from portrayal.reports.charts.figure_svg import draw_figure
from portrayal.reports.charts.marks import Figure, Panel
from portrayal.reports.charts.svg_canvas import Pen, picture
from portrayal.reports.charts.xy_chart import Plane
from portrayal.reports.charts.xy_chart_svg import draw_plane
from portrayal.reports.comparisons.models_view import models_view
from portrayal.reports.data import ReportData
from portrayal.reports.figures.measurement_tables import MeasurementTable, measurement_tables
from portrayal.reports.figures.named_figures import (
    NamedChart,
    NamedTable,
    alone,
    chart_caption,
    chart_table,
)
from portrayal.reports.figures.table_files import TABLE_FORMS
from portrayal.reports.section import measured_sections
from portrayal.reports.sections.missing_images import missing_images
from portrayal.reports.text.notes import naming
from portrayal.reports.text.words import NBSP

__all__ = ["ReportFigures", "report_figures"]

COMPARED = "compared"
"""The folder of models compared."""
SHARED = "missing"
"""The folder of what no method shows: images that are missing."""
_LENGTH = 80


@dataclass(frozen=True, slots=True)
class ReportFigures:
    """Pictures (SVG) and tables by their paths; a picture's path has no ending."""

    pictures: dict[str, str] = field(default_factory=dict)
    tables: dict[str, str] = field(default_factory=dict)


def report_figures(data: ReportData) -> ReportFigures:
    """Return every chart and table of a report, in the language that ``data`` asks for.

    A path is ``figures/METHOD/NAME`` or ``tables/METHOD/NAME.ENDING``. It is made of small letters, digits and hyphens,
    and of nothing that depends on the language or on the values.
    """
    figures, folders = ReportFigures(), _Folders()
    with speaking(data.language, page=True), naming(data.attributes):
        for method, charts, tables in _exhibits(data):
            for chart in charts:
                path = folders.take(method, chart.name)
                figures.pictures[f"figures/{path}"] = _picture(data, chart)
                _write(figures, path, chart_table(data, chart))
            for table in tables:
                _write(figures, folders.take(method, table.name), table)
    return figures


def _exhibits(data: ReportData) -> Iterator[tuple[str, list[NamedChart], list[NamedTable]]]:
    """Yield by method its charts and its other tables; all its numbers are the last of these."""
    numbers: dict[str, list[NamedTable]] = {}
    for table in measurement_tables(data):
        numbers.setdefault(table.method, []).append(_all_numbers(data, table))
    per_image: list[Measurement] = []
    for named in measured_sections(data):
        shown = named.section.show(data)
        per_image += shown.per_image if shown else ()
        differs = _differs(data, named.method)
        charts, printed = [], []
        for exhibit in shown.exhibits if shown else ():
            if isinstance(exhibit, NamedTable):
                printed.append(replace(exhibit, caption=_sentences(exhibit.caption, *differs)))
            else:
                charts += [replace(chart, remarks=[*chart.remarks, *differs]) for chart in alone(exhibit)]
        yield named.method, charts, [*printed, *numbers.pop(named.method, [])]
    for method, tables in numbers.items():
        yield method, [], tables
    if compared := models_view(data):
        charts = [table.chart for table in compared.tables if table.chart]
        study = t("Study: {title}.", title=data.title)
        tables = [replace(each.table, caption=_sentences(each.table.caption, study)) for each in compared.tables]
        yield COMPARED, charts, tables
    missing = missing_images(data, per_image)
    drawn = (("by reason", missing.overall), ("by term", missing.uneven))
    yield SHARED, [NamedChart(name, t("Missing images"), it, t("share missing")) for name, it in drawn if it], []


def _differs(data: ReportData, method: str) -> list[str]:
    """Say that numbers must not be set beside published ones, where they must not."""
    told = t("The study differs from the published protocol; the report says how.")
    return [told] if data.adjusted.get(method) else []


def _sentences(*sentences: str) -> str:
    return " ".join(filter(None, sentences))


def _all_numbers(data: ReportData, table: MeasurementTable) -> NamedTable:
    """Return the rows of a table of the page; columns that are empty throughout are left out."""
    heads = {
        "item": t("About"), "metric": t("Metric"), "attribute": t("Attribute"), "group": t("Group or reason"),
        "value": t("Value"), "interval": t("95&nbsp;% interval").replace("&nbsp;", NBSP), "target": t("Reference"),
        "planted": t("Planted"), "difference": t("Difference"), "ratio": t("Ratio"), "n": t("n"),
        "missing": t("Missing"),
    }  # fmt: skip
    told = [name for name in heads if any(getattr(row, name) for row in table.rows)]
    left = t("{n|more row is|more rows are} in the study’s measurements table.", n=table.left_out)
    last = [left if table.left_out else "", *_differs(data, table.method)]
    return NamedTable(
        f"all numbers {table.generator} {table.annotator}",
        t("Measurements of {title}", title=table.title),
        header=[heads[name] for name in told],
        rows=[[getattr(row, name) for name in told] for row in table.rows],
        notes=[row.note for row in table.rows],
        caption=_sentences(*last, t("Study: {title}.", title=data.title)),
    )


def _write(figures: ReportFigures, path: str, table: NamedTable | None) -> None:
    if table:
        for ending, text in TABLE_FORMS.items():
            figures.tables[f"tables/{path}.{ending}"] = text(table, path.replace("/", "-"))


def _picture(data: ReportData, chart: NamedChart) -> str:
    drawing = chart.drawing
    draw: Callable[[Pen], None]
    if isinstance(drawing, Figure):
        draw = partial(draw_figure, replace(drawing, title="", panels=_shown(chart.title, drawing.panels)))
    else:
        draw = partial(draw_plane, drawing) if isinstance(drawing, Plane) else drawing
    return picture(chart.title, chart_caption(data, chart), draw)


def _shown(title: str, panels: Sequence[Panel]) -> list[Panel]:
    """Return panels without the rows that the page folds, which are in the table, and without a title said before."""
    cut = [replace(panel, middle=(), left_out=panel.left_out + len(panel.middle)) for panel in panels]
    return [replace(panel, title="") if len(cut) == 1 and title.endswith(panel.title) else panel for panel in cut]


@dataclass(frozen=True, slots=True)
class _Folders:
    """Paths that any file system takes, no two the same."""

    taken: set[str] = field(default_factory=set)

    def take(self, folder: str, name: str) -> str:
        plain = f"{_plain(folder)}/{_plain(name)}"
        digest = content_id(name)[:8]
        others = (f"{plain}-{digest}-{number}" for number in itertools.count(2))
        path = next(path for path in itertools.chain((plain, f"{plain}-{digest}"), others) if path not in self.taken)
        self.taken.add(path)
        return path


def _plain(name: str) -> str:
    """Return a name in small letters; one of which too little would be left is told from others by its digest."""
    ascii_only = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    plain = re.sub(r"[^a-z0-9]+", "-", ascii_only.lower()).strip("-")
    if plain and len(plain) <= _LENGTH:
        return plain
    return f"{plain[:_LENGTH].strip('-')}-{content_id(name)[:8]}".strip("-")
