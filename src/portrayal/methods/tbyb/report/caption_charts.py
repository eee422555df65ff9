"""The charts of the section: scores of generators, the curve of uninvited words, hallucination term by term."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from portrayal.language.translation import t
from portrayal.methods.tbyb.report.caption_rows import Row, counted_words, overall
from portrayal.records import Measurement
from portrayal.reports.charts.axes import Scale, number_scale, share_scale
from portrayal.reports.charts.interval_chart import MAX_COLOURS, Panel, figure, panel
from portrayal.reports.charts.model_charts import model_figure
from portrayal.reports.charts.xy_chart import Plane, PlaneSeries, line_path, place
from portrayal.reports.data import ReportData
from portrayal.reports.figures.named_figures import NamedChart
from portrayal.reports.text.words import capital, count, human, plural

__all__ = ["curve_chart", "score_chart", "term_chart"]

SHARES = (
    "jaccard_hallucination",
    "hallucination_part_added",
    "hallucination_part_omitted",
    "hallucination_by_addition",
    "hallucination_by_omission",
    "miss_rate",
)
SHOWN = ("log_bias", "distribution_bias", "distribution_bias_at_common_size", *SHARES)
SYMBOLS = {
    "log_bias": "B_log",
    "distribution_bias": "B_D",
    "distribution_bias_at_common_size": "B_D",
    "jaccard_hallucination": "H_J",
    "miss_rate": "M_G",
}
RANKS = 40
"""Words whose place in the curve is drawn; beyond, it is all but flat."""


def score_chart(data: ReportData, rows: Sequence[Measurement], annotator: str, by: str) -> NamedChart | None:
    """Return a chart for each score, a row for each generator; ``by`` tells the names of annotators' charts apart."""
    panels = [_score_panel(data, metric, overall(rows, metric, annotator)) for metric in SHOWN]
    drawn = figure("", [drawn_score for drawn_score in panels if drawn_score], data.generators)
    title, marks = t("Objects in captions"), t("score")
    return NamedChart(f"scores{by}", title, drawn, marks, annotator=annotator) if drawn.panels else None


def _score_panel(data: ReportData, metric: str, scores: Mapping[str, Measurement]) -> Panel | None:
    if not scores:
        return None
    lanes = [
        (name, [(place if len(data.generators) <= MAX_COLOURS else 0, scores.get(name))])
        for place, name in enumerate(data.generators)
    ]
    values = list(scores.values())
    scale = share_scale(values) if metric in SHARES else number_scale(values)
    symbol = f" ({SYMBOLS[metric]})" if metric in SYMBOLS else ""
    return panel(capital(human(metric)) + symbol, "Generator", lanes, scale)


def term_chart(data: ReportData, rows: Sequence[Measurement], annotator: str, by: str) -> NamedChart | None:
    """Return the hallucination of each term, the highest first; of many generators each has its own chart."""
    scores = [row for row in rows if row.metric == "jaccard_hallucination"]
    by_place = {(row.generator, row.item): row for row in scores if row.level == "term" and row.annotator == annotator}
    terms = dict.fromkeys(term for _, term in by_place)
    table = [(term, [by_place.get((name, term)) for name in data.generators]) for term in terms]
    drawn = model_figure(data.generators, {"": table}, "Term", share_scale, ranked=True)
    title, marks = t("Hallucination term by term"), t("hallucination")
    return NamedChart(f"terms{by}", title, drawn, marks, annotator=annotator) if drawn else None


def curve_chart(data: ReportData, annotator: str, by: str) -> NamedChart | None:
    """Return how often each uninvited word comes, from the commonest on, each generator's commonest as 1."""
    if len(data.generators) > MAX_COLOURS:
        return None
    commonest = {name: counted_words(data, name, annotator)[:RANKS] for name in data.generators}
    longest = max((len(words) for words in commonest.values()), default=0)
    if longest < 2:
        return None
    x, y = Scale(1, longest), Scale(0, 1)
    series = [_series(place, name, words, x, y) for place, (name, words) in enumerate(commonest.items()) if words]
    # Ranks are whole: of few words each has its own mark, and none is named twice.
    ranks = dict.fromkeys(round(1 + step * (longest - 1) / 4) for step in range(5))
    ticks = [(x.at(rank) or "0", count(rank)) for rank in ranks]
    drawn = Plane(
        "",
        t("rank of the word"),
        t("images with the word, the commonest as 1"),
        y,
        ticks,
        series=series,
        summary=t("How often uninvited words come, from the commonest down to rank {n}", n=count(longest)),
    )
    said = [t("Each dot is a word; the distribution bias is the area below the curve.")]
    title = t("How unevenly uninvited words come")
    return NamedChart(f"curve{by}", title, drawn, annotator=annotator, remarks=said)


def _series(number: int, name: str, words: Sequence[Row], x: Scale, y: Scale) -> PlaneSeries:
    points = [(row["rank"], row["height"]) for row in words]
    marks = [
        place(row["rank"], row["height"], x, y, f"{row['word']}: {plural(row['images'], 'image')}") for row in words
    ]
    return PlaneSeries(number, name, marks, [line_path(points, x, y)])
