"""What is added up about pairs of annotators, cluster by cluster, while slices of the images stream by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from portrayal.stats.annotation.agreement import coincidences, count_labels, value_sums
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array
from portrayal.stats.rates import Tally
from portrayal.study.agreement.panel import Panel, Split
from portrayal.study.agreement.read import Judgements

__all__ = ["Overlap", "PairSums", "Sums"]

Key = tuple[int, int, int]
"""First annotator, second annotator, attribute."""
PRODUCTS = 6
"""Of two numbers x and y: how many, x, y, x squared, y squared, x times y."""


@dataclass
class Overlap:
    """How many images two annotators can be compared in on one attribute, and why not in the others.

    ``images`` are those that either looked at. ``reasons`` counts by annotator (0 or 1) and reason the images that it
    cannot tell the attribute in.
    """

    images: int = 0
    compared: int = 0
    first_only: int = 0
    second_only: int = 0
    neither: int = 0
    different_people: int = 0
    reasons: tuple[Counter[int], Counter[int]] = field(default_factory=lambda: (Counter(), Counter()))

    def add(self, told: NDArray[np.bool_], both: NDArray[np.bool_], looked: NDArray[np.bool_], why: Ints) -> None:
        """Count images; all but ``both`` are (2, images)."""
        seen = looked.any(axis=0)
        self.images += int(seen.sum())
        self.compared += int(both.sum())
        self.first_only += int((told[0] & ~told[1] & seen).sum())
        self.second_only += int((told[1] & ~told[0] & seen).sum())
        self.neither += int((seen & ~told.any(axis=0)).sum())
        self.different_people += int((told.all(axis=0) & ~both).sum())
        for counts, silent, reason in zip(self.reasons, ~told & seen, why, strict=True):
            counts.update(dict(enumerate(np.bincount(reason[silent]).tolist())))


@dataclass
class PairSums:
    """Sums of two annotators and one attribute, a row for each cluster.

    ``confusion`` counts labels (clusters, groups, groups). Of numbers there are ``products`` (see PRODUCTS), and
    ``gaps`` with the sums of their absolute differences and of their squares. ``splits`` hold the same count, sum and
    sum of squares for each group (3, clusters, groups): of agreement, or of absolute differences.

    ``asked`` (3, clusters) is about people whom the first tells the attribute of, in images that both looked at: how
    many, and of how many the second tells it, too. ``told`` is the same for each group, leaving out groups that the
    second itself perceives.
    """

    overlap: Overlap
    confusion: Array
    products: Array
    gaps: Array
    splits: dict[Split, Array]
    asked: Array
    told: dict[Split, Array]

    def tally(self) -> Tally:
        """Return agreement, or absolute differences, of all people compared."""
        if self.products.size:
            return Tally.of(self.products[:, 0], *self.gaps.T)
        return Tally.of(self.confusion.sum(axis=(1, 2)), np.trace(self.confusion, axis1=1, axis2=2))


class Sums:
    """All sums of a panel; ``alphas`` are coincidence matrices or sums of numbers, by attribute."""

    def __init__(self, panel: Panel, clusters: int) -> None:
        self.panel = panel
        self.clusters = clusters
        self.images = 0
        self.alphas: dict[int, Array] = {}
        self._centres: dict[int, float] = {}
        self.pairs: dict[Key, PairSums] = {key: self._empty(key) for key in panel.pairs()}

    def add(self, seen: Judgements) -> None:
        """Add a slice of images."""
        self.images += len(seen.cluster)
        cluster = np.repeat(seen.cluster, 2)
        for key, sums in self.pairs.items():
            self._add_pair(key, sums, seen, cluster)
        for attribute in dict.fromkeys(key[2] for key in self.pairs):
            self._add_alpha(attribute, seen, cluster)

    def _empty(self, key: Key) -> PairSums:
        grouped = self.panel.grouped
        size = len(grouped[key[2]].groups) if key[2] < len(grouped) else 0
        numbers = 0 if size else 1
        splits = self.panel.splits(key[0], key[2])
        return PairSums(
            Overlap(),
            np.zeros((self.clusters, size, size)),
            np.zeros((self.clusters, PRODUCTS * numbers)),
            gaps=np.zeros((self.clusters, 2 * numbers)),
            splits=self._tables(splits),
            asked=np.zeros((3, self.clusters)),
            told=self._tables([split for split in splits if split.annotator != key[1]]),
        )

    def _tables(self, splits: Sequence[Split]) -> dict[Split, Array]:
        sizes = {split: len(self.panel.grouped[split.attribute].groups) for split in splits}
        return {split: np.zeros((3, self.clusters, size)) for split, size in sizes.items()}

    def _add_pair(self, key: Key, sums: PairSums, seen: Judgements, cluster: Ints) -> None:
        pair, attribute = list(key[:2]), key[2]
        grouped = len(self.panel.grouped)
        said = seen.labels[pair, attribute] if attribute < grouped else seen.values[pair, attribute - grouped]
        known = np.asarray(said >= 0 if attribute < grouped else ~np.isnan(said))
        together = np.asarray(known.all(axis=0))
        reasons = seen.reasons[pair, attribute].astype(np.int64)
        sums.overlap.add(np.asarray(known.any(axis=2)), np.asarray(together.any(axis=1)), seen.looked[pair], reasons)
        units = np.flatnonzero(together.ravel())
        where = cluster[units]
        one, other = (side.ravel()[units] for side in said)
        if attribute < grouped:
            size = sums.confusion.shape[1]
            places = (where * size + one) * size + other
            sums.confusion += np.bincount(places, minlength=sums.confusion.size).reshape(sums.confusion.shape)
            score = (one == other).astype(float)
        else:
            score = np.abs(one - other)
            one, other = (side - self._centre(attribute, said) for side in (one, other))
            columns = (np.ones(len(one)), one, other, one**2, other**2, one * other)
            sums.products += np.column_stack([np.bincount(where, column, self.clusters) for column in columns])
            sums.gaps += np.column_stack([np.bincount(where, part, self.clusters) for part in (score, score**2)])
        for split, table in sums.splits.items():
            group = seen.labels[split.annotator, split.attribute].ravel()[units]
            _add_split(table, where, group, score)
        asked = np.flatnonzero((known[0] & seen.looked[pair[1], :, None]).ravel())
        self._add_told(sums, seen, asked, cluster[asked], known[1].ravel()[asked].astype(float))

    def _centre(self, attribute: int, said: NDArray[Any]) -> float:
        """Return what to count an attribute's numbers from, the same for all slices: sums far from 0 lose digits."""
        if attribute not in self._centres:
            known = said[~np.isnan(said)]
            if not len(known):
                return 0.0  # nothing is added
            self._centres[attribute] = float(known[0])
        return self._centres[attribute]

    def _add_told(self, sums: PairSums, seen: Judgements, asked: Ints, cluster: Ints, told: Array) -> None:
        _add_split(sums.asked[:, :, None], cluster, np.zeros(len(asked), np.int8), told)
        for split, table in sums.told.items():
            group = seen.labels[split.annotator, split.attribute].ravel()[asked]
            _add_split(table, cluster, group, told)

    def _add_alpha(self, attribute: int, seen: Judgements, cluster: Ints) -> None:
        grouped = len(self.panel.grouped)
        said = seen.labels[:, attribute] if attribute < grouped else seen.values[:, attribute - grouped]
        said = said.reshape(len(said), -1)
        if attribute < grouped:
            counts = count_labels(said, len(self.panel.grouped[attribute].groups))
            added = coincidences(counts, cluster, self.clusters)
        else:
            added = value_sums(said, cluster, self.clusters, centre=self._centre(attribute, said))
        self.alphas[attribute] = self.alphas.get(attribute, 0.0) + added


def _add_split(table: Array, cluster: Ints, group: NDArray[np.int8], score: Array) -> None:
    """Add scores to their clusters and groups; people whose group is not known are left out."""
    known = group >= 0
    _, clusters, groups = table.shape
    places = cluster[known] * groups + group[known]
    for part, weight in zip(table, (None, score[known], score[known] ** 2), strict=True):
        part += np.bincount(places, weight, clusters * groups).reshape(clusters, groups)
