from __future__ import annotations

import pytest
from scipy.stats import binomtest

from portrayal.stats.intervals import wilson_modified
from portrayal.stats.target import number_p, share_p


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
