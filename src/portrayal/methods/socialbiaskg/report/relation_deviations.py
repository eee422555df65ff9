"""What relations bring to the first screen: those that are in the images, the strongest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from portrayal.language.translation import t
from portrayal.methods.socialbiaskg.report.matrix import edge_anchors
from portrayal.methods.socialbiaskg.report.relation_words import edge_said, edge_title, measured, metric_title
from portrayal.methods.socialbiaskg.report.relations import NAME, EdgeRow, Relations, Row
from portrayal.methods.socialbiaskg.report.states import even_too
from portrayal.methods.socialbiaskg.wide import SHARES
from portrayal.records import Measurement
from portrayal.reports.data import ReportData
from portrayal.reports.findings.deviations.deviation import Counted, Deviation, Ranked, Ranking, Statement, Test, Thumb
from portrayal.reports.text.wide_intervals import sign
from portrayal.reports.text.words import capital, count, percent_range

__all__ = ["deviations", "rankings"]

SHOWN = 3


def deviations(data: ReportData, relations: Relations) -> Iterator[Deviation]:
    """Return every relation whose metric is known, compared with the threshold that decides.

    Relations that nobody named are looked for among very many, and some by two metrics: whatever was compared counts,
    also where nothing was found.
    """
    told: Counter[str] = Counter()
    for number, edges in enumerate(relations.edges.values()):
        anchors = edge_anchors(edges, number)
        for edge in edges:
            row = edge.decides
            if row is not None and row["value"] is not None:
                words = edge_title(relations, edge.triple), edge_said(relations, edge), anchors[edge.triple]
                told[edge.generator] += 1
                yield _deviation(data, edge, row, words)
    for made in data.measurements:
        if (made.method, made.metric) == (NAME, "compared"):
            for number in range(round(made.value or 0) - told[made.generator]):
                yield Deviation(made.generator, (made.generator, NAME, str(number)), Counted(), False, _unfound)


def _unfound() -> Statement:
    """Return nothing to tell: no p-value of 1 is ever told."""
    return Statement("", "", "", ())


def _deviation(data: ReportData, edge: EdgeRow, row: Row, told: tuple[str, str, str]) -> Deviation:
    title, said, anchor = told

    def word() -> Statement:
        pictures = [data.thumbnails.get(image, b"") for image in (row["images"] or ())[:SHOWN]]
        basis = f"{capital(metric_title(row))}: {measured(row)}"
        thumbs = [Thumb(picture, title) for picture in pictures if picture]
        return Statement(title, said.removesuffix("."), basis, [anchor, NAME], thumbs)

    ends = (*edge.triple.source, edge.triple.type, *edge.triple.target)
    return Deviation(edge.generator, (edge.generator, *ends), _test(edge, row), False, word)


def _test(edge: EdgeRow, row: Row) -> Test:
    """Return the test of a metric against its threshold; a relation that is not there is no deviation.

    Where an even model would have the relation too, it is tested against what that one gives.
    """
    from portrayal.stats.targets.target import NumberTest, ShareTest  # scipy takes a moment to load

    if not edge.found or None in (row["low"], row["high"]):
        return Counted()
    if row["even"] is not None and row["value"] >= row["even"]:
        return Counted()
    if row["metric"] in SHARES:
        return ShareTest(row["value"], row["n"], row["threshold"] if row["even"] is None else row["even"])
    return NumberTest(row["value"], row["low"], row["high"], row["threshold"], exact=row["p"])


def rankings(data: ReportData, relations: Relations) -> Iterator[Ranking]:
    """Return how many of people's relations each model has, of those that could be tested, where models are several."""
    rows = [row for row in data.measurements if (row.method, row.metric, row.level) == (NAME, "reproduced", "overall")]
    models = [
        Ranked(row.generator, row.value, row.low, row.high, _share(relations, row, row.value, (row.low, row.high)))
        for row in rows
        if row.value is not None and row.low is not None and row.high is not None
    ]
    if len(models) > 1:
        yield Ranking(t("Relations that people see and that are in the images"), models, NAME)


def _share(relations: Relations, row: Measurement, value: float, ends: tuple[float, float]) -> str:
    """Return the number of relations, and how many of them an even model would have too."""
    about = {"have": count(round(value * row.n)), "n": count(row.n), "interval": percent_range(*ends) + sign(row)}
    if even := sum(even_too(edge) for edge in relations.edges.get(row.generator, ()) if edge.annotated):
        return t("{have} of {n} ({interval}; {even} of them an even model would show too)", even=count(even), **about)
    return t("{have} of {n} ({interval})", **about)
