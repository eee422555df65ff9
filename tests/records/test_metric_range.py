"""What values metrics can have, as every interval that is printed must respect."""

from __future__ import annotations

import math

import pytest

from portrayal.records import metric_range, range_of_difference


@pytest.mark.parametrize(
    ("metric", "least", "most"),
    [
        ("total_variation", 0.0, 1.0),
        ("kl_divergence", 0.0, math.inf),
        ("mean_absolute_deviation", 0.0, 2.0),
        ("paired_difference", -1.0, 1.0),
        ("implicit_score", 0.0, 1.0),
        ("model_word_bias_relative", -math.inf, math.inf),
    ],
)
def test_a_metric_has_the_range_of_its_definition(metric: str, least: float, most: float) -> None:
    assert metric_range(metric) == (least, most)


def test_two_numbers_differ_by_no_more_than_their_range() -> None:
    assert range_of_difference("mean_absolute_deviation") == (-2.0, 2.0)
    assert range_of_difference("kl_divergence") == (-math.inf, math.inf)
