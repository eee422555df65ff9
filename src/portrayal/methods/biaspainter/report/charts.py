"""Charts of BiasPainter: words, topics, groups of seeds, and what an extra instruction changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from portrayal.methods.biaspainter.report.rows import BIASPAINTER, KEEPING, Looked
from portrayal.methods.biaspainter.report.words import role_title, topic_title
from portrayal.records import Measurement
from portrayal.reports.charts import FOLD_ABOVE, MAX_COLOURS, Cells, Figure, Panel, figure, panel, sorted_by_value
from portrayal.reports.data import ReportData
from portrayal.reports.language import t
from portrayal.reports.scales import Scale, centred_scale, share_scale, unit_scale
from portrayal.reports.words import human

__all__ = ["group_figures", "image_figure", "keeping_figures", "mitigation_figure", "topic_figure", "word_figures"]

Labelled = Sequence[tuple[str, Sequence[Measurement | None]]]
"""Labels, each with one row per editor."""


def word_figures(seen: Looked) -> list[tuple[str, Figure]]:
    """Return by attribute the bias of every word, relative to the edits that ask for nothing where there are any."""
    metric = "word_bias_relative" if seen.relative else "word_bias"
    found = []
    for role in seen.roles:
        twice = _twice(seen, metric, role)
        table = [
            (f"{word} ({topic_title(topic)})" if word in twice else word, _cells(seen, metric, role, word, topic))
            for word, topic in seen.items(metric, role)
        ]
        found.append((role_title(role), _figure(seen, {role_title(role): table}, "Word", by_value=True)))
    return found


def _twice(seen: Looked, metric: str, role: str) -> set[str]:
    words = [word for word, _ in seen.items(metric, role)]
    return {word for word in words if words.count(word) > 1}


def _cells(seen: Looked, metric: str, role: str, item: str, topic: str = "") -> list[Measurement | None]:
    return [seen.get(metric, editor, role, item, topic) for editor in seen.editors]


def topic_figure(seen: Looked) -> Figure | None:
    """Return by attribute the mean size of word biases, of all words and by topic.

    Where there are edits that ask for nothing, of biases beyond those.
    """
    return _level_figure(seen, "word_bias_relative" if seen.relative else "word_bias")


def image_figure(seen: Looked) -> Figure | None:
    """Return by attribute the mean size of image biases, of all words and by topic, beside that of null edits."""
    return _level_figure(seen, "image_bias")


def _level_figure(seen: Looked, metric: str) -> Figure | None:
    panels = []
    for role in seen.roles:
        table: list[tuple[str, list[Measurement | None]]] = [
            (t("all words"), [seen.get(f"model_{metric}", editor, role) for editor in seen.editors])
        ]
        topics = seen.items(f"topic_{metric}", role)
        table += [(topic_title(topic), _cells(seen, f"topic_{metric}", role, topic)) for topic, _ in topics]
        if any(row for _, rows in table for row in rows):
            scale = unit_scale([row for _, rows in table for row in rows])
            panels += _panels(seen, role_title(role), table, "Topic", scale)
    return figure("", panels, seen.editors) if panels else None


def group_figures(seen: Looked) -> list[tuple[str, Figure]]:
    """Return flips and shifts by the group of the seed: single groups, then groups of groups."""
    found = []
    for role in seen.roles:
        metric = "flip_rate" if role == "gender" else "shift"
        tables: dict[str, Labelled] = {}
        for size, title in enumerate((t("By one group"), t("By two groups"), t("By three groups")), start=1):
            items = [names for item, _ in seen.items(metric, role) if len(names := item.split(", ")) == size]
            if items:
                tables[title] = [_group(names, _cells(seen, metric, role, ", ".join(names))) for names in items]
        if tables:
            found.append((role_title(role), _figure(seen, tables, "Group", share=role == "gender")))
    return found


def _group(names: Sequence[str], cells: Sequence[Measurement | None]) -> tuple[str, Sequence[Measurement | None]]:
    """Return a group of seeds with how many there are: they are the sample, however many edits each has."""
    seeds = max((row.prompts for row in cells if row), default=0)
    named = ", ".join(map(human, names)) or t("all faces")
    return t("{group} ({n|seed|seeds})", group=named, n=seeds), cells


def keeping_figures(data: ReportData) -> list[tuple[str, Figure]]:
    """Return how alike faces stay, and how often nothing is done, by the group of the seed."""
    rows = [row for row in data.measurements if row.method == BIASPAINTER and row.metric in KEEPING]
    editors = list(dict.fromkeys(row.generator for row in rows))
    titles = {"same_face": t("The person kept"), "not_done": t("Asked for, not done")}
    found = []
    for metric, title in titles.items():
        mine = {(row.item, row.generator): row for row in rows if row.metric == metric}
        items = [item for item in dict.fromkeys(item for item, _ in mine) if ", " not in item]
        table: Labelled = [
            _group([item] if item else [], [mine.get((item, editor)) for editor in editors]) for item in items
        ]
        if table:
            every = [row for _, cells in table for row in cells]
            scale = share_scale(every) if metric == "not_done" else unit_scale(every)
            seen = Looked("", editors, {}, (), (), ())
            found.append((title, figure("", _panels(seen, title, table, "Group", scale), editors)))
    return found


def mitigation_figure(seen: Looked, instruction: str) -> Figure | None:
    """Return how the mean size of word biases changes with an instruction, attribute by attribute."""
    table = [
        (role_title(role), [seen.get("mitigation_size", editor, role, group=instruction) for editor in seen.editors])
        for role in seen.roles
    ]
    return _figure(seen, {"": table}, "Attribute") if table else None


def _figure(
    seen: Looked, tables: Mapping[str, Labelled], header: str, *, by_value: bool = False, share: bool = False
) -> Figure:
    every = [row for table in tables.values() for _, rows in table for row in rows]
    scale = share_scale(every) if share else centred_scale(every, 0.0)
    panels = [
        drawn
        for title, table in tables.items()
        for drawn in _panels(seen, title, table, header, scale, by_value=by_value or len(table) > FOLD_ABOVE)
    ]
    return figure("", panels, seen.editors)


def _panels(
    seen: Looked, title: str, table: Labelled, header: str, scale: Scale, *, by_value: bool = False
) -> list[Panel]:
    """Return one chart where the editors are few, else one for each."""
    if len(seen.editors) <= MAX_COLOURS:
        rows: list[tuple[str, Cells]] = [(label, list(enumerate(cells))) for label, cells in table]
        return [panel(title, header, sorted_by_value(rows) if by_value else rows, scale)]
    found = []
    for place, editor in enumerate(seen.editors):
        alone: list[tuple[str, Cells]] = [(label, [(0, cells[place])]) for label, cells in table]
        name = f"{editor}: {title}" if title else editor
        found.append(panel(name, header, sorted_by_value(alone) if by_value else alone, scale))
    return found
