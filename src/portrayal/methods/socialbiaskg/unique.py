"""Edges that only one of all models draws: what sets it apart from the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pyarrow as pa

from portrayal.graph import Graph, Triple, unique_to_one
from portrayal.methods.base import OwnTable
from portrayal.methods.socialbiaskg.edges import ModelEdges, Tested
from portrayal.methods.socialbiaskg.tables import TRIPLE, Row, triple_row

__all__ = ["unique_table"]

_UNIQUE = pa.schema(
    [
        ("generator", pa.string()),
        *TRIPLE,
        ("annotated", pa.bool_()),
        ("metric", pa.string()),
        ("value", pa.float64()),
        ("low", pa.float64()),
        ("high", pa.float64()),
        ("n", pa.int64()),
        ("threshold", pa.float64()),
        ("others", pa.int64()),
        ("untested", pa.int64()),
        ("certain", pa.bool_()),
    ]
)


def unique_table(models: Mapping[str, ModelEdges], whole: Mapping[str, Graph]) -> OwnTable:
    """Return the edges that one model has and no other: ``others`` could be tested and do not have it.

    Of ``untested`` others it cannot be told. ``certain``: neither its own interval nor that of any other holds the
    threshold. Of a single model nothing is unique.
    """
    rows = list(_rows(models, unique_to_one(list(whole.values())))) if len(models) > 1 else []
    return OwnTable("unique", pa.Table.from_pylist(rows, _UNIQUE))


def _rows(models: Mapping[str, ModelEdges], unique: Mapping[str, list[Triple]]) -> Iterator[Row]:
    for name, triples in unique.items():
        for triple in triples:
            mine = models[name].of(triple)
            others = [model.of(triple) for other, model in models.items() if other != name]
            told = [own for own in others if own.found is not None]
            judged = mine.decides
            assert judged is not None
            yield {
                "generator": name,
                **triple_row(triple),
                "annotated": mine.annotated,
                "metric": judged.rule.metric,
                "value": judged.value,
                "low": judged.low,
                "high": judged.high,
                "n": judged.n,
                "threshold": judged.threshold,
                "others": len(told),
                "untested": len(others) - len(told),
                "certain": len(told) == len(others) and not any(map(_uncertain, (mine, *told))),
            }


def _uncertain(own: Tested) -> bool:
    return own.decides is None or own.decides.uncertain
