"""Over- and under-representation: every category and model against the reference, cell by cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from portrayal.language.translation import t
from portrayal.methods.by_language.report.prompt_titles import (
    category_title,
    group_words,
    points_range,
    points_text,
    prompts_title,
)
from portrayal.methods.by_language.report.seen import DIFFERENCE, SHARE, Seen, Where
from portrayal.records import Attribute, Measurement
from portrayal.reports.figures.named_figures import NamedTable, basis
from portrayal.reports.text.notes import notes_words
from portrayal.reports.text.wide_intervals import sign
from portrayal.reports.text.words import NBSP, count, known, percent

__all__ = ["Comparison", "ComparisonRow", "ComparisonTable", "comparison"]

LONG = 60
CHANCE = 0.05
"""How often a 95 % interval misses the value it aims at."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a difference from the reference says: a name for the style, a sign, and words."""

    name: str
    sign: str
    text: str

    @property
    def said(self) -> str:
        """The words, in the language of the report."""
        return t(self.text)


OVER = Verdict("over", "\N{BLACK UP-POINTING TRIANGLE}", "over-represented")
UNDER = Verdict("under", "\N{BLACK DOWN-POINTING TRIANGLE}", "under-represented")
UNCLEAR = Verdict("unclear", "\N{WHITE CIRCLE}", "no clear difference")
NO_REFERENCE = Verdict("none", "\N{EN DASH}", "no reference")
NO_DATA = Verdict("none", "\N{EN DASH}", "no data")
VERDICTS = (OVER, UNDER, UNCLEAR, NO_REFERENCE, NO_DATA)
CLEAR = (OVER, UNDER)


def verdict(share: Measurement | None, difference: Measurement | None) -> Verdict:
    """Return whether a group is clearly over- or under-represented: its interval holds no nought."""
    if share is None or known(share.value) is None:
        return NO_DATA
    low, high = (known(difference.low), known(difference.high)) if difference else (None, None)
    if difference is None or known(difference.value) is None:
        return NO_REFERENCE
    if low is None or high is None or low <= 0.0 <= high:
        return UNCLEAR
    return OVER if low > 0.0 else UNDER


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One model in one category: the difference in points, what it says, and what it rests on."""

    model: str
    verdict: Verdict
    difference: str = ""
    interval: str = ""
    share: str = ""
    reference: str = ""
    n: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class ComparisonTable:
    """One group in one language, category by category. ``summary`` counts what is clear, empty: nothing to compare."""

    title: str
    summary: str
    categories: Sequence[tuple[str, Sequence[ComparisonRow]]]
    printed: NamedTable

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
    by_model: NamedTable | None
    """How many cells say what."""


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
    verdicts = Counter(row.verdict.text for row in rows)
    columns = [item for item in VERDICTS if verdicts[item.text] and _compared(verdicts)]
    clear, chance = _clear(verdicts), _chance(verdicts)
    by_model = NamedTable(
        f"cells by model{seen.by}",
        t("How many cells (category, language and group) say what, by model"),
        [t("Model"), *(item.said for item in columns)],
        [
            [model, *(count(sum(row.verdict == item for row in rows if row.model == model)) for item in columns)]
            for model in seen.models
        ],
        caption=" ".join([clear, chance, basis(seen.data, seen.annotator)]),
    )
    compared = [table for table in tables if table.summary]
    return Comparison(compared, clear, chance, columns, by_model if columns else None)


def _compared(verdicts: Counter[str]) -> int:
    return sum(verdicts[item.text] for item in (*CLEAR, UNCLEAR))


def _clear(verdicts: Counter[str]) -> str:
    over, under = (verdicts[item.text] for item in CLEAR)
    if not _compared(verdicts):
        return t("No cell can be compared: there is no reference for these groups.")
    return t(
        "Cells with a reference: {total}. Clearly above it: {over}. Clearly below it: {under}.",
        total=count(_compared(verdicts)), over=count(over), under=count(under),
    )  # fmt: skip


def _chance(verdicts: Counter[str]) -> str:
    """Say how many cells would look clear if none were, so that a single one is not taken for a finding."""
    total = _compared(verdicts)
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
    verdicts = Counter(row.verdict.text for _, lines in categories for row in lines)
    over, under = (count(verdicts[item.text]) for item in CLEAR)
    summary = t("{over} over, {under} under, of {total|cell|cells}", over=over, under=under, total=_compared(verdicts))
    title = prompts_title(language, group_words(attribute, group))
    lines = [(category, row) for category, rows in categories for row in rows]
    printed = NamedTable(
        f"readings {language} {attribute.title} {group}{seen.by}",
        f"{t('Over- and under-representation')}: {title}",
        [
            t("Category"),
            t("Model"),
            t("Difference in points"),
            t("95&nbsp;% interval").replace("&nbsp;", NBSP),
            t("Reading"),
            t("Perceived"),
            t("Reference"),
            t("n"),
        ],
        [
            [category, row.model, row.difference, row.interval, row.verdict.said, row.share, row.reference, row.n]
            for category, row in lines
        ],
        [row.note for _, row in lines],
        caption=f"{summary}. {basis(seen.data, seen.annotator)}",
    )
    return ComparisonTable(title, summary if _compared(verdicts) else "", categories, printed)


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
        return ComparisonRow(model, reading, note=t("not measured"))
    value, target = known(share.value), known(share.target)
    gap = difference if difference and known(difference.value) is not None else None
    low, high = (known(gap.low), known(gap.high)) if gap else (None, None)
    return ComparisonRow(
        model,
        reading,
        difference=points_text(gap.value or 0.0) if gap else "",
        interval=points_range(low, high) + sign(share) if low is not None and high is not None else "",
        share="" if value is None else percent(value, share.n),
        reference=percent(target) if target is not None else t("in part") if gap else "",
        n=count(gap.n if gap else share.n),
        note=notes_words(gap.notes if gap else share.notes),
    )
