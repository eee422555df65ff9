"""The largest findings of a study: where models differ first, then how they deviate from a reference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from portrayal.reports.comparisons.models_view import DifferenceStatement
from portrayal.reports.findings.deviations.deviation import Statement, Thumb
from portrayal.reports.findings.first_screen import ModelCard
from portrayal.reports.page_contents import PageContents
from portrayal.reports.summary.plain_names import PlainNames

__all__ = ["Finding", "largest_findings"]

MOST = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding as the report says it, with the pictures of each side by the name of who drew them."""

    about: str
    sentence: str
    basis: str
    cautions: Sequence[str]
    sides: Sequence[tuple[str, Sequence[Thumb]]]


def largest_findings(contents: PageContents, names: PlainNames) -> list[Finding]:
    """Return at most three findings, in the order of the report; only those that may be said openly."""
    several = len(contents.first.models) > 1
    differences = [_difference(each, names) for each in (contents.compared.statements if contents.compared else ())]
    deviations = [_deviation(each, model, names, several=several) for model, each in _in_turn(contents.first.models)]
    both = [*differences, *deviations] if contents.found.differences_first else [*deviations, *differences]
    return both[:MOST]


def _in_turn(models: Sequence[ModelCard]) -> Iterator[tuple[ModelCard, Statement]]:
    """Yield what stands openly on the cards: of each model the first, then of each the second."""
    for turn in zip_longest(*([(model, each) for each in model.first] for model in models)):
        yield from (pair for pair in turn if pair is not None)


def _difference(each: DifferenceStatement, names: PlainNames) -> Finding:
    sides = [(names(each.one), each.one_pictures), (names(each.other), each.other_pictures)]
    both = bool(each.one_pictures and each.other_pictures)
    return Finding("", names(each.sentence), names(each.plain_basis), (), sides if both else ())


def _deviation(each: Statement, model: ModelCard, names: PlainNames, *, several: bool) -> Finding:
    about = f"{model.generator} · {each.about}" if several else each.about
    return Finding(
        names(about),
        f"{names(each.sentence)}.",
        names(each.basis),
        [names(line) for line in each.cautions],
        [("", each.pictures)] if each.pictures else (),
    )
