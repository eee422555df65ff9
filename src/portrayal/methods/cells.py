"""From counts per prompt to the cells of a report: overall, by category, by term."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import pyarrow as pa

from portrayal.methods.base import Tables
from portrayal.records import Attribute
from portrayal.stats.cells import Cell
from portrayal.stats.intervals import Array

__all__ = ["Level", "Lookup", "levels"]

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Level:
    """A set of prompts that is reported together."""

    level: str
    item: str
    prompts: Sequence[str]


def levels(tables: Tables, generator: str) -> Iterator[Level]:
    """Yield the whole, then categories where there are several, then terms, each with its prompts."""
    asked = {row["prompt"] for row in tables.planned.to_pylist() if row["generator"] == generator}
    known = [prompt for prompt in tables.prompts if prompt in asked]
    yield Level("overall", "", known)
    for level in ("category", "term"):
        by_item: dict[str, list[str]] = defaultdict(list)
        for prompt in known:
            by_item[getattr(tables.prompts[prompt], level)].append(prompt)
        if level == "term" or len(by_item) > 1:
            yield from (Level(level, item, prompts) for item, prompts in by_item.items() if item)


class Lookup:
    """The tables by key, so that a cell is put together without searching."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._counts = _by_key(tables.counts, "group", "count")
        self._missing = _by_key(tables.missing, "reason", "count")
        self._truths = _by_key(tables.truths, "group", "share", keys=("generator", "prompt", "attribute"))
        self._drawn: dict[Key, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        for row in tables.confusion.to_pylist():
            self._drawn[row["generator"], row["prompt"], row["annotator"], row["attribute"]][row["planted"]] += row[
                "count"
            ]
        self._planned = {(row["generator"], row["prompt"]): row["count"] for row in tables.planned.to_pylist()}
        keys = ("generator", "prompt", "annotator", "attribute")
        self._values = {tuple(row[key] for key in keys): row for row in tables.values.to_pylist()}

    def shares(self, generator: str, annotator: str, attribute: Attribute, prompts: Sequence[str]) -> Cell:
        """Return the shares of the attribute's groups in each prompt that has usable images."""
        counts = np.zeros((len(prompts), len(attribute.groups)))
        for row, prompt in enumerate(prompts):
            for group, count in self._counts.get((generator, prompt, annotator, attribute.name), {}).items():
                counts[row, int(group)] = count
        totals = counts.sum(axis=1)
        with np.errstate(invalid="ignore"):
            return Cell.of(counts / totals[:, None], totals, self._weights(prompts))

    def used(self, generator: str, annotator: str, attribute: str, prompts: Sequence[str]) -> list[str]:
        """Return the prompts that have usable images for the attribute, in order: the rows of the cell."""
        key = (annotator, attribute)
        return [p for p in prompts if (generator, p, *key) in self._counts or (generator, p, *key) in self._values]

    def means(self, generator: str, annotator: str, attribute: str, prompts: Sequence[str]) -> tuple[Cell, Array]:
        """Return each prompt's mean (as a one-column cell) and the variance of its images."""
        rows = [
            self._values[generator, p, annotator, attribute]
            for p in self.used(generator, annotator, attribute, prompts)
        ]
        n = np.array([row["n"] for row in rows], dtype=float)
        mean = np.array([row["total"] for row in rows], dtype=float) / n
        squares = np.array([row["squares"] for row in rows], dtype=float)
        variance = np.where(n > 1, np.maximum(squares - n * mean**2, 0) / np.maximum(n - 1, 1), np.nan)
        weights = self._weights(self.used(generator, annotator, attribute, prompts))
        return Cell.of(mean[:, None], n, weights), variance

    def truth(self, generator: str, attribute: Attribute, prompts: Sequence[str]) -> Array | None:
        """Return the planted shares (prompts, groups), or None when any prompt has none."""
        rows = [self._truths.get((generator, prompt, attribute.name)) for prompt in prompts]
        if not rows or any(row is None for row in rows):
            return None
        return np.array([[row.get(group, 0.0) for group in attribute.groups] for row in rows if row is not None])

    def drawn(self, generator: str, annotator: str, attribute: Attribute, prompts: Sequence[str]) -> Array | None:
        """Return the shares of planted groups among the usable images (prompts, groups), or None when unknown."""
        rows = [self._drawn.get((generator, prompt, annotator, attribute.name)) for prompt in prompts]
        if not rows or any(row is None for row in rows):
            return None
        counts = np.array([[row.get(group, 0.0) for group in attribute.groups] for row in rows if row is not None])
        totals = counts.sum(axis=1, keepdims=True)
        return np.asarray(counts / totals) if totals.all() else None

    def planned(self, generator: str, prompts: Sequence[str]) -> int:
        """Return how many images were asked for."""
        return int(sum(self._planned.get((generator, prompt), 0) for prompt in prompts))

    def missing(self, generator: str, annotator: str, about: Sequence[str], prompts: Sequence[str]) -> dict[str, int]:
        """Return how many images cannot be used, by reason; ``about`` names attributes, "" the image as a whole."""
        found: dict[str, int] = defaultdict(int)
        for prompt, looker, attribute in product(prompts, ("", annotator), about):
            for reason, count in self._missing.get((generator, prompt, looker, attribute), {}).items():
                found[str(reason)] += int(count)
        return dict(sorted(found.items()))

    def missing_shares(self, generator: str, annotator: str, about: Sequence[str], prompts: Sequence[str]) -> Cell:
        """Return the share of planned images that each reason costs, per prompt; columns as in :meth:`missing`."""
        reasons = self.missing(generator, annotator, about, prompts)
        planned = np.array([self.planned(generator, [prompt]) for prompt in prompts], dtype=float)
        lost = [self.missing(generator, annotator, about, [prompt]) for prompt in prompts]
        counts = np.array([[row.get(reason, 0) for reason in reasons] for row in lost], dtype=float)
        return Cell.of(counts / planned[:, None], planned, self._weights(prompts))

    def _weights(self, prompts: Sequence[str]) -> list[float]:
        return [self.tables.prompts[prompt].weight for prompt in prompts]


def _by_key(
    table: pa.Table, name: str, value: str, keys: Sequence[str] = ("generator", "prompt", "annotator", "attribute")
) -> dict[Key, dict[str | int, float]]:
    found: dict[Key, dict[str | int, float]] = defaultdict(dict)
    for row in table.to_pylist():
        found[tuple(row[key] for key in keys)][row[name]] = row[value]
    return dict(found)
