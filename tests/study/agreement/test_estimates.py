from __future__ import annotations

import numpy as np
import pytest

from portrayal.study.agreement.estimates import _correlation


@pytest.mark.parametrize("sign", [1, -1])
def test_a_correlation_is_never_beyond_one_by_rounding(sign: int) -> None:
    """Of a thousand pairs of numbers that move together, nearly half would be beyond, were they not cut off."""
    ages = np.random.default_rng(0).uniform(1, 99, size=(1000, 2))
    others = sign * 3.3 * ages
    parts = (ages, others, ages**2, others**2, ages * others)
    found = _correlation(np.stack([np.full(1000, 2.0), *(part.sum(axis=1) for part in parts)], axis=-1))
    np.testing.assert_allclose(found, sign, atol=1e-6)
    assert np.abs(found).max() == 1


def test_what_never_changes_correlates_with_nothing() -> None:
    ages, others = np.array([0.1, 0.1, 0.1]), np.array([1.0, 2.0, 4.0])
    sums = np.array([3, ages.sum(), others.sum(), ages @ ages, others @ others, ages @ others])
    assert np.isnan(_correlation(sums))
    assert np.isnan(_correlation(sums[[0, 2, 1, 4, 3, 5]]))
