"""What was asked for and is not there, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from portrayal.language.translation import t, word
from portrayal.records import Measurement, reason_parts
from portrayal.reports.charts.axes import share_scale
from portrayal.reports.charts.interval_chart import MAX_COLOURS, Figure
from portrayal.reports.charts.model_charts import Table, model_figure, sorted_table
from portrayal.reports.charts.pooled_share import counted
from portrayal.reports.data import ReportData
from portrayal.reports.sections.uneven_missing import reason_label, uneven_absences
from portrayal.reports.text.notes import reason_words
from portrayal.reports.text.words import capital, count, human, percent

__all__ = ["Asked", "Missing", "absent", "missing_images", "planned", "unmade"]

STATUSES = ("made", "refused", "failed", "pending")


@dataclass(frozen=True, slots=True)
class Asked:
    """What became of one generator's jobs: a bar of the four statuses and a line for each reason."""

    generator: str
    planned: int
    bar: Sequence[tuple[str, str, str]]
    lines: Sequence[tuple[str, str, int, str]]


@dataclass(frozen=True, slots=True)
class Missing:
    """Outcomes, abstentions, and where images are missing unevenly."""

    asked: Sequence[Asked]
    abstentions: Sequence[tuple[str, str, int]]
    overall: Figure | None
    uneven: Figure | None
    loudest: Sequence[str]
    """What is missing most unevenly, in sentences, the most uneven first."""
    measured_by_term: bool


def planned(data: ReportData, generator: str) -> int:
    """Return how many images were asked of a generator."""
    return sum(data.outcomes.get(generator, {}).values()) or len(data.prompts) * data.images_per_prompt


def absent(data: ReportData, generators: Sequence[str]) -> str:
    """Return why images are not there, each reason with how many, the commonest first."""
    reasons: Counter[str] = Counter()
    for name in generators:
        unmade_of = {key: number for key, number in data.outcomes.get(name, {}).items() if _status(key) != "made"}
        reasons.update(unmade_of or {"pending": planned(data, name) - data.outcomes.get(name, {}).get("made", 0)})
    listed = sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{human(key)} {count(number)}" for key, number in listed if number)


def unmade(data: ReportData, generator: str) -> str:
    """Say that a generator has no image at all, and why; nothing where it has one, or nothing is known of it."""
    counts, asked = data.outcomes.get(generator, {}), planned(data, generator)
    if not counts or counts.get("made", 0):
        return ""
    if counts and all(_status(key) == "refused" for key in counts):
        return t(
            "{n|image was|images were} asked for, and all were refused ({reasons}).",
            n=asked,
            reasons=absent(data, [generator]),
        )
    return t("There is none of {n|image|images}: {reasons}.", n=asked, reasons=absent(data, [generator]))


def missing_images(data: ReportData, per_image: Sequence[Measurement]) -> Missing:
    """Return every absence the study recorded; ``per_image`` are rows that count each image once."""
    rows = [row for row in per_image if row.metric == "missing" and not row.attribute]
    abstentions = [
        (annotator, reason_words(reason), number)
        for annotator, reasons in data.abstentions.items()
        for reason, number in sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))
    ]
    measured = {row.generator for row in per_image if row.level == "overall"}
    overall = _by_reason(data, [row for row in rows if row.level == "overall"], measured)
    absences = uneven_absences([row for row in per_image if row.level == "term"], data.asked)
    tables = {capital(item.label) + item.rest: item.table(data.generators) for item in absences}
    return Missing(
        [_asked(data, name) for name in data.generators],
        abstentions,
        overall=overall,
        uneven=_figure(data, tables, "Term"),
        loudest=[item.sentence() for item in absences],
        measured_by_term=any(row.level == "term" for row in rows),
    )


def _asked(data: ReportData, generator: str) -> Asked:
    counts = data.outcomes.get(generator, {})
    total = planned(data, generator)
    sums = {status: sum(number for key, number in counts.items() if _status(key) == status) for status in STATUSES}
    bar = [
        (status, f"{100 * number / total:.3f}", f"{count(number)} {word(status)}")
        for status, number in sums.items()
        if number and total
    ]
    return Asked(generator, total, bar, _lines(counts, total))


def _lines(counts: Mapping[str, int], total: int) -> list[tuple[str, str, int, str]]:
    order = {status: position for position, status in enumerate(STATUSES)}
    keys = sorted(counts, key=lambda key: (order.get(_status(key), 9), -counts[key], key))
    return [
        (_status(key), human(reason_parts(key)[1]), counts[key], percent(counts[key] / total) if total else "")
        for key in keys
    ]


def _status(key: str) -> str:
    return reason_parts(key)[0]


def _cells(data: ReportData, rows: Sequence[Measurement], measured: Set[str]) -> list[Measurement | None]:
    """Return a row for each generator; a reason that never came up where others did is a share of nought."""
    counted_rows = {row.generator: row for row in rows}
    never = {name: _never(data, name, rows[0]) for name in data.generators if name in measured}
    return [counted_rows.get(name) or never.get(name) for name in data.generators]


def _never(data: ReportData, generator: str, row: Measurement) -> Measurement:
    prompts = data.prompts_of.get(generator, len(data.prompts))
    return counted(replace(row, generator=generator, prompts=prompts), 0, planned(data, generator))


def _figure(data: ReportData, tables: Mapping[str, Table], header: str) -> Figure | None:
    drawn = model_figure(data.generators, tables, header, share_scale)
    return drawn and replace(drawn, folded=len(data.generators) > MAX_COLOURS)


def _by_reason(data: ReportData, rows: Sequence[Measurement], measured: Set[str]) -> Figure | None:
    labels = dict.fromkeys(reason_label(row) for row in rows)
    table = [(label, _cells(data, [row for row in rows if reason_label(row) == label], measured)) for label in labels]
    return _figure(data, {"": sorted_table(table)}, "Reason")
