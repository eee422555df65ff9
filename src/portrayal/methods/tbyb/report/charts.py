"""The charts of the section: scores of generators, the curve of uninvited words, hallucination term by term."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from portrayal.methods.tbyb.report.rows import Row, counted_words, overall
from portrayal.records import Measurement
from portrayal.reports.charts import MAX_COLOURS, Figure, Panel, figure, panel, sorted_by_value
from portrayal.reports.data import ReportData
from portrayal.reports.language import t
from portrayal.reports.plane import Plane, PlaneSeries, line_path, place
from portrayal.reports.scales import Scale, number_scale, share_scale
from portrayal.reports.words import capital, count, human, plural

__all__ = ["curve", "score_figure", "term_figure"]

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


def score_figure(data: ReportData, rows: Sequence[Measurement], annotator: str) -> Figure:
    """Return a chart for each score, a row for each generator."""
    panels = [_score_panel(data, metric, overall(rows, metric, annotator)) for metric in SHOWN]
    return figure("", [own for own in panels if own], data.generators)


def _score_panel(data: ReportData, metric: str, found: Mapping[str, Measurement]) -> Panel | None:
    if not found:
        return None
    lanes = [
        (name, [(place if len(data.generators) <= MAX_COLOURS else 0, found.get(name))])
        for place, name in enumerate(data.generators)
    ]
    values = list(found.values())
    scale = share_scale(values) if metric in SHARES else number_scale(values)
    symbol = f" ({SYMBOLS[metric]})" if metric in SYMBOLS else ""
    return panel(capital(human(metric)) + symbol, "Generator", lanes, scale)


def term_figure(data: ReportData, rows: Sequence[Measurement], annotator: str) -> Figure | None:
    """Return the hallucination of each term, the highest first; of many generators each has its own chart."""
    found = [
        row
        for row in rows
        if row.level == "term" and row.metric == "jaccard_hallucination" and row.annotator == annotator
    ]
    if not found:
        return None
    by_place = {(row.generator, row.item): row for row in found}
    terms = list(dict.fromkeys(row.item for row in found))
    scale = share_scale(found)
    if len(data.generators) <= MAX_COLOURS:
        table = [
            (term, [(place, by_place.get((name, term))) for place, name in enumerate(data.generators)])
            for term in terms
        ]
        return figure("", [panel("", "Term", sorted_by_value(table), scale)], data.generators)
    panels = [
        panel(name, "Term", sorted_by_value([(term, [(0, by_place.get((name, term)))]) for term in terms]), scale)
        for name in data.generators
    ]
    return figure("", panels, data.generators)


def curve(data: ReportData, annotator: str) -> Plane | None:
    """Return how often each uninvited word comes, from the commonest on, each generator's commonest as 1."""
    if len(data.generators) > MAX_COLOURS:
        return None
    found = {name: counted_words(data, name, annotator)[:RANKS] for name in data.generators}
    longest = max((len(words) for words in found.values()), default=0)
    if longest < 2:
        return None
    x, y = Scale(1, longest), Scale(0, 1)
    series = [_series(place, name, words, x, y) for place, (name, words) in enumerate(found.items()) if words]
    # Ranks are whole: of few words each has its own mark, and none is named twice.
    ranks = dict.fromkeys(round(1 + step * (longest - 1) / 4) for step in range(5))
    ticks = [(x.at(rank) or "0", count(rank)) for rank in ranks]
    return Plane(
        "",
        t("rank of the word"),
        t("images with the word, the commonest as 1"),
        y,
        ticks,
        series,
        t("How often uninvited words come, from the commonest down to rank {n}", n=count(longest)),
    )


def _series(number: int, name: str, words: Sequence[Row], x: Scale, y: Scale) -> PlaneSeries:
    points = [(row["rank"], row["height"]) for row in words]
    marks = [
        place(row["rank"], row["height"], x, y, f"{row['word']}: {plural(row['images'], 'image')}") for row in words
    ]
    return PlaneSeries(number, name, marks, [line_path(points, x, y)])
