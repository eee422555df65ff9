"""Where images are missing more often for one term than for another.

Images that do not exist are a share of those asked for. An annotator can only look at those that do, so its reasons are
a share of the images made: else a term whose files are broken would seem to be judged more often than others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from portrayal.language.translation import t
from portrayal.records import Measurement, reason_parts
from portrayal.reports.charts.model_charts import Table, sorted_table
from portrayal.reports.charts.pooled_share import counted
from portrayal.reports.text.notes import reason_words
from portrayal.reports.text.words import capital, count, known, percent

__all__ = ["UNEVEN", "Absence", "reason_label", "uneven_absences"]

UNEVEN = 0.1
"""Shares that differ by less than this from term to term tell nothing about terms."""
TERMS_SHOWN = 6
UNMADE = ("refused", "failed", "pending", "source_missing")
"""Reasons that no annotator had a part in: there was no image to look at."""

Cell = tuple[str, str]
"""A generator and a term."""
Images = Mapping[str, Mapping[str, int]]
"""How many images, by generator and term."""


def reason_label(row: Measurement) -> str:
    """Return why images are missing, and in whose eyes where an annotator looked at them."""
    return reason_words(row.group) + (f" ({row.annotator})" if row.annotator and not _unmade(row) else "")


@dataclass(frozen=True, slots=True)
class Absence:
    """What is missing for one reason, or for any: rows by generator and term, as shares of ``images``."""

    label: str
    rows: Mapping[Cell, Measurement]
    images: Images
    """Those asked for, or those made; terms of which nothing is missing are here too."""
    looked: bool = False
    """Whether this is a share of the images made."""

    @property
    def spread(self) -> float:
        """By how much the share of missing images differs between two terms of a generator, at most."""
        return max((self._spread(generator) for generator in self.images), default=0.0)

    def _spread(self, generator: str) -> float:
        values = [_value(self.rows.get((generator, term))) for term, n in self.images[generator].items() if n]
        return max(values) - min(values) if values else 0.0

    def table(self, generators: Sequence[str]) -> Table:
        """Return the terms with the highest shares."""
        terms = dict.fromkeys(term for _, term in self.rows)
        table = sorted_table([(term, [self._cell(name, term) for name in generators]) for term in terms])
        return [row for row in table if any(cell and cell.value for cell in row[1])][:TERMS_SHOWN]

    def _cell(self, generator: str, term: str) -> Measurement | None:
        """Return a generator's row of a term; of images none of which is missing it is a share of nought."""
        n = self.images.get(generator, {}).get(term, 0)
        if (generator, term) in self.rows or not n:
            return self.rows.get((generator, term))
        like = next(row for (_, item), row in self.rows.items() if item == term)
        return counted(replace(like, generator=generator), 0, n)

    @property
    def rest(self) -> str:
        """How many terms are not shown, said behind the title of a chart."""
        terms = {term for terms_of_model in self.images.values() for term in terms_of_model}
        shown = min(len({term for (_, term), row in self.rows.items() if row.value}), TERMS_SHOWN)
        return t(": highest {shown} of {n|term|terms}", shown=shown, n=len(terms)) if len(terms) > shown else ""

    @property
    def worst(self) -> Measurement:
        """The term that loses most, of the generator that is most uneven."""
        # Where all are even, that may be a generator that misses nothing: only those that miss some have a worst term.
        generator = max(dict.fromkeys(row.generator for row in self.rows.values()), key=self._spread)
        mine = [row for row in self.rows.values() if row.generator == generator]
        return max(mine, key=lambda row: (_value(row), row.item))

    def sentence(self) -> str:
        """Say which term loses most, beside all other terms of that generator together."""
        worst = self.worst
        others = sum(self.images[worst.generator].values()) - worst.n
        lost = sum(row.missing for row in self.rows.values() if row.generator == worst.generator) - worst.missing
        values: dict[str, str | int] = {
            "reason": capital(self.label),
            "generator": worst.generator,
            "part": count(worst.missing),
            "n": worst.n,
            "term": worst.item,
            "other": percent(lost / others) if others else t("none"),
        }
        if self.looked:
            return t(
                "{reason}, {generator}: {part} of {n|image|images} made of “{term}”, "
                "and {other} of the images made of all other terms.",
                **values,
            )
        return t(
            "{reason}, {generator}: {part} of {n|image|images} of “{term}”, "
            "and {other} of the images of all other terms.",
            **values,
        )


def uneven_absences(rows: Iterable[Measurement], asked: Images) -> list[Absence]:
    """Return what differs between terms: all reasons taken together first, then each, the most uneven first.

    ``rows`` are those about terms; ``asked`` names the terms of which nothing is missing too.
    """
    lost = [row for row in rows if row.metric == "missing" and not row.attribute and row.missing]
    asked = _asked(lost, asked)
    unmade = _summed(row for row in lost if _unmade(row))
    made = {name: {term: n - unmade[name, term] for term, n in terms.items()} for name, terms in asked.items()}
    reasons = list(_by_reason(lost, asked, made))
    told = {_fact(item) for item in reasons}
    totals = []
    for item in _totals(lost, unmade, asked):
        if _fact(item) not in told:  # of one reason alone, the reason says it better
            told.add(_fact(item))
            totals.append(item)
    return [*_loudest(totals), *_loudest(reasons)]


def _asked(lost: Sequence[Measurement], asked: Images) -> Images:
    """Return how many images were asked for; of terms that miss some, as many as when they were measured."""
    images = {name: dict(terms) for name, terms in asked.items()}
    for row in lost:
        images.setdefault(row.generator, {})[row.item] = row.n
    return images


def _loudest(items: Sequence[Absence]) -> list[Absence]:
    return sorted((item for item in items if item.spread >= UNEVEN), key=lambda item: -item.spread)


def _by_reason(lost: Sequence[Measurement], asked: Images, made: Images) -> Iterator[Absence]:
    by_label: dict[str, dict[Cell, Measurement]] = {}
    for row in lost:
        by_label.setdefault(reason_label(row), {}).setdefault((row.generator, row.item), row)
    for label, cells in by_label.items():
        if all(_unmade(row) for row in cells.values()):
            yield Absence(label, cells, asked)
        else:
            rows = {cell: counted(row, row.missing, made[cell[0]][cell[1]]) for cell, row in cells.items()}
            yield Absence(label, rows, made, looked=True)


def _totals(lost: Sequence[Measurement], unmade: Counter[Cell], asked: Images) -> Iterator[Absence]:
    """Yield what is missing for any reason: images that do not exist, then all that each annotator cannot use."""
    method = lost[0].method if lost else ""  # another one may count the same images for other reasons
    mine = [row for row in lost if row.method == method]
    yield _total(t("no image, whatever the reason"), [row for row in mine if _unmade(row)], unmade, asked)
    for annotator in dict.fromkeys(row.annotator for row in mine if not _unmade(row)):
        rows = [row for row in mine if row.annotator == annotator or _unmade(row)]
        label = t("missing, whatever the reason ({annotator})", annotator=annotator)
        yield _total(label, rows, _summed(rows), asked)


def _total(label: str, rows: Sequence[Measurement], lost: Mapping[Cell, int], asked: Images) -> Absence:
    by_cell = {(row.generator, row.item): row for row in rows}
    return Absence(
        label, {cell: counted(row, lost[cell], asked[cell[0]][cell[1]]) for cell, row in by_cell.items()}, asked
    )


def _summed(rows: Iterable[Measurement]) -> Counter[Cell]:
    """Return how many images are missing for any of the reasons, each counted once whoever's row tells it."""
    each = {(row.generator, row.item, reason_label(row)): row.missing for row in rows}
    sums: Counter[Cell] = Counter()
    for (generator, term, _), missing in each.items():
        sums[generator, term] += missing
    return sums


def _fact(item: Absence) -> tuple[str, str, int]:
    return (item.worst.generator, item.worst.item, item.worst.missing) if item.rows else ("", "", 0)


def _unmade(row: Measurement) -> bool:
    return reason_parts(row.group)[0] in UNMADE


def _value(row: Measurement | None) -> float:
    return (known(row.value) or 0.0) if row else 0.0
