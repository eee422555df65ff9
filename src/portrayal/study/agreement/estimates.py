"""From sums over clusters to numbers with intervals: how two annotators compare, and how all of them agree."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from portrayal.records import Note, said
from portrayal.reports.text.notes import plain_notes
from portrayal.stats.annotation.agreement import (
    FEW_UNITS,
    Metric,
    certain_alpha,
    cohen_kappa,
    coincidence_alpha,
    value_alpha,
)
from portrayal.stats.intervals import Array
from portrayal.stats.rates import Estimate, Tally, difference, draw_clusters, resampled
from portrayal.stats.shares.cells import small_note
from portrayal.study.agreement.panel import Panel, Split
from portrayal.study.agreement.result import Alpha, Coverage, GroupRow, Pair
from portrayal.study.agreement.sums import Overlap, PairSums

__all__ = ["Results"]

DRAWS = 1000
ORDERED = ("age3", "age9", "tone3", "skin_tone")
"""Attributes whose groups have an order, so that alpha by rank says something."""


class Results:
    """Makes results of sums. Which others are compared beside two annotators changes nothing about the two."""

    def __init__(self, panel: Panel, reasons: Sequence[str], seed: int) -> None:
        self.panel = panel
        self.reasons = reasons
        self.seed = seed

    def pair(self, first: int, second: int, attribute: int, sums: PairSums) -> Pair:
        """Return how two annotators compare on one attribute."""
        judged = self.panel.attributes[attribute]
        rate = bool(judged.groups)
        tally = sums.tally()
        filled = tally.count > 0
        drawn = self._drawn(filled)
        rows = self._groups(sums.splits, filled, drawn, rate=rate)
        names = (self.panel.annotators[first], self.panel.annotators[second])
        agreement = "accuracy" if self.panel.reference == names[0] else "agreement"
        result = Pair(
            attribute=judged.name,
            title=judged.title,
            unit=judged.unit,
            first=names[0],
            second=names[1],
            measure=agreement if rate else "mean absolute difference",
            overall=_row(Tally(tally.count[filled], tally.total[filled], tally.squares[filled]), drawn, rate=rate),
            groups=sorted(rows, key=lambda row: row.value.value, reverse=not rate),
            told=self._told(sums),
            coverage=self._coverage(sums.overlap, names),
            labels=judged.groups,
        )
        if rate:
            confusion = sums.confusion[filled]
            counts = np.rint(confusion.sum(axis=0)).astype(int).tolist()
            return replace(result, confusion=counts, kappa=resampled(confusion, cohen_kappa, drawn))
        gaps = sums.products[filled]
        signed = Tally.of(gaps[:, 0], gaps[:, 2] - gaps[:, 1], gaps[:, 3] + gaps[:, 4] - 2 * gaps[:, 5])
        correlation = resampled(gaps, _correlation, drawn)
        return replace(result, mean_difference=signed.mean(), correlation=correlation)

    def alphas(self, attribute: int, sums: Array) -> list[Alpha]:
        """Return alpha of all annotators that know the attribute: nominal and, where groups have an order, ordinal."""
        judged = self.panel.attributes[attribute]
        if judged.is_numeric:
            return [self._alpha(attribute, sums, "interval")]
        metrics: tuple[Metric, ...] = ("nominal", "ordinal") if judged.name in ORDERED else ("nominal",)
        return [self._alpha(attribute, sums, metric) for metric in metrics]

    def _alpha(self, attribute: int, sums: Array, metric: Metric) -> Alpha:
        about = self.panel.attributes[attribute]
        judged = sums[:, 0] if about.is_numeric else sums.sum(axis=(1, 2))
        filled = judged > 0
        drawn = self._drawn(filled)
        value = resampled(
            sums[filled], value_alpha if about.is_numeric else lambda matrix: coincidence_alpha(matrix, metric), drawn
        )
        clusters = int(filled.sum())
        value = replace(value, low=float(np.minimum(value.low, certain_alpha(clusters))))
        note = ""
        if not clusters:
            note = "undefined: nobody is judged by two annotators"
        elif math.isnan(value.value):
            note = "undefined: all judgements are the same, so chance cannot be told from agreement"
        elif clusters < FEW_UNITS:
            note = f"only {clusters} independent {'case' if clusters == 1 else 'cases'} to tell from"
        who = [name for name, known in zip(self.panel.annotators, self.panel.knows, strict=True) if about.name in known]
        return Alpha(
            about.name, about.title, metric, annotators=who, n=round(float(judged.sum())), value=value, note=note
        )

    def _drawn(self, filled: NDArray[np.bool_]) -> Array:
        """Draw among the clusters that have something to say; as many clusters are drawn alike, wherever they are."""
        clusters = int(filled.sum())
        rng = np.random.default_rng([self.seed, clusters])
        return draw_clusters(clusters, DRAWS, rng) if clusters else np.zeros((DRAWS, 0))

    def _told(self, sums: PairSums) -> list[GroupRow]:
        """Return of how many people whom the first tells the attribute of the second does, too: all, then by group."""
        filled = sums.asked[0] > 0
        drawn = self._drawn(filled)
        whole = _row(Tally(*sums.asked[:, filled]), drawn, rate=True)
        silent = whole.value.value < 1  # else there is nothing to tell groups apart by
        rows = self._groups(sums.told, filled, drawn, rate=True) if silent else []
        return [whole, *sorted(rows, key=lambda row: row.value.value)]

    def _groups(
        self, splits: Mapping[Split, Array], filled: NDArray[np.bool_], drawn: Array, *, rate: bool
    ) -> list[GroupRow]:
        """Return the groups that anybody is in."""
        tables = {split: table[:, filled] for split, table in splits.items()}
        rows = [row for split, tallies in tables.items() for row in self._split(split, tallies, drawn, rate=rate)]
        return [row for row in rows if row.n]

    def _split(self, split: Split, table: Array, drawn: Array, *, rate: bool) -> Iterator[GroupRow]:
        attribute = self.panel.grouped[split.attribute]
        parts = [Tally(*table[:, :, place]) for place in range(len(attribute.groups))]
        whole = Tally(*table.sum(axis=2))
        for group, part in zip(attribute.groups, parts, strict=True):
            rest = Tally(whole.count - part.count, whole.total - part.total, whole.squares - part.squares)
            row = _row(part, drawn, rate=rate)
            apart = Estimate(math.nan)
            if part.count.any() and rest.count.any():
                apart = difference((part, row.value), (rest, _mean(rest, drawn, rate=rate)), drawn)
            named = replace(row, by=attribute.name, group=group, grouped_by=self.panel.annotators[split.annotator])
            yield replace(named, difference=apart, marked=apart.differs)

    def _coverage(self, overlap: Overlap, names: tuple[str, str]) -> Coverage:
        silent: Mapping[str, Mapping[str, int]] = {
            name: {self.reasons[code]: count for code, count in counts.most_common() if count}
            for name, counts in zip(names, overlap.reasons, strict=True)
        }
        return Coverage(
            overlap.images,
            overlap.compared,
            overlap.first_only,
            second_only=overlap.second_only,
            neither=overlap.neither,
            different_people=overlap.different_people,
            silent=silent,
        )


def _row(tally: Tally, drawn: Array, *, rate: bool) -> GroupRow:
    cell = tally.cell
    value = _mean(tally, drawn, rate=rate)
    note = plain_notes(said(small_note(cell.n) or _few_prompts(cell.prompts)))
    return GroupRow(
        "", "", "", n=cell.n, clusters=cell.prompts, value=value, difference=Estimate(math.nan), marked=False, note=note
    )


def _few_prompts(prompts: int) -> Note | None:
    """Return a warning where prompts, which are the sample here, hardly show how they differ."""
    return Note.of("only_prompts", n=prompts) if 1 < prompts < 5 else None


def _mean(tally: Tally, drawn: Array, *, rate: bool) -> Estimate:
    return tally.rate(drawn) if rate else tally.mean()


def _correlation(sums: Array) -> Array:
    """Return Pearson's correlation of sums (..., 6); nan where one of the numbers never changes."""
    count, one, other, squares, others, product = np.moveaxis(sums, -1, 0)
    spread = (count * squares - one**2).clip(min=0) * (count * others - other**2).clip(min=0)
    known = spread > 1e-18 * (count**2 * squares * others)
    shared = count * product - one * other
    correlation = np.divide(shared, np.sqrt(spread), out=np.full(np.shape(spread), np.nan), where=known)
    return np.asarray(correlation.clip(-1, 1))
