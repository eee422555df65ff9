"""The first sentence about a model: which of the relations that people see are in its pictures, by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from portrayal.language.translation import t
from portrayal.methods.socialbiaskg.report.reasons import undecided_because, untested_because
from portrayal.methods.socialbiaskg.report.relation_words import edge_title, even_said, metric_title
from portrayal.methods.socialbiaskg.report.relations import EdgeRow, Relations, Row
from portrayal.methods.socialbiaskg.report.states import State, by_state, even_too
from portrayal.methods.socialbiaskg.vertices import OCCUPATION
from portrayal.methods.socialbiaskg.wide import SHARES
from portrayal.reports.data import ReportData
from portrayal.reports.findings.deviations.deviation import Answer
from portrayal.reports.text.words import count, score

__all__ = ["answer", "sentence"]

NAMED = 3
"""Relations of a kind that are named; further ones are counted."""


def answer(data: ReportData, relations: Relations, generator: str) -> Answer | None:
    """Return what is said first of a model; None where people see nothing that the study asks about."""
    states = by_state(relations.edges[generator])
    if not any(states.values()):
        return None
    return Answer(sentence(states), list(_lines(data, relations, states)))


def sentence(states: Mapping[State, Sequence[EdgeRow]]) -> str:
    """Return how many relations are repeated, contradicted, undecided and not tested."""
    counts = {name.value: count(len(edges)) for name, edges in states.items()}
    counts["repeated"] = _repeated(states[State.REPEATED])
    n = sum(map(len, states.values()))
    if states[State.UNDECIDED] and states[State.UNTESTED]:
        return t(
            "Of the {n|relation|relations} that people see, the pictures repeat {repeated}, contradict {contradicted}, "
            "leave {undecided} undecided, and {untested} could not be tested.",
            n=n,
            **counts,
        )
    if states[State.UNTESTED]:
        return t(
            "Of the {n|relation|relations} that people see, the pictures repeat {repeated}, contradict {contradicted}, "
            "and {untested} could not be tested.",
            n=n,
            **counts,
        )
    if states[State.UNDECIDED]:
        return t(
            "Of the {n|relation|relations} that people see, the pictures repeat {repeated}, contradict {contradicted} "
            "and leave {undecided} undecided.",
            n=n,
            **counts,
        )
    return t(
        "Of the {n|relation|relations} that people see, the pictures repeat {repeated} and contradict {contradicted}.",
        n=n,
        **counts,
    )


def _repeated(edges: Sequence[EdgeRow]) -> str:
    """Return how many are repeated, and how many of these need no bias at all."""
    even = sum(map(even_too, edges))
    if not even:
        return count(len(edges))
    if even == len(edges) == 1:
        return t("1 (which an even model would show too)")
    return t("{n} ({even} of which an even model would show too)", n=count(len(edges)), even=count(even))


def _lines(
    data: ReportData, relations: Relations, states: Mapping[State, Sequence[EdgeRow]]
) -> Iterator[tuple[str, str]]:
    groups = sum(vertex.kind != OCCUPATION for vertex in relations.vertices)
    if edges := states[State.REPEATED]:
        yield t("Repeated"), _listed([_with(relations, one, _measured(one), even_said(one)) for one in edges])
    if edges := states[State.CONTRADICTED]:
        yield (
            t("Contradicted"),
            _listed([_with(relations, one, _measured(one), _contrary(relations, one)) for one in edges]),
        )
    if edges := states[State.UNDECIDED]:
        why = [_with(relations, one, _measured(one), even_said(one), undecided_because(data, one)) for one in edges]
        yield t("Undecided"), _listed(why)
    by_reason: dict[str, list[str]] = {}
    for one in states[State.UNTESTED]:
        by_reason.setdefault(untested_because(one, groups), []).append(edge_title(relations, one.triple))
    for reason, titles in by_reason.items():
        yield t("Not tested"), f"{_listed(titles).removesuffix('.')} ({reason})."


def _with(relations: Relations, edge: EdgeRow, *said: str) -> str:
    return f"{edge_title(relations, edge.triple)} ({'; '.join(filter(None, said))})"


def _listed(parts: Sequence[str]) -> str:
    shown = "; ".join(parts[:NAMED])
    if len(parts) > NAMED:
        return t("{listed}; and {n} more, see the matrix below.", listed=shown, n=count(len(parts) - NAMED))
    return f"{shown}."


def _contrary(relations: Relations, edge: EdgeRow) -> str:
    others = relations.contrary.get((edge.generator, edge.triple), ())
    return (
        t("the contrary is in the images: {listed}", listed=", ".join(edge_title(relations, one) for one in others))
        if (others)
        else ""
    )


def _measured(edge: EdgeRow) -> str:
    """Return the number that decides: of shares the images, of others the value with its interval."""
    row = edge.decides
    assert row is not None
    said = _counted(row) if row["metric"] in SHARES else _valued(row)
    return f"{said}; {t('none shows the group')}" if edge.found and edge.share == 0 else said


def _valued(row: Row) -> str:
    return f"{metric_title(row)}: {score(row['value'], row['low'], row['high'])}"


def _counted(row: Row) -> str:
    about = {"hits": count(round(row["value"] * row["n"])), "n": row["n"]}
    if row["metric"] == "failure":
        return t("{hits} of {n|image|images} fail to show what was asked for", **about)
    if row["metric"] == "dominant_occupation":
        return t("{hits} of {n|image|images} of the group show the occupation", **about)
    return t("{hits} of {n|image|images} of the occupation show the group", **about)
