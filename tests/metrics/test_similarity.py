from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from portrayal.metrics.similarity import cosine, ssim, style_similarity

Grey = NDArray[np.float64]
PICTURES = st.integers(0, 2**32 - 1).map(lambda seed: np.random.default_rng(seed).uniform(0, 255, (12, 9)))
VECTORS = st.lists(st.floats(-100, 100), min_size=3, max_size=3)


def by_hand(one: Grey, other: Grey) -> float:
    """Return the mean over all windows of 7 x 7 that fit, with Wang's constants and sample covariances."""
    luminance, contrast, values = (0.01 * 255) ** 2, (0.03 * 255) ** 2, []
    for top in range(one.shape[0] - 6):
        for left in range(one.shape[1] - 6):
            a, b = (each[top : top + 7, left : left + 7].ravel() for each in (one, other))
            spread = np.cov(a, b)
            means = (2 * a.mean() * b.mean() + luminance) / (a.mean() ** 2 + b.mean() ** 2 + luminance)
            values.append(means * (2 * spread[0, 1] + contrast) / (spread[0, 0] + spread[1, 1] + contrast))
    return float(np.mean(values))


@given(PICTURES, PICTURES)
def test_ssim_is_the_published_formula_and_symmetric(one: Grey, other: Grey) -> None:
    assert ssim(one, other) == pytest.approx(by_hand(one, other), abs=1e-9)
    assert ssim(other, one) == pytest.approx(ssim(one, other), abs=1e-12)
    assert ssim(one, one) == pytest.approx(1.0)


def test_ssim_of_whole_numbers_does_not_wrap_around() -> None:
    rng = np.random.default_rng(4)
    one, other = (rng.integers(0, 256, (20, 20), dtype=np.uint8) for _ in range(2))
    assert ssim(one, other) == pytest.approx(by_hand(one.astype(float), other.astype(float)), abs=1e-9)


def test_pictures_too_small_for_a_window_have_no_similarity() -> None:
    assert math.isnan(ssim(np.zeros((6, 30)), np.zeros((6, 30))))
    assert ssim(np.zeros((7, 7)), np.zeros((7, 7))) == 1.0


@pytest.mark.parametrize("shape", [(20, 21), (20, 20, 3), (400,)])
def test_pictures_of_other_sizes_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="two grey pictures of one size are needed"):
        ssim(np.zeros((20, 20)), np.zeros(shape))


@given(VECTORS, VECTORS)
def test_cosine_lies_between_its_bounds(one: list[float], other: list[float]) -> None:
    found = cosine(one, other)
    assert math.isnan(found) or -1 <= found <= 1
    assert found == cosine(other, one) or math.isnan(found)


def test_cosine_by_hand() -> None:
    assert cosine([1, 2, 2], [2, 1, -2]) == 0.0
    assert cosine([3, 4], [6, 8]) == pytest.approx(1.0)
    assert cosine([3, 4], [4, 3]) == pytest.approx(0.96)
    assert math.isnan(cosine([0, 0], [1, 0]))
    with pytest.raises(ValueError, match="two vectors of one length"):
        cosine([1, 0], [1])


@pytest.mark.parametrize(("weight", "expected"), [(0.5, 0.5), (0.0, 0.8), (1.0, 0.2), (0.25, 0.65)])
def test_style_similarity_by_hand(weight: float, expected: float) -> None:
    assert style_similarity(0.2, 0.8, weight) == pytest.approx(expected)


def test_style_similarity_without_one_half_is_missing() -> None:
    assert math.isnan(style_similarity(float("nan"), 0.8))
    assert math.isnan(style_similarity(0.2, float("nan")))
    with pytest.raises(ValueError, match=r"between 0 and 1, got 1\.5"):
        style_similarity(0.2, 0.8, 1.5)
