from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.errors import ConfigError
from portrayal.metrics import manifestation, pair_manifestation
from portrayal.metrics.divergence import Array
from portrayal.metrics.manifestation import VARIANTS

RACE = [0.2, 0.2, 0.2, 0.1, 0.1]
EVEN = [0.5, 0.5]


@st.composite
def quadruples(draw: st.DrawFn) -> tuple[Array, Array, Array, Array]:
    pairs, groups = draw(st.integers(1, 4)), draw(st.integers(2, 5))
    flat = draw(st.lists(st.floats(0, 1), min_size=4 * pairs * groups, max_size=4 * pairs * groups))
    p, p_ref, q, q_ref = np.array(flat).reshape(4, pairs, groups)
    return p, p_ref, q, q_ref


def eta(p: object, p_ref: object, q: object, q_ref: object, variant: str, k: object = 0.2) -> float:
    sides = [np.array([side], dtype=float) for side in (p, p_ref, q, q_ref)]
    return float(manifestation(*sides, k=np.asarray(k), variant=variant))


def test_both_prompts_show_more_men() -> None:
    # male: 0.2 (0.4^2 + 0.2^2) = 0.04, the same direction; female: as much.
    assert eta([0.9, 0.1], EVEN, [0.7, 0.3], EVEN, "definition") == pytest.approx(0.5 - 0.08, abs=1e-9)
    assert eta([0.9, 0.1], EVEN, [0.7, 0.3], EVEN, "published") == pytest.approx(0.5 + 0.08, abs=1e-9)
    # male: 0.2 ((0.9 - 0.25) + (0.7 - 0.25)) = 0.22; female: 0.2 ((0.1 - 0.25) + (0.3 - 0.25)) = -0.02.
    assert eta([0.9, 0.1], EVEN, [0.7, 0.3], EVEN, "released") == pytest.approx(0.5 + 0.22 - 0.02, abs=1e-9)


def test_men_for_the_rich_women_for_the_poor() -> None:
    # male: 0.2 (0.3^2 + 0.1^2) = 0.02, opposite directions; female: as much.
    assert eta([0.9, 0.1], [0.6, 0.4], [0.4, 0.6], EVEN, "definition") == pytest.approx(0.5 + 0.04, abs=1e-9)
    assert eta([0.9, 0.1], [0.6, 0.4], [0.4, 0.6], EVEN, "published") == pytest.approx(0.5 - 0.04, abs=1e-9)
    # male: 0.2 ((0.9 - 0.36) + (0.4 - 0.25)) = 0.138; female: 0.2 ((0.1 - 0.16) + (0.6 - 0.25)) = 0.058.
    assert eta([0.9, 0.1], [0.6, 0.4], [0.4, 0.6], EVEN, "released") == pytest.approx(0.5 - 0.138 - 0.058, abs=1e-9)


def test_five_groups_with_a_weight_each() -> None:
    p, p_ref = [0.6, 0.1, 0.1, 0.1, 0.1], [0.2, 0.2, 0.2, 0.1, 0.3]
    q, q_ref = [0.4, 0.1, 0.4, 0.1, 0.0], [0.2, 0.2, 0.2, 0.2, 0.2]
    # european  same      0.2 (0.16 + 0.04) = 0.040      east_asian   same  0.2 (0.01 + 0.01) = 0.004
    # african   opposite  0.2 (0.01 + 0.04) = 0.010      latino       tie   0
    # south_asian  same   0.1 (0.04 + 0.04) = 0.008
    lean = 0.040 + 0.004 - 0.010 + 0.008
    assert eta(p, p_ref, q, q_ref, "definition", RACE) == pytest.approx(0.5 - lean, abs=1e-9)
    assert eta(p, p_ref, q, q_ref, "published", RACE) == pytest.approx(0.5 + lean, abs=1e-9)
    # 0.2 (0.56 + 0.36), 0.2 (0.06 + 0.06), -0.2 (0.06 + 0.36), 0, 0.1 (0.01 - 0.04)
    assert eta(p, p_ref, q, q_ref, "released", RACE) == pytest.approx(0.5 + 0.184 + 0.024 - 0.084 - 0.003, abs=1e-9)


def test_all_mass_on_one_group() -> None:
    # Always men, against half: 0.2 (0.25 + 0.25) for each group.
    assert eta([1, 0], EVEN, [1, 0], EVEN, "definition") == pytest.approx(0.3, abs=1e-9)
    # Men, then women, where all should be the other: 0.2 (1 + 1) for each group; eta leaves 0..1 and is not cut off.
    assert eta([1, 0], [0, 1], [0, 1], [1, 0], "definition") == pytest.approx(1.3, abs=1e-9)
    # male: 0.2 ((1 - 0.25) + (1 - 0.25)) = 0.3; female: 0.2 (-0.25 - 0.25) = -0.1.
    assert eta([1, 0], EVEN, [1, 0], EVEN, "released") == pytest.approx(0.7, abs=1e-9)


def test_zeros_count_as_shares() -> None:
    # european exceeds in both, 0.1 (0.25 + 0.25); the group that is 0 everywhere is a tie.
    assert eta([0.5, 0, 0], [0, 0, 0.5], [0.5, 0, 0], [0, 0, 0.5], "definition", 0.1) == pytest.approx(0.4, abs=1e-9)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_tie_adds_nothing(variant: str) -> None:
    assert eta([0.9, 0.1], EVEN, EVEN, EVEN, variant) == 0.5
    assert eta(EVEN, EVEN, [0.9, 0.1], EVEN, variant) == 0.5
    assert eta(EVEN, EVEN, EVEN, EVEN, variant) == 0.5


def test_several_pairs_and_their_weights() -> None:
    p, q = [[0.9, 0.1], [0.9, 0.1], [0.5, 0.5]], [[0.7, 0.3], [0.3, 0.7], [0.9, 0.1]]
    each = pair_manifestation(p, EVEN, q, EVEN, k=0.2)
    assert each.tolist() == pytest.approx([0.42, 0.58, 0.5], abs=1e-9)
    assert float(manifestation(p, EVEN, q, EVEN, k=0.2)) == pytest.approx(0.5, abs=1e-9)
    weighted = float(manifestation(p, EVEN, q, EVEN, k=0.2, pair_weights=[3, 1, 2]))
    assert weighted == pytest.approx((3 * 0.42 + 0.58 + 2 * 0.5) / 6, abs=1e-9)


def test_a_pair_with_a_missing_share_is_left_out() -> None:
    p, q = [[0.9, 0.1], [0.9, np.nan], [0.5, 0.5]], [[0.7, 0.3], [0.3, 0.7], [0.9, 0.1]]
    assert np.isnan(pair_manifestation(p, EVEN, q, EVEN, k=0.2)).tolist() == [False, True, False]
    weighted = float(manifestation(p, EVEN, q, EVEN, k=0.2, pair_weights=[3, 1, 2]))
    assert weighted == pytest.approx((3 * 0.42 + 2 * 0.5) / 5, abs=1e-9)


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_pairs_have_no_factor(variant: str) -> None:
    missing = np.full((2, 2), np.nan)
    half = np.full((2, 2), 0.5)
    for sides in ((missing, half, half, half), (half, half, half, missing)):
        assert math.isnan(float(manifestation(*sides, k=0.2, variant=variant)))
    none = np.empty((0, 2))
    assert math.isnan(float(manifestation(none, none, none, none, k=0.2, variant=variant)))


def test_leading_axes_broadcast() -> None:
    p = np.array([[[0.9, 0.1], [0.5, 0.5]], [[0.9, 0.1], [0.9, 0.1]]])
    q = np.array([[0.7, 0.3], [0.3, 0.7]])
    assert pair_manifestation(p, EVEN, q, EVEN, k=0.2).shape == (2, 2)
    assert manifestation(p, EVEN, q, EVEN, k=0.2).tolist() == pytest.approx([0.46, 0.5], abs=1e-9)


def test_what_cannot_be_is_refused() -> None:
    pair = ([[0.9, 0.1]], [EVEN], [[0.7, 0.3]], [EVEN])
    with pytest.raises(ConfigError, match="'publishd'; did you mean 'published'"):
        manifestation(*pair, k=0.2, variant="publishd")
    with pytest.raises(ValueError, match="one for each group"):
        manifestation(*pair, k=[0.2, 0.2, 0.2])
    with pytest.raises(ValueError, match="cannot be compared"):
        manifestation([[0.9, 0.1]], [EVEN], [[0.7, 0.2, 0.1]], [[0.3, 0.3, 0.4]], k=0.2)
    with pytest.raises(ValueError, match="above 0"):
        manifestation(*pair, k=0.2, pair_weights=[0])
    with pytest.raises(ValueError, match="as many weights"):
        manifestation(*pair, k=0.2, pair_weights=[1, 1])


@given(quadruples(), st.floats(0.01, 1))
def test_the_prose_mirrors_the_formula(sides: tuple[Array, Array, Array, Array], k: float) -> None:
    definition = pair_manifestation(*sides, k=k)
    assert definition == pytest.approx(1 - pair_manifestation(*sides, k=k, variant="published"), abs=1e-12)
    assert (np.abs(definition - 0.5) <= 2 * k * sides[0].shape[-1] + 1e-12).all()


@given(quadruples(), st.sampled_from(VARIANTS), st.integers(0, 1000))
def test_order_does_not_matter(sides: tuple[Array, Array, Array, Array], variant: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    pairs, groups = sides[0].shape
    k, weights = rng.random((groups,)), rng.random((pairs,)) + 0.1
    by_pair, by_group = rng.permutation(pairs), rng.permutation(groups)
    p, p_ref, q, q_ref = (side[by_pair][:, by_group] for side in sides)
    expected = float(manifestation(*sides, k=k, pair_weights=weights, variant=variant))
    moved = manifestation(p, p_ref, q, q_ref, k=k[by_group], pair_weights=weights[by_pair], variant=variant)
    assert float(moved) == pytest.approx(expected, abs=1e-12)
    # Which prompt of a pair is the advantaged one does not matter either.
    swapped = manifestation(*sides[2:], *sides[:2], k=k, pair_weights=weights, variant=variant)
    assert float(swapped) == pytest.approx(expected, abs=1e-12)
