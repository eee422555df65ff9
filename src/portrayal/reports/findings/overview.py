"""Who is shown over all prompts, and term by term: on every page, whatever was found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from portrayal.language.translation import t
from portrayal.records import Measurement
from portrayal.reports.corrected_share import CorrectedShare, deciding, share_key
from portrayal.reports.data import ReportData
from portrayal.reports.findings.deviations.deviation import Line
from portrayal.reports.findings.deviations.selection import Selection
from portrayal.reports.findings.words.correction_words import corrected_text, read_and_corrected
from portrayal.reports.findings.words.people_words import share_text, shown
from portrayal.reports.findings.words.share_words import ShareGap
from portrayal.reports.lookup import chart_groups
from portrayal.reports.section import section_of
from portrayal.reports.text.prompt_language import language_title
from portrayal.reports.text.sample_words import image_count
from portrayal.reports.text.wide_intervals import interval_text, sign
from portrayal.reports.text.words import aspect_title, capital, human, known, percent, percent_range, percents

__all__ = ["TermTable", "overall_lines", "side_by_side", "term_tables"]

LINES = 8
"""Lines of a table of terms that are shown openly."""


@dataclass(frozen=True, slots=True)
class TermTable:
    """The terms of one model by what was compared, the least likely by chance first; ``more`` are not listed."""

    title: str
    lines: Sequence[Line]
    more: int

    @property
    def groups(self) -> bool:
        """Whether its numbers are shares, each of a group."""
        return any(line.group for line in self.lines)


def overall_lines(data: ReportData, generator: str, selection: Selection) -> list[str]:
    """Say of each attribute who is shown over all prompts, and on which side of the reference where that is sure."""
    corrected = deciding(data.corrections)
    rows = [row for row in _overall_rows(data) if row.generator == generator]
    sides = {
        _place(own.row): own.test.deviation
        for own in selection.compared
        if own.row is not None and own.broad and selection.is_sure(own) and not own.explained
    }
    return [_overall(data, row, sides.get(_place(row), 0.0), corrected.get(share_key(row))) for row in rows]


def _place(row: Measurement) -> tuple[str, ...]:
    about = (row.method, row.generator, row.annotator, row.attribute, row.group)
    return (*about, row.level, row.item, row.language, row.variant)


def side_by_side(data: ReportData, threshold: float) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return of each attribute, over all prompts, the share of every model: what is drawn, before any distance.

    On which side of the reference it lies is said where that is sure, by the ``threshold`` for p-values.
    """
    by_title: dict[str, list[tuple[str, str]]] = {}
    corrected = deciding(data.corrections)
    for row in _overall_rows(data):
        said = _share(row, threshold, corrected.get(share_key(row)))
        by_title.setdefault(_title(data, row), []).append((row.generator, said))
    return [(title, models) for title, models in by_title.items() if len(models) > 1]


def _overall_rows(data: ReportData) -> list[Measurement]:
    """Return the shares over all prompts: those compared with a reference, or all where none is.

    Where several methods count the same images, the first one's count.
    """
    rows: dict[tuple[str, ...], Measurement] = {}
    for row in data.measurements:
        attribute = data.attributes.get(row.attribute)
        about = (row.metric, row.level, row.variant)
        if attribute is None or about != ("share", "overall", "") or known(row.value) is None:
            continue
        if row.group in chart_groups(attribute):
            rows.setdefault((row.generator, row.annotator, row.attribute, row.group, row.language), row)
    compared = {(row.attribute, row.language) for row in rows.values() if _compared(data, row)}
    return [row for row in rows.values() if not compared or (row.attribute, row.language) in compared]


def _compared(data: ReportData, row: Measurement) -> bool:
    if known(row.target) is not None:
        return True
    about = (row.generator, row.annotator, row.attribute, row.group, row.language)
    return any(
        other.metric == "difference" and other.level == "overall" and known(other.value) is not None
        for other in data.measurements
        if (other.generator, other.annotator, other.attribute, other.group, other.language) == about
    )


def _title(data: ReportData, row: Measurement) -> str:
    title = capital(aspect_title(row.attribute, data.attributes))
    about = [language_title(row.language)] if row.language else []
    about += [t("neutral wordings")] if section_of(row.method).neutral(data) else []
    title += f" ({', '.join(about)})" if about else ""
    title += t(", seen by {annotator}", annotator=row.annotator) if len(data.annotators) > 1 else ""
    target = known(row.target)
    says = "" if target is None else t("; the reference says {target}", target=percent(target, row.n))
    return f"{title}, {human(row.group)}{says}"


def _share(row: Measurement, threshold: float, fixed: CorrectedShare | None) -> str:
    from portrayal.stats.targets.target import ShareTest  # scipy takes a moment to load

    if fixed is not None:
        gap = ShareGap(row, known(row.target), row, fixed)
        read = percent(row.value or 0.0, row.n)
        share = t("{read} as read, corrected by labels {share}", read=read, share=corrected_text(fixed))
        return share if gap.target is None or gap.test.p > threshold else _beside(share, gap.value)
    if row.low is None or row.high is None:
        return percent(row.value or 0.0, row.n)
    share = f"{percent(row.value or 0.0, row.n)} ({percent_range(row.low, row.high, row.n)}{sign(row)})"
    target = known(row.target)
    if target is None:
        return share
    test = ShareTest(row.value or 0.0, known(row.worth) or image_count(row), target)
    if test.p > threshold:
        return share
    return _beside(share, test.deviation)


def _beside(share: str, deviation: float) -> str:
    more = deviation > 0
    return t("{share}, more than that", share=share) if more else t("{share}, fewer than that", share=share)


def _overall(data: ReportData, row: Measurement, side: float, fixed: CorrectedShare | None) -> str:
    title = capital(aspect_title(row.attribute, data.attributes))
    title += f" ({language_title(row.language)})" if row.language else ""
    title += t(", seen by {annotator}", annotator=row.annotator) if len(data.annotators) > 1 else ""
    target = known(row.target)
    if fixed is not None:
        said = t("over all prompts, {shown}", shown=read_and_corrected(fixed))
        said += "" if target is None else _against(percent(target, row.n), side)
        return f"{title}: {said}."
    ends = interval_text(row)
    value = row.value or 0.0
    share, wanted = percents(value, value if target is None else target, row.n)
    neutral = section_of(row.method).neutral(data)
    who = shown(row, share)
    said = t("over all neutral wordings, {shown}", shown=who) if neutral else t("over all prompts, {shown}", shown=who)
    said += f" ({ends})" if ends else ""
    return f"{title}: {said}{_against(wanted, side) if target is not None else ''}."


def _against(wanted: str, side: float) -> str:
    """Say what the reference says, and whether a share surely lies above or below it."""
    if side > 0:
        return t("; more than the {target} that the reference says", target=wanted)
    if side < 0:
        return t("; fewer than the {target} that the reference says", target=wanted)
    return t("; the reference says {target}", target=wanted)


def term_tables(data: ReportData, generator: str, selection: Selection) -> list[TermTable]:
    """Return the terms of a model: those compared with a reference, or else their shares alone."""
    topics: dict[str, list[tuple[float, Line]]] = {}
    for deviation in selection.compared:
        if deviation.generator == generator and not deviation.broad and deviation.line is not None:
            title = capital(aspect_title(deviation.topic, data.attributes))
            topics.setdefault(title, []).append((deviation.test.p, deviation.line()))
    if not topics:
        return list(_uncompared(data, generator))
    by_chance = {title: sorted(lines, key=lambda pair: pair[0]) for title, lines in topics.items()}
    return [_table(title, [line for _, line in lines]) for title, lines in by_chance.items()]


def _uncompared(data: ReportData, generator: str) -> Iterator[TermTable]:
    topics: dict[str, list[Line]] = {}
    several = len({row.language for row in data.measurements if row.level == "term" and row.language}) > 1
    for row in data.measurements:
        attribute = data.attributes.get(row.attribute)
        about = (row.generator, row.metric, row.level)
        if attribute is None or about != (generator, "share", "term") or known(row.value) is None:
            continue
        if row.group in chart_groups(attribute):
            title = capital(aspect_title(row.attribute, data.attributes))
            term = f"{row.item} ({language_title(row.language)})" if several and row.language else row.item
            line = Line(term, share_text(row), interval_text(row), "", human(row.group))
            topics.setdefault(title, []).append(line)
    yield from (_table(title, lines) for title, lines in list(topics.items())[:1])


def _table(title: str, lines: Sequence[Line]) -> TermTable:
    return TermTable(title, lines[:LINES], max(len(lines) - LINES, 0))
