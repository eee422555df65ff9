"""Where images are missing more often for one term than for another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from portrayal.records import Measurement, reason_parts
from portrayal.reports.charts import Cells, sorted_by_value
from portrayal.reports.language import t
from portrayal.reports.notes import reason_words
from portrayal.reports.words import capital, count, known, percent

__all__ = ["UNEVEN", "UnevenReason", "reason_label", "uneven_reasons"]

UNEVEN = 0.1
"""Reasons whose share differs by less than this from term to term tell nothing about terms."""
TERMS_SHOWN = 6
UNMADE = ("refused", "failed", "pending", "source_missing")
"""Reasons that no annotator had a part in: there was no image to look at."""


def reason_label(row: Measurement) -> str:
    """Return why images are missing, and in whose eyes where an annotator looked at them."""
    looked = row.annotator and reason_parts(row.group)[0] not in UNMADE
    return reason_words(row.group) + (f" ({row.annotator})" if looked else "")


@dataclass(frozen=True, slots=True)
class UnevenReason:
    """One reason: its rows by generator and term, and how many terms each generator was asked for."""

    label: str
    rows: Mapping[tuple[str, str], Measurement]
    asked: Mapping[str, Mapping[str, int]]

    @property
    def spread(self) -> float:
        """By how much the share of missing images differs between two terms of a generator, at most."""
        return max(self._spread(generator) for generator in self.asked)

    def _spread(self, generator: str) -> float:
        values = [_value(self.rows.get((generator, term))) for term in self.asked[generator]]
        return max(values) - min(values) if values else 0.0

    def table(self, generators: Sequence[str]) -> list[tuple[str, Cells]]:
        """Return the terms with the highest shares."""
        terms = dict.fromkeys(term for _, term in self.rows)
        table: list[tuple[str, Cells]] = [
            (term, [(index, self.rows.get((name, term))) for index, name in enumerate(generators)]) for term in terms
        ]
        return [row for row in sorted_by_value(table) if any(cell and cell.value for _, cell in row[1])][:TERMS_SHOWN]

    @property
    def rest(self) -> str:
        """How many terms are not shown, said behind the title of a chart."""
        terms = {term for own in self.asked.values() for term in own}
        shown = min(len({term for (_, term), row in self.rows.items() if row.value}), TERMS_SHOWN)
        return t(": highest {shown} of {n|term|terms}", shown=shown, n=len(terms)) if len(terms) > shown else ""

    def sentence(self) -> str:
        """Say of the most uneven generator which term loses most, beside all its other terms together."""
        generator = max(self.asked, key=self._spread)
        asked = self.asked[generator]
        lost = {term: row.missing for term in asked if (row := self.rows.get((generator, term)))}
        worst = max(lost, key=lambda term: (lost[term] / asked[term], term))
        others = sum(asked.values()) - asked[worst]
        return t(
            "{reason}, {generator}: {part} of {n|image|images} of “{term}”, "
            "and {other} of the images of all other terms.",
            reason=capital(self.label),
            generator=generator,
            part=count(lost[worst]),
            n=asked[worst],
            term=worst,
            other=percent((sum(lost.values()) - lost[worst]) / others) if others else t("none"),
        )


def uneven_reasons(rows: Sequence[Measurement]) -> list[UnevenReason]:
    """Return the reasons that differ between terms, the most uneven first.

    ``rows`` are all rows about terms, not only those about missing images: a term of which nothing is missing has none
    of those, and is compared too.
    """
    asked: dict[str, dict[str, int]] = {}
    reasons: dict[str, dict[tuple[str, str], Measurement]] = {}
    for row in rows:
        terms = asked.setdefault(row.generator, {})
        terms[row.item] = max(terms.get(row.item, 0), _asked(row))
        if row.metric == "missing" and not row.attribute:
            reasons.setdefault(reason_label(row), {}).setdefault((row.generator, row.item), row)
    found = [UnevenReason(label, own, asked) for label, own in reasons.items()]
    return sorted((item for item in found if item.spread >= UNEVEN), key=lambda item: -item.spread)


def _asked(row: Measurement) -> int:
    """Return how many images were asked for, as far as one row knows."""
    return row.n if row.metric == "missing" else row.n + row.missing


def _value(row: Measurement | None) -> float:
    return (known(row.value) or 0.0) if row else 0.0
