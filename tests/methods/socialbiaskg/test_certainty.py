"""Intervals, p-values and how many images decide are one thing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.methods.socialbiaskg.certainty import Certainty, Distinct, Share, Student, p_value, times_needed
from portrayal.methods.socialbiaskg.scores import iterative

ONE, OTHER = np.triu_indices(10, 1)
ALIKE = iterative([(ONE, OTHER, np.linspace(0.5, 0.9, 45))] * 4).certainty
KNOWN = [
    pytest.param(Student(0.6, 0.05, 9), 0.4, id="mean"),
    pytest.param(Distinct(np.array([400.0] + [0.0] * 10), 40), 0.2, id="diversity"),
    pytest.param(ALIKE, 0.4, id="similarity"),
]


@pytest.mark.parametrize(("known", "target"), KNOWN)
def test_an_interval_leaves_the_target_out_just_where_the_p_value_says_so(known: Certainty, target: float) -> None:
    p = p_value(known, target)
    assert 1e-12 <= p < 0.05
    inner, outer = known.interval(1 - 1.01 * p), known.interval(1 - 0.99 * p)
    assert not inner.low <= target <= inner.high
    assert outer.low <= target <= outer.high


def test_a_target_that_every_interval_holds_is_no_surprise() -> None:
    assert p_value(Student(0.5, 0.1, 9), 0.5) == 1.0


@pytest.mark.parametrize(
    ("known", "target"),
    [(Student(0.5, 0.1, 3), 0.4), (Share(0.5, 10), 0.4), (Distinct(np.array([40.0] + [0.0] * 10), 40), 0.2)],
)
def test_so_many_times_as_many_images_decide(known: Certainty, target: float) -> None:
    times = times_needed(known, target)
    assert times is not None
    assert times > 1
    before, after = known.interval(0.95, 0.98 * times), known.interval(0.95, 1.02 * times)
    assert before.low <= target <= before.high
    assert not after.low <= target <= after.high


def test_what_is_decided_needs_no_more_images() -> None:
    assert times_needed(Share(1.0, 100), 0.4) == 1.0


@given(st.lists(st.integers(0, 60), min_size=2, max_size=12).filter(any), st.integers(1, 80))
def test_the_interval_of_diversity_holds_the_average_and_lies_among_shares(counts: list[int], images: int) -> None:
    known = Distinct(np.array(counts, dtype=float), images)
    found, value = known.interval(), known.average() / len(counts)
    assert 0 <= found.low <= value + 1e-12
    assert value - 1e-12 <= found.high <= 1
