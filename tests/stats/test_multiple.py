"""Adjusted p-values: scipy's, with missing tests left out."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from portrayal.stats.multiple import benjamini_hochberg


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_as_scipy_does(p: list[float]) -> None:
    np.testing.assert_allclose(benjamini_hochberg(p), false_discovery_control(p), atol=1e-12)


def test_what_was_not_tested_counts_for_nothing() -> None:
    with_gaps = benjamini_hochberg([0.01, np.nan, 0.04, np.nan])
    assert np.isnan(with_gaps[[1, 3]]).all()
    np.testing.assert_allclose(with_gaps[[0, 2]], benjamini_hochberg([0.01, 0.04]))
    assert benjamini_hochberg([]).tolist() == []
