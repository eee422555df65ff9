"""People's graph and those of models beside one another, in the words of the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean

from portrayal.graph import Graph, shared_by_all
from portrayal.language.translation import t
from portrayal.methods.socialbiaskg.report.relation_words import edge_title, group_title, measured, type_title
from portrayal.methods.socialbiaskg.report.relations import Relations, Row, row_triple
from portrayal.methods.socialbiaskg.vertices import OCCUPATION
from portrayal.reports.data import ReportData
from portrayal.reports.figures.named_figures import NamedTable, basis, only_annotator
from portrayal.reports.text.words import count, decimal, percent

__all__ = ["difference_table", "rank_table", "shared", "undrawn_table", "unique_table"]

_COUNTS = ("compared", "untested", "shared", "first_only", "second_only", "contradictory")


def difference_table(data: ReportData, relations: Relations) -> NamedTable:
    """Return how many relations two graphs share and how many only one of them has."""
    rows = []
    for row in relations.differences:
        if not row["type"]:
            first = t("people") if row["first"] == "people" else row["first"]
            counts = [_counted(row[name]) for name in _COUNTS]
            jaccard = "–" if row["jaccard"] is None else decimal(row["jaccard"])
            rows.append([first, row["second"], *counts, jaccard, _counted(row["distance"])])
    header = [
        t("First"), t("Second"), t("Compared"), t("Not tested"), t("Both"), t("Only the first"), t("Only the second"),
        t("Contrary"), t("Jaccard"), t("Edit distance"),
    ]  # fmt: skip
    said = t("People’s relations that could be tested for both, all kinds together.")
    return _table(data, "differences", title=t("How the graphs differ"), header=header, rows=rows, said=said)


def _table(
    data: ReportData, name: str, title: str, header: Sequence[str], rows: Sequence[Sequence[str]], said: str = ""
) -> NamedTable:
    caption = " ".join(filter(None, (said, basis(data, only_annotator(data)))))
    return NamedTable(name, title, header, rows, caption=caption)


def _counted(number: int | None) -> str:
    return "–" if number is None else count(number)


def undrawn_table(data: ReportData, relations: Relations) -> NamedTable:
    """Return, for each group, how many of people's relations no model draws, of those that every model could show."""
    told = [
        {edge.triple for edge in rows if edge.annotated and edge.found is not None} for rows in relations.edges.values()
    ]
    tested = set.intersection(*told)
    drawn = {edge.triple for rows in relations.edges.values() for edge in rows if edge.annotated and edge.found}
    about, lost = Counter[str](), Counter[str]()
    for triple in tested:
        group = next(end.name for end in triple.ends if end.kind != OCCUPATION)
        about[group] += 1
        lost[group] += triple not in drawn
    rows = [
        [group_title(name), count(number), count(lost[name]), percent(lost[name] / number)]
        for name, number in sorted(about.items(), key=lambda pair: (-pair[1], pair[0]))
    ]
    title = t("Relations that people see and no model draws, by group, of those that could be tested for every model")
    return _table(data, "drawn by no model", title, [t("Group"), t("Tested"), t("Drawn by no model"), t("Share")], rows)


def shared(relations: Relations) -> str:
    """Return what all models have of people's relations."""
    graphs = [Graph(name, relations.vertices, relations.graph(name).edges) for name in relations.edges]
    common = [triple for triple in shared_by_all(graphs) if triple in relations.people]
    if len(graphs) < 2:
        return ""
    if not common:
        return t("No relation that people see was found in the images of all models.")
    kinds = Counter(triple.type for triple in common).most_common()
    listed = ", ".join(f"{type_title(name)} {count(number)}" for name, number in kinds)
    return t("{n|relation|relations} that people see and all models draw: {listed}.", n=len(common), listed=listed)


def rank_table(data: ReportData, relations: Relations) -> NamedTable | None:
    """Return each generator's mean rank of intensity on shared edges, and on how many it is the strongest."""
    by_model: dict[str, list[float]] = {}
    for row in relations.ranks:
        by_model.setdefault(row["generator"], []).append(row["rank"])
    if len(by_model) < 2:
        return None
    means = sorted((fmean(places), name, places.count(1)) for name, places in by_model.items())
    total = len(next(iter(by_model.values())))
    title = t("Intensity on relations that all models draw by the same metric: 1 is the strongest")
    rows = [[name, decimal(mean, 1), f"{count(first)} / {count(total)}"] for mean, name, first in means]
    return _table(data, "ranks", title, [t("Model"), t("Mean rank"), t("Strongest on")], rows)


def unique_table(data: ReportData, relations: Relations) -> NamedTable | None:
    """Return the relations that only one of all models draws: the model, the relation, its metric, and the others.

    Those that no interval leaves in doubt come first.
    """
    rows = sorted(relations.unique, key=lambda row: (row["generator"], not row["certain"], row["untested"]))
    if not rows:
        return None
    lines = [
        [row["generator"], edge_title(relations, row_triple(row)), measured({**row, "untold": ""}), _others(row)]
        for row in rows
    ]
    header = [t("Model"), t("Relation"), t("Measured"), t("Other models")]
    return _table(data, "drawn by one model", t("Relations that only one of all models draws"), header, lines)


def _others(row: Row) -> str:
    if not row["others"]:
        return t("could not be tested for any other")
    if row["untested"]:
        return t(
            "not drawn by {n|other model|other models}; could not be tested for {m}",
            n=row["others"],
            m=count(row["untested"]),
        )
    if row["certain"]:
        return t("not drawn by any other; no interval holds the threshold")
    return t("not drawn by any other; this may be chance, since an interval holds the threshold")
