"""Differences between models put right by people's labels: the shares of both in the same way, and what is left.

By the sample where that decides of both models, by the matrix where it decides of both; else one would be put right
under an assumption that the other is not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np

from portrayal.records import Measurement
from portrayal.reports.corrected_difference import CorrectedDifference, corrected_difference
from portrayal.reports.corrected_share import CorrectedShare, share_key
from portrayal.stats.annotation.misreading import Misreading
from portrayal.study.correction.correct_shares import ENOUGH, confusion_matrices
from portrayal.study.correction.labelled import Key, labelled_people
from portrayal.study.study import OpenStudy

__all__ = ["MOST_MODELS", "correct_differences"]

MOST_MODELS = 8
"""Of more models each is compared with the first alone, as where they are compared as they were read."""
_GENERATOR, _GROUP = 1, 4
Shares = Mapping[str, CorrectedShare]
"""By group."""


def correct_differences(
    study: OpenStudy, people: str, shares: Sequence[CorrectedShare], elsewhere: Sequence[OpenStudy] = ()
) -> list[CorrectedDifference]:
    """Return what is left of the differences between models, of shares that were put right before."""
    matrices = confusion_matrices(study, labelled_people(study, people), elsewhere)
    places: dict[tuple[str, ...], dict[str, dict[str, dict[str, CorrectedShare]]]] = defaultdict(dict)
    for share in shares:
        key = share_key(share.seen)
        place = tuple(part for number, part in enumerate(key) if number not in (_GENERATOR, _GROUP))
        ways = places[place].setdefault(share.seen.generator, {"matrix": {}, "sample": {}})
        ways[share.way][share.seen.group] = share
    order = {name: number for number, name in enumerate(study.generators)}
    return [each for models in places.values() for each in _of_place(models, matrices, order)]


def _of_place(
    models: Mapping[str, Mapping[str, Shares]], matrices: Mapping[Key, Misreading], order: Mapping[str, int]
) -> Iterator[CorrectedDifference]:
    names = sorted(models, key=lambda name: (order.get(name, len(order)), name))
    couples = combinations(names, 2) if len(names) <= MOST_MODELS else ((names[0], name) for name in names[1:])
    for one, other in couples:
        mine, theirs = models[one], models[other]
        if _decides(mine["sample"]) and _decides(theirs["sample"]):
            yield from (
                corrected_difference(mine["sample"][group], theirs["sample"][group]) for group in mine["sample"]
            )
        elif _usable(mine["matrix"]) and _usable(theirs["matrix"]):
            row = next(iter(mine["matrix"].values())).seen
            yield from _by_matrix(matrices[row.annotator, row.attribute.rpartition(".")[2]], mine, theirs)


def _decides(shares: Shares) -> bool:
    return any(share.decides for share in shares.values())


def _usable(shares: Shares) -> bool:
    """Return whether the matrix may decide: even where one of two models has a sample of its own."""
    return any(share.labels >= ENOUGH and share.matrix_holds for share in shares.values())


def _by_matrix(
    matrix: Misreading, mine: Mapping[str, Shares], theirs: Mapping[str, Shares]
) -> Iterator[CorrectedDifference]:
    one, other = mine["matrix"], theirs["matrix"]
    found = matrix.difference(_seen(one), _seen(other))
    for place, group in enumerate(one):
        value = float(found.shares[place])
        ends = float(found.low[place]), float(found.high[place])
        yield CorrectedDifference(one[group], other[group], "matrix", None if np.isnan(value) else value, *ends)


def _seen(shares: Shares) -> tuple[list[float], float]:
    rows: list[Measurement] = [share.seen for share in shares.values()]
    return [row.value or 0.0 for row in rows], min(float(row.n if row.worth is None else row.worth) for row in rows)
