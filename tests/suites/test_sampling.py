from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from portrayal.records import Prompt
from portrayal.suites.choosing import allot, stratified_sample

PROMPTS = [Prompt(f"prompt {number}", "x", kind="a" if number < 70 else "b") for number in range(100)]


def sample(size: int, seed: int = 0) -> list[Prompt]:
    return stratified_sample(PROMPTS, size, seed, lambda prompt: prompt.kind)


@given(st.lists(st.integers(1, 1000), min_size=1, max_size=12), st.data())
def test_places_add_up_and_stay_within_one_of_the_exact_share(sizes: list[int], data: st.DataObject) -> None:
    total = data.draw(st.integers(0, sum(sizes)))
    places = allot(sizes, total)
    assert sum(places) == total
    assert all(abs(place - size * total / sum(sizes)) < 1 for place, size in zip(places, sizes, strict=True))
    assert all(0 <= place <= size for place, size in zip(places, sizes, strict=True))


def test_the_largest_remainders_get_what_is_left() -> None:
    assert allot([50, 30, 20], 7) == [4, 2, 1]  # 3.5, 2.1, 1.4
    assert allot([1, 1, 1], 2) == [1, 1, 0]  # equal remainders: first come first


def test_strata_in_proportion_in_the_old_order() -> None:
    chosen = sample(10)
    assert Counter(prompt.kind for prompt in chosen) == {"a": 7, "b": 3}
    assert [PROMPTS.index(prompt) for prompt in chosen] == sorted(PROMPTS.index(prompt) for prompt in chosen)


def test_the_seed_decides_and_a_larger_sample_goes_on() -> None:
    assert sample(10) == sample(10) != sample(10, seed=1)
    assert {prompt.id for prompt in sample(10)} < {prompt.id for prompt in sample(20)}
    assert sample(100) == PROMPTS
