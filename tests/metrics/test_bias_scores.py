from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.metrics import explicit_score
from portrayal.metrics.divergence import Array


@st.composite
def masses(draw: st.DrawFn) -> Array:
    images, groups = draw(st.integers(1, 6)), draw(st.integers(2, 5))
    flat = draw(st.lists(st.integers(0, 20), min_size=images * groups, max_size=images * groups))
    mass = np.array(flat, dtype=float).reshape(images, groups)
    mass[:, 0] += 0.5
    return np.asarray(mass / mass.sum(axis=1, keepdims=True))


def test_by_hand() -> None:
    mass = [[0.7, 0.2, 0.1], [0.1, 0.3, 0.6], [0.4, 0.35, 0.25]]
    assert float(explicit_score(mass, 0)) == pytest.approx((0.7 + 0.1 + 0.4) / 3, abs=1e-9)
    assert float(explicit_score(mass, 2)) == pytest.approx((0.1 + 0.6 + 0.25) / 3, abs=1e-9)
    assert float(explicit_score(mass, 0, hard=True)) == pytest.approx(2 / 3, abs=1e-9)
    assert float(explicit_score(mass, 1, hard=True)) == 0.0


def test_a_group_for_each_image() -> None:
    mass = [[0.7, 0.2, 0.1], [0.1, 0.3, 0.6], [0.4, 0.35, 0.25]]
    assert float(explicit_score(mass, [0, 2, 1])) == pytest.approx((0.7 + 0.6 + 0.35) / 3, abs=1e-9)
    assert float(explicit_score(mass, np.array([0, 2, 1]), hard=True)) == pytest.approx(2 / 3, abs=1e-9)


def test_of_equal_masses_the_first_counts() -> None:
    assert float(explicit_score([[0.5, 0.5]], 0, hard=True)) == 1.0
    assert float(explicit_score([[0.5, 0.5]], 1, hard=True)) == 0.0
    assert float(explicit_score([[0.2, 0.4, 0.4]], 1, hard=True)) == 1.0


def test_all_mass_on_one_group() -> None:
    for hard in (False, True):
        assert float(explicit_score([[1, 0], [0, 1], [1, 0], [1, 0]], 0, hard=hard)) == 0.75


@pytest.mark.parametrize("hard", [False, True])
def test_no_images_have_no_score(hard: bool) -> None:
    assert math.isnan(float(explicit_score(np.empty((0, 2)), 0, hard=hard)))
    assert math.isnan(float(explicit_score(np.empty((0, 2)), [], hard=hard)))
    assert math.isnan(float(explicit_score([[np.nan, np.nan], [0.0, 0.0]], 0, hard=hard)))


@pytest.mark.parametrize("hard", [False, True])
def test_an_image_without_masses_is_left_out(hard: bool) -> None:
    assert float(explicit_score([[1.0, 0.0], [np.nan, 1.0], [0.0, 0.0], [0.0, 1.0]], 0, hard=hard)) == 0.5


def test_leading_axes() -> None:
    mass = np.array([[[1.0, 0.0], [0.5, 0.5]], [[0.25, 0.75], [0.0, 1.0]]])
    assert explicit_score(mass, 1).tolist() == [0.25, 0.875]
    assert explicit_score(mass, [0, 1]).tolist() == [0.75, 0.625]
    assert explicit_score(mass, 1, hard=True).tolist() == [0.0, 1.0]


@pytest.mark.parametrize("requested", [2, -1, 0.0, "male", [0, 2]])
def test_a_group_that_is_none_is_refused(requested: Any) -> None:
    with pytest.raises(ValueError, match="an index from 0 to 1"):
        explicit_score([[0.5, 0.5], [0.5, 0.5]], requested)


def test_masses_of_one_image_need_an_axis_for_images() -> None:
    with pytest.raises(ValueError, match="images, groups"):
        explicit_score([0.5, 0.5], 0)


@given(masses())
def test_bounds_and_total(mass: Array) -> None:
    soft = [float(explicit_score(mass, group)) for group in range(mass.shape[1])]
    hard = [float(explicit_score(mass, group, hard=True)) for group in range(mass.shape[1])]
    for scores in (soft, hard):
        assert all(0 <= score <= 1 for score in scores)
        assert sum(scores) == pytest.approx(1, abs=1e-9)


@given(masses(), st.integers(0, 1000))
def test_the_order_of_groups_and_images_does_not_matter(mass: Array, seed: int) -> None:
    rng = np.random.default_rng(seed)
    groups, images = rng.permutation(mass.shape[1]), rng.permutation(mass.shape[0])
    shuffled = mass[images][:, groups]
    for place, group in enumerate(groups):
        expected = float(explicit_score(mass, int(group)))
        assert float(explicit_score(shuffled, place)) == pytest.approx(expected, abs=1e-12)
