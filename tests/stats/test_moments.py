from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from portrayal.stats.intervals import Array, wilson_modified
from portrayal.stats.moment_sums import MomentSums
from portrayal.stats.moments import Moments, share_interval

GENDER, AGE = ("gender", 2), ("age3", 3)
NAN = float("nan")
NAMES = ("together", "sums", "products", "hard")


def moments_of(aspects: list[tuple[str, int]], *cells: Sequence[Sequence[float]]) -> Moments:
    """Return the moments of some cells, each given by the masses of its images."""
    sums = MomentSums(aspects, len(cells))
    for number, lines in enumerate(cells):
        if lines:
            sums.add(np.full(len(lines), number), np.array(lines, dtype=float))
    return sums.result()


def test_labels() -> None:
    """Three women and one man: shares 3/4 and 1/4; with half an image more of each 3.5/5 and 1.5/5."""
    moments = moments_of([GENDER], [[0, 1], [0, 1], [1, 0], [0, 1]])
    np.testing.assert_allclose(moments.mean, [[0.25, 0.75]])
    np.testing.assert_allclose(moments.hard_share, [[0.25, 0.75]])
    np.testing.assert_allclose(moments.smooth, [[0.3, 0.7]])
    # 0.3 * 0.7 / 4 images
    np.testing.assert_allclose(moments.covariance, [[[0.0525, -0.0525], [-0.0525, 0.0525]]])
    assert moments.count("gender").tolist() == [4.0]


def test_soft_masses_vary_less() -> None:
    """Masses 0.2 and 0.6 for men: sum 0.8, squares 0.4; with the made-up labels 1.3 and 0.9, all of 3."""
    moments = moments_of([GENDER], [[0.2, 0.8], [0.6, 0.4]])
    np.testing.assert_allclose(moments.mean, [[0.4, 0.6]])
    np.testing.assert_allclose(moments.hard_share, [[0.5, 0.5]])
    np.testing.assert_allclose(moments.smooth, [[1.3 / 3, 1.7 / 3]])
    variance = (0.9 / 3 - (1.3 / 3) ** 2) / 2
    np.testing.assert_allclose(moments.covariance, [[[variance, -variance], [-variance, variance]]])


def test_aspects_of_the_same_images_move_together() -> None:
    """Young women and elderly men: (products + 1/6 made up) / 3 less the product of the smooth means, over 2."""
    moments = moments_of([GENDER, AGE], [[0, 1, 1, 0, 0], [1, 0, 0, 0, 1]])
    np.testing.assert_allclose(moments.smooth, [[0.5, 0.5, 4 / 9, 1 / 9, 4 / 9]])
    together = ((1 + 1 / 6) / 3 - 0.5 * 4 / 9) / 2
    apart = ((0 + 1 / 6) / 3 - 0.5 * 4 / 9) / 2
    covariance = moments.covariance[0]
    assert covariance[1, 2] == pytest.approx(together)
    assert covariance[0, 2] == pytest.approx(apart)
    assert together == pytest.approx(-apart)
    assert covariance[0, 3] == pytest.approx(0.0)


def test_one_image_is_no_proof() -> None:
    moments = moments_of([GENDER], [[0, 1]])
    np.testing.assert_allclose(moments.mean, [[0, 1]])
    # smooth 1/4 and 3/4, one image
    np.testing.assert_allclose(moments.covariance, [[[3 / 16, -3 / 16], [-3 / 16, 3 / 16]]])


def test_missing_aspects_count_only_where_they_were_seen() -> None:
    lines = [[0.0, 1, 1, 0, 0], [1, 0, NAN, NAN, NAN], [NAN, NAN, 0, 0, 1]]
    moments = moments_of([GENDER, AGE], lines)
    np.testing.assert_array_equal(moments.together, [[[2, 1], [1, 2]]])
    np.testing.assert_allclose(moments.mean, [[0.5, 0.5, 0.5, 0, 0.5]])
    np.testing.assert_array_equal(moments.hard, [[1, 1, 1, 0, 1]])
    # The two aspects share one image of two each: a quarter of what that image says.
    expected = ((1 + 1 / 6) / 2 - 0.5 * (4 / 3) / 3) * 1 / (2 * 2)
    assert moments.covariance[0, 1, 2] == pytest.approx(expected)
    only = moments_of([GENDER, AGE], [line for line in lines if line[0] == line[0]])
    np.testing.assert_allclose(moments.covariance[0, :2, :2], only.covariance[0, :2, :2])


def test_an_aspect_with_a_hole_was_not_seen() -> None:
    moments = moments_of([GENDER, AGE], [[0, 1, 0.5, NAN, 0.5]])
    assert moments.count("age3").tolist() == [0.0]
    np.testing.assert_array_equal(moments.sums, [[0, 1, 0, 0, 0]])
    assert not moments.products[0, :, 2:].any()


def test_no_image_has_no_mean_and_no_spread() -> None:
    moments = moments_of([GENDER, AGE], [[0, 1, NAN, NAN, NAN]], [])
    assert np.isnan(moments.mean[1]).all()
    assert np.isnan(moments.hard_share[1]).all()
    assert np.isnan(moments.mean[0, 2:]).all()
    assert not moments.covariance[1].any()
    assert not moments.covariance[0, :, 2:].any()
    np.testing.assert_allclose(moments.smooth[1], [1 / 2, 1 / 2, 1 / 3, 1 / 3, 1 / 3])


def test_adding_nothing_changes_nothing() -> None:
    sums = MomentSums([GENDER], 2)
    sums.add(np.zeros(0, dtype=np.int64), np.zeros((0, 2)))
    assert not any(getattr(sums.result(), name).any() for name in NAMES)
    assert MomentSums([GENDER], 0).result().noise(3, np.random.default_rng(0)).shape == (3, 0, 2)


def test_labels_are_counted_before_what_corrects_masses() -> None:
    sums = MomentSums([GENDER, AGE], 1)
    told = np.array([[0, 0], [0, 2]], dtype=np.int16)  # the 2 says nothing: no mass was told there
    sums.add(np.zeros(2, dtype=np.int64), np.array([[0.0, 1, 0, 0, 1], [1, 0, NAN, NAN, NAN]]), told)
    moments = sums.result()
    np.testing.assert_array_equal(moments.hard, [[1, 1, 0, 0, 1]])
    np.testing.assert_array_equal(moments.labels, [[2, 0, 1, 0, 0]])
    np.testing.assert_array_equal(moments.label_share, [[1, 0, 1, 0, 0]])


def test_the_first_of_equals_is_the_most_probable() -> None:
    moments = moments_of([GENDER], [[0.5, 0.5]])
    np.testing.assert_array_equal(moments.hard, [[1, 0]])


def test_columns_counts_and_cells_by_name() -> None:
    moments = moments_of([GENDER, AGE], [[0, 1, 1, 0, 0]], [], [[1, 0, NAN, NAN, NAN]] * 2)
    assert (moments.slice("gender"), moments.slice("age3")) == (slice(0, 2), slice(2, 5))
    assert moments.count("gender").tolist() == [1, 0, 2]
    assert moments.count("age3").tolist() == [1, 0, 0]
    taken = moments.take([2, 0])
    np.testing.assert_array_equal(taken.mean[:, :2], [[1, 0], [0, 1]])
    assert taken.count("gender").tolist() == [2, 1]
    assert taken.covariance.shape == (2, 5, 5)
    with pytest.raises(ValueError, match="not in list"):
        moments.slice("race5")


Images = arrays(np.float64, st.tuples(st.integers(1, 12), st.just(5)), elements=st.floats(0.001, 1))


def normalised(raw: Array) -> Array:
    return np.concatenate([part / part.sum(axis=1, keepdims=True) for part in (raw[:, :2], raw[:, 2:])], axis=1)


@given(raw=Images)
def test_covariance_is_symmetric_positive_and_knows_that_shares_add_up(raw: Array) -> None:
    covariance = moments_of([GENDER, AGE], normalised(raw).tolist()).covariance[0]
    np.testing.assert_allclose(covariance, covariance.T, atol=1e-15)
    assert np.linalg.eigvalsh(covariance).min() >= -1e-12
    # Of a product up to 4e-12 is left out (_GRIDS). Of one image, half of that is left in each of up to three products.
    np.testing.assert_allclose(covariance[:, :2].sum(axis=1), 0, atol=6e-12)
    np.testing.assert_allclose(covariance[:, 2:].sum(axis=1), 0, atol=6e-12)


def with_holes(mass: Array, holes: Sequence[int]) -> Array:
    """Return the masses without one of the aspects (1: gender, 2: age) where ``holes`` say so."""
    found = mass.copy()
    for line, hole in zip(found, holes, strict=False):
        line[: 2 if hole == 1 else 0] = NAN
        line[2 if hole == 2 else 5 :] = NAN
    return found


Portions = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 2)), min_size=12, max_size=12)
"""Of each image: its cell, the portion in which it comes, and what is not seen of it."""


@given(raw=Images, portions=Portions, order=st.permutations(range(12)), grouped=st.integers(1, 4))
def test_images_may_come_in_any_portions_and_order(
    raw: Array, portions: list[tuple[int, int, int]], order: list[int], grouped: int
) -> None:
    mass = with_holes(normalised(raw), [hole for _, _, hole in portions])
    where = np.array([cell for cell, _, _ in portions])[: len(raw)]
    whole = MomentSums([GENDER, AGE], 3)
    whole.add(where, mass)
    shuffled = np.array([place for place in order if place < len(raw)])
    portion = np.array([own for _, own, _ in portions])
    apart = [MomentSums([GENDER, AGE], 3) for _ in range(grouped)]
    for number in range(4):
        chosen = shuffled[portion[shuffled] == number]
        apart[number % grouped].add(where[chosen], mass[chosen])
    for other in apart[1:]:
        apart[0].merge(other)
    for name in NAMES:
        np.testing.assert_array_equal(getattr(apart[0].result(), name), getattr(whole.result(), name))


@given(raw=Images, scale=st.sampled_from([1.0, 1e-3, 1e-6]), holes=st.lists(st.integers(0, 2), max_size=12))
def test_sums_and_products_are_those_of_exact_arithmetic(raw: Array, scale: float, holes: list[int]) -> None:
    mass = normalised(raw)
    mass[:, 1], mass[:, 0] = scale * mass[:, 1], 1 - scale * mass[:, 1]
    mass = with_holes(mass, holes)
    moments = moments_of([GENDER, AGE], mass.tolist())
    exact = [[Fraction(value) if value == value else Fraction(0) for value in line] for line in mass.tolist()]
    for column in range(5):
        assert moments.sums[0, column] == pytest.approx(float(sum(line[column] for line in exact)), abs=1e-11)
        for other in range(5):
            product = float(sum(line[column] * line[other] for line in exact))
            assert moments.products[0, column, other] == pytest.approx(product, abs=1e-10)


def test_labels_and_short_decimals_add_up_without_any_rounding() -> None:
    lines = [[1.0, 0.0], [0.0, 1.0], [0.25, 0.75], [0.5, 0.5]] * 1000
    moments = moments_of([GENDER], lines)
    assert moments.sums.tolist() == [[1750.0, 2250.0]]
    assert moments.products.tolist() == [[[1312.5, 437.5], [437.5, 1812.5]]]


def test_the_smallest_piece_of_a_mass_counts_without_the_middle_one() -> None:
    tiny = 2.0**-35
    moments = moments_of([GENDER], [[1.0, tiny]])
    assert moments.sums.tolist() == [[1.0, tiny]]
    assert moments.products.tolist() == [[[1.0, tiny], [tiny, 0.0]]]


def test_noise_has_the_covariance_it_claims() -> None:
    rng = np.random.default_rng(7)
    mass = normalised(rng.random((30, 5)) ** 3)
    moments = moments_of([GENDER, AGE], mass.tolist(), [])
    noise = moments.noise(40_000, rng)
    assert noise.shape == (40_000, 2, 5)
    assert not noise[:, 1].any()
    np.testing.assert_allclose(noise[:, 0, :2].sum(axis=1), 0, atol=1e-6)
    claimed = moments.covariance[0]
    largest = claimed.max()
    # 40,000 draws give a variance to within about 1 in 140; this is four times that.
    np.testing.assert_allclose(np.cov(noise[:, 0].T), claimed, atol=0.03 * largest)
    np.testing.assert_allclose(noise[:, 0].mean(axis=0), 0, atol=4 * np.sqrt(largest / 40_000))


@pytest.mark.slow
def test_covariance_is_that_of_redrawn_images() -> None:
    """Redraw the images themselves, the made-up one among them, and see how much the means vary."""
    rng = np.random.default_rng(3)
    mass = normalised(rng.random((40, 5)) ** 3)
    moments = moments_of([GENDER, AGE], mass.tolist())
    made_up = [np.eye(2)[gender].tolist() + np.eye(3)[age].tolist() for gender in range(2) for age in range(3)]
    pool = np.concatenate([np.repeat(mass, 6, axis=0), made_up])
    means = np.array([pool[rng.integers(0, len(pool), 40)].mean(axis=0) for _ in range(20_000)])
    largest = moments.covariance[0].max()
    np.testing.assert_allclose(np.cov(means.T), moments.covariance[0], atol=0.05 * largest)


def test_the_interval_of_labels_is_that_of_their_count() -> None:
    moments = moments_of([GENDER], [[0, 1]] * 7 + [[1, 0]] * 3)
    low, high = share_interval(moments)
    expected_low, expected_high = wilson_modified([[0.3, 0.7]], 10)
    np.testing.assert_allclose(low, expected_low)
    np.testing.assert_allclose(high, expected_high)


def test_the_interval_of_masses_is_narrower_and_none_without_images() -> None:
    moments = moments_of([GENDER], [[0.3, 0.7]] * 50, [[0, 1]] * 35 + [[1, 0]] * 15, [], [[0, 1]])
    low, high = share_interval(moments)
    width = high - low
    assert (width[0] < width[1] / 2).all()
    assert np.isnan(width[2]).all()
    assert (low[3, 1], high[3, 0]) != (1.0, 0.0)
    assert high[3, 1] == 1.0
    assert low[3, 0] == 0.0
