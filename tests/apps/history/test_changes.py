"""Changes over releases: corrected for looking at every release, and only of numbers about the same prompts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from tests.samples.release_rows import ATTRIBUTES, Rows, releases, share

from portrayal.apps.history.changes import level_of, looks
from portrayal.stats.multiple import holm


def test_the_levels_of_all_looks_add_up_to_one_in_twenty() -> None:
    assert sum(level_of(look) for look in range(2, 5000)) == pytest.approx(0.05, abs=2e-5)
    assert sum(level_of(look) for look in range(2, 5000)) < 0.05


def test_each_release_is_compared_with_the_one_before_and_with_the_first() -> None:
    found = looks(releases(98, 56, 57), 0.1, ATTRIBUTES)
    every = [each for look in found for each in look.changes]
    assert [(each.release, each.earlier, each.previous, each.first, each.changed) for each in every] == [
        (1, 0, True, True, True),
        (2, 1, True, False, False),
        (2, 0, False, True, True),
    ]
    assert found[0].changes[0].difference.value == pytest.approx(-0.42)
    assert found[0].changes[0].difference.verdict.value == "less"


@pytest.mark.slow
@settings(max_examples=25)
@given(some.lists(some.integers(0, 100), min_size=3, max_size=6))
def test_a_later_release_changes_no_earlier_verdict(women: list[int]) -> None:
    all_of_them, without_last = looks(releases(*women), 0.1, ATTRIBUTES), looks(releases(*women[:-1]), 0.1, ATTRIBUTES)
    for whole, part in zip(all_of_them, without_last, strict=False):
        assert [each.difference.adjusted for each in whole.changes] == [
            each.difference.adjusted for each in part.changes
        ]


def test_the_same_step_must_be_surer_the_later_it_comes() -> None:
    early = looks(releases(50, 74), 0.1, ATTRIBUTES)[-1].changes[0].difference
    late = looks(releases(*[50] * 12, 74), 0.1, ATTRIBUTES)[-1].changes[0].difference
    assert late.p == early.p
    assert late.adjusted > early.adjusted
    assert late.detectable > early.detectable
    assert early.verdict.value == "more"
    assert late.verdict.value != "more"


def test_p_values_are_corrected_for_all_numbers_of_a_look_and_for_all_looks() -> None:
    """What the benchmark counts: Holm's correction within a look, at the level of that look."""
    rows = releases(50, 60, 75)
    for release, women in zip(rows, (30, 30, 45), strict=True):
        release["model"].append(share("cook", women))
    for look in looks(rows, 0.1, ATTRIBUTES):
        expected = holm([each.difference.p for each in look.changes]) * 0.05 / level_of(look.release + 1)
        assert [each.difference.adjusted for each in look.changes] == pytest.approx(np.minimum(expected, 1).tolist())


def test_a_slow_drift_shows_against_the_first_release() -> None:
    found = looks(releases(40, 50, 60, 70, 80), 0.1, ATTRIBUTES)
    assert not any(each.changed for look in found for each in look.changes if each.previous and not each.first)
    assert found[-1].changes[-1].changed
    assert found[-1].changes[-1].first


def test_other_prompts_and_lost_terms_are_not_compared() -> None:
    rows = releases(98, 56)
    rows[1]["model"] = [replace(rows[1]["model"][0], prompt_set="others"), share("cook", 3)]
    (look,) = looks(rows, 0.1, ATTRIBUTES)
    assert look.changes == []
    assert [topic.item for topic in look.matched["model"].only_one] == ["cook"]
    assert len(look.matched["model"].other_prompts) == 1


def test_a_term_that_one_release_lacks_is_compared_with_the_last_that_has_it() -> None:
    rows = releases(98, 97, 96, 50)
    rows[2]["model"] = [share("cook", 3)]
    (change, since) = looks(rows, 0.1, ATTRIBUTES)[-1].changes
    assert (change.earlier, change.previous, change.first) == (1, True, False)
    assert (since.earlier, since.previous, since.first) == (0, False, True)
    assert change.changed


def test_a_release_without_the_model_is_passed_over() -> None:
    rows: list[Rows] = [*releases(98), {}, *releases(50)]
    found = looks(rows, 0.1, ATTRIBUTES)
    assert found[0].changes == []
    assert [(each.earlier, each.changed) for each in found[1].changes] == [(0, True)]


@pytest.mark.parametrize("women", [(0, 0, 0), (100, 100, 100), (0, 4, 0)])
def test_shares_of_none_and_all_are_no_change(women: tuple[int, ...]) -> None:
    assert not any(each.changed for look in looks(releases(*women), 0.1, ATTRIBUTES) for each in look.changes)


def test_with_too_few_images_nothing_is_called() -> None:
    rows = [{"model": [share("nurse", number, n=4)]} for number in (4, 0)]
    (look,) = looks(rows, 0.1, ATTRIBUTES)
    assert look.changes[0].difference.verdict.value == "too_few"
    assert look.tests == 0


@pytest.mark.slow
def test_a_stable_model_is_seldom_called_changed() -> None:
    """Of 60 histories at most 3 are expected; more than 8 come in fewer than one of 100 runs of a right test."""
    rng, wrong = np.random.default_rng(3), 0
    for _ in range(60):
        shares = rng.choice([0.02, 0.3, 0.5, 0.98], 6)
        rows = [
            {"model": [share(str(term), rng.binomial(40, p), 40) for term, p in enumerate(shares)]} for _ in range(5)
        ]
        wrong += any(each.changed for look in looks(rows, 0.1, ATTRIBUTES) for each in look.changes)
    assert wrong <= 8
