"""Charts of bias scores: every level of the scores, model beside model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from portrayal.language.translation import t
from portrayal.methods.bias_scores.report.benchmark_rows import ETA, EXPLICIT, HALLUCINATION, HARD, Bench, kind_title
from portrayal.methods.bias_scores.report.score_sentences import NEUTRAL, leanings
from portrayal.records import Measurement, Note
from portrayal.reports.charts.axes import Scale, centred_scale, score_scale, share_scale
from portrayal.reports.charts.interval_chart import Figure
from portrayal.reports.charts.model_charts import ModelCharts, Table, rows_of, sorted_table
from portrayal.reports.figures.named_figures import NamedChart
from portrayal.reports.lookup import Place
from portrayal.reports.text.words import capital, human, known, running

__all__ = ["ScoreChart", "compare", "eta_chart", "hallucinations", "manifestation_chart", "marked", "score_charts"]

BRIEF = {way: f"{way}_some" for way in ("few_images_lower", "few_images_raise")}
"""Notes that say by how much, and what they are without it."""


@dataclass(frozen=True, slots=True)
class ScoreChart:
    """One chart of a score, with its heading and what is to be known of it; some are folded."""

    heading: str
    chart: NamedChart
    folded: bool
    about: str = ""


def compare(
    bench: Bench, tables: Mapping[str, Table], header: str, scale: Scale, by_model: bool = False
) -> Figure | None:
    """Return charts of some tables with one mark per model, or None when there is nothing to draw.

    A few models share a chart. Many get a chart for each label, or each their own chart (``by_model``) where the
    labels are many.
    """
    if not any(rows_of(tables)):
        return None
    models_as = "" if by_model else "Model"
    charts = ModelCharts(bench.data.generators, header, scale, models_as, heading="{title}: {model}")
    return charts.figure(
        {title: [(label, [_brief(row) for row in rows]) for label, rows in table] for title, table in tables.items()}
    )


def _brief(row: Measurement | None) -> Measurement | None:
    """Return a row whose note leaves out by how much: with it, every mark of a chart would have a note of its own."""
    return replace(row, notes=tuple(map(_rounded, row.notes))) if row and row.notes else row


def _rounded(note: Note) -> Note:
    return Note(BRIEF[note.code]) if note.code in BRIEF else note


def _protected(bench: Bench, metric: str, place: Place | None = None) -> Table:
    return [(bench.title(name), bench.cells(metric, name, place)) for name in ("", *bench.attributes)]


def _level(bench: Bench, metric: str, level: str) -> dict[str, Table]:
    """Return the items of a level: their totals, or where no total can be had each attribute in a chart of its own."""
    named = kind_title if level == "kind" else lambda item: capital(human(item))
    tables: dict[str, Table] = {}
    for attribute in bench.scored(metric, level):
        places = [Place(level, item) for item in bench.items(metric, level)]
        tables[bench.title(attribute) if attribute else ""] = [
            (named(p.item), bench.cells(metric, attribute, p)) for p in places
        ]
    return tables


def _groups(bench: Bench) -> Table:
    """Return the explicit score of each group that was asked for."""
    table: list[tuple[str, list[Measurement | None]]] = []
    for name in bench.attributes:
        attribute = bench.attribute(name)
        for group in attribute.groups if attribute else ():
            rows = bench.cells(EXPLICIT, name, group=group)
            table += [(f"{capital(human(group))} ({running(bench.titled(name))})", rows)] if any(rows) else []
    return sorted_table(table)


@dataclass(frozen=True, slots=True)
class _Score:
    """The charts of one score, and what they have in common."""

    bench: Bench
    name: str
    title: str
    marks: str

    def part(
        self, name: str, heading: str, drawn: Figure | None, *, folded: bool = False, about: str = ""
    ) -> list[ScoreChart]:
        if drawn is None:
            return []
        full, said = f"{self.name}{self.bench.by} {name}", [t("Higher means less bias.")]
        title, seen_by = f"{self.title}: {heading}", self.bench.annotator
        chart = NamedChart(full, title, drawn, self.marks, annotator=seen_by, remarks=said)
        return [ScoreChart(heading, chart, folded, about)]

    def drawn(self, tables: Mapping[str, Table], header: str, *, by_model: bool = False) -> Figure | None:
        return compare(self.bench, tables, header, score_scale(rows_of(tables)), by_model)


def score_charts(bench: Bench, metric: str) -> list[ScoreChart]:
    """Return the charts of the implicit or the explicit score, in the order of the page."""
    score = _Score(bench, "implicit", t("Implicit bias score"), t("implicit score"))
    if metric == EXPLICIT:
        score = _Score(bench, "explicit", t("Explicit bias score"), t("explicit score"))
    protected, acquired = {"": _protected(bench, metric)}, _level(bench, metric, "kind")
    scale = score_scale(rows_of(protected) + rows_of(acquired))
    by_attribute, by_kind = compare(bench, protected, "Attribute", scale), compare(bench, acquired, "Kind", scale)
    categories = {heading: sorted_table(table) for heading, table in _level(bench, metric, "category").items()}
    kinds = bench.items(metric, "kind")
    crossed = {kind_title(kind): _protected(bench, metric, Place("kind", kind)) for kind in kinds}
    by_category, by_both = score.drawn(categories, "Category", by_model=True), score.drawn(crossed, "Attribute")
    both = t("Each acquired attribute by protected attribute")
    return [
        *score.part("by protected attribute", t("By protected attribute"), by_attribute),
        *score.part("by acquired attribute", t("By acquired attribute"), by_kind),
        *(_by_group(score) if metric == EXPLICIT else ()),
        *score.part("by category", t("By category"), by_category, folded=True),
        *score.part("acquired by protected", both, by_both, folded=True),
        *(_whole_images(score) if metric == EXPLICIT else ()),
    ]


def _by_group(score: _Score) -> list[ScoreChart]:
    heading = t("By the group asked for: what is hard to get")
    return score.part("by group", heading, score.drawn({"": _groups(score.bench)}, "Group", by_model=True))


def _whole_images(score: _Score) -> list[ScoreChart]:
    about = t(
        "The share of images whose likeliest group is the one asked for, instead of the mean probability of that group."
    )
    drawn = score.drawn({"": _protected(score.bench, HARD)}, "Attribute")
    return score.part("whole images", t("Counting whole images"), drawn, folded=True, about=about)


def eta_chart(bench: Bench, variant: str) -> NamedChart | None:
    """Return the axis of the manifestation factor: its middle marked, its ends named."""
    tables = {"": [(label, [marked(row) for row in rows]) for label, rows in _protected(bench, ETA)]}
    drawn = compare(bench, tables, "Attribute", centred_scale(rows_of(tables), NEUTRAL))
    return manifestation_chart(bench, "manifestation", t("Manifestation factor η"), drawn, variant)


def marked(row: Measurement | None) -> Measurement | None:
    """Return a row with the middle of the axis to be drawn beside it, and counted in prompts: eta rests on pairs."""
    return replace(row, target=NEUTRAL, n=row.prompts) if row and known(row.value) is not None else row


def manifestation_chart(bench: Bench, name: str, title: str, drawn: Figure | None, variant: str) -> NamedChart | None:
    """Return charts of the manifestation factor that say what either side of the middle means."""
    if drawn is None:
        return None
    ends = leanings(variant)
    middle = t("0.5; to the left {low}, to the right {high}", low=ends[0], high=ends[1]) if ends else t("0.5")
    named = replace(drawn, panels=[replace(panel, ends=ends) for panel in drawn.panels])
    counts = t("n counts the prompts in pairs.")
    return NamedChart(
        name + bench.by, title, drawing=named, marks="η", target=middle, annotator=bench.annotator, counts=counts
    )


def hallucinations(bench: Bench) -> NamedChart | None:
    """Return how often images show no person, over all prompts and by kind."""
    kinds = bench.lookup.items(HALLUCINATION, "", "kind")
    by_kind = [(kind_title(kind), bench.cells(HALLUCINATION, place=Place("kind", kind))) for kind in kinds]
    tables: dict[str, Table] = {"": [(t("All prompts"), bench.cells(HALLUCINATION)), *by_kind]}
    drawn = compare(bench, tables, "Prompts", share_scale(rows_of(tables)))
    title, marks = t("Images that show no person"), t("share without a person")
    return NamedChart(f"no person{bench.by}", title, drawn, marks, annotator=bench.annotator) if drawn else None
