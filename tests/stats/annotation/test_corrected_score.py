from __future__ import annotations

import numpy as np
import pytest

from portrayal.metrics import kl_divergence, total_variation
from portrayal.stats.annotation.corrected_score import DrawnTerm, corrected_score, mean_total_variation
from portrayal.stats.intervals import Interval

HALF = np.array([0.5, 0.5])


def of_women(share: float, reach: float) -> list[Interval]:
    return [Interval(max(part - reach, 0.0), min(part + reach, 1.0)) for part in (1 - share, share)]


@pytest.mark.parametrize("score", [total_variation, kl_divergence])
@pytest.mark.parametrize(("share", "surely"), [(0.7, True), (0.55, False), (0.5, False), (1.0, True), (0.3, True)])
def test_0_is_in_it_exactly_where_the_reference_is_possible(score: object, share: float, surely: bool) -> None:
    value, found = corrected_score(of_women(share, 0.1), [1 - share, share], HALF, score)  # type: ignore[arg-type]
    assert (found.low > 0) == surely
    assert found.low <= value <= found.high


def test_of_two_groups_it_follows_from_the_bounds_of_the_share() -> None:
    bounds = of_women(0.7, 0.1)
    value, found = corrected_score(bounds, [0.3, 0.7], HALF, total_variation)
    assert (found.low, found.high) == pytest.approx((0.1, 0.3))
    assert value == pytest.approx((0.2**2 - (0.1 / 1.959964) ** 2) ** 0.5, abs=1e-6)
    _, found = corrected_score(bounds, [0.3, 0.7], HALF, kl_divergence)
    assert (found.low, found.high) == pytest.approx([float(kl_divergence([1 - p, p], HALF)) for p in (0.6, 0.8)])


def test_of_three_groups_it_is_the_range_over_all_shares_within_the_wider_bounds() -> None:
    middle, target = np.array([0.5, 0.3, 0.2]), np.full(3, 1 / 3)
    bounds = [Interval(part - 0.05, part + 0.05) for part in middle]
    reach = 0.05 * 2.2414 / 1.95996
    points = np.random.default_rng(0).dirichlet(200 * middle, 40_000)
    points = points[(np.abs(points - middle) <= reach).all(axis=1)]
    for score in (total_variation, kl_divergence):
        _, found = corrected_score(bounds, middle, target, score)
        values = score(points, target)
        assert found.low <= values.min() + 1e-9
        assert found.high >= values.max() - 1e-9
        assert (found.low, found.high) == pytest.approx((values.min(), values.max()), abs=0.01)


def test_a_group_that_the_reference_rules_out_leaves_a_divergence_open() -> None:
    value, found = corrected_score(of_women(0.0, 0.1), [1.0, 0.0], np.array([1.0, 0.0]), kl_divergence)
    assert (value, found.low) == (0.0, 0.0)
    assert found.high == float("inf")


def terms(shares: list[float], scatter: float) -> list[DrawnTerm]:
    rng, found = np.random.default_rng(0), []
    for share in shares:
        noise = rng.normal(0, scatter, 2000)
        middle = np.array([1 - share, share])
        found.append(DrawnTerm(middle, middle + noise[:, None] * [-1, 1], HALF, 1.0))
    return found


def test_terms_that_lie_off_to_both_sides_do_not_cancel() -> None:
    value, found = mean_total_variation(terms([0.2, 0.8], 0.02))
    assert value == pytest.approx(0.3, abs=0.005)
    assert 0.25 < found.low < value < found.high < 0.35


def test_what_few_pictures_add_is_taken_off() -> None:
    near = [0.46, 0.54] * 5
    value, found = mean_total_variation(terms(near, 0.06))
    assert value < np.mean([abs(share - 0.5) for share in near])
    assert found.low == 0


def test_errors_that_terms_share_do_not_cancel() -> None:
    middle, noise = np.array([0.3, 0.7]), np.random.default_rng(0).normal(0, 0.05, 2000)[:, None] * [-1, 1]
    together = [DrawnTerm(middle, middle + noise, HALF, 1.0)] * 8
    _, shared = mean_total_variation(together)
    _, apart = mean_total_variation(terms([0.7] * 8, 0.05))
    assert shared.width > 2 * apart.width
