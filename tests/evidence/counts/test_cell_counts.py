"""Counts whose kind only says what a batch adds: they merge in any order, and come in the order of the design."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pytest

from portrayal.evidence import Batch, CellCounts

if TYPE_CHECKING:
    from tests.evidence.conftest import Store

CLIP, HUMANS = "clip@1", "humans"
WOMAN = (0.0, 1.0)


@dataclass(frozen=True)
class Rows(CellCounts):
    """How many rows an annotator wrote, of a number type."""

    kind: str = "int64"

    def counts(self, batch: Batch) -> Iterator[tuple[tuple[str, str], np.ndarray]]:
        found = np.bincount(batch.cell, minlength=len(batch.plan.cells))
        yield (batch.images.annotator, "gender"), found.astype(self.kind)


def filled(store: Store) -> Store:
    for word, who in (("a", HUMANS), ("b", CLIP), ("c", CLIP)):
        store.made(word)
        store.saw(word, WOMAN, None, by=who)
    return store


def test_what_batches_add_is_summed_in_the_order_of_the_design(store: Store) -> None:
    evidence = filled(store).evidence(Rows())
    found = evidence[Rows()]
    assert list(found) == [(CLIP, "gender"), (HUMANS, "gender")]
    assert {who: counts.tolist() for (who, _), counts in found.items()} == {CLIP: [2], HUMANS: [1]}


def test_parts_merge_in_any_order(store: Store) -> None:
    plan = filled(store).plan()
    one, other, back = (Rows().begin(plan) for _ in range(3))
    one.sums, other.sums = {(HUMANS, "gender"): np.array([1])}, {(CLIP, "gender"): np.array([2])}
    back.merge(other)
    back.merge(one)
    one.merge(other)
    for merged in (one, back):
        assert [(who, counts.tolist()) for (who, _), counts in merged.result().items()] == [(CLIP, [2]), (HUMANS, [1])]
    one.merge(other)
    assert one.result()[CLIP, "gender"].tolist() == [4]


def test_numbers_that_do_not_add_up_exactly_are_refused(store: Store) -> None:
    with pytest.raises(TypeError, match="Rows counts float64 numbers; give whole ones"):
        filled(store).evidence(Rows("float64"))
