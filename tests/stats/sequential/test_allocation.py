"""Images go where they tell most; what may be is never passed, and nothing is taken back."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from portrayal.stats.sequential.allocation import allocated, spread_of, within_room

counts = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50), st.floats(0.1, 5)), min_size=1, max_size=8)


@given(counts, st.integers(0, 600))
def test_all_are_given_out_within_the_limits(prompts: list[tuple[int, int, float]], total: int) -> None:
    so_far = np.array([each[0] for each in prompts])
    most = so_far + np.array([each[1] for each in prompts])
    images = allocated(total, so_far, most, np.array([each[2] for each in prompts]))
    assert (images >= so_far).all()
    assert (images <= most).all()
    assert images.sum() == min(max(total, so_far.sum()), most.sum())


@given(st.lists(st.integers(0, 100), min_size=1, max_size=8), st.integers(0, 300))
def test_a_room_is_filled_and_not_passed(more: list[int], room: int) -> None:
    given = within_room(np.array(more), room)
    assert given.sum() == min(sum(more), room)
    assert (given <= np.array(more)).all()


def test_a_prompt_whose_images_differ_is_worth_more() -> None:
    spread = spread_of(np.array([[10.0], [20.0], [0.0]]), np.array([20.0, 20.0, 20.0]), np.array([0.5]))
    assert spread[0] > spread[1] == spread[2]
