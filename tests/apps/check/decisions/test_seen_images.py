"""Shares and their limits: the quick verdict is that of the interval, and missing images only ever widen it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from portrayal.apps.check.decisions.limits import Limits, Verdict
from portrayal.apps.check.decisions.seen_images import SeenImages
from portrayal.stats.intervals import clopper_pearson

COUNTS = st.integers(0, 300)
SHARES = st.floats(0, 1)


@given(COUNTS, COUNTS, st.integers(0, 50), SHARES, SHARES, st.sampled_from([0.025, 0.001, 1e-6]))
def test_the_verdict_is_that_of_the_interval(
    seen: int, others: int, missing: int, least: float, most: float, tail: float
) -> None:
    if seen + others == 0 or least >= most:
        return
    images, limits = SeenImages(seen, others, missing), Limits(least, most)
    found = images.interval(tail)
    near = any(abs(bound - limit) < 1e-6 for bound in (found.low, found.high) for limit in (least, most))
    if not near:
        assert images.judge(limits, tail) is limits.judge(found.low, found.high)


def test_without_missing_images_it_is_the_interval_of_clopper_and_pearson() -> None:
    for seen in (0, 1, 12, 24):
        low, high = clopper_pearson(seen / 24, 24, 0.95)
        found = SeenImages(seen, 24 - seen).interval(0.025)
        assert abs(found.low - float(low)) < 1e-12
        assert abs(found.high - float(high)) < 1e-12


@given(COUNTS, COUNTS, st.integers(1, 50))
def test_missing_images_widen_both_ends(seen: int, others: int, missing: int) -> None:
    if seen + others == 0:
        return
    whole, less = SeenImages(seen, others).interval(0.01), SeenImages(seen, others, missing).interval(0.01)
    assert less.low <= whole.low + 1e-12
    assert less.high >= whole.high - 1e-12
    moved = SeenImages(seen, others, moved=0.1).interval(0.01)
    assert moved.low <= whole.low <= whole.high <= moved.high


def test_shares_of_0_and_1_and_limits_there() -> None:
    none, every = SeenImages(0, 100), SeenImages(100, 0)
    assert none.judge(Limits(0.0, 0.1), 0.025) is Verdict.PASS
    assert every.judge(Limits(0.9, 1.0), 0.025) is Verdict.PASS
    assert none.judge(Limits(0.1, 1.0), 0.025) is Verdict.FAIL
    assert every.judge(Limits(0.0, 0.9), 0.025) is Verdict.FAIL
    assert none.judge(Limits(0.0, 1.0), 0.025) is Verdict.PASS
    assert SeenImages(1, 0).judge(Limits(0.3, 0.7), 0.025) is Verdict.UNDECIDED


def test_missing_images_turn_a_pass_into_undecided() -> None:
    limits = Limits(0.3, 0.7)
    assert SeenImages(50, 50).judge(limits, 0.01) is Verdict.PASS
    assert SeenImages(50, 50, missing=40).judge(limits, 0.01) is Verdict.UNDECIDED
    assert SeenImages(0, 50, missing=40).judge(limits, 0.01) is Verdict.UNDECIDED
    assert SeenImages(0, 50).judge(limits, 0.01) is Verdict.FAIL
    assert SeenImages(0, 50, missing=2).judge(limits, 0.01) is Verdict.FAIL
