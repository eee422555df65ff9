"""Images that are missing more often for one wording than for another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from portrayal.language.translation import t
from portrayal.methods.bafis.suite.options import NAME as BAFIS
from portrayal.methods.by_language.report.prompt_titles import asked_title
from portrayal.methods.by_language.report.seen import MISSING, SHARE, Seen, Where
from portrayal.records import Measurement
from portrayal.reports.charts.axes import Scale, share_scale
from portrayal.reports.charts.interval_chart import MAX_COLOURS, Panel, figure
from portrayal.reports.charts.model_charts import ModelCharts, Table, rows_of
from portrayal.reports.charts.pooled_share import counted
from portrayal.reports.figures.named_figures import NamedChart
from portrayal.reports.sections.uneven_missing import UNEVEN
from portrayal.reports.text.notes import reason_words
from portrayal.reports.text.words import attribute_title, capital, known

__all__ = ["uneven"]

Reason = tuple[str, str]
"""The attribute that could not be judged, empty where the whole image is missing, and why."""


def uneven(seen: Seen) -> NamedChart | None:
    """Return the reasons whose share differs from one wording to another within any one model."""
    rows = [row for row in seen.rows if row.metric == MISSING and row.level == "overall" and row.variant]
    judged = {"", *(attribute.name for attribute in seen.attributes)}
    reasons: dict[Reason, None] = dict.fromkeys((row.attribute, row.group) for row in rows if row.attribute in judged)
    tables = {_title(seen, reason): table for reason in reasons if _differs(table := _table(seen, reason))}
    if not tables:
        return None
    drawn = figure("", _panels(seen, tables, share_scale(rows_of(tables))), seen.models)
    title, marks = t("What is missing, by wording"), t("share of the images asked for")
    return NamedChart(f"missing{seen.by}", title, drawn, marks, annotator=seen.annotator)


def _panels(seen: Seen, tables: Mapping[str, Table], scale: Scale) -> list[Panel]:
    """Return the charts; where each model has its own, only those of models that differ."""
    if len(seen.models) <= MAX_COLOURS:
        shared = ModelCharts(seen.models, "Wording", scale)
        return [panel for title, table in tables.items() for panel in shared.panels(title, table)]
    alone = [
        (model, f"{model}: {title}", [(label, [cells[index]]) for label, cells in table])
        for title, table in tables.items()
        for index, model in enumerate(seen.models)
    ]
    return [
        panel
        for model, title, table in alone
        if _differs(table)
        for panel in ModelCharts([model], "Wording", scale).panels(title, table)
    ]


def _title(seen: Seen, reason: Reason) -> str:
    about = next((attribute for attribute in seen.attributes if attribute.name == reason[0]), None)
    why = reason_words(reason[1])
    return capital(f"{attribute_title(about)}: {why}" if about else why)


def _table(seen: Seen, reason: Reason) -> Table:
    return [(asked_title(where), _cells(seen, reason, where)) for where in seen.variants()]


def _cells(seen: Seen, reason: Reason, where: Where) -> list[Measurement | None]:
    """Return one row per model; a reason that never came up where images were asked for is a share of nought."""
    counted_rows = seen.cells(MISSING, *reason, where)
    return [row or _never(seen, model, where) for model, row in zip(seen.models, counted_rows, strict=True)]


def _never(seen: Seen, model: str, where: Where) -> Measurement | None:
    here = [row for row in seen.rows if (row.generator, row.language, row.variant) == (model, *where[:2])]
    here = [row for row in here if row.level == "overall" and row.metric in (SHARE, MISSING)]
    if not here:
        return None
    # Where nothing at all is missing, every prompt has shares; these may count people, so images are counted here.
    planned = [(row.n, row.prompts) for row in here if row.metric == MISSING]
    n, prompts = max(planned or [(row.prompts * seen.data.images_per_prompt, row.prompts) for row in here])
    return counted(Measurement(BAFIS, MISSING, model, seen.annotator, prompts=prompts), 0, n)


def _differs(table: Table) -> bool:
    models = zip(*(cells for _, cells in table), strict=True)
    return any(_spread(cells) >= UNEVEN for cells in models)


def _spread(cells: Sequence[Measurement | None]) -> float:
    values = [row.value for row in cells if row and row.value is not None and known(row.value) is not None]
    return max(values) - min(values) if values else 0.0
