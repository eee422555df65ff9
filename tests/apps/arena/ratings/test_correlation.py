"""Rank correlations of ratings with scores: scipy's numbers, exact p-values for few models, reasons for none."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kendalltau, permutation_test, spearmanr

from portrayal.apps.arena.ratings.correlation import HumanRatings, correlate


def rated(models: int, noise: float = 10.0, seed: int = 0) -> HumanRatings:
    rng = np.random.default_rng(seed)
    rating = np.linspace(900, 1100, models)
    return HumanRatings([f"m{n}" for n in range(models)], rating, rating + rng.normal(0, noise, (400, models)), 30)


@pytest.mark.slow
@pytest.mark.parametrize("models", [5, 7, 12])
def test_it_is_what_scipy_says(models: int) -> None:
    given = rated(models)
    score = np.random.default_rng(models).permutation(models).astype(float)
    (found,) = correlate(given, {"auto": dict(zip(given.models, score, strict=True))})
    assert found.spearman == pytest.approx(spearmanr(given.rating, score).statistic)
    assert found.kendall == pytest.approx(kendalltau(given.rating, score).statistic)
    assert found.kendall_p == pytest.approx(kendalltau(given.rating, score).pvalue)
    if models > 8:
        expected = spearmanr(given.rating, score).pvalue
    else:
        every = permutation_test(
            (given.rating,), lambda x: spearmanr(x, score).statistic, permutation_type="pairings", n_resamples=10_000
        )
        expected = every.pvalue
    assert found.spearman_p == pytest.approx(expected, abs=1e-9)
    assert bool(found.note) is (models < 10)


def test_intervals_follow_the_raters_doubt() -> None:
    sure, unsure = (correlate(rated(8, noise), {"s": {f"m{n}": float(n) for n in range(8)}})[0] for noise in (0.1, 60))
    assert [sure.spearman_low, sure.spearman_high] == pytest.approx([1, 1])
    assert unsure.kendall_low is not None
    assert unsure.kendall_low < 0.8


def test_reasons() -> None:
    given = rated(4)
    found = correlate(given, {"few": {"m0": 1.0, "m1": 2.0, "other": 3.0}, "flat": dict.fromkeys(given.models, 1.0)})
    assert [row.spearman for row in found] == [None, None]
    assert [row.note for row in found] == [
        "fewer than three models have both a rating and this score", "all models have the same score",
    ]  # fmt: skip
