"""Charts and tables of a report, each with a name of its own and a caption, so that it can be read alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace

from portrayal.errors import PortrayalError
from portrayal.language.translation import t, word
from portrayal.reports.charts.marks import Figure, Panel
from portrayal.reports.charts.svg_canvas import Pen
from portrayal.reports.charts.xy_chart import Plane
from portrayal.reports.data import ReportData
from portrayal.reports.text.wide_intervals import wide_words
from portrayal.reports.text.words import NBSP, capital

__all__ = [
    "Drawing",
    "NamedChart",
    "NamedTable",
    "alone",
    "basis",
    "chart_caption",
    "chart_table",
    "exhibits",
    "only_annotator",
    "table_caption",
]

Drawing = Figure | Plane | Callable[[Pen], None]
"""A chart, or what draws one that only its method knows."""


@dataclass(frozen=True, slots=True)
class NamedChart:
    """A chart of a report: the page draws it, and a file of its own holds it.

    ``name`` tells it from the method's others and is the same in every language. ``marks`` says what marks show and
    ``target`` what upright lines do, where they are no reference; ``counts`` is a sentence about what n counts, where
    that is not images. Panels whose titles are in ``parts`` have a file each: the title there says the panel's title
    and its name in a file, both empty where they would add nothing.
    """

    name: str
    title: str
    drawing: Drawing
    marks: str = ""
    target: str = ""
    annotator: str = ""
    references: Sequence[tuple[str, str]] = ()
    """Names of the references, and where their figures come from."""
    counts: str = ""
    remarks: Sequence[str] = ()
    series: str = ""
    """What has a colour each, where that is not models."""
    parts: Mapping[str, tuple[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NamedTable:
    """A table of a report, in words; ``notes`` has a text for each row, empty where there is nothing to be said."""

    name: str
    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()
    caption: str = ""
    """Sentences after the title."""

    def __post_init__(self) -> None:
        """Refuse rows of another length than the header: their numbers would stand in wrong columns."""
        if any(len(row) != len(self.header) for row in self.rows):
            raise PortrayalError(
                f"the table {self.name!r} has rows of another length than its header; the package of its method must "
                "mend that"
            )


def exhibits(content: object) -> Iterator[NamedChart | NamedTable]:
    """Yield every chart and table that a section shows, in the order in which its dataclasses and lists hold them."""
    if isinstance(content, NamedChart | NamedTable):
        yield content
    elif is_dataclass(content):
        yield from exhibits([getattr(content, part.name) for part in fields(content)])
    elif isinstance(content, Mapping):
        yield from exhibits(list(content.values()))
    elif isinstance(content, Sequence) and not isinstance(content, str | bytes):
        for part in content:
            yield from exhibits(part)


def alone(chart: NamedChart) -> list[NamedChart]:
    """Return a chart as its files show it: one for each panel that has a name, the others together."""
    figure, known = chart.drawing, chart.parts
    if not known or not isinstance(figure, Figure):
        return [chart]
    titled = [(known.get(panel.title, (panel.title, ""))[0], panel) for panel in figure.panels]
    parts = [(figure.title, [replace(panel, title=title) for title, panel in titled])]
    if not figure.title and all(panel.title in known for panel in figure.panels):
        parts = [(panel.title, [replace(panel, title="")]) for panel in figure.panels]
    charts = []
    for key, panels in parts:
        title, name = known.get(key, (key, key))
        drawn = replace(chart, drawing=replace(figure, title="", panels=panels), parts={})
        charts.append(replace(drawn, name=f"{chart.name} {name}", title=f"{chart.title}: {title}") if name else drawn)
    return charts


def chart_caption(data: ReportData, chart: NamedChart) -> str:
    """Return what must be known to read a chart alone."""
    return " ".join([*chart.remarks, *_key(chart), _basis(data, chart)])


def table_caption(data: ReportData, chart: NamedChart) -> str:
    """Return what must be known to read the numbers of a chart as a table."""
    sources = _sources(chart.references)
    return " ".join([*chart.remarks, *([f"{t('Reference:')} {sources}."] if sources else []), _basis(data, chart)])


def _key(chart: NamedChart) -> list[str]:
    """Say what is drawn."""
    figure = chart.drawing
    if not isinstance(figure, Figure):
        return []
    said = [t("Marks: {what}; bars: 95 % intervals.", what=chart.marks)]
    if figure.has_target:
        sources = _sources(chart.references)
        reference = t("reference") + (f" ({sources})" if sources else "")
        said.append(t("Upright lines: {what}.", what=chart.target or reference))
    said += [capital(t("black triangle: planted truth")) + "."] if figure.has_planted else []
    said += [capital(t("hollow: read with care, see note")) + "."] if figure.has_notes else []
    said += [capital(t("upright stroke: corrected for few images")) + "."] if figure.has_corrected else []
    return [*said, *([wide_words()] if figure.has_wide else [])]


def _sources(references: Sequence[tuple[str, str]]) -> str:
    return "; ".join(f"{word(name)}, {word(source)}" if source else word(name) for name, source in references)


def only_annotator(data: ReportData) -> str:
    """Return who looked; empty where several did, of which the report tells."""
    return data.annotators[0] if len(data.annotators) == 1 else ""


def basis(data: ReportData, annotator: str = "", counts: str = "") -> str:
    """Return what numbers rest on, in sentences: what n counts, who looked, whose images, which study."""
    said = [counts] if counts else []
    said += [t("Seen by {annotator}", annotator=annotator) + "."] if annotator else []
    said += [t("Images by {generator}.", generator=data.generators[0])] if len(data.generators) == 1 else []
    return " ".join([*said, t("Study: {title}.", title=data.title)])


def _basis(data: ReportData, chart: NamedChart) -> str:
    usual = t("n counts images.") if isinstance(chart.drawing, Figure) else ""
    return basis(data, chart.annotator, chart.counts or usual)


def chart_table(data: ReportData, chart: NamedChart) -> NamedTable | None:
    """Return the numbers of a chart as the page prints them, or None where a chart is drawn otherwise."""
    figure = chart.drawing
    if not isinstance(figure, Figure) or not figure.panels:
        return None
    columns = _Columns.of(chart, figure)
    lines = [line for panel in figure.panels for line in columns.lines(panel)]
    rows, notes = [row for row, _ in lines], [note for _, note in lines]
    header = columns.header(figure.panels[0])
    return NamedTable(
        chart.name, chart.title, header=header, rows=rows, notes=notes, caption=table_caption(data, chart)
    )


@dataclass(frozen=True, slots=True)
class _Columns:
    """Which columns the table of a figure has: those in which its rows differ."""

    figure: Figure
    series: str
    """The head of the column of colours, empty: there is one colour."""
    target: str
    """The head of the column of upright lines, empty: there are none, or all are at one place that has a name."""

    @classmethod
    def of(cls, chart: NamedChart, figure: Figure) -> _Columns:
        targets = {lane.target_text for panel in figure.panels for lane in panel.lanes if lane.target_text}
        fixed = bool(chart.target) and len(targets) < 2
        target = capital(chart.target) or t("Reference")
        series = (chart.series or t("Model")) if len(figure.legend) > 1 else ""
        return cls(figure, series, target if targets and not fixed else "")

    @property
    def titled(self) -> bool:
        return len(self.figure.panels) > 1

    def header(self, first: Panel) -> list[str]:
        told = [t("Chart")] if self.titled else []
        told += [first.heading, *([self.series] if self.series else [])]
        told += [t("Value"), t("95&nbsp;% interval").replace("&nbsp;", NBSP), t("n")]
        told += [self.target] if self.target else []
        return [*told, *([t("Planted")] if self.figure.has_planted else [])]

    def lines(self, panel: Panel) -> list[tuple[list[str], str]]:
        models, notes = dict(self.figure.legend), dict(panel.footnotes)
        lines = []
        for row in panel.rows:
            for lane in row.lanes:
                told = [panel.title] if self.titled else []
                told += [row.label, *([models.get(lane.series, "")] if self.series else [])]
                told += [lane.value, lane.interval, lane.n]
                told += [lane.target_text] if self.target else []
                told += [lane.planted_text] if self.figure.has_planted else []
                lines.append((told, notes.get(lane.letter, "")))
        return lines
