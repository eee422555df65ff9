"""From several annotators' sheets to one graph: how far they agree, what they agree on, and what is to be decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from portrayal.apps.graph.annotations.sheets import Pair, Sheet
from portrayal.csvfile import csv_text, read_csv
from portrayal.errors import InputError
from portrayal.graph.graph_csv import id_of, key_of
from portrayal.graph.typed_graph import Edge, Graph, Key, Schema, Triple, Vertex
from portrayal.stats.annotation.agreement import krippendorff_alpha

__all__ = [
    "RULES",
    "Agreement",
    "Consensus",
    "Rule",
    "agreement",
    "consensus",
    "decisions_csv",
    "read_decisions",
]

Rule = Literal["majority", "all", "any"]
RULES: tuple[Rule, ...] = get_args(Rule)
"""Whose word makes an edge: that of more than half of those who judged the pair, of all of them, or of anyone."""
_DECISION = {"yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far annotators agree on one type in one direction, over the pairs that two or more of them judged.

    ``alpha`` is Krippendorff's (nominal: seen or not); None where nobody, or everybody, always sees it.
    """

    type: str
    direction: str
    alpha: float | None
    pairs: int
    seen: int
    """Pairs of which any of them sees it."""


@dataclass(frozen=True)
class Consensus:
    """The graph, and the votes for those edges that some see and others do not: who, and of how many."""

    graph: Graph
    disputed: Mapping[Triple, tuple[Sequence[str], int]]


def agreement(sheets: Sequence[Sheet], schema: Schema) -> list[Agreement]:
    """Return the agreement on every type, in every direction in which it leads."""
    judged = [pair for pair, count in _counts(sheets).items() if count > 1]
    agreed = []
    for name, ways in schema.types.items():
        for way in ways:
            pairs = [pair for pair in judged if f"{pair[0].kind}_to_{pair[1].kind}" == way]
            labels = np.array([[_label(sheet, pair, name) for pair in pairs] for sheet in sheets])
            alpha = krippendorff_alpha(labels, missing=-1) if pairs else float("nan")
            seen = int((labels == 1).any(axis=0).sum()) if pairs else 0
            agreed.append(Agreement(name, way, None if np.isnan(alpha) else float(alpha), len(pairs), seen))
    return agreed


def _counts(sheets: Sequence[Sheet]) -> dict[Pair, int]:
    counts: dict[Pair, int] = {}
    for sheet in sheets:
        for pair in sheet.judged:
            counts[pair] = counts.get(pair, 0) + 1
    return counts


def _label(sheet: Sheet, pair: Pair, name: str) -> int:
    return -1 if pair not in sheet.judged else int(name in sheet.judged[pair])


def consensus(
    sheets: Sequence[Sheet],
    vertices: Sequence[Vertex],
    schema: Schema,
    rule: Rule = "majority",
    decisions: Mapping[Triple, bool] | None = None,
) -> Consensus:
    """Return what annotators agree on; a decision about a disputed edge counts more than the rule."""
    decided = decisions or {}
    votes: dict[Triple, list[str]] = {}
    for sheet in sheets:
        for (source, target), names in sheet.judged.items():
            for name in sorted(names):
                votes.setdefault(Triple(source, name, target), []).append(sheet.annotator)
    counts, types = _counts(sheets), list(schema.types)
    place = {vertex.key: number for number, vertex in enumerate(vertices)}
    disputed, edges = {}, []
    for triple in sorted(
        votes, key=lambda triple: (place[triple.source], place[triple.target], types.index(triple.type))
    ):
        who, of = votes[triple], counts[triple.source, triple.target]
        if len(who) < of:
            disputed[triple] = (who, of)
        if decided.get(triple, _holds(rule, len(who), of)):
            sources = [*who, *(["decided together"] if triple in decided else [])]
            edges.append(Edge(*triple, sources=tuple(sources)))
    if strange := [triple for triple in decided if triple not in disputed]:
        one = strange[0]
        raise InputError(
            f"a decision is about {id_of(one.source)} {one.type} {id_of(one.target)}, which is not disputed"
        )
    return Consensus(Graph("people", vertices, edges), disputed)


def _holds(rule: Rule, votes: int, of: int) -> bool:
    return {"majority": 2 * votes > of, "all": votes == of, "any": True}[rule]


def decisions_csv(disputed: Mapping[Triple, tuple[Sequence[str], int]]) -> str:
    """Return the list of disputed edges, with a column in which to write yes or no."""
    rows = (
        [id_of(triple.source), triple.type, id_of(triple.target), "; ".join(who), of, ""]
        for triple, (who, of) in disputed.items()
    )
    return csv_text(["source", "type", "target", "seen_by", "of", "decision"], rows)


def read_decisions(path: Path, vertices: Mapping[Key, Vertex]) -> dict[Triple, bool]:
    """Return what was decided; an edge without a decision is left to the rule."""
    decided: dict[Triple, bool] = {}
    lines: dict[Triple, str] = {}
    for row in read_csv(path, ["source", "type", "target", "decision"], ["seen_by", "of"]):
        for column in ("source", "target"):
            if key_of(row[column]) not in vertices:
                raise InputError(f"{row.where}: column '{column}' names no vertex: {row[column]!r}")
        if row["decision"] and row["decision"].casefold() not in _DECISION:
            raise InputError(f"{row.where}: column 'decision' is yes, no or empty, got {row['decision']!r}")
        triple = Triple(key_of(row["source"]), row["type"], key_of(row["target"]))
        if triple in lines:
            raise InputError(f"{row.where}: this edge stands already at {lines[triple]}; keep one row")
        lines[triple] = row.where
        if row["decision"]:
            decided[triple] = _DECISION[row["decision"].casefold()]
    return decided
