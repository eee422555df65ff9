"""Shares beside their reference as deviations that the first screen may tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from portrayal.records import Measurement
from portrayal.reports.behind import Behind
from portrayal.reports.data import Picture, ReportData
from portrayal.reports.deviation import Deviation, Told
from portrayal.reports.language import t, word
from portrayal.reports.links import row_anchor
from portrayal.reports.lookup import chart_groups
from portrayal.reports.rests import image_count, rests_on
from portrayal.reports.words import (
    aspect_title,
    capital,
    human,
    known,
    percent,
    percent_range,
    points,
    signed,
    span,
)

__all__ = ["ShareDeviations"]

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShareDeviations:
    """The shares of one method at some ``levels``: ``belongs`` says which pictures a row is about, ``about`` names it.

    ``fallback`` is the anchor of an attribute's charts, for rows that are not drawn.
    """

    data: ReportData
    levels: Sequence[str]
    belongs: Callable[[Measurement, Picture], bool]
    about: Callable[[Measurement], str]
    fallback: Callable[[str], str]

    def of(self, rows: Sequence[Measurement]) -> Iterator[Deviation]:
        """Return every share that has a reference as a comparison; of two groups one stands for both."""
        gaps = {_key(row): row for row in rows if row.metric == "difference"}
        behind = Behind(self.data.pictures, self.belongs)
        for row in rows:
            attribute = self.data.attributes.get(row.attribute.rpartition(".")[2])
            if row.metric != "share" or row.level not in self.levels or attribute is None:
                continue
            if row.group in chart_groups(attribute) and known(row.value) is not None:
                found = _gap(row, gaps.get(_key(row)))
                if found:
                    yield self._deviation(found, behind)

    def _deviation(self, gap: _Gap, behind: Behind) -> Deviation:
        row = gap.row

        def tell() -> Told:
            anchors = [
                row_anchor(row.method, row.annotator, row.attribute, row.group, row.item),
                self.fallback(row.attribute),
            ]
            about = capital(f"{self.about(row)} · {aspect_title(row.attribute, self.data.attributes)}")
            return Told(about, gap.sentence(), gap.basis(self._seen_by(row)), anchors, behind.pictures(row))

        broad = row.level == "overall"
        subject = (row.generator, row.attribute, row.level, row.item, row.language, row.variant)
        return Deviation(row.generator, subject, abs(gap.value), gap.p, broad, tell, image_count(row), gap.least)

    def _seen_by(self, row: Measurement) -> str:
        return row.annotator if len(self.data.annotators) > 1 else ""


@dataclass(frozen=True, slots=True)
class _Gap:
    """A share, and how far it lies from its target; ``target`` is None where the reference covers some prompts only."""

    row: Measurement
    target: float | None
    value: float
    low: float
    high: float
    covered: Measurement

    @property
    def p(self) -> float:
        from portrayal.stats.target import number_p, share_p  # scipy takes a moment to load

        row, target = self.row, self.target
        if target is None or row.value is None:
            return number_p(self.value, self.low, self.high, 0.0, self.covered.prompts)
        return share_p(row.value, self.low + target, self.high + target, target, row.n, row.prompts)

    def least(self, p: float) -> list[float]:
        from portrayal.stats.target import least_difference, least_share

        row, target = self.row, self.target
        if target is None:
            return least_difference(self.low, self.high, self.covered.prompts, p)
        return least_share(self.low + target, self.high + target, target, row.n, row.prompts, p)

    def sentence(self) -> str:
        row, group = self.row, human(self.row.group)
        if self.target is None:
            return t("{points} {group} compared with the reference", points=points(self.value), group=group)
        told = {"share": percent(row.value or 0.0, row.n), "group": group, "target": percent(self.target, row.n)}
        if self.value > 0:
            return t("{share} {group}, more than the {target} of the reference", **told)
        return t("{share} {group}, fewer than the {target} of the reference", **told)

    def basis(self, seen_by: str) -> str:
        reference = word(self.covered.reference)
        parts = [
            t("95 % interval {interval}", interval=self.interval()),
            rests_on(self.covered),
            t("reference: {name}", name=reference) if reference else "",
            t("seen by {annotator}", annotator=seen_by) if seen_by else "",
        ]
        return ", ".join(filter(None, parts))

    def interval(self) -> str:
        if self.target is None:
            return span(signed(100 * self.low), signed(100 * self.high))
        return percent_range(max(self.low + self.target, 0.0), min(self.high + self.target, 1.0), self.row.n)


def _key(row: Measurement) -> Key:
    place = (row.level, row.item, row.language, row.variant)
    return (row.generator, row.annotator, row.attribute, row.group, *place)


def _gap(row: Measurement, gap: Measurement | None) -> _Gap | None:
    """Return how far a share lies from its reference, or None where there is none or the interval is not known."""
    target, value = known(row.target), known(row.value)
    if value is None:
        return None
    if gap is not None:
        apart, low, high = known(gap.value), known(gap.low), known(gap.high)
        if apart is not None and low is not None and high is not None:
            return _Gap(row, target, apart, low, high, gap)
    low, high = known(row.low), known(row.high)
    if target is None or low is None or high is None:
        return None
    return _Gap(row, target, value - target, low - target, high - target, row)
