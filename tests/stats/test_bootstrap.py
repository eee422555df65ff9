from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portrayal.stats import bootstrap
from portrayal.stats.bootstrap import (
    bootstrap_means,
    expanded_percentile,
    multinomial_shares,
    plausible_truths,
    shrinking_path,
)
from portrayal.stats.intervals import Array


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_the_draws_have_the_mean_and_spread_of_theory() -> None:
    values = rng().random((50, 3))
    drawn = bootstrap_means(values, draws=4000, rng=rng(1))
    assert drawn.shape == (4000, 3)
    assert np.allclose(drawn.mean(axis=0), values.mean(axis=0), atol=0.005)
    assert np.allclose(drawn.std(axis=0), values.std(axis=0) / math.sqrt(50), rtol=0.06)


def test_weights_by_hand() -> None:
    # Two clusters, weights 3 and 1: a draw holds both (3/4), or one of them twice (1 or 0).
    drawn = bootstrap_means([[1.0], [0.0]], weights=[3, 1], draws=500, rng=rng())
    assert set(np.unique(drawn)) == {0.0, 0.75, 1.0}


def test_the_same_seed_gives_the_same_draws() -> None:
    values = rng().random((20, 2))
    first, second, other = (bootstrap_means(values, draws=50, rng=rng(seed)) for seed in (7, 7, 8))
    assert np.array_equal(first, second)
    assert not np.array_equal(first, other)


def test_chunks_change_nothing_but_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    values = rng().random((20, 2))
    whole = bootstrap_means(values, draws=50, rng=rng(7))
    monkeypatch.setattr(bootstrap, "CHUNK", 60)
    assert np.allclose(bootstrap_means(values, draws=50, rng=rng(7)), whole)


def test_many_clusters_fit() -> None:
    drawn = bootstrap_means(np.ones((100_000, 2)), draws=50, rng=rng())
    assert np.allclose(drawn, 1.0)


def test_no_clusters_give_nan() -> None:
    assert np.isnan(bootstrap_means(np.empty((0, 3)), draws=5, rng=rng())).all()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.floats(0.1, 10))
@settings(max_examples=30)
def test_draws_stay_within_the_clusters_and_ignore_the_scale_of_weights(values: list[float], scale: float) -> None:
    column = np.array(values)[:, None]
    drawn = bootstrap_means(column, draws=20, rng=rng())
    assert drawn.min() >= column.min() - 1e-12
    assert drawn.max() <= column.max() + 1e-12
    scaled = bootstrap_means(column, weights=np.full(len(values), scale), draws=20, rng=rng())
    assert np.allclose(drawn, scaled)


def test_multinomial_shares() -> None:
    drawn = multinomial_shares([0.7, 0.2, 0.1], 50, 2000, rng())
    assert np.allclose(drawn.sum(axis=1), 1)
    assert np.allclose(drawn.mean(axis=0), [0.7, 0.2, 0.1], atol=0.01)
    assert np.isnan(multinomial_shares([0.5, 0.5], 0, 3, rng())).all()
    assert np.isnan(multinomial_shares([np.nan, np.nan], 4, 3, rng())).all()


def test_multinomial_shares_forgives_rounding() -> None:
    share = np.full(10, 0.1, dtype=np.float32).astype(float) * 1.0000001
    assert multinomial_shares(share, 16, 4, rng()).shape == (4, 10)


def test_expanded_percentile_by_hand() -> None:
    # 13 clusters: t = 2.178813, times sqrt(13/12) is 2.267772, so each tail holds 1.167 %.
    low, high = expanded_percentile(np.linspace(0, 1, 100_001)[:, None], 13)
    assert low.tolist() == pytest.approx([0.01167], abs=2e-5)
    assert high.tolist() == pytest.approx([1 - 0.01167], abs=2e-5)


def test_expanded_percentile_of_many_clusters_is_the_plain_one() -> None:
    low, high = expanded_percentile(np.linspace(0, 1, 100_001), 1_000_000)
    assert (float(low), float(high)) == pytest.approx((0.025, 0.975), abs=2e-5)


def test_expanded_percentile_knows_nothing_from_one_cluster() -> None:
    assert all(np.isnan(bound).all() for bound in expanded_percentile(np.ones((10, 2)), 1))


def test_expanded_percentile_survives_infinity() -> None:
    low, high = expanded_percentile(np.array([0.0, 1.0, math.inf]), 100)
    assert (float(low), float(high)) == (0.0, math.inf)


@pytest.mark.parametrize("share", [[1.0, 0.0], [0.9, 0.1], [0.2, 0.3, 0.5]])
def test_plausible_truths_are_distributions(share: list[float]) -> None:
    truths = plausible_truths(share, 16, 200, rng())
    assert truths.shape == (len(share), 200, len(share))
    assert np.allclose(truths.sum(axis=-1), 1)
    assert (truths >= 0).all()


def test_plausible_truths_reach_the_bounds_of_clopper_and_pearson() -> None:
    # 16 of 16: the exact 97.5 % low bound is 0.025 ** (1 / 16).
    truths = plausible_truths([1.0, 0.0], 16, 40_000, rng())
    assert np.quantile(truths[1, :, 0], 0.025) == pytest.approx(0.025 ** (1 / 16), abs=0.005)
    assert (truths[0, :, 0] == 1).all()


@given(st.lists(st.integers(0, 30), min_size=2, max_size=10), st.floats(0, 1), st.integers(1, 200))
def test_the_path_leads_from_target_to_share_within_the_simplex(masses: list[int], way: float, n: int) -> None:
    counts = np.array(masses, dtype=float) + np.eye(len(masses))[0]
    share, target = counts / counts.sum(), np.full(len(masses), 1 / len(masses))
    path = shrinking_path(share, target, n)
    assert np.allclose(path(0.0), target)
    assert np.allclose(path(1.0), share)
    point: Array = path(way)
    assert point.sum() == pytest.approx(1)
    assert point.min() >= 0
    assert np.abs(point - target).sum() <= np.abs(share - target).sum() + 1e-12
