"""Groups by ranks: what differs, what could not have shown, and how much would have."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kruskal

from portrayal.stats.groups import difference_margin, kruskal_wallis, least_p

RNG = np.random.default_rng(11)


def test_the_p_value_is_scipy_s_and_nothing_that_varies_is_none() -> None:
    groups = [RNG.normal(size=8), RNG.normal(size=12)]
    assert kruskal_wallis(groups) == pytest.approx(kruskal(*groups).pvalue)
    assert kruskal_wallis(groups[:1]) is None
    assert kruskal_wallis([np.ones(8), np.ones(8)]) is None


@pytest.mark.parametrize("sizes", [(5, 5), (5, 9, 6), (5, 20), (5, 5, 5, 5)])
def test_no_groups_have_a_lower_p_value_than_the_least(sizes: tuple[int, ...]) -> None:
    least = least_p(sizes)
    ranks = np.arange(float(sum(sizes)))
    assert kruskal(*np.split(ranks, np.cumsum(sizes)[:-1])).pvalue >= least * (1 - 1e-9)
    for _ in range(200):
        drawn = np.split(RNG.permutation(ranks), np.cumsum(sizes)[:-1])
        assert kruskal(*drawn).pvalue >= least
    assert least_p([5] * 7) == 0


@pytest.mark.parametrize(("sizes", "level"), [((12, 12, 30), 0.05), ((12, 12, 30), 0.005), ((30, 40), 0.01)])
def test_a_group_that_lies_the_margin_away_is_found_four_times_in_five(sizes: tuple[int, ...], level: float) -> None:
    # Groups whose means agree exactly leave the least open, so that the margin is that of the test alone.
    alike = [np.linspace(-1.66, 1.66, size) for size in sizes]
    margin, hits = difference_margin(alike, level), 0
    for _ in range(400):
        drawn = [RNG.normal(size=size) for size in sizes]
        drawn[0] += margin
        p = kruskal_wallis(drawn)
        hits += p is not None and p < level
    assert 0.68 < hits / 400 < 0.92


def test_the_margin_never_lies_inside_what_the_data_leave_open() -> None:
    near, far = RNG.normal(size=20), RNG.normal(size=20)
    assert difference_margin([near, far + 3], 0.05) > 3 > difference_margin([near, far], 0.05)
