from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, chi2

from portrayal.stats.intervals import Interval, last_refused, t_value, wilson, wilson_modified


def test_an_interval_holds_what_lies_between_its_bounds() -> None:
    interval = Interval(0.2, 0.5)
    assert interval.width == pytest.approx(0.3)
    assert 0.2 in interval
    assert 0.51 not in interval
    assert 0.3 not in Interval(math.nan, math.nan)


def test_wilson_of_a_balanced_share_by_hand() -> None:
    # With share 1/2 the bounds are 1/2 -+ z / (2 sqrt(n + z^2)).
    low, high = wilson(0.5, 16)
    half = 1.959964 / (2 * math.sqrt(16 + 1.959964**2))
    assert float(low) == pytest.approx(0.5 - half, abs=1e-6)
    assert float(high) == pytest.approx(0.5 + half, abs=1e-6)


def test_wilson_when_all_images_agree_by_hand() -> None:
    # With share 1 the low bound is n / (n + z^2).
    low, high = wilson([1.0, 0.0], 16)
    assert low.tolist() == pytest.approx([16 / (16 + 1.959964**2), 0.0], abs=1e-6)
    assert high.tolist() == pytest.approx([1.0, 1.959964**2 / (16 + 1.959964**2)], abs=1e-6)


@pytest.mark.parametrize(("share", "n"), [(0.5, 0), (0.0, 0), (1.0, 0), (math.nan, 5), (math.nan, 0)])
def test_no_images_or_no_share_give_nan(share: float, n: int) -> None:
    assert all(math.isnan(float(bound)) for bound in (*wilson(share, n), *wilson_modified(share, n)))


def test_modified_wilson_reaches_further_near_the_ends_only() -> None:
    # One image in 16: the one-sided 5 % Poisson bound of a count of 1 is -ln(0.95).
    low, high = wilson_modified([1 / 16, 15 / 16, 0.5, 0.0], 16)
    plain = wilson([1 / 16, 15 / 16, 0.5, 0.0], 16)
    assert float(low[0]) == pytest.approx(-math.log(0.95) / 16)
    assert float(high[1]) == pytest.approx(1 + math.log(0.95) / 16)
    assert low[2:].tolist() == plain[0][2:].tolist()
    assert high[2:].tolist() == plain[1][2:].tolist()


def test_one_two_and_three_images_have_the_poisson_bound_and_four_wilsons() -> None:
    seen = np.arange(1, 5)
    low, high = wilson_modified(seen / 50, 50)
    poisson, plain = chi2.ppf(0.05, 2 * seen) / 2 / 50, wilson(seen / 50, 50)[0]
    assert low.tolist() == pytest.approx([*poisson[:3], plain[3]])
    assert (poisson < plain).all()
    assert (1 - wilson_modified(1 - seen / 50, 50)[1]).tolist() == pytest.approx(low.tolist())
    assert high.tolist() == wilson(seen / 50, 50)[1].tolist()


@pytest.mark.parametrize("truth", [0.5, 0.8, 0.95, 0.99])
def test_modified_wilson_covers_exactly_enough(truth: float) -> None:
    seen = np.arange(17)
    low, high = wilson_modified(seen / 16, 16)
    assert binom.pmf(seen, 16, truth)[(low <= truth) & (truth <= high)].sum() > 0.92


def test_a_confidence_must_be_one() -> None:
    for confidence in (0, 1, 95):
        with pytest.raises(ValueError, match="between 0 and 1"):
            wilson(0.5, 10, confidence)


def test_student_tends_to_the_normal() -> None:
    assert t_value(0.95, 1) == pytest.approx(12.706205)
    assert t_value(0.95, 1e9) == pytest.approx(t_value(0.95))


@given(st.integers(0, 40), st.integers(1, 40), st.sampled_from([0.8, 0.95, 0.99]))
def test_bounds_hold_the_share_and_mirror(part: int, n: int, confidence: float) -> None:
    share = min(part, n) / n
    for function in (wilson, wilson_modified):
        low, high = function(share, n, confidence)
        assert 0 <= low <= share <= high <= 1
        mirrored = function(1 - share, n, confidence)
        assert float(1 - mirrored[1]) == pytest.approx(float(low), abs=1e-12)


@given(st.floats(0, 1), st.integers(1, 500))
def test_more_images_are_narrower(share: float, n: int) -> None:
    low, high = wilson(share, np.array([n, 2 * n]))
    assert high[1] - low[1] < high[0] - low[0]
    wider = wilson(share, n, 0.99)
    assert wider[0] <= low[0] + 1e-12
    assert wider[1] >= high[0] - 1e-12


def test_last_refused_ends() -> None:
    assert last_refused(lambda way: True) == 0.0
    assert last_refused(lambda way: way > 1) == pytest.approx(1, abs=0.001)
    assert last_refused(lambda way: way > 0) == 0.0
