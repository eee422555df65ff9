"""People's graph and those of models beside one another, in the words of the page."""

from __future__ import annotations

from collections import Counter

from portrayal.graph import Graph, shared_by_all
from portrayal.methods.socialbiaskg.report.rows import Relations, Row, row_triple
from portrayal.methods.socialbiaskg.report.words import edge_title, group_title, measured, type_title
from portrayal.methods.socialbiaskg.vertices import OCCUPATION
from portrayal.reports.language import t
from portrayal.reports.words import count, decimal, percent

__all__ = ["differences", "ranks", "shared", "undrawn", "unique"]

_COUNTS = ("compared", "untested", "shared", "first_only", "second_only", "contradictory")


def differences(found: Relations) -> list[list[str]]:
    """Return how many relations two graphs share and how many only one of them has."""
    rows = []
    for row in found.differences:
        if not row["type"]:
            first = t("people") if row["first"] == "people" else row["first"]
            counts = [_counted(row[name]) for name in _COUNTS]
            jaccard = "–" if row["jaccard"] is None else decimal(row["jaccard"])
            rows.append([first, row["second"], *counts, jaccard, _counted(row["distance"])])
    return rows


def _counted(number: int | None) -> str:
    return "–" if number is None else count(number)


def undrawn(found: Relations) -> list[tuple[str, str, str, str]]:
    """Return, for each group, how many of people's relations no model draws, of those that every model could show."""
    told = [{own.triple for own in rows if own.annotated and own.found is not None} for rows in found.edges.values()]
    tested = set.intersection(*told)
    drawn = {own.triple for rows in found.edges.values() for own in rows if own.annotated and own.found}
    about, lost = Counter[str](), Counter[str]()
    for triple in tested:
        group = next(end.name for end in triple.ends if end.kind != OCCUPATION)
        about[group] += 1
        lost[group] += triple not in drawn
    return [
        (group_title(name), count(number), count(lost[name]), percent(lost[name] / number))
        for name, number in sorted(about.items(), key=lambda pair: (-pair[1], pair[0]))
    ]


def shared(found: Relations) -> str:
    """Return what all models have of people's relations."""
    graphs = [Graph(name, found.vertices, found.graph(name).edges) for name in found.edges]
    common = [triple for triple in shared_by_all(graphs) if triple in found.people]
    if len(graphs) < 2:
        return ""
    if not common:
        return t("No relation of people’s was found in the images of all models.")
    kinds = Counter(triple.type for triple in common).most_common()
    listed = ", ".join(f"{type_title(name)} {count(number)}" for name, number in kinds)
    return t("{n|relation|relations} of people’s that all models draw: {listed}.", n=len(common), listed=listed)


def ranks(found: Relations) -> list[tuple[str, str, str]]:
    """Return each generator's mean rank of intensity on shared edges, and on how many it is the strongest."""
    by_model: dict[str, list[float]] = {}
    for row in found.ranks:
        by_model.setdefault(row["generator"], []).append(row["rank"])
    if len(by_model) < 2:
        return []
    means = sorted((sum(own) / len(own), name, sum(rank == 1 for rank in own)) for name, own in by_model.items())
    total = len(next(iter(by_model.values())))
    return [(name, decimal(mean, 1), f"{count(first)} / {count(total)}") for mean, name, first in means]


def unique(found: Relations) -> list[tuple[str, str, str, str]]:
    """Return the relations that only one of all models draws: the model, the relation, its metric, and the others.

    Those that no interval leaves in doubt come first.
    """
    rows = sorted(found.unique, key=lambda row: (row["generator"], not row["certain"], row["untested"]))
    return [(row["generator"], edge_title(found, row_triple(row)), _value(row), _others(row)) for row in rows]


def _value(row: Row) -> str:
    return measured({**row, "untold": ""})


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
