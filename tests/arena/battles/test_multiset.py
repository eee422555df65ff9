from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from portrayal.arena.battles.multiset import Bag


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from([-1, 1])), max_size=40))
def test_a_bag_is_a_counter_to_draw_from(steps: list[tuple[str, int]]) -> None:
    bag: Bag[str] = Bag()
    counter: Counter[str] = Counter()
    for thing, step in steps:
        if step > 0 or counter[thing] > 0:
            bag.add(thing, step)
            counter[thing] += step
    held = {thing for thing, count in counter.items() if count}
    assert len(bag) == len(held)
    rng = np.random.default_rng(0)
    assert {bag.draw(rng) for _ in range(100 if held else 0)} == held


def test_bags_with_the_same_things_are_equal_however_they_came_in() -> None:
    one: Bag[str] = Bag()
    two: Bag[str] = Bag()
    for thing in "abc":
        one.add(thing)
    for thing in "xcab":
        two.add(thing)
    assert one != two
    two.add("x", -1)
    assert one == two
    two.add("a")
    assert one != two
