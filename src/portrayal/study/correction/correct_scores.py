"""Distances from a reference put right by people's labels: functions of the corrected shares of one cell, and means.

Only scores of shares that :mod:`portrayal.study.correction.correct_shares` puts right. A mean over terms is put right
by the confusion matrix alone: for the sample every term would need enough labels of its own.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from portrayal.metrics import chi_square, kl_divergence, total_variation
from portrayal.records import Measurement, from_table
from portrayal.reports.corrected_share import CorrectedScore, CorrectedShare, share_key
from portrayal.reports.findings.distance import MEAN_DISTANCES
from portrayal.stats.annotation.corrected_score import DrawnTerm, Score, corrected_score, mean_total_variation
from portrayal.stats.annotation.misreading import Misreading
from portrayal.stats.intervals import Array, Interval
from portrayal.study.correction.correct_shares import ENOUGH, Asked, confidence_of, confusion_matrices
from portrayal.study.correction.labelled import Key, labelled_people
from portrayal.study.study import OpenStudy

__all__ = ["correct_scores"]

_SCORES = ("difference", "ratio", "total_variation", "kl_divergence", "chi_square", *MEAN_DISTANCES)
_ROWS = f"SELECT * FROM measurements WHERE metric IN {_SCORES} AND value IS NOT NULL"
_GROUP = 4
_MOST_GROUPS = 12
"""The corners of what shares may be double with every group."""
Place = tuple[str, ...]
Shares = Mapping[str, CorrectedShare]
"""By group."""


def correct_scores(
    study: OpenStudy, people: str, shares: Sequence[CorrectedShare], elsewhere: Sequence[OpenStudy] = ()
) -> list[CorrectedScore]:
    """Return the scores that follow from shares that were put right before, in each way in which these were."""
    places: dict[Place, dict[str, dict[str, CorrectedShare]]] = defaultdict(dict)
    for share in shares:
        if share.value is not None and share.seen.target is not None:
            places[_place(share.seen)].setdefault(share.way, {})[share.seen.group] = share
    if not places:
        return []
    matrices = confusion_matrices(study, labelled_people(study, people), elsewhere)
    asked, confidence = Asked.of(study), confidence_of(study)
    found: list[CorrectedScore | None] = []
    for row in from_table(study.workspace.query(_ROWS), Measurement):
        ways = places.get(_place(row), {})
        if row.metric in MEAN_DISTANCES:
            found += _mean(row, _terms(row, places, asked), matrices)
        else:
            found += [_of_cell(row, mine, confidence) for mine in ways.values()]
    return [score for score in found if score is not None]


def _place(row: Measurement) -> Place:
    key = share_key(row)
    return (*key[:_GROUP], *key[_GROUP + 1 :])


def _of_cell(row: Measurement, shares: Shares, confidence: float) -> CorrectedScore | None:
    """Return a score of one cell from its shares."""
    if row.group:
        return _of_group(row, shares[row.group])
    if len(shares) > _MOST_GROUPS:
        return None
    values = np.array([float(share.value or 0.0) for share in shares.values()])
    target = np.array([float(share.seen.target or 0.0) for share in shares.values()])
    seen = np.array([float(share.seen.value or 0.0) for share in shares.values()])
    score = _score(row, seen, target)
    if score is None or not values.sum() > 0:
        return None
    bounds = [Interval(share.low, share.high) for share in shares.values()]
    value, ends = corrected_score(bounds, values / values.sum(), target, score, confidence)
    return _found(row, next(iter(shares.values())), value, ends)


def _score(row: Measurement, seen: Array, target: Array) -> Score | None:
    """Return the function of shares and target; Pearson's of as many images as it was measured with."""
    if row.metric == "total_variation":
        return total_variation
    if row.metric == "kl_divergence":
        return kl_divergence
    of_one = float(chi_square(seen, target, 1))
    if not 0 < of_one < math.inf or row.value is None:
        return None
    images = row.value / of_one
    return lambda shares, wanted: chi_square(shares, wanted, images)


def _of_group(row: Measurement, share: CorrectedShare) -> CorrectedScore | None:
    """Return a difference or a ratio, which moves with the share."""
    target, value = share.seen.target or 0.0, share.value or 0.0
    if row.metric == "difference":
        return _found(row, share, value - target, Interval(share.low - target, share.high - target))
    if not target:
        return None
    return _found(row, share, value / target, Interval(share.low / target, share.high / target))


def _found(row: Measurement, share: CorrectedShare, value: float, ends: Interval) -> CorrectedScore:
    return CorrectedScore(
        row,
        share.way,
        value=value if math.isfinite(value) else None,
        low=ends.low,
        high=ends.high,
        labels=share.labels,
        decides=share.decides,
        uneven=share.uneven,
        chosen=share.chosen,
        wide=share.wide,
    )


def _terms(row: Measurement, places: Mapping[Place, Mapping[str, Shares]], asked: Asked) -> list[tuple[float, Shares]]:
    """Return the terms that a mean is over, with their weights; none where a term has several prompts."""
    weights: dict[str, list[float]] = defaultdict(list)
    for prompt, weight in asked.weights(row).items():
        weights[str(asked.prompts[prompt]["term"])].append(weight)
    if any(len(prompts) > 1 for prompts in weights.values()):
        return []
    found = []
    for term, (weight,) in weights.items():
        shares = places.get(_place(replace(row, level="term", item=term)), {}).get("matrix")
        if shares:
            found.append((weight, shares))
    return found if len(found) == row.prompts else []


def _mean(
    row: Measurement, terms: Sequence[tuple[float, Shares]], matrices: Mapping[Key, Misreading]
) -> Iterator[CorrectedScore]:
    matrix = matrices.get((row.annotator, row.attribute.rpartition(".")[2]))
    if len(terms) < 2 or matrix is None:
        return
    value, ends = mean_total_variation(
        [_drawn(shares, weight, matrix, stream) for stream, (weight, shares) in enumerate(terms, start=1)],
        matrix.confidence,
    )
    times, share = MEAN_DISTANCES[row.metric], next(iter(terms[0][1].values()))
    share = replace(share, decides=share.labels >= ENOUGH and share.matrix_holds)
    yield _found(row, share, times * value, Interval(times * ends.low, times * ends.high))


def _drawn(shares: Shares, weight: float, matrix: Misreading, stream: int) -> DrawnTerm:
    rows = [share.seen for share in shares.values()]
    seen = [float(row.value or 0.0) for row in rows]
    worth = min(float(row.n if row.worth is None else row.worth) for row in rows)
    target = np.array([float(row.target or 0.0) for row in rows])
    return DrawnTerm(matrix.shares(seen), matrix.drawn(seen, worth, stream), target, weight)
