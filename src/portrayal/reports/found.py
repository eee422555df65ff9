"""What the first screen of a report says, once: the page draws it, and ``study.findings()`` hands it on as rows."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from portrayal.records import Measurement
from portrayal.reports.comparisons.models_view import DifferenceStatement, ModelsView, models_view
from portrayal.reports.counted_rows import counted_rows
from portrayal.reports.data import ReportData
from portrayal.reports.findings.deviations.deviation import Deviation
from portrayal.reports.findings.first_screen import FirstScreen, ModelCard, first_screen
from portrayal.reports.section import NamedSection

__all__ = ["Finding", "FindingKind", "Found", "findings_of", "what_was_found"]


class FindingKind(StrEnum):
    """What a sentence of the first screen is."""

    DIFFERENCE = "difference"
    DISTANCE = "distance"
    NO_DIFFERENCE = "no_difference"
    MISSING = "missing"
    ANSWER = "answer"
    VERDICT = "verdict"
    DEVIATION = "deviation"
    READING = "reading"
    """What was read and is not so by the labels."""


@dataclass(frozen=True, slots=True)
class Found:
    """The first screen, and models compared, where there are several."""

    first: FirstScreen
    compared: ModelsView | None

    @property
    def differences_first(self) -> bool:
        """Whether the page begins with differences: where models do not differ, what each of them shows comes first."""
        return bool(self.compared and self.compared.statements) or not any(card.first for card in self.first.models)


@dataclass(frozen=True, slots=True)
class Finding:
    """A sentence of the first screen with the numbers in it.

    ``row`` is what it is about, ``other_row`` what that is compared with, where there are such; ``low`` and ``high``
    bound the value of a deviation and the difference of two models, as the page prints them. ``open`` is whether the
    page shows it openly, and not folded or only counted.
    """

    kind: FindingKind
    model: str
    sentence: str
    other: str = ""
    about: str = ""
    basis: str = ""
    cautions: Sequence[str] = ()
    open: bool = True
    row: Measurement | None = None
    other_row: Measurement | None = None
    target: float | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None


def what_was_found(data: ReportData, sections: Sequence[NamedSection], measured: Container[str] | None = None) -> Found:
    """Return the first screen of all sections; ``measured`` are the attributes that the page has numbers of."""
    data = counted_rows(data)
    deviations = [deviation for named in sections for deviation in named.deviations(data)]
    rankings = [ranking for named in sections for ranking in named.section.rankings(data)]
    answers = [named.section.answers(data) for named in sections]
    return Found(first_screen(data, deviations, rankings, answers, measured), models_view(data))


def findings_of(found: Found) -> Iterator[Finding]:
    """Yield every sentence of the first screen, in the order of the page."""
    between = list(_between(found.compared)) if found.compared else []
    if found.differences_first:
        yield from between
    for card in found.first.models:
        yield from _about(card, found.first)
    if not found.differences_first:
        yield from between


def _between(compared: ModelsView) -> Iterator[Finding]:
    yield from map(_difference, compared.statements)
    for line in compared.refuted:
        yield Finding(FindingKind.READING, "", line)
    for line in compared.nearer:
        yield Finding(FindingKind.DISTANCE, "", line)
    for line in compared.nothing:
        yield Finding(FindingKind.NO_DIFFERENCE, "", line)
    for line in compared.missing:
        yield Finding(FindingKind.MISSING, "", line)


def _difference(statement: DifferenceStatement) -> Finding:
    each = statement.difference
    return Finding(
        FindingKind.DIFFERENCE,
        statement.one,
        statement.sentence,
        other=statement.other,
        basis=statement.basis,
        row=each.one,
        other_row=each.other,
        difference=each.value,
        low=each.low,
        high=each.high,
        p=each.adjusted,
    )


def _about(card: ModelCard, first: FirstScreen) -> Iterator[Finding]:
    if card.unmade:
        yield Finding(FindingKind.VERDICT, card.generator, card.unmade)
        return
    for answer in card.answers:
        yield Finding(FindingKind.ANSWER, card.generator, answer.sentence)
    yield Finding(FindingKind.VERDICT, card.generator, f"{card.word}. {card.sentence}".strip())
    for line in card.refuted:
        yield Finding(FindingKind.READING, card.generator, line, open=False)
    mine = [deviation for deviation in first.selection.in_order if deviation.generator == card.generator]
    for place, deviation in enumerate(mine):
        looks = first.selection.looks
        yield _deviation(deviation, min(deviation.test.p * looks, 1.0), is_open=place < len(card.first))


def _deviation(deviation: Deviation, p: float, *, is_open: bool) -> Finding:
    said, row, fixed = deviation.word(), deviation.row, deviation.corrected
    ends = fixed or row
    return Finding(
        FindingKind.DEVIATION,
        deviation.generator,
        f"{said.sentence}.",
        about=said.about,
        basis=said.basis,
        cautions=said.cautions,
        open=is_open,
        row=row,
        target=row.target if row else None,
        difference=deviation.test.deviation,
        low=ends.low if ends else None,
        high=ends.high if ends else None,
        p=p,
    )
