from __future__ import annotations

import math

import pytest
from scipy.stats import binomtest

from portrayal.stats.intervals import wilson_modified
from portrayal.stats.target import least_difference, least_share, number_p, share_p


@pytest.mark.parametrize(("seen", "n", "target"), [(24, 24, 0.5), (2, 24, 0.4), (0, 30, 0.3), (17, 20, 0.4)])
def test_one_prompt_has_the_exact_p_value_of_two_tails(seen: int, n: int, target: float) -> None:
    low, high = (float(bound) for bound in wilson_modified(seen / n, n))
    tails = [binomtest(seen, n, target, alternative=side).pvalue for side in ("less", "greater")]
    assert share_p(seen / n, low, high, target, n) == pytest.approx(2 * min(tails), rel=1e-9)


def test_an_interval_that_holds_the_target_is_no_surprise() -> None:
    assert share_p(0.6, 0.49, 0.7, 0.5, 1000) == 1.0
    assert share_p(0.6, 0.49, 0.7, 0.5, 1000, prompts=9) == 1.0
    assert number_p(0.6, 0.49, 0.7, 0.5, 9) == 1.0


def test_at_the_end_of_the_interval_p_is_a_twentieth_over_several_prompts() -> None:
    assert share_p(0.6, 0.5, 0.7, 0.5 - 1e-12, 100, prompts=9) == pytest.approx(0.05, abs=1e-6)
    assert number_p(3.0, 2.0, 4.0, 2.0 - 1e-12, 9) == pytest.approx(0.05, abs=1e-6)


def test_few_prompts_prove_less_than_many() -> None:
    few, many = (share_p(0.9, 0.7, 0.97, 0.4, 200, prompts=prompts) for prompts in (2, 40))
    assert many < 0.001 < few


def test_what_has_no_width_or_a_single_prompt_proves_nothing() -> None:
    assert number_p(0.6, 0.6, 0.6, 0.5, 9) == 1.0
    assert number_p(0.6, 0.55, 0.65, 0.5, 1) == 1.0


def test_what_a_reference_rules_out_and_is_seen_is_impossible_by_chance() -> None:
    assert share_p(0.5, 0.3, 0.7, 0.0, 20) == 0.0


@pytest.mark.parametrize("n", [5, 8, 10, 24, 60, 300])
@pytest.mark.parametrize("target", [0.04, 0.33, 0.5, 0.9])
@pytest.mark.parametrize("p", [0.05, 0.002])
def test_the_smallest_deviation_of_one_prompt_is_the_first_that_passes(n: int, target: float, p: float) -> None:
    def told(seen: int) -> bool:
        low, high = (float(bound) for bound in wilson_modified(seen / n, n))
        return share_p(seen / n, low, high, target, n) <= p

    below = [target - seen / n for seen in range(n + 1) if seen / n < target and told(seen)]
    above = [seen / n - target for seen in range(n + 1) if seen / n > target and told(seen)]
    assert least_share(0.0, 1.0, target, n, 1, p) == pytest.approx([min(own) for own in (below, above) if own])


def test_one_image_shows_no_deviation_and_24_images_show_golden_ones() -> None:
    assert least_share(0.0, 0.8, 0.5, 1, 1, 0.05) == []
    # 24 images against one half: 18 of them at 5 %, 21 after a correction for 91 comparisons of which one passes.
    assert least_share(0.0, 1.0, 0.5, 24, 1, 0.05) == pytest.approx([0.25, 0.25])
    assert least_share(0.0, 1.0, 0.5, 24, 1, 0.05 / 91) == pytest.approx([0.375, 0.375])


def test_over_several_prompts_the_smallest_deviation_passes_and_a_smaller_one_does_not() -> None:
    below, above = least_share(0.4, 0.6, 0.5, 200, 12, 0.01)
    for deviation in (-below, above):
        for size, passes in ((1.001 * deviation, True), (0.999 * deviation, False)):
            half = math.asin(math.sqrt(0.6)) - math.asin(math.sqrt(0.5))
            middle = math.asin(math.sqrt(0.5 + size))
            low, high = (math.sin(middle + sign * half) ** 2 for sign in (-1, 1))
            assert (share_p(0.5 + size, low, high, 0.5, 200, 12) <= 0.01) is passes
    (size,) = least_difference(-0.1, 0.1, 9, 0.01)
    assert number_p(size, size - 0.1, size + 0.1, 0.0, 9) == pytest.approx(0.01)
    assert least_difference(-0.1, 0.1, 1, 0.01) == []
