"""FAIntbench against human eyes: the same images, scored by an annotator and by people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from portrayal.language.translation import t, word
from portrayal.methods.bias_scores.report.benchmark_rows import Bench, kind_title
from portrayal.methods.faintbench.suite.options import NAME
from portrayal.records import Measurement
from portrayal.reports.charts.axes import score_scale
from portrayal.reports.charts.interval_chart import figure, panel
from portrayal.reports.figures.named_figures import NamedChart, NamedTable, basis
from portrayal.reports.text.notes import notes_words
from portrayal.reports.text.wide_intervals import sign
from portrayal.reports.text.words import capital, count, known, running, score

__all__ = ["HumanCheck", "human_checks"]

DIFFERENCE, HUMAN, AUTOMATIC = "human_difference", "human_score", "automatic_score"


@dataclass(frozen=True, slots=True)
class HumanCheck:
    """One set of human labels: the average differences, and both scores side by side."""

    human: str
    differences: NamedTable | None
    chart: NamedChart | None


def human_checks(bench: Bench) -> list[HumanCheck]:
    """Return one comparison for each set of human labels."""
    metrics = (DIFFERENCE, HUMAN, AUTOMATIC)
    mine = [row for row in bench.data.rows(NAME) if row.annotator == bench.annotator]
    rows = [row for row in mine if row.metric in metrics]
    names = dict.fromkeys(row.reference for row in rows)
    return [_check(bench, name, [row for row in rows if row.reference == name]) for name in names]


def _check(bench: Bench, human: str, rows: Sequence[Measurement]) -> HumanCheck:
    differences = [_difference(bench, row) for row in rows if row.metric == DIFFERENCE]
    table = NamedTable(
        f"human differences{bench.by} {human}",
        t("Average difference between automatic and human scores"),
        [t("Model"), t("Score"), t("Average difference"), t("Prompts")],
        differences,
        caption=basis(bench.data, bench.annotator),
    )
    return HumanCheck(human, table if differences else None, _chart(bench, human, rows))


def _difference(bench: Bench, row: Measurement) -> list[str]:
    value = known(row.value)
    text = score(value, row.low, row.high, row.corrected, sign(row)) if value is not None else notes_words(row.notes)
    return [row.generator, _what(bench, row), text or t("no data"), count(row.prompts)]


def _what(bench: Bench, row: Measurement) -> str:
    """Return which score: implicit or explicit, and of which kind or attribute where it is not of all."""
    visibility, _, kind = row.item.partition(": ")
    parts = [running(kind_title(kind))] if kind else []
    parts += [running(bench.titled(row.attribute))] if row.attribute else []
    return capital(", ".join([word(visibility), *parts]))


def _chart(bench: Bench, human: str, rows: Sequence[Measurement]) -> NamedChart | None:
    by_place = {(row.metric, row.generator, row.item, row.attribute): replace(row, n=row.prompts) for row in rows}
    scored = [row for row in rows if row.metric in (HUMAN, AUTOMATIC)]
    if not scored:
        return None
    scale = score_scale(scored)
    panels = []
    for model in bench.data.generators:
        mine = {(row.item, row.attribute): row for row in scored if row.generator == model}
        table = [
            (
                _what(bench, row),
                [(series, by_place.get((metric, model, *key))) for series, metric in enumerate((AUTOMATIC, HUMAN))],
            )
            for key, row in mine.items()
        ]
        panels += [panel(model, "Score", table, scale)] if table else []
    return NamedChart(
        f"human labels{bench.by} {human}",
        t("Scores by annotator and by people: {name}", name=human),
        figure("", panels, [bench.annotator, human]),
        t("score"),
        counts=t("n counts prompts."),
        series=t("Annotator"),
    )
