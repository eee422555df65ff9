"""What is missing of a model's images, why, and where most of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from portrayal.language.translation import t
from portrayal.records import Measurement
from portrayal.reports.data import ReportData
from portrayal.reports.sections.missing_images import absent, planned
from portrayal.reports.text.notes import reason_words
from portrayal.reports.text.words import aspect_title, count, percent

__all__ = ["missing_lines"]

REASONS = 3
"""Reasons that are named; further ones are added up."""
_WHOLE = 1e-6
WORSE = 1.5
"""A term is named that lost so many times as many of its images as all terms together."""


def missing_lines(data: ReportData, generator: str) -> list[str]:
    """Say how many images of a model do not count, for each annotator that looked, with reasons and the worst term."""
    lines = [line for rows in _by_annotator(data, generator) if (line := _line(data, generator, rows))]
    asked, made = planned(data, generator), data.outcomes.get(generator, {}).get("made", 0)
    if asked > made and not lines:
        reasons = absent(data, [generator])
        lost = count(asked - made)
        lines = [t("{lost} of {n|picture|pictures} do not count ({reasons}).", lost=lost, n=asked, reasons=reasons)]
    lines += [*_showing_nobody(data, generator), *_unjudged(data, generator)]
    unseen = any(data.judged.get(name, 0) > number for name, number in data.perceived.items())
    # A method may count what is missing in its scores alone: then nobody knows how many pictures that are.
    lacking = any(row.missing for row in data.measurements if row.generator == generator and row.level == "overall")
    if lines or lacking or unseen or not asked or not any(data.perceived.values()):
        return list(dict.fromkeys(lines))
    return [t("None of {n|picture|pictures}.", n=asked)]


def _showing_nobody(data: ReportData, generator: str) -> Iterator[str]:
    """Say how many pictures show nobody, where a method sets these aside and has a rate of them."""
    for row in data.measurements:
        about = (row.metric, row.level, row.generator, row.attribute, row.variant, row.language)
        if about != ("hallucination_rate", "overall", generator, "", "", "") or not row.value:
            continue
        seen = row.value * row.n
        share = count(round(seen)) if abs(seen - round(seen)) < _WHOLE else percent(row.value, row.n)
        yield t("{share} of {n|picture|pictures} show nobody, and are in no other score.", share=share, n=row.n)


def _unjudged(data: ReportData, generator: str) -> Iterator[str]:
    """Say of each attribute how many usable pictures could not be judged by it."""
    lost: Counter[tuple[str, str]] = Counter()
    asked: dict[tuple[str, str], dict[str, int]] = {}
    for row in data.measurements:
        about = (row.metric, row.level, row.generator, row.variant)
        if about == ("missing", "overall", generator, "") and row.attribute:
            lost[row.annotator, row.attribute] += row.missing
            asked.setdefault((row.annotator, row.attribute), {})[row.language] = row.n
    for (annotator, attribute), number in lost.items():
        who = f" ({annotator})" if len(data.annotators) > 1 else ""
        yield t(
            "{lost} of {n|picture|pictures} could not be judged by {attribute}{who}.",
            lost=count(number),
            # Of prompts that are counted: some ask for a group themselves, and belong to no such number.
            n=sum(asked[annotator, attribute].values()),
            attribute=aspect_title(attribute, data.attributes),
            who=who,
        )


def _by_annotator(data: ReportData, generator: str) -> Iterator[list[Measurement]]:
    """Yield the rows about whole images of the first method that has any, by annotator.

    Where a method counts languages and ways of asking apart, all of these together are all images.
    """
    rows = [row for row in data.measurements if row.metric == "missing" and not row.attribute]
    rows = [row for row in rows if row.generator == generator and row.method == rows[0].method]
    apart = any(row.variant for row in rows)
    rows = [row for row in rows if bool(row.variant) == apart]
    for annotator in dict.fromkeys(row.annotator for row in rows):
        yield [row for row in rows if row.annotator == annotator]


def _line(data: ReportData, generator: str, rows: list[Measurement]) -> str:
    overall: Counter[str] = Counter()
    for row in rows:
        overall[row.group] += row.missing if row.level == "overall" else 0
    lost, asked = sum(overall.values()), planned(data, generator)
    if not lost or not asked:
        return ""
    if lost == 1:
        return _single(next(iter(overall)), asked, next((row.item for row in rows if row.level == "term"), ""))
    named = [f"{reason_words(reason)} {count(number)}" for reason, number in overall.most_common(REASONS)]
    rest = sum(number for _, number in overall.most_common()[REASONS:])
    named += [t("others {n}", n=count(rest))] if rest else []
    said = t(
        "{lost} of {n|picture|pictures} do not count ({reasons}).", lost=count(lost), n=asked, reasons=", ".join(named)
    )
    worst = _worst(data, generator, rows)
    return f"{said} {worst}" if worst else said


def _single(reason: str, asked: int, term: str) -> str:
    if not term:
        return t("1 of {n|picture|pictures} does not count ({reason}).", n=asked, reason=reason_words(reason))
    return t(
        "1 of {n|picture|pictures} does not count ({reason}), in “{term}”.",
        n=asked,
        reason=reason_words(reason),
        term=term,
    )


def _worst(data: ReportData, generator: str, rows: list[Measurement]) -> str:
    """Say which term lost most, where terms differ."""
    terms: Counter[str] = Counter()
    for row in rows:
        if row.level == "term":
            terms[row.item] += row.missing
    asked = data.asked.get(generator, {})
    if len(asked) < 2 or not terms:
        return ""
    rates = {term: lost / max(asked.get(term, lost), 1) for term, lost in terms.items()}
    term = max(rates, key=lambda name: (rates[name], name))
    if rates[term] < WORSE * sum(terms.values()) / max(sum(asked.values()), 1):
        return ""
    return t(
        "“{term}” lost most: {lost} of {n}.",
        term=term,
        lost=count(terms[term]),
        n=count(asked.get(term, terms[term])),
    )
