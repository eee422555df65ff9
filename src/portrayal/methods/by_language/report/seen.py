"""The measurements of a method, found by what they are about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from portrayal.records import Attribute, Measurement, attribute_table
from portrayal.reports.data import ReportData
from portrayal.reports.lookup import chart_groups
from portrayal.reports.text.words import known

__all__ = ["DIFFERENCE", "DISTANCE", "MISSING", "PAIRED", "SHARE", "Pair", "Seen", "Where", "everyone"]

SHARE, DIFFERENCE, DISTANCE = "share", "difference", "total_variation"
PAIRED, MISSING = "paired_difference", "missing"
VARIANTS = ("direct", "feminine", "star", "indirect", "group")
PARTLY = "reference_covers"
"""The code of the note where a reference has figures for some prompts only."""
FIRST = ("gender", "race")
"""How the names of the attributes begin that are shown before the others."""


class Where(NamedTuple):
    """Which prompts a number is about: of one language, of one wording, of one category; empty is all."""

    language: str = ""
    variant: str = ""
    category: str = ""


class Pair(NamedTuple):
    """Two wordings, compared on the same seeds: what was measured, and the baseline it is compared with."""

    language: str
    variant: str
    reference: str

    @property
    def baseline(self) -> tuple[str, str]:
        """The language and the variant compared with."""
        language, _, variant = self.reference.partition(" ")
        return language, variant

    @property
    def across(self) -> bool:
        """Whether the two differ in their language."""
        return self.language != self.baseline[0]


@dataclass(frozen=True, slots=True)
class Seen:
    """What one annotator saw. Of rows that differ only in their reference, the first is shown.

    ``silent`` are attributes of which nothing could be seen; they have no charts.
    """

    data: ReportData
    annotator: str
    by: str
    """What tells names of charts and tables from those of other annotators; empty: there is only one."""
    attributes: Sequence[Attribute]
    silent: Sequence[Attribute]
    languages: Sequence[str]
    rows: Sequence[Measurement]
    by_place: Mapping[tuple[str, ...], Measurement]

    @property
    def models(self) -> Sequence[str]:
        """Whose images were seen."""
        return self.data.generators

    def cells(self, metric: str, attribute: str, group: str, where: Where) -> list[Measurement | None]:
        """Return one row per model, so that a model keeps its place in every chart and table."""
        return [self._get((metric, attribute, group, model, *where)) for model in self.models]

    def _get(self, key: tuple[str, ...]) -> Measurement | None:
        row = self.by_place.get(key)
        # What could not be measured at all stands in one row without a group, which says why.
        return row or self.by_place.get((*key[:2], "", *key[3:]))

    def paired(self, attribute: str, group: str, pair: Pair) -> list[Measurement | None]:
        """Return the difference between two wordings, one row per model."""
        place = (pair.language, pair.variant, "", pair.reference)
        return [self._get((PAIRED, attribute, group, model, *place)) for model in self.models]

    def pairs(self) -> list[Pair]:
        """Return the pairs compared over all categories, in the order in which languages and variants are shown."""
        rows = [row for row in self.rows if row.metric == PAIRED and row.level == "overall" and row.reference]
        pairs = {Pair(row.language, row.variant, row.reference) for row in rows}
        return sorted(pairs, key=lambda pair: (self._rank(pair.language), _place(pair.variant), pair.reference))

    def variants(self) -> list[Where]:
        """Return every wording in every language, where any was told apart."""
        rows = [row for row in self.rows if row.metric in (SHARE, MISSING) and row.level == "overall" and row.variant]
        wordings = {Where(row.language, row.variant) for row in rows}
        return sorted(wordings, key=lambda where: (self._rank(where.language), _place(where.variant)))

    def categories(self, attribute: str, language: str) -> list[str]:
        """Return the categories measured, in the order of the table."""
        mine = (row for row in self._shares(attribute) if row.level == "category" and row.language == language)
        return list(dict.fromkeys(row.item for row in mine if not row.variant))

    def groups(self, attribute: Attribute) -> list[str]:
        """Return the groups worth a chart: those that have a row, or all where nothing could be measured."""
        mine = {row.group for row in self._shares(attribute.name)}
        wanted = chart_groups(attribute)
        return [group for group in wanted if group in mine] or list(wanted)

    def sources(self, attribute: str) -> list[tuple[str, str]]:
        """Return the references an attribute is compared with, each with where its figures come from."""
        mine = (row for row in self.rows if row.attribute == attribute and row.metric in (SHARE, DIFFERENCE))
        names = dict.fromkeys(row.reference for row in mine if row.reference)
        return [(name, self.data.reference_sources.get(name, "")) for name in names]

    @property
    def partly(self) -> bool:
        """Whether any reference is silent on some of the prompts it is compared with."""
        return any(note.code == PARTLY for row in self.rows if row.metric == DIFFERENCE for note in row.notes)

    def _shares(self, attribute: str) -> list[Measurement]:
        return [row for row in self.rows if row.metric == SHARE and row.attribute == attribute]

    def _rank(self, language: str) -> int:
        return list(self.languages).index(language)


def _place(variant: str) -> tuple[int, str]:
    """Return where a variant stands: the published ones first, a language pack's own after them by name."""
    return (VARIANTS.index(variant) if variant in VARIANTS else len(VARIANTS), variant)


def _key(row: Measurement) -> tuple[str, ...]:
    more = (row.reference,) if row.metric == PAIRED else ()
    return (row.metric, row.attribute, row.group, row.generator, row.language, row.variant, row.item, *more)


def everyone(data: ReportData, language: str, method: str) -> list[Seen]:
    """Return what each annotator saw, the study's own annotators first and ``language`` before the others."""
    rows = data.rows(method)
    names = dict.fromkeys(row.annotator for row in rows)
    order = [name for name in dict.fromkeys([*data.annotators, *names]) if name in names]
    languages = sorted(dict.fromkeys(row.language for row in rows), key=lambda code: code != language)
    shown = [name for name in order if name or len(order) == 1]
    return [_seen(data, name, f" {name}" if len(shown) > 1 else "", languages, rows) for name in shown]


def _seen(data: ReportData, annotator: str, by: str, languages: Sequence[str], rows: Sequence[Measurement]) -> Seen:
    # What no annotator was needed for, such as a refusal, holds for all of them.
    mine = [row for row in rows if row.annotator in (annotator, "")]
    by_place: dict[tuple[str, ...], Measurement] = {}
    for row in mine:
        by_place.setdefault(_key(row), row)
    every = _attributes(data, mine)
    valued = {row.attribute for row in mine if row.metric == SHARE and known(row.value) is not None}
    told, silent = ([item for item in every if (item.name in valued) is wanted] for wanted in (True, False))
    return Seen(data, annotator, by, told, silent, languages=languages, rows=mine, by_place=by_place)


def _attributes(data: ReportData, rows: Sequence[Measurement]) -> list[Attribute]:
    """Return the attributes that have shares: perceived gender, then perceived race, then the others."""
    names = dict.fromkeys(row.attribute for row in rows if row.metric == SHARE and row.attribute)
    known_ones = {**attribute_table(), **data.attributes}
    order = sorted(names, key=lambda name: next((i for i, word in enumerate(FIRST) if name.startswith(word)), 9))
    return [known_ones[name] for name in order if name in known_ones]
