"""Over- and under-representation: every category and model against the reference, cell by cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from portrayal.methods.bafis.report.rows import DIFFERENCE, SHARE, Seen, Where
from portrayal.methods.bafis.report.words import (
    CLEAR,
    UNCLEAR,
    VERDICTS,
    Verdict,
    category_title,
    group_words,
    points_range,
    points_text,
    prompts_title,
    verdict,
)
from portrayal.records import Attribute, Measurement
from portrayal.reports.language import t
from portrayal.reports.notes import notes_words
from portrayal.reports.words import count, known, percent

__all__ = ["Comparison", "ComparisonRow", "ComparisonTable", "comparison"]

LONG = 60
CHANCE = 0.05
"""How often a 95 % interval misses the value it aims at."""


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One model in one category: the difference in points, what it says, and what it rests on."""

    model: str
    difference: str
    interval: str
    verdict: Verdict
    share: str
    reference: str
    n: str
    note: str


@dataclass(frozen=True, slots=True)
class ComparisonTable:
    """One group in one language, category by category. ``summary`` counts what is clear, empty: nothing to compare.

    ``name`` tells it from the others, in every language alike.
    """

    name: str
    title: str
    summary: str
    categories: Sequence[tuple[str, Sequence[ComparisonRow]]]

    @property
    def long(self) -> bool:
        """Whether the table is better looked at through a window."""
        return sum(len(rows) for _, rows in self.categories) > LONG


@dataclass(frozen=True, slots=True)
class Comparison:
    """The tables that compare anything, and how many cells are clear, in words and for each model."""

    tables: Sequence[ComparisonTable]
    clear: str
    chance: str
    columns: Sequence[Verdict]
    counts: Sequence[tuple[str, Sequence[str]]]


def comparison(seen: Seen) -> Comparison:
    """Return the tables, languages first, then attributes, then groups; cells without a reference are counted too."""
    tables = [
        table
        for language in seen.languages
        for attribute in seen.attributes
        for group in seen.groups(attribute)
        if (table := _table(seen, language, attribute, group)) is not None
    ]
    rows = [row for table in tables for _, lines in table.categories for row in lines]
    found = Counter(row.verdict.text for row in rows)
    columns = [item for item in VERDICTS if found[item.text] and _compared(found)]
    counts = [
        (model, [count(sum(row.verdict == item for row in rows if row.model == model)) for item in columns])
        for model in seen.models
    ]
    compared = [table for table in tables if table.summary]
    return Comparison(compared, _clear(found), _chance(found), columns, counts)


def _compared(found: Counter[str]) -> int:
    return sum(found[item.text] for item in (*CLEAR, UNCLEAR))


def _clear(found: Counter[str]) -> str:
    over, under = (found[item.text] for item in CLEAR)
    if not _compared(found):
        return t("No cell can be compared: there is no reference for these groups.")
    return t(
        "Cells with a reference: {total}. Clearly above it: {over}. Clearly below it: {under}.",
        total=count(_compared(found)), over=count(over), under=count(under),
    )  # fmt: skip


def _chance(found: Counter[str]) -> str:
    """Say how many cells would look clear if none were, so that a single one is not taken for a finding."""
    total = _compared(found)
    if not total:
        return ""
    if total < 1 / CHANCE:
        return t("About one cell in twenty looks clear by chance alone.")
    return t(
        "Among so many cells some look clear by chance: about one in twenty, here about {number}, would do so even if "
        "every model drew exactly the reference’s shares. Read a single cell with that in mind; a pattern that returns "
        "across categories or models is stronger evidence than any one of them.",
        number=count(round(CHANCE * total)),
    )


def _table(seen: Seen, language: str, attribute: Attribute, group: str) -> ComparisonTable | None:
    names = seen.categories(attribute.name, language)
    if not names:
        return None
    categories = [(category_title(name), _lines(seen, attribute, group, Where(language, "", name))) for name in names]
    found = Counter(row.verdict.text for _, lines in categories for row in lines)
    over, under = (found[item.text] for item in CLEAR)
    summary = t("{over} over, {under} under, of {total|cell|cells}",
                over=count(over), under=count(under), total=_compared(found))  # fmt: skip
    title = prompts_title(language, group_words(attribute, group))
    name = f"readings {language} {attribute.title} {group}"
    return ComparisonTable(name, title, summary if _compared(found) else "", categories)


def _lines(seen: Seen, attribute: Attribute, group: str, where: Where) -> list[ComparisonRow]:
    shares = seen.cells(SHARE, attribute.name, group, where)
    differences = seen.cells(DIFFERENCE, attribute.name, group, where)
    return [
        _line(model, share, difference)
        for model, share, difference in zip(seen.models, shares, differences, strict=True)
    ]


def _line(model: str, share: Measurement | None, difference: Measurement | None) -> ComparisonRow:
    reading = verdict(share, difference)
    if share is None:
        return ComparisonRow(model, "", "", reading, "", "", "", t("not measured"))
    value, target = known(share.value), known(share.target)
    gap = difference if difference and known(difference.value) is not None else None
    low, high = (known(gap.low), known(gap.high)) if gap else (None, None)
    return ComparisonRow(
        model,
        points_text(gap.value or 0.0) if gap else "",
        points_range(low, high) if low is not None and high is not None else "",
        reading,
        "" if value is None else percent(value, share.n),
        percent(target) if target is not None else t("in part") if gap else "",
        count(gap.n if gap else share.n),
        notes_words(gap.notes if gap else share.notes),
    )
