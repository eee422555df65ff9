from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.metrics import difference, ratio


def test_by_hand() -> None:
    assert difference([0.75, 0.25], [0.6, 0.4]).tolist() == pytest.approx([0.15, -0.15])
    assert ratio([0.75, 0.25], [0.5, 0.5]).tolist() == [1.5, 0.5]


def test_a_group_without_a_target() -> None:
    over, unknown, absent = ratio([1.0, 0.0, 0.0], [0.0, 0.0, 1.0]).tolist()
    assert over == math.inf
    assert math.isnan(unknown)
    assert absent == 0.0


def test_missing_shares_stay_missing() -> None:
    assert np.isnan(difference([np.nan, np.nan], [0.5, 0.5])).all()
    assert np.isnan(ratio([np.nan, np.nan], [0.0, 0.5])).all()
    assert np.isnan(ratio([0.5, 0.5], [np.nan, np.nan])).all()


def test_different_groups_are_refused() -> None:
    for compare in (difference, ratio):
        with pytest.raises(ValueError, match="cannot be compared"):
            compare([0.5, 0.5], [0.2, 0.3, 0.5])


def test_leading_axes_broadcast() -> None:
    assert difference([[1.0, 0.0], [0.0, 1.0]], [0.5, 0.5]).tolist() == [[0.5, -0.5], [-0.5, 0.5]]


@given(st.lists(st.floats(0.01, 1), min_size=2, max_size=10))
def test_a_share_like_its_target(masses: list[float]) -> None:
    share = np.array(masses) / sum(masses)
    assert difference(share, share).tolist() == [0.0] * len(masses)
    assert ratio(share, share).tolist() == [1.0] * len(masses)
    assert difference(share, np.roll(share, 1)).sum() == pytest.approx(0, abs=1e-12)
