"""Numbers of an adaptive run allow for its looks; those of others stay as they are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from portrayal.records import Measurement
from portrayal.stats.intervals import clopper_pearson, t_value
from portrayal.study.measure.allow_for_looks import allowed
from portrayal.study.sampling.drawn_rounds import Allowance, allowance
from portrayal.study.sampling.settings import ConstructConfig, SamplingConfig

GIVEN = Allowance(6, 0.965)
SHARE = Measurement("m", "share", "g", value=0.25, low=0.07, high=0.53, n=16, worth=16.0, like_low=0.0, like_high=0.7)
BY_WIDTH = SamplingConfig(about=ConstructConfig(attribute="gender"), error_rate=0.01)
BY_POLICY = SamplingConfig(about=ConstructConfig(policy="p.toml"), rounds=5)


def test_a_share_has_the_exact_interval_of_that_confidence() -> None:
    low, high = clopper_pearson(0.25, 16, 0.965)
    row = allowed(SHARE, GIVEN)
    assert [row.low, row.high, row.looks] == pytest.approx([float(low), float(high), 6])
    assert row.like_low == 0.0
    assert 0.7 < (row.like_high or 0) <= 1.0


def test_a_score_has_an_interval_as_much_wider_and_never_a_narrower_one() -> None:
    row = allowed(Measurement("m", "distance", "g", value=0.2, low=0.1, high=0.4, n=50), GIVEN)
    times = t_value(0.965) / t_value(0.95)
    assert [row.low, row.high] == pytest.approx([0.2 - 0.1 * times, 0.2 + 0.2 * times])
    assert allowed(replace(row, low=0.001, high=0.4), GIVEN).low == 0.0
    assert (allowed(Measurement("m", "difference", "g", value=0.1, low=0.0, high=0.2), GIVEN).low or 0) < 0


def test_what_has_no_interval_gets_none() -> None:
    row = allowed(Measurement("m", "share", "g", value=0.5), GIVEN)
    assert (row.low, row.high, row.looks) == (None, None, 6)


def test_what_is_allowed_for_follows_from_the_settings() -> None:
    without_end = BY_POLICY.model_copy(update={"rounds": 0})
    given = [allowance(BY_WIDTH, 2), allowance(BY_POLICY, 2), allowance(without_end, 3)]
    assert [each.times for each in given] == [6, 5, 12]
    assert [each.confidence for each in given] == pytest.approx([0.993, 0.99, 1 - 0.05 / 12])
