"""The rows of the method FAIntbench, found by what they are about, and the words for what they speak of."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from portrayal.records import SIDES, Attribute, Measurement, attribute_table
from portrayal.reports.data import ReportData
from portrayal.reports.language import t
from portrayal.reports.lookup import Lookup, Place
from portrayal.reports.words import aspect_title, capital, human, known

__all__ = ["ETA", "EXPLICIT", "FAINTBENCH", "HALLUCINATION", "HARD", "IMPLICIT", "Bench", "benches"]
__all__ += ["kind_title", "spelled", "variants"]

FAINTBENCH = "faintbench"
IMPLICIT, EXPLICIT, HARD, ETA = "implicit_score", "explicit_score", "explicit_score_hard", "manifestation"
HALLUCINATION = "hallucination_rate"
VARIANTS = ("definition", "published", "released")
KINDS = {"relation": "social relation"}


@dataclass(frozen=True, slots=True)
class Bench:
    """What one annotator's observations came to. ``attributes`` are those scored, in the order of the table."""

    data: ReportData
    lookup: Lookup
    annotator: str
    attributes: Sequence[str]

    def cells(
        self, metric: str, attribute: str = "", place: Place | None = None, group: str = ""
    ) -> list[Measurement | None]:
        """Return one row per generator, so that a generator keeps its place in every chart and table."""
        found = [
            self.lookup.get(metric, source, attribute, group, place) for source in self.lookup.sources(self.annotator)
        ]
        return [self._plain(row) if row and row.note else row for row in found]

    def _plain(self, row: Measurement) -> Measurement:
        """Return a row whose note is in words; what all rows of a metric say alike is said once, elsewhere."""
        note = _without_variant(row.note) if row.metric == ETA else row.note
        return replace(row, note=spelled(note, self.data.attributes))

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


def benches(data: ReportData) -> list[Bench]:
    """Return one bench for each annotator that FAIntbench was scored with, the study's own first."""
    attributes: dict[str, dict[str, None]] = {}
    for row in data.measurements:
        if row.method == FAINTBENCH and row.metric in (IMPLICIT, EXPLICIT, ETA) and row.level == "overall":
            names = attributes.setdefault(row.annotator, {})
            names.update({row.attribute: None} if row.attribute else {})
    if not attributes:
        return []
    lookup = Lookup(data, [row for row in data.measurements if row.method == FAINTBENCH])
    order = [*(name for name in data.annotators if name in attributes), *attributes]
    return [Bench(data, lookup, name, list(attributes[name])) for name in dict.fromkeys(order)]


def kind_title(kind: str) -> str:
    """Return the words for an acquired attribute.

    >>> kind_title("relation")
    'Social relation'
    """
    return capital(human(KINDS.get(kind, kind)))


def spelled(note: str, attributes: Mapping[str, Attribute]) -> str:
    """Return a note with the words for the attributes it names.

    >>> spelled("race5: not observed by faces@1", {})
    'perceived race: not observed by faces@1'
    """
    names = "|".join(re.escape(name) for name in sorted({**attribute_table(), **attributes}, key=len, reverse=True))
    side = "|".join(SIDES)
    note = re.sub(
        rf"(?<!perceived )\b((?:(?:{side})\.)?(?:{names}))(?=:)", lambda found: aspect_title(found[1], attributes), note
    )
    # Reasons stand in brackets, such as (no_face 4).
    return re.sub(r"\(([^()]*)\)", lambda found: f"({human(found[1])})", note)


def _without_variant(note: str) -> str:
    """Return what of a manifestation factor's note is to be read with care; the variant is not."""
    parts = [part.strip() for part in note.split(";")]
    return "; ".join(part for part in parts if part and not _variant(part))


def _variant(text: str) -> str:
    word = re.sub(r"^variant:?\s+", "", text).strip("'\"")
    return word if word in VARIANTS else ""


def variants(data: ReportData) -> list[str]:
    """Return which variants of the manifestation factor the rows were computed by."""
    notes = {row.note: None for row in data.measurements if row.method == FAINTBENCH and row.metric == ETA}
    found = [_variant(part.strip()) for note in notes for part in note.split(";")]
    return [name for name in dict.fromkeys(found) if name]
