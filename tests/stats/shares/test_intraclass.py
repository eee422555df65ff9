from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import beta, betabinom

from portrayal.stats.shares.cells import PromptShares
from portrayal.stats.shares.intraclass import CORRELATIONS, correlation_weights, mixed_bounds
from portrayal.stats.shares.prompt_sample import sample_intervals, sample_worths


def by_hand(seen: list[int], images: int) -> tuple[float, float]:
    """Return the bounds of the mean share by sums over a fine grid, with other code."""
    icc = (np.arange(400) + 0.5) / 400
    both = (1 - icc) / icc
    likely = np.zeros(len(icc))
    for p in beta.ppf((np.arange(60) + 0.5) / 60, 0.5, 0.5):
        likely += np.exp(sum(betabinom.logpmf(k, images, p * both, (1 - p) * both) for k in seen))
    likely /= likely.sum()
    mean, worth = np.mean(seen) / images, len(seen) / (icc + (1 - icc) / images)

    def above(p: float) -> float:
        return float((likely * beta.sf(p, worth * mean + 1, worth * (1 - mean))).sum()) - 0.025

    def below(p: float) -> float:
        return float((likely * beta.cdf(p, worth * mean, worth * (1 - mean) + 1)).sum()) - 0.025

    return brentq(below, 1e-9, mean), brentq(above, mean, 1 - 1e-9)


@pytest.mark.parametrize(
    ("seen", "images"), [([1, 0, 0], 8), ([4, 4, 4], 8), ([8, 8, 4], 8), ([20, 3, 11, 19, 7], 20), ([99, 98, 60], 100)]
)
def test_bounds_are_those_of_a_fine_grid(seen: list[int], images: int) -> None:
    cell = PromptShares.of(np.array(seen)[:, None] / images, [images] * len(seen))
    low, high = sample_intervals(cell)
    assert (low[0], high[0]) == pytest.approx(by_hand(seen, images), abs=0.012)


def test_many_prompts_show_how_alike_their_images_are() -> None:
    rng = np.random.default_rng(0)
    for truth in (0.02, 0.1, 0.5):
        both = (1 - truth) / truth
        shares = rng.binomial(20, rng.beta(0.3 * both, 0.7 * both, size=2000)) / 20
        weights = correlation_weights(shares[:, None], np.full(2000, 20))
        assert float(weights[0] @ CORRELATIONS) == pytest.approx(truth, rel=0.15)


def test_one_image_a_prompt_leaves_it_open() -> None:
    weights = correlation_weights(np.array([[1.0], [0.0], [1.0]]), np.ones(3))
    assert float(weights[0] @ CORRELATIONS) == pytest.approx(0.5, abs=0.02)
    assert sample_worths(PromptShares.of([[1.0], [0.0], [1.0]], [1, 1, 1])) == pytest.approx(3)


def test_groups_do_not_influence_one_another() -> None:
    shares = np.random.default_rng(1).dirichlet(np.ones(4), size=7)
    counts = np.array([5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0])
    together = correlation_weights(shares, counts)
    for group in range(4):
        assert correlation_weights(shares[:, [group]], counts)[0] == pytest.approx(together[group])


def test_bounds_of_a_known_number_of_images_are_those_of_clopper_and_pearson() -> None:
    share = np.array([0.0, 0.003, 0.25, 1.0])
    low, high = mixed_bounds(share, np.array([1000.0]), np.ones((4, 1)))
    assert low == pytest.approx([0, beta.ppf(0.025, 3, 998), beta.ppf(0.025, 250, 751), 0.025**0.001], rel=1e-6)
    assert high == pytest.approx([1 - 0.025**0.001, beta.ppf(0.975, 4, 997), beta.ppf(0.975, 251, 750), 1], rel=1e-6)


def test_huge_and_tiny_cells_have_bounds() -> None:
    for prompts, images in ((2, 1), (2, 10_000), (5000, 1), (5000, 300)):
        low, high = sample_intervals(PromptShares.of(np.tile([0.0, 1.0], (prompts, 1)), np.full(prompts, images)))
        assert (low[0], high[1]) == (0.0, 1.0)
        assert 0 < high[0] < 1
