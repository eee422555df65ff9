from __future__ import annotations

import numpy as np

from portrayal.reports.findings.deviations.deviation import Ranked, Ranking
from portrayal.reports.findings.order import standings


def ranking(*bounds: tuple[float, float, float], descending: bool = True) -> Ranking:
    models = [Ranked(f"m{place}", *own, text=str(own[0])) for place, own in enumerate(bounds)]
    return Ranking("Distance", models, "headline", descending)


def places(*bounds: tuple[float, float, float], descending: bool = True) -> list[tuple[str, str]]:
    (found,) = standings([ranking(*bounds, descending=descending)])
    return [(own.place, own.generator) for own in found.places]


def test_models_whose_intervals_lie_apart_have_a_place_each() -> None:
    wide_apart = ((0.1, 0.08, 0.12), (0.5, 0.48, 0.52), (0.3, 0.28, 0.32))
    assert places(*wide_apart) == [("1", "m1"), ("2", "m2"), ("3", "m0")]
    assert places(*wide_apart, descending=False) == [("1", "m0"), ("2", "m2"), ("3", "m1")]


def test_models_that_cannot_be_told_apart_share_their_places() -> None:
    assert places((0.5, 0.48, 0.52), (0.3, 0.25, 0.35), (0.29, 0.24, 0.34)) == [
        ("1", "m0"), ("2–3", "m1"), ("2–3", "m2"),
    ]  # fmt: skip
    (alike,) = standings([ranking((0.3, 0.2, 0.4), (0.32, 0.22, 0.42))])
    assert not alike.apart


def test_one_number_is_no_ranking() -> None:
    assert standings([ranking((0.3, 0.2, 0.4))]) == []
    assert standings([ranking((0.3, 0.2, 0.4), (float("nan"), 0.1, 0.2))]) == []


def test_models_that_are_alike_are_seldom_put_in_an_order() -> None:
    rng, half, wrong = np.random.default_rng(3), 1.96, 0
    for _ in range(400):
        (found,) = standings([ranking(*((value, value - half, value + half) for value in rng.normal(size=5)))])
        wrong += found.apart
    assert wrong / 400 < 0.07  # of 400 studies of which 5 % err, 99 % have fewer


def test_the_half_of_an_interval_that_faces_the_other_model_counts() -> None:
    # By their whole widths these would be told apart, though both intervals hold what lies between.
    # The second pair is a distance from 0 of few images beside one of many: few images make any distance larger.
    for pair in (((0.5, 0.2, 0.5), (0.0, 0.0, 0.43)), ((0.36, 0.0, 0.54), (0.03, 0.0, 0.1))):
        (found,) = standings([ranking(*pair)])
        assert not found.apart


def test_all_numbers_by_which_models_are_compared_are_corrected_for_together() -> None:
    apart, alike = ranking((0.5, 0.41, 0.59), (0.36, 0.27, 0.45)), ranking((0.5, 0.3, 0.7), (0.5, 0.3, 0.7))
    assert standings([apart])[0].apart
    assert not standings([apart, alike, alike, alike])[0].apart
