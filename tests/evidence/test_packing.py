from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from portrayal.evidence import GroupCounts, Missing, Need, Plan, Rule
from portrayal.evidence.need import add_up
from portrayal.evidence.packing import pack, unpack
from portrayal.stats.exact import ExactSums

if TYPE_CHECKING:
    from tests.evidence.conftest import Store

NEEDS: list[Need[Any]] = [GroupCounts(Rule("each"), "mass"), Missing(Rule("one"))]


def travelled(thing: Any, plan: Plan) -> tuple[Any, int]:
    """Return what arrives, and how many bytes it took."""
    packed = pack([thing], plan, [])
    (found,) = unpack(packed, plan, [])
    return found, len(packed)


def test_sums_travel_without_their_plan_and_find_it_again(store: Store) -> None:
    for number in range(40):
        store.made(str(number), f"prompt {number}")
        store.saw(str(number), gender=(0.3, 0.7))
    plan = store.plan()
    sums = add_up(plan, NEEDS, store.batches(plan))
    packed = pack(sums, plan, NEEDS)
    assert b"prompt 7" not in packed
    found: list[Any] = unpack(packed, plan, NEEDS)
    counts, missing = found
    assert counts.plan is plan
    assert counts.need is NEEDS[0]
    assert missing.result().counts.keys() == sums[1].result().counts.keys()
    for key, own in sums[0].result().items():
        assert np.array_equal(counts.result()[key], own)
    counts.merge(sums[0])
    assert counts.result()["clip@1", "gender"].sum() == 80


def test_what_is_zero_takes_no_room_and_comes_back(make_store: Callable[[], Store]) -> None:
    plan = make_store().plan()
    random = Random(3)
    for size in (1, 511, 512, 513, 100_000):
        for kind in (np.int64, np.float64, np.uint8):
            whole = np.zeros((3, size), dtype=kind)
            whole[1, random.randrange(size)] = 7
            whole[2, -1] = 9
            found, length = travelled(ExactSums(size, {4: whole}), plan)
            assert np.array_equal(found.pieces[4], whole)
            assert found.pieces[4].dtype == kind
            found.pieces[4][:] += 1  # it can be added to
            assert length < 30_000


def test_arrays_that_are_full_or_odd_come_back(make_store: Callable[[], Store]) -> None:
    plan = make_store().plan()
    words = np.array(["too_dark", ""] * 2_000)
    turned = np.zeros((900, 3)).T
    turned[1, 5] = 2.5
    for own in (np.arange(9_000.0), words, turned, np.array(3), np.zeros(0), np.zeros((0, 4)), words.astype(object)):
        found, _ = travelled(own, plan)
        assert np.array_equal(found, own)
        assert found.shape == own.shape
