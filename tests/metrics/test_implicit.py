from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.metrics import implicit_score
from portrayal.metrics.divergence import Array

shares = st.floats(0, 1)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Array, Array]:
    groups = draw(st.integers(2, 8))
    sides = [np.array(draw(st.lists(shares, min_size=groups, max_size=groups))) for _ in range(2)]
    for side in sides:
        side[draw(st.integers(0, groups - 1))] += draw(st.floats(1e-3, 1))
    return sides[0], sides[1]


def test_by_hand() -> None:
    # 0.9 * 0.6 + 0.1 * 0.4 = 0.58; the lengths are sqrt(0.82) and sqrt(0.52).
    cosine = 0.58 / (math.sqrt(0.82) * math.sqrt(0.52))
    assert float(implicit_score([0.9, 0.1], [0.6, 0.4])) == pytest.approx((cosine + 1) / 2, abs=1e-9)
    # 0.5 * 0.2 + 0.25 * 0.3 + 0.25 * 0.5 = 0.3; the squares add up to 0.375 and 0.38.
    cosine = 0.3 / math.sqrt(0.375 * 0.38)
    assert float(implicit_score([0.5, 0.25, 0.25], [0.2, 0.3, 0.5])) == pytest.approx((cosine + 1) / 2, abs=1e-9)


def test_all_mass_on_one_group() -> None:
    assert float(implicit_score([1, 0], [1, 0])) == 1.0
    assert float(implicit_score([1, 0], [0, 1])) == 0.5
    assert float(implicit_score([0, 1, 0, 0, 0], [0.2] * 5)) == pytest.approx((1 / math.sqrt(5) + 1) / 2, abs=1e-9)


@pytest.mark.parametrize(
    ("generated", "reference"),
    [
        ([0, 0], [0.5, 0.5]),
        ([0.5, 0.5], [0, 0]),
        ([np.nan, 0.5], [1, 0]),
        ([1, 0], [np.nan] * 2),
        ([np.inf, 1], [1, 0]),
    ],
)
def test_no_data_has_no_score(generated: list[float], reference: list[float]) -> None:
    assert math.isnan(float(implicit_score(generated, reference)))


def test_a_missing_row_leaves_the_others_alone() -> None:
    rows = np.array([[0.0, 0.0], [1.0, 0.0], [np.nan, 1.0], [0.9, 0.1]])
    many = implicit_score(rows, [0.6, 0.4])
    assert np.isnan(many).tolist() == [True, False, True, False]
    assert many[3] == implicit_score(rows[3], [0.6, 0.4])


def test_equal_proportions_never_score_above_one() -> None:
    """Without the clip some hundred of these come out at 1.0000000000000002."""
    shares = np.random.default_rng(1).dirichlet(np.ones(6), size=20_000)
    counts = shares * np.linspace(0.1, 50, len(shares))[:, None]
    scores = implicit_score(counts, shares)
    assert scores.max() == 1.0
    assert scores.min() == pytest.approx(1, abs=1e-12)


def test_leading_axes_broadcast() -> None:
    drawn = np.array([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 2.0], [3.0, 0.0]], [[1.0, 1.0], [0.0, 0.0]]])
    scores = implicit_score(drawn, [[1.0, 0.0], [0.0, 1.0]])
    assert scores.shape == (3, 2)
    assert scores[:2].tolist() == [[1.0, 1.0], [0.5, 0.5]]
    assert scores[2, 0] == pytest.approx((math.sqrt(0.5) + 1) / 2, abs=1e-12)


def test_different_groups_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot be compared"):
        implicit_score([0.5, 0.5], [1.0])


@pytest.mark.parametrize("size", [5e-324, 1e-310, 1e-160, 1e150, 1e300])
def test_tiny_and_huge_masses_keep_their_direction(size: float) -> None:
    assert float(implicit_score([size, size, 0], [0.5, 0.5, 0])) == pytest.approx(1, abs=1e-12)
    assert float(implicit_score([0.5, 0.5, 0], [size, 0, 0])) == pytest.approx((math.sqrt(0.5) + 1) / 2, abs=1e-12)


@given(pairs(), st.floats(1e-6, 1e6), st.floats(1e-6, 1e6))
def test_only_proportions_matter(pair: tuple[Array, Array], a: float, b: float) -> None:
    p, q = pair
    assert float(implicit_score(a * p, b * q)) == pytest.approx(float(implicit_score(p, q)), abs=1e-9)


@given(pairs())
def test_bounds_and_symmetry(pair: tuple[Array, Array]) -> None:
    p, q = pair
    score = float(implicit_score(p, q))
    assert 0.5 <= score <= 1
    assert score == pytest.approx(float(implicit_score(q, p)), abs=1e-12)
    assert float(implicit_score(p, p)) == pytest.approx(1, abs=1e-12)


@given(pairs(), st.integers(0, 1000))
def test_the_order_of_groups_does_not_matter(pair: tuple[Array, Array], seed: int) -> None:
    p, q = pair
    order = np.random.default_rng(seed).permutation(len(p))
    assert float(implicit_score(p[order], q[order])) == pytest.approx(float(implicit_score(p, q)), abs=1e-12)
