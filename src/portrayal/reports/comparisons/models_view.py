"""What a page shows of models compared: the answer with pictures of both, then a table for each pair of models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from portrayal.language.translation import t
from portrayal.records import Measurement
from portrayal.reports.comparisons.by_labels import ByLabels, by_labels
from portrayal.reports.comparisons.compared_sides import ComparedSides
from portrayal.reports.comparisons.difference import Difference
from portrayal.reports.comparisons.difference_figures import difference_chart, difference_table
from portrayal.reports.comparisons.models_compared import ModelsCompared, compare_models
from portrayal.reports.comparisons.words.difference_words import DifferenceLine, basis, plain_basis
from portrayal.reports.corrected_difference import differences_by_place
from portrayal.reports.data import Picture, ReportData, in_order
from portrayal.reports.figures.named_figures import NamedChart, NamedTable
from portrayal.reports.findings.deviations.deviation import Thumb
from portrayal.reports.findings.pictures_behind import PicturesBehind
from portrayal.reports.text.wide_intervals import SIGN

__all__ = ["DifferenceStatement", "ModelsView", "PairTable", "models_view"]

OPEN_LINES = 10
"""Lines of a table that are shown openly; the others are folded."""
MOST_LINES = 400
"""Lines of all tables together: the page of many models stays one that a browser opens at once."""


@dataclass(frozen=True, slots=True)
class DifferenceStatement:
    """A difference in a sentence, what it rests on, and pictures of both models."""

    difference: Difference
    sentence: str
    basis: str
    one: str
    one_pictures: Sequence[Thumb]
    other: str
    other_pictures: Sequence[Thumb]
    plain_basis: str = ""
    """The same without what only statisticians need."""


@dataclass(frozen=True, slots=True)
class PairTable:
    """Every difference of two models, the surest first, and what is not compared."""

    one: str
    other: str
    lines: Sequence[DifferenceLine]
    folded: Sequence[DifferenceLine]
    more: int
    """How many lines are not on the page."""
    incomplete: Sequence[str]
    chart: NamedChart | None
    table: NamedTable
    """All lines, as a file of their own."""


@dataclass(frozen=True, slots=True)
class ModelsView:
    """``statements`` are what differs most, and ``nearer`` says which side of these is nearer to the reference.

    Where nothing was found, ``nothing`` says so, and what would have been.
    """

    statements: Sequence[DifferenceStatement]
    nearer: Sequence[str]
    nothing: Sequence[str]
    summary: str
    tables: Sequence[PairTable]
    counted: str = ""
    """How many comparisons differ, as the summary begins: without what the tables hold."""
    missing: Sequence[str] = ()
    """Of which models more pictures are missing."""
    refuted: Sequence[str] = ()
    """Which differences were read that labels do not bear out."""

    @property
    def has_lines(self) -> bool:
        """Whether anything at all could be compared."""
        return any(table.lines for table in self.tables)

    @property
    def is_signed(self) -> bool:
        """Whether any interval is wider than it need be, and has the sign that must be explained."""
        shown = (line.interval for table in self.tables for line in (*table.lines, *table.folded))
        return any(SIGN in text for text in (*shown, *(each.basis for each in self.statements)))

    @property
    def thumbnails(self) -> list[bytes]:
        """Every picture it shows."""
        sides = (side for each in self.statements for side in (each.one_pictures, each.other_pictures))
        return [thumb.thumbnail for side in sides for thumb in side]


def models_view(data: ReportData) -> ModelsView | None:
    """Return what the page shows of several models; None where there is one, or nothing to be said of both.

    Where nothing can be compared, of which model more pictures are missing is all there is, and it says why.
    """
    compared = compare_models(
        data.measurements,
        in_order(data, data.generators),
        data.tolerance,
        data.attributes,
        pairing=data.pairing,
        within=data.missing_within,
    )
    if compared is None:
        return None
    behind, corrected = PicturesBehind(data.pictures, _belongs), differences_by_place(data.corrected_differences)
    told = by_labels(compared, corrected, data.corrections)
    return ModelsView(
        [_statement(each, compared, behind, told) for each in told.borne_out.largest()],
        nearer=told.nearer(),
        nothing=told.nothing(),
        summary=" ".join(filter(None, (told.summary(), told.borne_out.possible(), compared.pairs_words()))),
        tables=[_table(compared, pair, told) for pair in compared.pairs],
        counted=told.summary(),
        missing=compared.missing_words(),
        refuted=told.refuted(),
    )


def _belongs(row: Measurement, picture: Picture) -> bool:
    return row.level == "overall" or picture.term == row.item


def _statement(
    each: Difference, compared: ModelsCompared, behind: PicturesBehind, told: ByLabels
) -> DifferenceStatement:
    return DifferenceStatement(
        each,
        sentence=told.sentence(each),
        basis=basis(each, compared.looked_at),
        one=each.one.generator,
        one_pictures=behind.pictures(each.one),
        other=each.other.generator,
        other_pictures=behind.pictures(each.other),
        plain_basis=plain_basis(each),
    )


def _table(compared: ModelsCompared, pair: ComparedSides, labels: ByLabels) -> PairTable:
    most = max(MOST_LINES // len(compared.pairs), OPEN_LINES)
    told = pair.differences[:most]
    doubts = [labels.doubt(each) for each in told]
    plain = compared.lines(replace(pair, differences=told))
    lines = [
        replace(line, verdict=f"{line.verdict}; {doubt}") if doubt else line
        for line, doubt in zip(plain, doubts, strict=True)
    ]
    incomplete = [*pair.incomplete(), *compared.left_out]
    more = max(len(pair.differences) - most, 0)
    left = t(
        "{n|further comparison is|further comparisons are} not listed here; portrayal compare --all lists them.", n=more
    )
    said = [compared.summary(), left if more else ""]
    names = pair.one, pair.other
    return PairTable(
        *names,
        lines=lines[:OPEN_LINES],
        folded=lines[OPEN_LINES:],
        more=more,
        incomplete=incomplete,
        chart=difference_chart(*names, pair.differences, compared.attributes, seen_by=compared.seen_by),
        table=difference_table(*names, lines, caption=" ".join(filter(None, said))),
    )
