from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from portrayal.apps.arena.battles.battle_counts import Multiset


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from([-1, 1])), max_size=40))
def test_a_multiset_is_a_counter_to_sample_from(steps: list[tuple[str, int]]) -> None:
    items: Multiset[str] = Multiset()
    counter: Counter[str] = Counter()
    for item, step in steps:
        if step > 0 or counter[item] > 0:
            items.add(item, step)
            counter[item] += step
    held = {item for item, count in counter.items() if count}
    assert len(items) == len(held)
    rng = np.random.default_rng(0)
    assert {items.sample(rng) for _ in range(100 if held else 0)} == held


def test_multisets_of_the_same_items_are_equal_however_they_came_in() -> None:
    one: Multiset[str] = Multiset()
    two: Multiset[str] = Multiset()
    for item in "abc":
        one.add(item)
    for item in "xcab":
        two.add(item)
    assert one != two
    two.add("x", -1)
    assert one == two
    two.add("a")
    assert one != two
