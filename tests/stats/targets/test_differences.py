from __future__ import annotations

import numpy as np
import pytest

from portrayal.stats.shares.cells import PromptShares, share_intervals
from portrayal.stats.targets.differences import difference_intervals, ratio_intervals

TARGETS = np.array([[0.1, 0.9], [0.5, 0.5], [0.9, 0.1], [0.3, 0.7]])


def test_a_difference_is_the_share_less_what_is_known_of_its_target() -> None:
    """Which targets the prompts have is no matter of chance: charts and first screen have one interval."""
    cell = PromptShares.of(TARGETS[::-1], [20, 10, 30, 20])
    low, high = difference_intervals(cell, TARGETS)
    share_low, share_high = share_intervals(cell)
    assert low == pytest.approx(share_low - cell.mean(TARGETS))
    assert high == pytest.approx(share_high - cell.mean(TARGETS))


def test_a_ratio_is_the_share_divided_by_its_target() -> None:
    cell = PromptShares.of([[0.75, 0.25, 0.0]], [16])
    low, high = ratio_intervals(cell, [0.5, 0.5, 0.0])
    share_low, share_high = share_intervals(cell)
    assert low[:2] == pytest.approx(share_low[:2] / 0.5)
    assert high[:2] == pytest.approx(share_high[:2] / 0.5)
    assert np.isnan([low[2], high[2]]).all()


def test_no_data_is_nan() -> None:
    low, high = difference_intervals(PromptShares.of(np.empty((0, 2)), []), np.empty((0, 2)))
    assert np.isnan(low).all()
    assert np.isnan(high).all()
