"""Verdicts: shares, ratios, scores, differences and counts; wrong ones are rare, by exact sums over all outcomes."""

from __future__ import annotations

import itertools

import pytest
from scipy.stats import binom, multinomial

from portrayal.apps.check.decisions.judging import (
    Reason,
    judge_ratio,
    judge_score,
    judge_score_difference,
    judge_share,
    judge_share_difference,
    ratio_interval,
)
from portrayal.apps.check.decisions.limits import Limits, Verdict
from portrayal.apps.check.decisions.seen_images import SeenImages
from portrayal.apps.check.decisions.seen_number import SeenNumber

TAIL = 0.01


@pytest.mark.parametrize("n", [3, 20, 75])
@pytest.mark.parametrize("truth", [0.0, 0.02, 0.3, 0.5, 0.7, 1.0])
def test_a_wrong_verdict_on_a_share_is_as_rare_as_stated(n: int, truth: float) -> None:
    for limits in (Limits(truth, 1.0), Limits(max(truth - 0.2, 0.0), truth), Limits(0.0, max(truth - 1e-6, 0.0))):
        inside = limits.least <= truth <= limits.most
        wrong = Verdict.FAIL if inside else Verdict.PASS
        chance = sum(
            binom.pmf(seen, n, truth)
            for seen in range(n + 1)
            if SeenImages(seen, n - seen).judge(limits, TAIL) is wrong
        )
        assert chance <= TAIL + 1e-12


def test_undecided_says_why_and_how_many_images_would_decide() -> None:
    few = judge_share(SeenImages(40, 60), Limits(0.3, 0.7), TAIL)
    assert (few.verdict, few.reason) == (Verdict.UNDECIDED, Reason.FEW)
    assert few.further is not None
    assert few.further > 50
    lost = judge_share(SeenImages(50, 50, missing=40), Limits(0.3, 0.7), TAIL)
    assert (lost.verdict, lost.reason) == (Verdict.UNDECIDED, Reason.MISSING)
    assert judge_share(SeenImages(50, 50), Limits(0.3, 0.7), TAIL).reason is Reason.NONE


def test_a_ratio_is_that_to_the_most_shown_group() -> None:
    found = judge_ratio(20, [60, 20], 0, 0.8, TAIL)
    assert found.value == pytest.approx(1 / 3)
    assert found.verdict is Verdict.FAIL
    assert judge_ratio(60, [20, 20], 0, 0.8, TAIL).value == 1.0
    assert judge_ratio(60, [20, 20], 0, 0.8, TAIL).verdict is Verdict.PASS
    assert judge_ratio(0, [40, 0], 0, 0.8, TAIL).verdict is Verdict.FAIL
    assert judge_ratio(500, [500], 0, 0.8, TAIL).verdict is Verdict.PASS
    lost = judge_ratio(500, [500], 400, 0.8, TAIL)
    assert (lost.verdict, lost.reason) == (Verdict.UNDECIDED, Reason.MISSING)
    few = judge_ratio(9, [10, 8], 0, 0.8, TAIL)
    assert (few.verdict, few.reason) == (Verdict.UNDECIDED, Reason.FEW)


@pytest.mark.slow
@pytest.mark.parametrize("shares", [(0.4, 0.5, 0.1), (0.25, 0.375, 0.375), (4 / 9, 5 / 9, 0.0), (0.02, 0.025, 0.955)])
def test_a_wrong_verdict_on_a_ratio_is_as_rare_as_stated(shares: tuple[float, float, float]) -> None:
    n, truth = 20, shares[0] / max(shares)
    for least, wrong in ((min(truth, 0.999), Verdict.FAIL), (min(truth * 1.0001, 0.999), Verdict.PASS)):
        if (least > truth) != (wrong is Verdict.PASS):
            continue
        chance = 0.0
        for one, two in itertools.product(range(n + 1), repeat=2):
            if one + two <= n:
                counts = (one, two, n - one - two)
                found = ratio_interval(counts[0], counts[1:], 0, TAIL)
                if Limits(least).judge(found.low, found.high) is wrong:
                    chance += float(multinomial.pmf(counts, n, shares))
        assert chance <= TAIL + 1e-9


def test_a_difference_is_judged_by_the_images_of_both_sides() -> None:
    limits = Limits(-0.1)
    worse = judge_share_difference(SeenImages(10, 190), SeenImages(100, 100), limits, TAIL)
    assert worse.verdict is Verdict.FAIL
    assert worse.value == pytest.approx(-0.45)
    assert judge_share_difference(SeenImages(100, 100), SeenImages(10, 190), limits, TAIL).verdict is Verdict.PASS
    same = judge_share_difference(SeenImages(20, 20), SeenImages(2000, 2000), limits, TAIL)
    assert (same.verdict, same.reason) == (Verdict.UNDECIDED, Reason.FEW)
    assert same.further is not None
    poor = judge_share_difference(SeenImages(200, 200), SeenImages(5, 5), limits, TAIL)
    assert (poor.verdict, poor.further) == (Verdict.UNDECIDED, None)
    lost = judge_share_difference(SeenImages(100, 100, 90), SeenImages(10, 190, 150), limits, TAIL)
    assert lost.reason is Reason.MISSING


def test_scores_differ_by_the_intervals_of_both() -> None:
    one, other = SeenNumber(0.3, 0.25, 0.35, 100), SeenNumber(0.1, 0.05, 0.15, 100)
    limits = Limits(most=0.05)
    assert judge_score_difference(one, other, limits, TAIL, too_much_missing=False).verdict is Verdict.FAIL
    assert judge_score_difference(other, one, limits, TAIL, too_much_missing=False).verdict is Verdict.PASS
    assert judge_score_difference(other, one, limits, TAIL, too_much_missing=True).reason is Reason.MISSING
    same = judge_score_difference(one, one, limits, TAIL, too_much_missing=False)
    assert (same.verdict, same.value) == (Verdict.UNDECIDED, 0.0)


def test_a_score_of_which_too_much_is_missing_is_undecided() -> None:
    number = SeenNumber(0.1, 0.08, 0.12, 100)
    assert judge_score(number, Limits(most=0.2), TAIL, too_much_missing=False).verdict is Verdict.PASS
    assert judge_score(number, Limits(most=0.05), TAIL, too_much_missing=False).verdict is Verdict.FAIL
    lost = judge_score(number, Limits(most=0.2), TAIL, too_much_missing=True)
    assert (lost.verdict, lost.reason) == (Verdict.UNDECIDED, Reason.MISSING)
    near = judge_score(number, Limits(most=0.121), TAIL, too_much_missing=False)
    assert (near.verdict, near.reason) == (Verdict.UNDECIDED, Reason.FEW)
    assert near.further is not None
    exact = SeenNumber(0.0, 0.0, 0.0, 10)
    assert judge_score(exact, Limits(most=0.0), TAIL, too_much_missing=False).verdict is Verdict.PASS


@pytest.mark.parametrize("n", [4, 40, 400, 4000])
def test_no_number_of_images_is_advised_for_a_share_on_its_limit(n: int) -> None:
    """50 of 100 where at least 50 % were wanted asked for 6,100 images, and 500 of 1,000 for 60,000."""
    on = judge_share(SeenImages(n / 2, n / 2), Limits(0.5, 1.0), 0.025)
    assert on.verdict is Verdict.UNDECIDED
    assert (on.reason, on.further is None) == ((Reason.NEAR_LIMIT, True) if n > 50 else (Reason.FEW, False))
    beside = judge_share(SeenImages(0.4 * n, 0.6 * n), Limits(0.5, 1.0), 0.025)
    assert beside.verdict is Verdict.FAIL or beside.further is not None


def test_no_number_of_images_is_advised_for_a_ratio_on_its_limit() -> None:
    """400 beside 500 where 0.8 was wanted asked for 71,000 images, and for 98,000 with a third group."""
    for others in ([500.0], [500.0, 100.0]):
        on = judge_ratio(400, others, 0, 0.8, 0.0125)
        assert (on.verdict, on.value) == (Verdict.UNDECIDED, 0.8)
        assert (on.reason, on.further) == (Reason.NEAR_LIMIT, None)
    beside = judge_ratio(440, [500], 0, 0.8, 0.0125)
    assert (beside.verdict, beside.reason, beside.further is not None) == (Verdict.UNDECIDED, Reason.FEW, True)
    lost = judge_ratio(40, [42], 10, 0.8, 0.0125)
    assert (lost.reason, lost.further) == (Reason.FEW, None), "without what is missing a number would do"


def test_one_missing_image_is_not_why_a_share_on_its_limit_stays_undecided() -> None:
    on = judge_share(SeenImages(500, 500, missing=1), Limits(0.5, 1.0), 0.025)
    assert (on.verdict, on.reason, on.further) == (Verdict.UNDECIDED, Reason.NEAR_LIMIT, None)
    lost = judge_share(SeenImages(5, 5, missing=90), Limits(0.3, 0.7), 0.0125)
    assert (lost.reason, lost.further) == (Reason.FEW, None)


def test_no_number_of_images_is_advised_for_a_score_on_its_limit() -> None:
    on = judge_score(SeenNumber(0.2, 0.15, 0.25, 1000), Limits(most=0.2), TAIL, too_much_missing=False)
    assert (on.verdict, on.reason, on.further) == (Verdict.UNDECIDED, Reason.NEAR_LIMIT, None)
    near = judge_score(SeenNumber(0.2, 0.15, 0.25, 1000), Limits(most=0.24), TAIL, too_much_missing=False)
    assert (near.reason, near.further is not None) == (Reason.FEW, True)
