"""Shares beside their reference as deviations that the first screen may show."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from portrayal.records import Measurement
from portrayal.reports.corrected_share import CorrectedShare, deciding, share_key
from portrayal.reports.data import Picture, ReportData
from portrayal.reports.findings.deviations.deviation import Deviation, Line, Refuted, Statement
from portrayal.reports.findings.doubts import (
    Against,
    could_be_missing,
    doubts,
    explained_by_errors,
    rests_on_range,
    surely_misread,
)
from portrayal.reports.findings.missing_ends import MissingEnds
from portrayal.reports.findings.pictures_behind import PicturesBehind
from portrayal.reports.findings.words.correction_words import does_not_survive
from portrayal.reports.findings.words.people_words import read_as
from portrayal.reports.findings.words.share_words import ShareGap, contradicted
from portrayal.reports.gallery.picture_links import row_anchor
from portrayal.reports.lookup import chart_groups
from portrayal.reports.reading_errors import ReadingErrors
from portrayal.reports.text.sample_words import image_count
from portrayal.reports.text.words import aspect_title, capital, human, join, known

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
        behind = PicturesBehind(self.data.pictures, self.belongs)
        missing = MissingEnds.of(rows, self.data.asked, self.data.missing_within, evenly=self.data.asked_evenly)
        free = replace(missing, within=1.0)
        corrected = deciding(self.data.corrections)
        wanted = [row for row in rows if self._wanted(row)]
        gaps = [gap for row in wanted if (gap := _gap(row, differences.get(_key(row)), corrected.get(share_key(row))))]
        places: dict[Key, list[ShareGap]] = {}
        for gap in gaps:
            places.setdefault(_place(gap.row), []).append(gap)
        for gap in gaps:
            others = [other for other in places[_place(gap.row)] if other.row.annotator != gap.row.annotator]
            ends = missing.ends(gap.row) if gap.row.missing else None
            freely = free.ends(gap.row) if ends and self.data.missing_within < 1 else None
            both = (_moved(gap, ends), _moved(gap, freely))
            against = Against(self._errors(gap), gap.fixed, both[0], self.data.missing_within, both[1])
            yield self._deviation(gap, others, behind, against)

    def _wanted(self, row: Measurement) -> bool:
        attribute = self.data.attributes.get(row.attribute.rpartition(".")[2])
        if row.metric != "share" or row.level not in self.levels or attribute is None:
            return False
        return row.group in chart_groups(attribute) and known(row.value) is not None

    def _deviation(
        self, gap: ShareGap, others: Sequence[ShareGap], behind: PicturesBehind, against: Against
    ) -> Deviation:
        from portrayal.stats.targets.target import CorrectedShareTest, ShareTest  # scipy takes a moment to load

        row, errors, fixed = gap.row, against.errors, gap.fixed if gap.target is not None else None
        share_test = gap.test if isinstance(gap.test, ShareTest | CorrectedShareTest) else None
        misread = surely_misread(row, errors) if fixed is None else (0.0, 0.0)
        return Deviation(
            row.generator,
            (row.generator, row.attribute, row.level, row.item, row.language, row.variant),
            test=gap.test,
            broad=row.level == "overall",
            word=lambda: self._statement(gap, others, behind, against),
            topic=row.attribute,
            images=image_count(gap.compared),
            missing=gap.compared.missing,
            line=lambda: Line(self._line_about(row), gap.counted(), gap.ends(), gap.wanted(), human(row.group)),
            term=row.item if row.level == "term" else "",
            prompts=row.prompts,
            within=self.data.missing_within,
            misread=misread,
            error=errors.overall.misread / max(errors.overall.of, 1) if errors else None,
            explained=share_test is not None
            and (explained_by_errors(row, share_test, against) or could_be_missing(share_test, against.ends)),
            stated=share_test is not None and rests_on_range(share_test, against),
            row=gap.compared,
            corrected=fixed,
            refuted=Refuted(gap.as_read.p, lambda: self._refuted(gap, fixed)) if _is_refuted(fixed) and fixed else None,
        )

    def _refuted(self, gap: ShareGap, fixed: CorrectedShare) -> str:
        about = f"{self.about(gap.row)} · {aspect_title(gap.row.attribute, self.data.attributes)}"
        return f"{capital(about)}: {read_as(gap.row)}. {does_not_survive(fixed)}"

    def _line_about(self, row: Measurement) -> str:
        about = capital(self.about(row))
        return about if len(self.data.annotators) < 2 else f"{about} ({row.annotator})"

    def _errors(self, gap: ShareGap) -> ReadingErrors | None:
        errors = self.data.errors.get((gap.row.annotator, gap.row.attribute.rpartition(".")[2]))
        return errors.of_model(gap.row.generator) if errors else None

    def _statement(
        self, gap: ShareGap, others: Sequence[ShareGap], behind: PicturesBehind, against: Against
    ) -> Statement:
        row = gap.row
        anchors = [row_anchor(row.method, row.annotator, row.attribute, row.group, row.item), self.fallback(row)]
        about = capital(f"{self.about(row)} · {aspect_title(row.attribute, self.data.attributes)}")
        basis = gap.basis({"": self.reference, **self.data.reference_titles}, self._seen_by(gap, others))
        contested = contradicted(other for other in others if not other.agrees(gap))
        return Statement(
            about,
            gap.sentence(),
            basis=basis,
            anchors=anchors,
            pictures=behind.pictures(row),
            cautions=[*filter(None, [contested]), *self._doubts(gap, against)],
        )

    def _doubts(self, gap: ShareGap, against: Against) -> Iterator[str]:
        from portrayal.stats.targets.target import CorrectedShareTest, ShareTest  # scipy takes a moment to load

        if isinstance(gap.test, ShareTest | CorrectedShareTest):
            yield from doubts(gap.row, gap.test, against)

    def _seen_by(self, gap: ShareGap, others: Sequence[ShareGap]) -> str:
        if len(self.data.annotators) < 2:
            return ""
        agreeing = [f"{other.row.annotator} ({other.share()})" for other in others if other.agrees(gap)]
        return join([gap.row.annotator, *agreeing])


def _key(row: Measurement) -> Key:
    return (row.annotator, *_place(row))


def _place(row: Measurement) -> Key:
    return (row.generator, row.attribute, row.group, row.level, row.item, row.language, row.variant)


def _is_refuted(fixed: CorrectedShare | None) -> bool:
    return fixed is not None and fixed.change in ("gone", "reversed")


def _moved(gap: ShareGap, ends: tuple[float, float] | None) -> tuple[float, float] | None:
    """Return what missing images could make of a share, moved as far as labels move it."""
    if ends is None or gap.fixed is None or gap.fixed.value is None:
        return ends
    by = gap.fixed.value - (gap.row.value or 0.0)
    return min(max(ends[0] + by, 0.0), 1.0), min(max(ends[1] + by, 0.0), 1.0)


def _gap(row: Measurement, difference: Measurement | None, fixed: CorrectedShare | None) -> ShareGap | None:
    """Return how far a share lies from its reference, or None where there is none or the interval is not known."""
    if None in (known(row.value), known(row.low), known(row.high)):
        return None
    target = known(row.target)
    if target is not None:
        return ShareGap(row, target, row, fixed)
    if difference is None or None in (known(difference.value), known(difference.low), known(difference.high)):
        return None
    return ShareGap(row, None, difference)
