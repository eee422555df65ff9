"""Votes as columns of numbers: a million of them fit into a few megabytes and are counted in a moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from portrayal.apps.arena.ratings.vote_values import SKIP, names_rater, read_rows
from portrayal.errors import InputError, did_you_mean

__all__ = ["CategoricalColumn", "Votes"]

Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class CategoricalColumn:
    """Texts as numbers: ``names`` are the texts that occur, ``codes`` says for each vote which one."""

    names: tuple[str, ...]
    codes: Codes

    @classmethod
    def of(cls, texts: Sequence[str]) -> CategoricalColumn:
        """Return a column of ``texts``; names stand in the order in which they first occur.

        >>> CategoricalColumn.of(["b", "a", "b"]).codes.tolist()
        [0, 1, 0]
        """
        place = {name: code for code, name in enumerate(dict.fromkeys(texts))}
        return cls(tuple(place), np.array([place[text] for text in texts], dtype=np.int64))

    def take(self, which: NDArray[Any]) -> CategoricalColumn:
        """Return the column for some of the votes."""
        return replace(self, codes=self.codes[which])

    def present(self) -> list[tuple[str, int]]:
        """Return the names that occur, with their codes."""
        counts = np.bincount(self.codes, minlength=len(self.names))
        return [(name, code) for code, name in enumerate(self.names) if counts[code]]


@dataclass(frozen=True, slots=True)
class Votes:
    """Votes in the order in which they were cast; ``first`` and ``second`` are places in ``models``.

    >>> votes = Votes.of([("x", "y", 0), ("y", "x", "draw"), ("x", "y", None)])
    >>> votes.models, votes.outcome.tolist(), votes.skipped
    (('x', 'y'), [0, 2, 3], 1)
    """

    models: tuple[str, ...]
    first: Codes
    second: Codes
    outcome: Codes
    columns: Mapping[str, CategoricalColumn] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Any, columns: Sequence[str] = ()) -> Votes:
        """Return the votes in ``rows``: tuples (model_a, model_b, vote, …), mappings or objects with these names.

        What is :class:`Votes` already is returned as it is. ``columns`` names what else mappings or objects hold and
        should be kept: ``aspect``, ``prompt``, ``language``, … Who gave the votes, ``rater``, is kept wherever it is
        said: intervals that take the votes of one person for those of many are too narrow.
        """
        if isinstance(rows, Votes):
            return rows
        given = list(rows)
        rater = ("rater",) if "rater" not in columns and any(map(names_rater, given)) else ()
        wanted = (*columns, *rater)
        (first, second, outcome), others = read_rows(given, wanted, optional=rater)
        kept = {name: CategoricalColumn.of(texts) for name, texts in zip(wanted, others, strict=True)}
        return cls.join(CategoricalColumn.of(first), CategoricalColumn.of(second), outcome, kept)

    @classmethod
    def join(
        cls, first: CategoricalColumn, second: CategoricalColumn, outcome: Any, columns: Mapping[str, CategoricalColumn]
    ) -> Votes:
        """Return votes between two columns of models that were numbered apart."""
        models = tuple(dict.fromkeys([*first.names, *second.names]))
        place = {name: code for code, name in enumerate(models)}
        sides = [np.array([place[name] for name in side.names], dtype=np.int64)[side.codes] for side in (first, second)]
        return cls(models, sides[0], sides[1], np.asarray(outcome, dtype=np.int64), columns)

    def __len__(self) -> int:
        return len(self.outcome)

    @property
    def skipped(self) -> int:
        """How many battles were shown without a vote."""
        return int(np.count_nonzero(self.outcome == SKIP))

    def take(self, which: NDArray[Any]) -> Votes:
        """Return some of the votes, by a mask or by their places."""
        return Votes(
            self.models,
            self.first[which],
            self.second[which],
            self.outcome[which],
            {name: column.take(which) for name, column in self.columns.items()},
        )

    def rated(self) -> Votes:
        """Return the votes without the skipped ones, and only the models that are left."""
        kept = self if not self.skipped else self.take(self.outcome != SKIP)
        seen = np.bincount(np.concatenate([kept.first, kept.second]), minlength=len(kept.models)) > 0
        place = np.cumsum(seen) - 1
        models = tuple(name for name, used in zip(kept.models, seen, strict=True) if used)
        return replace(kept, models=models, first=place[kept.first], second=place[kept.second])

    def column(self, name: str) -> CategoricalColumn:
        """Return a column, or say which there are."""
        if name not in self.columns:
            known = did_you_mean(name, self.columns) or "; there is none but model_a, model_b and vote"
            raise InputError(f"the votes have no column '{name}'{known}")
        return self.columns[name]

    def split(self, names: Sequence[str]) -> Iterator[tuple[dict[str, str], Votes]]:
        """Yield the votes of each combination of the values of some columns, in the order of their first vote."""
        if not names or not len(self):
            yield {}, self
            return
        columns = [self.column(name) for name in names]
        mixed = np.zeros(len(self), dtype=np.int64)
        for column in columns:
            mixed = np.unique(mixed * len(column.names) + column.codes, return_inverse=True)[1]
        first = np.unique(mixed, return_index=True)[1]
        for group in np.argsort(first):
            keys = {name: col.names[col.codes[first[group]]] for name, col in zip(names, columns, strict=True)}
            yield keys, self.take(mixed == group)
