"""Shares beside their reference as deviations that the first screen may tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from portrayal.records import Measurement
from portrayal.reports.behind import Behind
from portrayal.reports.data import Picture, ReportData
from portrayal.reports.deviation import Deviation, Told
from portrayal.reports.gap import Gap, contradicted
from portrayal.reports.links import row_anchor
from portrayal.reports.lookup import chart_groups
from portrayal.reports.repeats import different
from portrayal.reports.rests import image_count
from portrayal.reports.words import aspect_title, capital, join, known

__all__ = ["ShareDeviations"]

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShareDeviations:
    """The shares of one method at some ``levels``: ``belongs`` says which pictures a row is about, ``about`` names it.

    ``fallback`` is the anchor of the charts that a row belongs to, for rows that are not drawn. ``reference`` is
    that of rows that name none.
    """

    data: ReportData
    levels: Sequence[str]
    belongs: Callable[[Measurement, Picture], bool]
    about: Callable[[Measurement], str]
    fallback: Callable[[Measurement], str]
    reference: str = ""

    def of(self, rows: Sequence[Measurement]) -> Iterator[Deviation]:
        """Return every share that has a reference as a comparison; of two groups one stands for both."""
        differences = {_key(row): row for row in rows if row.metric == "difference"}
        behind = Behind(self.data.pictures, self.belongs)
        gaps = [
            replace(found, repeated=different(self.data, row))
            for row in rows
            if self._wanted(row) and (found := _gap(row, differences.get(_key(row))))
        ]
        places: dict[Key, list[Gap]] = {}
        for gap in gaps:
            places.setdefault(_place(gap.row), []).append(gap)
        for gap in gaps:
            others = [own for own in places[_place(gap.row)] if own.row.annotator != gap.row.annotator]
            yield self._deviation(gap, others, behind)

    def _wanted(self, row: Measurement) -> bool:
        attribute = self.data.attributes.get(row.attribute.rpartition(".")[2])
        if row.metric != "share" or row.level not in self.levels or attribute is None:
            return False
        return row.group in chart_groups(attribute) and known(row.value) is not None

    def _deviation(self, gap: Gap, others: Sequence[Gap], behind: Behind) -> Deviation:
        row = gap.row

        def tell() -> Told:
            anchors = [
                row_anchor(row.method, row.annotator, row.attribute, row.group, row.item),
                self.fallback(row),
            ]
            about = capital(f"{self.about(row)} · {aspect_title(row.attribute, self.data.attributes)}")
            basis = gap.basis({"": self.reference, **self.data.reference_titles}, self._seen_by(gap, others))
            against = contradicted(own for own in others if not own.agrees(gap))
            return Told(about, gap.sentence(), basis, anchors, behind.pictures(row), against)

        broad = row.level == "overall"
        subject = (row.generator, row.attribute, row.level, row.item, row.language, row.variant)
        about = (row.attribute, image_count(row), gap.least)
        return Deviation(row.generator, subject, abs(gap.value), gap.p, broad, tell, *about)

    def _seen_by(self, gap: Gap, others: Sequence[Gap]) -> str:
        if len(self.data.annotators) < 2:
            return ""
        return join([gap.row.annotator, *(own.row.annotator for own in others if own.agrees(gap))])


def _key(row: Measurement) -> Key:
    return (row.annotator, *_place(row))


def _place(row: Measurement) -> Key:
    place = (row.level, row.item, row.language, row.variant)
    return (row.generator, row.attribute, row.group, *place)


def _gap(row: Measurement, gap: Measurement | None) -> Gap | None:
    """Return how far a share lies from its reference, or None where there is none or the interval is not known."""
    target, value = known(row.target), known(row.value)
    if value is None:
        return None
    if gap is not None:
        apart, low, high = known(gap.value), known(gap.low), known(gap.high)
        if apart is not None and low is not None and high is not None:
            return Gap(row, target, apart, low, high, gap)
    low, high = known(row.low), known(row.high)
    if target is None or low is None or high is None:
        return None
    return Gap(row, target, value - target, low - target, high - target, row)
