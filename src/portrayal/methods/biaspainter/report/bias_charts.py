"""Charts of BiasPainter: words, topics, groups of seeds, and what an extra instruction changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from portrayal.language.translation import t
from portrayal.methods.biaspainter.report.edit_words import role_title, topic_title
from portrayal.methods.biaspainter.report.looked import BIASPAINTER, KEEPING, Looked
from portrayal.records import Measurement
from portrayal.reports.charts.axes import centred_scale, share_scale, unit_scale
from portrayal.reports.charts.interval_chart import Figure, figure
from portrayal.reports.charts.model_charts import ModelCharts, Table, model_figure, rows_of
from portrayal.reports.data import ReportData
from portrayal.reports.figures.named_figures import NamedChart
from portrayal.reports.text.words import human

__all__ = ["edit_chart", "group_charts", "keeping_charts", "mitigation_charts", "topic_chart", "word_charts"]

_AROUND_NOUGHT = partial(centred_scale, centre=0.0)
Titled = Sequence[tuple[str, NamedChart]]
"""Charts with the titles that they have on the page, below a heading."""


def word_charts(seen: Looked) -> Titled:
    """Return by attribute the bias of every word, relative to the edits that ask for nothing where there are any."""
    metric = "word_bias_relative" if seen.relative else "word_bias"
    beyond = t("The bias of every word beyond that of edits that ask for nothing.")
    said = beyond if seen.relative else t("The bias of every word.")
    charts = []
    for role in seen.roles:
        words = [word for word, _ in seen.items(metric, role)]
        table = [
            (
                f"{word} ({topic_title(topic)})" if words.count(word) > 1 else word,
                _cells(seen, metric, role, word, topic),
            )
            for word, topic in seen.items(metric, role)
        ]
        title = role_title(role)
        drawn = model_figure(seen.editors, {title: table}, "Word", _AROUND_NOUGHT, ranked=True)
        heading = f"{t('Word by word')}: {title}"
        if drawn:
            charts.append((title, _named(seen, f"words {role}", heading, drawn, t("bias"), said=said)))
    return charts


def _named(
    seen: Looked, name: str, title: str, drawn: Figure, marks: str, *, target: str = "", said: str = ""
) -> NamedChart:
    counts, remarks = t("n counts edits."), [said] if said else []
    return NamedChart(
        name + seen.by,
        title,
        drawing=drawn,
        marks=marks,
        target=target,
        annotator=seen.annotator,
        counts=counts,
        remarks=remarks,
    )


def _cells(seen: Looked, metric: str, role: str, item: str = "", topic: str = "") -> list[Measurement | None]:
    return [seen.get(metric, editor, role, item, topic) for editor in seen.editors]


def topic_chart(seen: Looked) -> NamedChart | None:
    """Return by attribute the mean size of word biases, of all words and by topic.

    Where there are edits that ask for nothing, of biases beyond those.
    """
    drawn = _level_figure(seen, "word_bias_relative" if seen.relative else "word_bias")
    beyond = t("The mean size of the words’ biases beyond those of edits that ask for nothing.")
    said = beyond if seen.relative else t("The mean size of the words’ biases, whatever their direction.")
    title, marks, chance = t("By topic"), t("mean size"), t("by chance")
    return _named(seen, "topics", title, drawn, marks, target=chance, said=said) if drawn else None


def edit_chart(seen: Looked) -> NamedChart | None:
    """Return by attribute the mean size of image biases, of all words and by topic, beside that of null edits."""
    drawn = _level_figure(seen, "image_bias")
    title, marks, nothing = t("By topic, every edit by itself"), t("mean size"), t("edits that ask for nothing")
    said = t("The mean size of image biases, which Table 3 of the paper prints.")
    return _named(seen, "edits", title, drawn, marks, target=nothing, said=said) if drawn else None


def _level_figure(seen: Looked, metric: str) -> Figure | None:
    panels = []
    for role in seen.roles:
        topics = [topic for topic, _ in seen.items(f"topic_{metric}", role)]
        table = [(t("all words"), _cells(seen, f"model_{metric}", role))]
        table += [(topic_title(topic), _cells(seen, f"topic_{metric}", role, topic)) for topic in topics]
        rows = rows_of({"": table})
        if any(rows):
            panels += ModelCharts(seen.editors, "Topic", unit_scale(rows)).panels(role_title(role), table)
    return figure("", panels, seen.editors) if panels else None


def group_charts(seen: Looked) -> Titled:
    """Return flips and shifts by the group of the seed: single groups, then groups of groups."""
    sizes = {t("By one group"): "one", t("By two groups"): "two", t("By three groups"): "three"}
    moved = {
        "gender": t("share of faces perceived as of the other gender after the edit"),
        "age": t("mean change in years"),
        "tone": t("mean change in levels of 255"),
    }
    charts = []
    for role in seen.roles:
        metric, scale = ("flip_rate", share_scale) if role == "gender" else ("shift", _AROUND_NOUGHT)
        groups = [item.split(", ") for item, _ in seen.items(metric, role)]
        by_size: dict[str, Table] = {
            title: [
                _group(names, _cells(seen, metric, role, ", ".join(names))) for names in groups if len(names) == size
            ]
            for size, title in enumerate(sizes, start=1)
        }
        tables = {title: table for title, table in by_size.items() if table}
        drawn = model_figure(seen.editors, tables, "Group", scale)
        if drawn:
            heading = f"{t('Whom edits change')}: {role_title(role)}"
            nothing = t("edits that ask for nothing")
            chart = _named(seen, f"groups {role}", heading, drawn, moved[role], target=nothing)
            parts = {title: (title, name) for title, name in sizes.items()}
            charts.append((role_title(role), replace(chart, parts=parts)))
    return charts


def _group(names: Sequence[str], cells: Sequence[Measurement | None]) -> tuple[str, Sequence[Measurement | None]]:
    """Return a group of seeds with how many there are: they are the sample, however many edits each has."""
    seeds = max((row.prompts for row in cells if row), default=0)
    named = ", ".join(map(human, names)) or t("all faces")
    return t("{group} ({n|seed|seeds})", group=named, n=seeds), cells


def keeping_charts(data: ReportData) -> list[NamedChart]:
    """Return how alike faces stay, and how often nothing is done, by the group of the seed."""
    rows = [row for row in data.rows(BIASPAINTER) if row.metric in KEEPING]
    editors = list(dict.fromkeys(row.generator for row in rows))
    alike = t("how alike the face is before and after, 1 for the same picture")
    undone = t("share of edits that change next to nothing")
    charts = []
    for metric, name, title, marks in (
        ("same_face", "person kept", t("The person kept"), alike),
        ("not_done", "not done", t("Asked for, not done"), undone),
    ):
        by_place = {(row.item, row.generator): row for row in rows if row.metric == metric}
        items = [item for item in dict.fromkeys(item for item, _ in by_place) if ", " not in item]
        table = [_group([item] if item else [], [by_place.get((item, editor)) for editor in editors]) for item in items]
        scale = share_scale if metric == "not_done" else unit_scale
        drawn = model_figure(editors, {title: table}, "Group", scale)
        charts += [NamedChart(name, title, drawn, marks, counts=t("n counts edits."))] if drawn else []
    return charts


def mitigation_charts(seen: Looked) -> Titled:
    """Return how the mean size of word biases changes with each instruction, attribute by attribute."""
    said = t("How the mean size of the words’ biases changes; below 0 the text helps.")
    charts = []
    for text in seen.instructions:
        table = [
            (role_title(role), [seen.get("mitigation_size", editor, role, group=text) for editor in seen.editors])
            for role in seen.roles
        ]
        drawn = model_figure(seen.editors, {"": table}, "Attribute", _AROUND_NOUGHT)
        if drawn:
            chart = _named(seen, "instruction", t("With “{text}”", text=text), drawn, t("change"), said=said)
            charts.append((text, replace(chart, name=f"{chart.name} {text}")))
    return charts
