"""BAFIS's charts: model beside model, by category, by wording, and on matched seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from portrayal.methods.bafis.report.drawing import Block, Table, drawn, figures_of, point_scale, rows_of
from portrayal.methods.bafis.report.rows import DIFFERENCE, DISTANCE, SHARE, Pair, Seen, Where
from portrayal.methods.bafis.report.words import (
    asked_title,
    category_title,
    group_title,
    group_words,
    pair_title,
    prompts_title,
)
from portrayal.records import Attribute, Measurement
from portrayal.reports.charts import Figure, figure
from portrayal.reports.language import t
from portrayal.reports.prompt_language import language_title
from portrayal.reports.scales import share_scale, unit_scale
from portrayal.reports.words import attribute_title, capital, known

__all__ = ["by_category", "by_variant", "distances", "gaps_by_category", "on_matched_seeds"]

GAP_LANES = 400
"""With more differences than this in an attribute, the tables alone show them: charts would make the page heavy."""


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


def _places(seen: Seen, attribute: Attribute, language: str) -> dict[str, Where]:
    names = seen.categories(attribute.name, language)
    return {category_title(name): Where(language, "", name) for name in names}


def by_category(seen: Seen) -> list[Block]:
    """Return the perceived shares by category: for each language, each attribute."""
    blocks = []
    for language in seen.languages:
        for attribute in seen.attributes:
            tables = _tables(seen, attribute, _places(seen, attribute, language))
            if any(rows_of(tables)):
                figures = figures_of(seen, tables, "Category", share_scale(rows_of(tables)), by_model=False)
                title = prompts_title(language, _about(seen, attribute))
                blocks.append(Block(f"shares {language} {attribute.title}", title, attribute.name, figures))
    return blocks


def gaps_by_category(seen: Seen) -> list[Block]:
    """Return the differences from the reference by category, where they are not too many for charts."""
    blocks = []
    for language in seen.languages:
        for attribute in seen.attributes:
            tables = _marked(_tables(seen, attribute, _places(seen, attribute, language), DIFFERENCE))
            if any(rows_of(tables)) and len(rows_of(tables)) <= GAP_LANES:
                figures = figures_of(seen, tables, "Category", point_scale(rows_of(tables)), by_model=False)
                ends = (t("under-represented"), t("over-represented"))
                title = prompts_title(language, _about(seen, attribute))
                named = [_named(item, ends) for item in figures]
                blocks.append(Block(f"differences {language} {attribute.title}", title, attribute.name, named))
    return blocks


def by_variant(seen: Seen) -> list[Block]:
    """Return the perceived shares over all categories, for each wording in each language."""
    wheres = {asked_title(where): where for where in seen.variants()}
    blocks = []
    for attribute in seen.attributes:
        tables = _tables(seen, attribute, wheres)
        if any(rows_of(tables)):
            figures = figures_of(seen, tables, "Wording", share_scale(rows_of(tables)), by_model=True)
            name, title = f"by wording {attribute.title}", capital(_about(seen, attribute))
            blocks.append(Block(name, title, attribute.name, figures))
    return blocks


def on_matched_seeds(seen: Seen, title: str, pairs: Sequence[Pair]) -> list[Block]:
    """Return how far two wordings differ when everything else, the seeds too, is the same."""
    blocks = []
    for attribute in seen.attributes:
        tables: dict[str, Table] = {
            group_title(attribute, group): [
                (pair_title(pair), seen.paired(attribute.name, group, pair)) for pair in pairs
            ]
            for group in seen.groups(attribute)
        }
        if any(rows_of(tables)):
            figures = figures_of(seen, _marked(tables), "Comparison", point_scale(rows_of(tables)), by_model=True)
            named = [_named(item, (t("less often"), t("more often"))) for item in figures]
            way = "language" if any(pair.across for pair in pairs) else "wording"
            name = f"same seeds another {way} {attribute.title}"
            blocks.append(Block(name, f"{title}: {_about(seen, attribute)}", attribute.name, named))
    return blocks


def _marked(tables: Mapping[str, Table]) -> dict[str, Table]:
    """Return rows with the place of no difference to be drawn beside them."""

    def mark(row: Measurement | None) -> Measurement | None:
        return replace(row, target=0.0) if row and known(row.value) is not None else row

    return {title: [(label, [mark(row) for row in rows]) for label, rows in table] for title, table in tables.items()}


def _named(item: Figure, ends: tuple[str, str]) -> Figure:
    """Return charts that say what either side of the middle means."""
    return replace(item, panels=[replace(panel, ends=ends) for panel in item.panels])


def distances(seen: Seen) -> Figure | None:
    """Return the distance of the whole distribution from the reference, for each attribute and language."""
    tables: dict[str, Table] = {}
    for attribute in seen.attributes:
        table = [
            (capital(language_title(code)), seen.cells(DISTANCE, attribute.name, "", Where(code)))
            for code in seen.languages
        ]
        table = [line for line in table if any(line[1])]
        tables |= {capital(attribute_title(attribute)): table} if table else {}
    if not tables:
        return None
    panels = drawn(seen.models, tables, "Language", unit_scale(rows_of(tables)), by_model=False)
    return figure("", panels, seen.models)
