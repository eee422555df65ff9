from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portrayal.methods.beside_reference import Comparison
from portrayal.records import Measurement
from portrayal.stats.shares.cells import PromptShares, share_intervals

GROUPS = ("a", "b", "c", "d")


def random_cell(seed: int, prompts: int, groups: int) -> tuple[PromptShares, np.ndarray]:
    """Return shares that crowd at 0 and 1, and targets alike or apart, some of them 0."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 25, size=prompts)
    truths = rng.dirichlet(np.full(groups, rng.choice([0.02, 0.3, 3.0])), size=prompts)
    shares = np.array([rng.multinomial(n, truth) / n for n, truth in zip(counts, truths, strict=True)])
    targets = rng.dirichlet(np.full(groups, rng.choice([0.05, 1.0])), size=prompts)
    targets = np.where(targets < 0.01, 0.0, targets)
    targets /= targets.sum(axis=1, keepdims=True)
    if seed % 2:
        targets[:] = targets[0]
    return PromptShares.of(shares, counts, rng.choice([1.0, 3.0], size=prompts)), targets


def measured(cell: PromptShares, targets: np.ndarray) -> list[Measurement]:
    row = Measurement("m", "", "g", "a")
    comparison = Comparison(row, cell, targets, None, 100)
    return list(comparison.measure(GROUPS[: cell.shares.shape[1]], np.random.default_rng(0)))


@pytest.mark.slow
@given(st.integers(0, 10**6), st.integers(1, 8), st.integers(2, 4))
@settings(max_examples=120, deadline=None)
def test_no_interval_lies_outside_what_is_possible(seed: int, prompts: int, groups: int) -> None:
    cell, targets = random_cell(seed, prompts, groups)
    wanted = dict(zip(GROUPS, cell.mean(targets).tolist(), strict=False))
    for row in measured(cell, targets):
        least, most = 0.0, np.inf
        if row.metric == "difference":
            least, most = -wanted[row.group], 1 - wanted[row.group]
        elif row.metric == "ratio":
            most = 1 / wanted[row.group]
        elif row.metric in ("total_variation", "mean_total_variation", "chi_square_p"):
            most = 1.0
        found = [bound for bound in (row.low, row.value, row.high) if bound is not None]
        assert found == sorted(found), row
        assert all(least - 1e-12 <= bound <= most + 1e-9 for bound in found), row
    low, high = share_intervals(cell)
    assert (low >= 0).all()
    assert (high <= 1).all()
    assert (low <= cell.share + 1e-12).all()
    assert (cell.share <= high + 1e-12).all()


def test_a_ratio_is_never_below_zero() -> None:
    """Two prompts that differ gave 0.60 (-0.71 to 10.99)."""
    rows = measured(PromptShares.of([[0.12, 0.88], [0.0, 1.0]], [8, 8]), np.array([[0.1, 0.9], [0.1, 0.9]]))
    ratio = next(row for row in rows if row.metric == "ratio" and row.group == "a")
    assert ratio.value == pytest.approx(0.6)
    assert ratio.low is not None
    assert 0 <= ratio.low < 0.6


def test_a_group_that_nobody_shows_has_a_ratio_of_zero_with_a_bound_above_it() -> None:
    rows = measured(PromptShares.of([[0.0, 1.0]] * 3, [8] * 3), np.array([[0.4, 0.6]] * 3))
    ratio = next(row for row in rows if row.metric == "ratio" and row.group == "a")
    assert (ratio.value, ratio.low) == (0.0, 0.0)
    assert ratio.high == pytest.approx(0.1425 / 0.4, abs=0.001)


def test_three_prompts_that_agree_in_all_images_are_strong_evidence_about_these_prompts() -> None:
    """24 images of 3 prompts, none of the group, which should be 0.3."""
    rows = measured(PromptShares.of([[0.0, 1.0]] * 3, [8] * 3), np.array([[0.3, 0.7]] * 3))
    by_metric = {row.metric: row for row in rows if row.group in ("", "a")}
    assert by_metric["difference"].high == pytest.approx(0.1425 - 0.3, abs=0.001)
    assert by_metric["chi_square_p"].value == pytest.approx(0.0013, abs=0.0001)


def test_where_all_prompts_have_one_target_share_difference_and_ratio_agree() -> None:
    cell, target = PromptShares.of([[0.5, 0.5], [0.9, 0.1], [0.7, 0.3]], [20] * 3), np.array([[0.8, 0.2]] * 3)
    low, high = share_intervals(cell)
    rows = {(row.metric, row.group): row for row in measured(cell, target)}
    assert (rows["difference", "a"].low, rows["difference", "a"].high) == pytest.approx((low[0] - 0.8, high[0] - 0.8))
    assert (rows["ratio", "a"].low, rows["ratio", "a"].high) == pytest.approx((low[0] / 0.8, high[0] / 0.8))


def numbers(cell: PromptShares, targets: np.ndarray) -> dict[tuple[str, str], tuple[float, float, float]]:
    """Return low bound, value and high bound by metric and group; all of them are there."""
    found = {}
    for row in measured(cell, targets):
        if row.low is not None and row.value is not None and row.high is not None:
            found[row.metric, row.group] = (row.low, row.value, row.high)
    return found


@pytest.mark.slow
@given(st.integers(0, 10**6), st.integers(1, 8))
@settings(max_examples=60, deadline=None)
def test_of_two_groups_the_distance_says_what_the_difference_says(seed: int, prompts: int) -> None:
    rows = numbers(*random_cell(seed, prompts, 2))
    (low, _, high), (least, _, most) = rows["difference", "a"], rows["total_variation", ""]
    assert (least > 0) == (low > 0 or high < 0)
    assert most == pytest.approx(max(abs(low), abs(high)))


def test_prompts_that_agree_in_all_images_leave_the_distance_of_a_typical_prompt_open() -> None:
    """24 women in 24 images of 3 prompts gave 0.50 (0.50 to 0.50) for a typical prompt."""
    rows = numbers(PromptShares.of([[1.0, 0.0]] * 3, [8] * 3), np.array([[0.5, 0.5]] * 3))
    low, value, high = rows["mean_total_variation", ""]
    assert (value, high) == (0.5, 0.5)
    assert low < 0.4


@pytest.mark.slow
@given(st.integers(0, 10**6), st.integers(2, 8), st.integers(2, 4))
@settings(max_examples=60, deadline=None)
def test_a_typical_prompt_is_no_nearer_than_the_average(seed: int, prompts: int, groups: int) -> None:
    rows = numbers(*random_cell(seed, prompts, groups))
    (_, typical, most), (_, average, high) = rows["mean_total_variation", ""], rows["total_variation", ""]
    assert typical >= average - 1e-12
    assert most >= high - 1e-12
