from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal import metrics
from portrayal.metrics import chi_square, kl_divergence, total_variation
from portrayal.metrics.divergence import Array


@st.composite
def shares(draw: st.DrawFn, groups: int) -> Array:
    mass = np.array(draw(st.lists(st.integers(0, 50), min_size=groups, max_size=groups)), dtype=float)
    mass[draw(st.integers(0, groups - 1))] += 1
    return np.asarray(mass / mass.sum())


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Array, Array]:
    groups = draw(st.integers(2, 10))
    return draw(shares(groups)), draw(shares(groups))


def test_everything_offered_exists() -> None:
    compared = ["chi_square", "difference", "kl_divergence", "ratio", "total_variation"]
    faintbench = ["explicit_score", "implicit_score", "manifestation", "pair_manifestation"]
    objects = ["ObjectCounts", "distribution_bias", "jaccard_hallucination", "log_bias", "miss_rate", "object_scores"]
    others = ["popularity", "rarefied_bias", "weighted_mean", "weighted_total"]
    assert sorted(metrics.__all__) == sorted([*compared, *faintbench, *objects, *others])
    assert all(callable(getattr(metrics, name)) for name in metrics.__all__)


def test_total_variation_by_hand() -> None:
    assert float(total_variation([0.7, 0.2, 0.1], [0.5, 0.25, 0.25])) == pytest.approx(0.2)
    assert float(total_variation([1, 0], [0, 1])) == 1.0


def test_kl_divergence_by_hand() -> None:
    expected = 0.75 * math.log(1.5) + 0.25 * math.log(0.5)
    assert float(kl_divergence([0.75, 0.25], [0.5, 0.5])) == pytest.approx(expected)
    assert float(kl_divergence([1, 0, 0], [0.2, 0.8, 0])) == pytest.approx(math.log(5))


def test_chi_square_by_hand() -> None:
    # 20 images, 10 expected of each: (15 - 10)^2 / 10 twice.
    assert float(chi_square([0.75, 0.25], [0.5, 0.5], 20)) == pytest.approx(5.0)
    assert chi_square([[0.75, 0.25], [0.5, 0.5]], [0.5, 0.5], [20, 40]).tolist() == pytest.approx([5.0, 0.0])


@pytest.mark.parametrize("divergence", [total_variation, kl_divergence, lambda p, q: chi_square(p, q, 8)])
def test_shares_that_no_distribution_has_are_refused(divergence: Callable[..., Array]) -> None:
    for pair in (([1.5, -0.5], [0.5, 0.5]), ([0.5, 0.5], [1.5, -0.5])):
        with pytest.raises(ValueError, match=r"^a share cannot be negative, and one is -0\.5$"):
            divergence(*pair)
    with pytest.raises(ValueError, match="shares over 2 groups cannot be compared with shares over 3"):
        divergence([0.5, 0.5], [0.5, 0.25, 0.25])
    assert np.isfinite(divergence([1.0, 0.0], [1.0, -1e-17]))  # what is left of 1 after rounding


def test_a_group_the_target_rules_out() -> None:
    assert float(kl_divergence([0.5, 0.5], [1, 0])) == math.inf
    assert float(chi_square([0.5, 0.5], [1, 0], 8)) == math.inf
    assert float(kl_divergence([1, 0], [1, 0])) == 0.0
    assert float(chi_square([1, 0], [1, 0], 8)) == 0.0
    assert float(total_variation([1, 0], [1, 0])) == 0.0


@pytest.mark.parametrize(("p", "q"), [([np.nan] * 2, [0.5, 0.5]), ([0.0, 1.0], [np.nan] * 2), ([np.nan] * 2, [1, 0])])
def test_missing_shares_have_no_divergence(p: list[float], q: list[float]) -> None:
    assert math.isnan(float(total_variation(p, q)))
    assert math.isnan(float(kl_divergence(p, q)))
    assert math.isnan(float(chi_square(p, q, 9)))


def test_no_images_have_no_statistic() -> None:
    assert math.isnan(float(chi_square([0.5, 0.5], [0.5, 0.5], 0)))


def test_different_groups_are_refused() -> None:
    with pytest.raises(ValueError, match="3 groups"):
        total_variation([0.2, 0.3, 0.5], [1.0])
    with pytest.raises(ValueError, match="over 2"):
        kl_divergence([1.0], [0.5, 0.5])


def test_leading_axes_broadcast() -> None:
    many = np.array([[[1.0, 0.0], [0.5, 0.5]], [[0.0, 1.0], [0.25, 0.75]]])
    assert total_variation(many, [0.5, 0.5]).tolist() == [[0.5, 0.0], [0.5, 0.25]]
    assert kl_divergence(many, [0.5, 0.5]).shape == (2, 2)


@given(pairs())
def test_bounds_and_symmetry(pair: tuple[Array, Array]) -> None:
    p, q = pair
    apart = float(total_variation(p, q))
    assert 0 <= apart <= 1 + 1e-12
    assert apart == pytest.approx(float(total_variation(q, p)))
    # Pinsker's inequality ties the two together.
    assert float(kl_divergence(p, q)) >= 2 * apart**2 - 1e-9
    assert float(kl_divergence(p, p)) == 0.0 == float(chi_square(p, p, 5))


@given(pairs(), st.integers(0, 1000), st.integers(1, 100))
def test_the_order_of_groups_does_not_matter(pair: tuple[Array, Array], seed: int, n: int) -> None:
    p, q = pair
    order = np.random.default_rng(seed).permutation(len(p))
    assert float(total_variation(p[order], q[order])) == pytest.approx(float(total_variation(p, q)))
    assert float(kl_divergence(p[order], q[order])) == pytest.approx(float(kl_divergence(p, q)), abs=1e-12)
    assert float(chi_square(p[order], q[order], n)) == pytest.approx(float(chi_square(p, q, n)))


@given(pairs(), st.integers(1, 100), st.integers(2, 9))
def test_chi_square_grows_with_the_images(pair: tuple[Array, Array], n: int, times: int) -> None:
    assert float(chi_square(*pair, n * times)) == pytest.approx(times * float(chi_square(*pair, n)))
