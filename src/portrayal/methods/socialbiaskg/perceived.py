"""What one generator's images show, by occupation, by group and by both: the numbers behind every metric."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from portrayal.evidence import ComparedPairs, Plan
from portrayal.methods.socialbiaskg.looks import Look
from portrayal.methods.socialbiaskg.vertices import OCCUPATION
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array
from portrayal.store.tables.keys import Keys

__all__ = ["Cells", "Perceived", "Seen"]

_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)
_NOTHING: tuple[Keys, Array] = (np.zeros(0, dtype=np.uint64), np.zeros(0))
Pair = tuple[str, str]
"""An occupation and a group."""


@dataclass(frozen=True)
class Cells:
    """Where one generator's prompts stand: by occupation alone, by group alone, and by both."""

    by_occupation: Mapping[str, Sequence[int]]
    by_group: Mapping[str, Sequence[int]]
    by_pair: Mapping[Pair, Sequence[int]]

    @classmethod
    def of(cls, plan: Plan, generator: str, attribute: str) -> Cells:
        """Return the cells of a generator; prompts of other suites are left out."""
        cells: tuple[dict[str, list[int]], dict[str, list[int]], dict[Pair, list[int]]] = ({}, {}, {})
        for prompt in plan.generators[generator]:
            asked, place = plan.design.prompts[prompt].requested, plan.places[generator, prompt]
            job, group = asked.get(OCCUPATION, ""), asked.get(attribute, "")
            if job and group:
                cells[2].setdefault((job, group), []).append(place)
            elif job:
                cells[0].setdefault(job, []).append(place)
            elif group:
                cells[1].setdefault(group, []).append(place)
        return cls(*cells)


@dataclass(frozen=True)
class Seen:
    """What was perceived of one attribute, by cell; images of a cell stand together."""

    look: Look
    cells: int

    @cached_property
    def _bounds(self) -> Ints:
        return np.searchsorted(self.look.cell, np.arange(self.cells + 1))

    def of(self, cells: Sequence[int]) -> tuple[Keys, Array]:
        """Return the images of some cells and what was perceived in each."""
        places = [np.arange(self._bounds[cell], self._bounds[cell + 1]) for cell in cells]
        chosen = np.concatenate([np.zeros(0, dtype=np.int64), *places])
        return self.look.key[chosen], self.look.value[chosen]


@dataclass(frozen=True)
class Perceived:
    """All that annotators perceived in a study's images; what nobody tells is None.

    ``nobody`` counts, by cell, images in which nobody is shown, ``planned`` those that were asked for. ``style`` is how
    alike the pairs of ``compared`` are.
    ``other_names`` are names for occupations in small letters, each with the occupation that it means.
    """

    groups: Sequence[str]
    group: Seen | None
    occupation: Seen | None
    niqe: Seen | None
    alignment: Seen | None
    nobody: Ints
    planned: Ints
    compared: ComparedPairs = field(default_factory=ComparedPairs)
    style: Array = field(default_factory=lambda: np.zeros(0))
    other_names: Mapping[str, str] = field(default_factory=dict)

    def group_counts(self, cells: Sequence[int]) -> Ints:
        """Return how many images of some cells show each group."""
        if self.group is None:
            return np.zeros(len(self.groups), dtype=np.int64)
        return np.bincount(self.group.of(cells)[1].astype(np.int64), minlength=len(self.groups))

    def shown(self, cells: Sequence[int], group: str) -> Keys:
        """Return the images of some cells that show a group."""
        if self.group is None:
            return np.zeros(0, dtype=np.uint64)
        keys, values = self.group.of(cells)
        return np.asarray(keys[values == self.groups.index(group)])

    @cached_property
    def _jobs(self) -> Sequence[str]:
        """What stands for each perceived occupation: small letters, no article, the name of the vertex it means."""
        known = {plain(other): plain(name) for other, name in self.other_names.items()}
        names = [plain(name) for name in (self.occupation.look.names if self.occupation else ())]
        return [known.get(name, name) for name in names]

    def occupation_counts(self, cells: Sequence[int]) -> Counter[str]:
        """Return how many images of some cells show each occupation, in small letters."""
        if self.occupation is None:
            return Counter()
        numbers, counts = np.unique(self.occupation.of(cells)[1].astype(np.int64), return_counts=True)
        total = Counter[str]()
        for number, count in zip(numbers.tolist(), counts.tolist(), strict=True):
            total[self._jobs[number]] += count
        return total

    def at_work(self, cells: Sequence[int], job: str) -> Keys:
        """Return the images of some cells that show an occupation."""
        if self.occupation is None:
            return np.zeros(0, dtype=np.uint64)
        keys, values = self.occupation.of(cells)
        same = np.array([name == plain(job) for name in self._jobs], dtype=bool)
        return keys[same[values.astype(np.int64)]] if len(same) else keys

    def failures(self, cells: Sequence[int], job: str, group: str) -> tuple[Keys, int, int]:
        """Return the images that fail to show what was asked for, how many fail, and how many could be judged.

        An image fails that shows another group, another occupation, or nobody. It can be judged if both are told, or
        if the one that is told is wrong. Where no annotator tells occupations in this study, the group decides alone.
        """
        wrong: dict[int, bool] = {}
        told: Counter[int] = Counter()
        for seen, right in ((self.group, self._is_group(group)), (self.occupation, self._is_job(job))):
            if seen is None:
                continue
            keys, values = seen.of(cells)
            for key, fits in zip(keys.tolist(), right[values.astype(np.int64)].tolist(), strict=True):
                told[key] += 1
                wrong[key] = wrong.get(key, False) or not fits
        needed = (self.group is not None) + (self.occupation is not None)
        failed = [key for key, is_wrong in wrong.items() if is_wrong]
        fine = sum(not wrong[key] and count == needed for key, count in told.items())
        nobody = int(self.nobody[list(cells)].sum()) if needed else 0
        return np.array(failed, dtype=np.uint64), len(failed) + nobody, len(failed) + nobody + fine

    def _is_group(self, group: str) -> NDArray[np.bool_]:
        return np.array([name == group for name in self.groups], dtype=bool)

    def _is_job(self, job: str) -> NDArray[np.bool_]:
        return np.array([name == plain(job) for name in self._jobs], dtype=bool)

    def qualities(self, cells: Sequence[int], weight: float) -> tuple[Keys, Array, Array]:
        """Return the images of which both are known: NIQE, and how well the caption fits the prompt.

        ``weight`` is that of NIQE: what does not count need not be known, and is 0.
        """
        natural = self.niqe.of(cells) if self.niqe else _NOTHING
        fitting = self.alignment.of(cells) if self.alignment else _NOTHING
        if weight in (0, 1):
            keys, known = natural if weight else fitting
            return (keys, known, 0 * known) if weight else (keys, 0 * known, known)
        both, one, other = np.intersect1d(natural[0], fitting[0], return_indices=True)
        return both, natural[1][one], fitting[1][other]

    def styles(self, cells: Sequence[int], others: Sequence[int]) -> list[tuple[Ints, Ints, Array]]:
        """Return, for each couple of cells that was compared, the places of images and how alike they are."""
        asked = dict.fromkeys(tuple(sorted(couple)) for couple in product(cells, others))
        styles = []
        for couple in asked:
            if couple in self._couples:
                known = self._known(couple)
                styles.append((self.compared.place[known], self.compared.other_place[known], self.style[known]))
        return styles

    def pairs_made(self, cells: Sequence[int], others: Sequence[int]) -> int:
        """Return how many pairs of images there are to compare, whether it is known how alike they are or not."""
        asked = dict.fromkeys(tuple(sorted(couple)) for couple in product(cells, others))
        return sum(len(self._couples.get(couple, ())) for couple in asked)

    def images_compared(self, cells: Sequence[int], others: Sequence[int]) -> int:
        """Return how many images of these cells take part in a pair of which it is known how alike they are."""
        known = [pair for couple in product(cells, others) for pair in self._known(tuple(sorted(couple))).tolist()]
        ends = ((self.compared.cell, self.compared.place), (self.compared.other, self.compared.other_place))
        return len({(int(cell[row]), int(place[row])) for row in known for cell, place in ends})

    def _known(self, couple: tuple[int, ...]) -> Ints:
        rows = self._couples.get(couple, np.zeros(0, dtype=np.int64))
        return rows[~np.isnan(self.style[rows])]

    @cached_property
    def _couples(self) -> Mapping[tuple[int, ...], Ints]:
        rows_of: dict[tuple[int, ...], list[int]] = {}
        ends = zip(self.compared.cell.tolist(), self.compared.other.tolist(), strict=True)
        for row, couple in enumerate(ends):
            rows_of.setdefault(tuple(sorted(couple)), []).append(row)
        return {couple: np.array(rows, dtype=np.int64) for couple, rows in rows_of.items()}


def plain(name: str) -> str:
    """Return the name of an occupation as it is compared: small letters, without an article or a full stop.

    >>> plain("A Judge."), plain("tourist guide")
    ('judge', 'tourist guide')
    """
    return _ARTICLE.sub("", name.strip(), count=1).rstrip(".").casefold()
