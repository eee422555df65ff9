"""The rows of a benchmark, found by what they are about, and the words for what they speak of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from portrayal.language.translation import t
from portrayal.records import Attribute, Measurement, attribute_table
from portrayal.reports.data import ReportData
from portrayal.reports.lookup import Lookup, Place
from portrayal.reports.text.words import aspect_title, capital, human, known

__all__ = ["ETA", "EXPLICIT", "HALLUCINATION", "HARD", "IMPLICIT", "Bench", "benches"]
__all__ += ["kind_title", "variants"]

IMPLICIT, EXPLICIT, HARD, ETA = "implicit_score", "explicit_score", "explicit_score_hard", "manifestation"
LABELS = "label_share"
HALLUCINATION = "hallucination_rate"
VARIANT = "variant"
"""The code of the note that says which variant of the manifestation factor was computed."""
KINDS = {"relation": "social relation"}


@dataclass(frozen=True, slots=True)
class Bench:
    """What one annotator's observations came to. ``attributes`` are those scored, in the order of the table."""

    data: ReportData
    lookup: Lookup
    annotator: str
    attributes: Sequence[str]
    by: str = ""
    """What tells names of charts and tables from those of other annotators; empty: there is only one."""
    questions: bool = False
    """Whether what is scored is a question, asked in several wordings, and no single prompt."""

    def cells(
        self, metric: str, attribute: str = "", place: Place | None = None, group: str = ""
    ) -> list[Measurement | None]:
        """Return one row per generator, so that a generator keeps its place in every chart and table."""
        sources = self.lookup.sources(self.annotator)
        rows = [self.lookup.get(metric, source, attribute, group, place) for source in sources]
        return [_without_variant(row) if row and row.metric == ETA else row for row in rows]

    def items(self, metric: str, level: str) -> list[str]:
        """Return what was scored at a level, in the order of the table."""
        names = [item for attribute in ("", *self.attributes) for item in self.lookup.items(metric, attribute, level)]
        return list(dict.fromkeys(names))

    def scored(self, metric: str, level: str) -> list[str]:
        """Return the attributes worth a chart: the total where there is one, else each attribute that has a value."""
        items = [Place(level, item) for item in self.items(metric, level)]

        def valued(attribute: str) -> bool:
            rows = [row for place in items for row in self.cells(metric, attribute, place)]
            return any(row and known(row.value) is not None for row in rows)

        return [""] if valued("") else [name for name in self.attributes if valued(name)]

    def title(self, attribute: str) -> str:
        """Return the words for an attribute; none is all of them."""
        return capital(self.titled(attribute))

    def titled(self, attribute: str) -> str:
        """Return the words for an attribute as they stand within a sentence."""
        return aspect_title(attribute, self.data.attributes) if attribute else t("all attributes")

    def attribute(self, name: str) -> Attribute | None:
        """Return an attribute by name, also one that no annotator of the study looked at."""
        return self.data.attributes.get(name) or attribute_table().get(name)


def benches(data: ReportData, method: str) -> list[Bench]:
    """Return one bench for each annotator that the method was scored with, the study's own first."""
    attributes: dict[str, dict[str, None]] = {}
    for row in data.rows(method):
        if row.metric in (IMPLICIT, EXPLICIT, ETA) and row.level == "overall":
            names = attributes.setdefault(row.annotator, {})
            names.update({row.attribute: None} if row.attribute else {})
    if not attributes:
        return []
    lookup = Lookup(data, data.rows(method))
    order = [*(name for name in data.annotators if name in attributes), *attributes]
    by = {name: f" {name}" if len(attributes) > 1 else "" for name in order}
    return [Bench(data, lookup, name, list(attributes[name]), by[name]) for name in by]


def kind_title(kind: str) -> str:
    """Return the words for an acquired attribute.

    >>> kind_title("relation")
    'Social relation'
    """
    return capital(human(KINDS.get(kind, kind)))


def _without_variant(row: Measurement) -> Measurement:
    """Return a row without the variant it was computed by: what all rows of a metric say alike is said once."""
    return replace(row, notes=tuple(note for note in row.notes if note.code != VARIANT))


def variants(data: ReportData, method: str) -> list[str]:
    """Return which variants of the manifestation factor the rows were computed by."""
    rows = (row for row in data.rows(method) if row.metric == ETA)
    return list(dict.fromkeys(note["name"] for row in rows for note in row.notes if note.code == VARIANT))
