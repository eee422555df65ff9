"""So many further images decide four times in five: reckoned here again by drawing them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from portrayal.apps.check.decisions.further_images import OFTEN, FurtherNumbers, FurtherShares, images_to_decide
from portrayal.apps.check.decisions.limits import Limits, Verdict
from portrayal.apps.check.decisions.seen_images import SeenImages


@pytest.mark.parametrize(
    ("seen", "others", "missing", "limits"),
    [
        (40, 60, 0, Limits(0.3, 0.7)),
        (18, 22, 1, Limits(0.3, 0.7)),
        (2, 30, 0, Limits(0.0, 0.15)),
        (25, 3, 0, Limits(0.8, 1.0)),
    ],
)
def test_the_chance_of_a_decision_is_that_of_drawing(seen: int, others: int, missing: int, limits: Limits) -> None:
    images, rng, tail, draws = SeenImages(seen, others, missing), np.random.default_rng(4), 0.005, 4000
    further = images_to_decide(FurtherShares(images, limits, tail).decided)
    assert further is not None
    truths = rng.beta(seen + 0.5, others + 0.5, draws)
    drawn = rng.binomial(further, truths)
    verdicts = {count: images.grown(int(count), further).judge(limits, tail) for count in np.unique(drawn)}
    decided = np.mean([verdicts[count] is not Verdict.UNDECIDED for count in drawn])
    assert abs(decided - OFTEN) < 0.03  # four standard errors of 4,000 draws, and what rounding up adds


def test_where_nothing_could_decide_no_number_is_given() -> None:
    assert images_to_decide(FurtherShares(SeenImages(30, 70, missing=30), Limits(0.3, 0.7), 0.01).decided) is None
    stuck = FurtherNumbers(0.0, 0.05, 100, Limits(-0.1, 0.1), 3.0, fixed=0.2)
    assert images_to_decide(stuck.decided) is None


def test_a_number_decides_more_often_with_more_images() -> None:
    number = FurtherNumbers(0.15, 0.05, 100, Limits(most=0.2), 2.5)
    chances = [number.decided(further) for further in (0, 10, 100, 1000, 10_000)]
    assert chances == sorted(chances)
    rng, further = np.random.default_rng(1), 900
    after = 0.15 + rng.normal(0, 0.05 * math.sqrt(0.9), 20_000)
    half = 2.5 * 0.05 * math.sqrt(0.1)
    decided = np.mean((after + half <= 0.2) | (after - half > 0.2))
    assert abs(number.decided(further) - decided) < 0.015
