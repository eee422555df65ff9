"""Charts of shares: model beside model, by category, by wording, and on matched seeds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from portrayal.language.translation import t
from portrayal.methods.by_language.report.prompt_titles import (
    asked_title,
    category_title,
    group_title,
    group_words,
    pair_title,
    points_range,
    points_text,
    prompts_title,
)
from portrayal.methods.by_language.report.seen import DIFFERENCE, DISTANCE, SHARE, Seen, Where
from portrayal.records import Attribute, Measurement
from portrayal.reports.charts.axes import Scale, share_scale, unit_scale
from portrayal.reports.charts.interval_chart import MAX_COLOURS, Figure
from portrayal.reports.charts.model_charts import ModelCharts, Table, model_figure, rows_of
from portrayal.reports.figures.named_figures import NamedChart
from portrayal.reports.text.cautions import cautions
from portrayal.reports.text.prompt_language import language_title
from portrayal.reports.text.words import attribute_title, capital, human, known

__all__ = ["Block", "by_category", "by_variant", "distances", "gaps_by_category", "on_matched_seeds"]

GAP_LANES = 400
"""With more differences than this in an attribute, the tables alone show them: charts would make the page heavy."""


@dataclass(frozen=True, slots=True)
class Block:
    """The charts of one attribute; with more models than colours each group has one of its own, with a title."""

    title: str
    attribute: str
    charts: Sequence[NamedChart]


@dataclass(frozen=True, slots=True)
class PointScale(Scale):
    """An axis of differences between shares, written in points with their sign."""

    def text(self, value: float, n: int = 0) -> str:  # noqa: ARG002 - any number of pairs is written alike
        """Return one difference as words."""
        return points_text(value)

    def between(self, low: float, high: float, n: int = 0) -> str:  # noqa: ARG002
        """Return an interval as words."""
        return points_range(low, high)

    def _tick(self, value: float) -> str:
        return points_text(value)


def _point_scale(rows: Iterable[Measurement | None]) -> PointScale:
    """Return an axis with no difference in its middle."""
    ends = [known(end) or 0.0 for row in rows if row for end in (row.value, row.low, row.high)]
    furthest = max((abs(end) for end in ends), default=0.0)
    half = next((half for half in (0.1, 0.2, 0.4, 0.6, 0.8) if furthest <= half), 1.0)
    return PointScale(-half, half)


@dataclass(frozen=True, slots=True)
class _Kind:
    """What blocks of a kind have in common. ``ends`` say what either side of no difference means, where one is shown.

    ``models_as`` is as :class:`ModelCharts` has it: what many models are called where they stand below each other.
    """

    heading: str
    header: str
    marks: str
    counts: str
    models_as: str = ""
    ends: tuple[str, str] | None = None
    cited: bool = True

    def block(self, seen: Seen, attribute: Attribute, tables: Mapping[str, Table], name: str, title: str) -> Block:
        """Return the charts of an attribute; ``name`` tells them from others, in every language alike."""
        scale = _point_scale(rows_of(tables)) if self.ends else share_scale(rows_of(tables))
        shared = NamedChart(
            name + seen.by,
            f"{self.heading}: {title}",
            drawing=Figure("", ()),
            marks=self.marks,
            target=t("no difference") if self.ends else "",
            annotator=seen.annotator,
            references=seen.sources(attribute.name) if self.cited else (),
            counts=self.counts,
            remarks=cautions(seen.data.attributes.values(), {attribute.name}),
            # The title of the block says already which attribute it is.
            parts={group_title(attribute, group): (capital(human(group)), group) for group in seen.groups(attribute)},
        )
        charts = ModelCharts(seen.models, self.header, scale, self.models_as)
        drawn = [replace(shared, drawing=self._named(single)) for single in _figures(charts, self._marked(tables))]
        return Block(title, attribute.name, drawn)

    def _marked(self, tables: Mapping[str, Table]) -> Mapping[str, Table]:
        """Return rows with the place of no difference to be drawn beside them."""

        def mark(row: Measurement | None) -> Measurement | None:
            return replace(row, target=0.0) if row and known(row.value) is not None else row

        if self.ends is None:
            return tables
        return {
            title: [(label, [mark(row) for row in rows]) for label, rows in table] for title, table in tables.items()
        }

    def _named(self, drawn: Figure) -> Figure:
        """Return charts that say what either side of the middle means."""
        return replace(drawn, panels=[replace(panel, ends=self.ends) for panel in drawn.panels])


def _figures(charts: ModelCharts, tables: Mapping[str, Table]) -> list[Figure]:
    """Return one figure with a panel per group, or with many models a figure per group, the first of them open."""
    if len(tables) == 1:
        # Its heading says already what a single table is about.
        tables = dict.fromkeys([""], *tables.values())
    if len(charts.models) <= MAX_COLOURS:
        return [charts.figure(tables)]
    return [
        charts.figure({"": table}, title, folded=bool(index)) for index, (title, table) in enumerate(tables.items())
    ]


def _judged() -> str:
    return t("n counts what was judged: images, or where a group was asked for the people in them.")


def _tables(seen: Seen, attribute: Attribute, wheres: Mapping[str, Where], metric: str = SHARE) -> dict[str, Table]:
    return {
        group_title(attribute, group): [
            (label, seen.cells(metric, attribute.name, group, where)) for label, where in wheres.items()
        ]
        for group in seen.groups(attribute)
    }


def _about(seen: Seen, attribute: Attribute) -> str:
    """Return what charts are about: the attribute, and its group where only one is drawn."""
    groups = seen.groups(attribute)
    return group_words(attribute, groups[0]) if len(groups) == 1 else attribute_title(attribute)


def by_category(seen: Seen) -> list[Block]:
    """Return the perceived shares by category: for each language, each attribute."""
    heading = t("Perceived shares by category and model")
    kind = _Kind(heading, "Category", t("perceived share"), _judged(), models_as="Model")
    return _by_category(seen, kind, SHARE, "shares")


def gaps_by_category(seen: Seen) -> list[Block]:
    """Return the differences from the reference by category, where they are not too many for charts."""
    heading, ends = t("Over- and under-representation"), (t("under-represented"), t("over-represented"))
    kind = _Kind(heading, "Category", t("difference in points"), _judged(), models_as="Model", ends=ends)
    return _by_category(seen, kind, DIFFERENCE, "differences", most=GAP_LANES)


def _by_category(seen: Seen, kind: _Kind, metric: str, name: str, most: int | None = None) -> list[Block]:
    blocks = []
    for language in seen.languages:
        for attribute in seen.attributes:
            names = seen.categories(attribute.name, language)
            places = {category_title(category): Where(language, "", category) for category in names}
            tables = _tables(seen, attribute, places, metric)
            rows = rows_of(tables)
            if any(rows) and (most is None or len(rows) <= most):
                title = prompts_title(language, _about(seen, attribute))
                blocks.append(kind.block(seen, attribute, tables, f"{name} {language} {attribute.title}", title))
    return blocks


def by_variant(seen: Seen) -> list[Block]:
    """Return the perceived shares over all categories, for each wording in each language."""
    kind = _Kind(t("By wording"), "Wording", t("perceived share"), _judged())
    wheres = {asked_title(where): where for where in seen.variants()}
    return [
        kind.block(
            seen, attribute, tables, name=f"by wording {attribute.title}", title=capital(_about(seen, attribute))
        )
        for attribute in seen.attributes
        if any(rows_of(tables := _tables(seen, attribute, wheres)))
    ]


def on_matched_seeds(seen: Seen, *, across: bool) -> list[Block]:
    """Return how far two languages, or two wordings, differ when everything else, the seeds too, is the same."""
    pairs = [pair for pair in seen.pairs() if pair.across is across]
    way, title = ("language", t("What the language changes")) if across else ("wording", t("What the wording changes"))
    heading, ends = t("The same seeds, asked differently"), (t("less often"), t("more often"))
    counts = t("n counts pairs of images.")
    kind = _Kind(heading, "Comparison", t("difference in points"), counts, ends=ends, cited=False)
    blocks = []
    for attribute in seen.attributes:
        tables: dict[str, Table] = {
            group_title(attribute, group): [
                (pair_title(pair), seen.paired(attribute.name, group, pair)) for pair in pairs
            ]
            for group in seen.groups(attribute)
        }
        if any(rows_of(tables)):
            name, about = f"same seeds another {way} {attribute.title}", f"{title}: {_about(seen, attribute)}"
            blocks.append(kind.block(seen, attribute, tables, name, about))
    return blocks


def distances(seen: Seen) -> NamedChart | None:
    """Return the distance of the whole distribution from the reference, for each attribute and language."""
    tables: dict[str, Table] = {}
    for attribute in seen.attributes:
        table = [
            (capital(language_title(code)), seen.cells(DISTANCE, attribute.name, "", Where(code)))
            for code in seen.languages
        ]
        table = [line for line in table if any(line[1])]
        tables |= {capital(attribute_title(attribute)): table} if table else {}
    drawn = model_figure(seen.models, tables, "Language", unit_scale, models_as="Model")
    title, marks = t("Distance from the reference"), t("total variation")
    return NamedChart(f"distance{seen.by}", title, drawn, marks, annotator=seen.annotator) if drawn else None
