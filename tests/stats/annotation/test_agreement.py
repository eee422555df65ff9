from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from portrayal.stats.annotation.agreement import (
    Metric,
    certain_alpha,
    cohen_kappa,
    coincidence_alpha,
    coincidences,
    count_labels,
    krippendorff_alpha,
    value_alpha,
    value_sums,
)

GAP = math.nan
PUBLISHED = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, GAP, GAP, GAP],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, GAP, 3],
    [GAP, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, GAP],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, GAP],
]
"""Four observers, twelve units: the example C of Krippendorff's "Computing Krippendorff's Alpha-Reliability" (2011)."""

labelled = st.tuples(st.integers(2, 5), st.integers(1, 12)).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.integers(-1, 3))
)


def same(one: float, other: float) -> bool:
    return (math.isnan(one) and math.isnan(other)) or one == pytest.approx(other, abs=1e-9)


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize(
    ("metric", "expected"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_the_published_example(metric: Metric, expected: float) -> None:
    assert round(krippendorff_alpha(PUBLISHED, metric), 3) == expected


def test_the_published_coincidences() -> None:
    labels = np.where(np.isnan(PUBLISHED), 0, PUBLISHED).astype(int) - 1
    (matrix,) = coincidences(count_labels(labels, 5))
    third = 1 / 3
    assert matrix == pytest.approx(
        np.array(
            [
                [7, 4 * third, third, third, 0],
                [4 * third, 10, 4 * third, third, 0],
                [third, 4 * third, 8, third, 0],
                [third, third, third, 4, 0],
                [0, 0, 0, 0, 3],
            ]
        )
    )


def test_two_observers_and_yes_or_no() -> None:
    # The example A of the same paper.
    assert round(krippendorff_alpha([[0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]]), 3) == 0.095


@given(labelled, st.randoms(use_true_random=False), st.sampled_from(["nominal", "ordinal", "interval", "ratio"]))
def test_the_order_of_raters_and_units_does_not_matter(labels: Any, random: Any, metric: Metric) -> None:
    raters, units = labels.shape
    mixed = labels[random.sample(range(raters), raters)][:, random.sample(range(units), units)]
    assert same(krippendorff_alpha(mixed, metric, missing=-1), krippendorff_alpha(labels, metric, missing=-1))


@given(labelled, st.permutations(range(4)))
def test_names_of_groups_do_not_matter(labels: Any, names: list[int]) -> None:
    renamed = np.where(labels < 0, -1, np.array([*names, -1])[labels])
    assert same(krippendorff_alpha(renamed, missing=-1), krippendorff_alpha(labels, missing=-1))


@given(labelled)
def test_never_above_one_and_one_exactly_when_nobody_disagrees(labels: Any) -> None:
    alpha = krippendorff_alpha(labels, missing=-1)
    if not math.isnan(alpha):
        agreed = all(len(set(unit[unit >= 0])) <= 1 for unit in labels.T)
        assert (alpha == 1) == agreed
        assert alpha <= 1


@given(labelled, st.integers(1, 4))
def test_clusters_add_up_to_the_whole(labels: Any, clusters: int) -> None:
    counts, cluster = count_labels(labels, 4), np.arange(labels.shape[1]) % clusters
    parts, whole = coincidences(counts, cluster, clusters), coincidences(counts)
    assert parts.shape == (clusters, 4, 4)
    assert parts.sum(axis=0) == pytest.approx(whole[0])
    numbers = np.where(labels < 0, np.nan, labels)
    assert value_sums(numbers, cluster, clusters).sum(axis=0) == pytest.approx(value_sums(numbers)[0])


@given(labelled)
def test_numbers_need_no_matrix(labels: Any) -> None:
    by_matrix = coincidence_alpha(coincidences(count_labels(labels, 4))[0], "interval", [0, 1, 2, 3])
    by_sums = value_alpha(value_sums(np.where(labels < 0, np.nan, labels))[0])
    assert same(float(by_sums), float(by_matrix))


def test_raters_who_guess_do_not_agree() -> None:
    guesses = rng().integers(3, size=(4, 20_000))
    for metric in ("nominal", "ordinal", "interval"):
        assert abs(krippendorff_alpha(guesses, metric)) < 0.01


def test_known_accuracy_gives_the_expected_alpha() -> None:
    # Two groups, half each; raters right with 0.9 agree in 0.82 of units and by chance in a half: alpha 0.64.
    truth = rng().integers(2, size=200_000)
    seen = np.where(rng(1).random((3, 200_000)) < 0.9, truth, 1 - truth)
    assert krippendorff_alpha(seen) == pytest.approx(0.64, abs=0.01)


@pytest.mark.parametrize("metric", ["nominal", "ordinal", "interval", "ratio"])
@pytest.mark.parametrize("labels", [[[0, -1], [-1, 1]], [[-1], [-1]], [[2, 2, 2], [2, 2, -1]], [[0.3] * 3] * 2])
def test_undefined_is_nan(labels: Any, metric: Metric) -> None:
    assert math.isnan(krippendorff_alpha(labels, metric, missing=-1))


@pytest.mark.slow
def test_a_million_units_of_many_raters_are_no_trouble() -> None:
    truth = rng().integers(5, size=1_000_000, dtype=np.int8)
    labels = np.stack([np.where(rng(seed).random(1_000_000) < 0.8, truth, 0) for seed in range(3)]).astype(np.int8)
    counts = count_labels(labels, 5)
    assert coincidences(counts, np.arange(1_000_000) % 500, 500).sum() == pytest.approx(3_000_000)


def test_kappa_by_hand() -> None:
    # Cohen's own layout: 0.7 seen, 0.5 expected.
    assert float(cohen_kappa(np.array([[20.0, 5.0], [10.0, 15.0]]))) == pytest.approx(0.4)
    assert float(cohen_kappa(np.eye(3))) == 1
    assert math.isnan(float(cohen_kappa(np.zeros((2, 2)))))
    assert math.isnan(float(cohen_kappa(np.array([[7.0, 0.0], [0.0, 0.0]]))))


def test_many_matrices_at_once() -> None:
    labels = rng().integers(-1, 3, size=(3, 50))
    matrices = coincidences(count_labels(labels, 3), np.arange(50) % 2, 2)
    for metric in ("nominal", "ordinal", "interval"):
        many = coincidence_alpha(matrices, metric)
        assert many.tolist() == pytest.approx([float(coincidence_alpha(matrix, metric)) for matrix in matrices])


def alpha_by_pairs(ratings: Any, metric: str) -> float:
    """Return alpha (nominal or interval) by plain loops over pairs of judgements, in exact fractions."""
    units = [[Fraction(value) for value in unit if not math.isnan(value)] for unit in np.asarray(ratings, float).T]
    units = [unit for unit in units if len(unit) > 1]
    everything = [value for unit in units for value in unit]

    def apart(one: Fraction, two: Fraction) -> Fraction:
        return (one - two) ** 2 if metric == "interval" else Fraction(one != two)

    seen = sum(
        apart(one, two) / (len(unit) - 1)
        for unit in units
        for i, one in enumerate(unit)
        for j, two in enumerate(unit)
        if i != j
    )
    chance = sum((apart(one, two) for one in everything for two in everything), Fraction(0)) / (len(everything) - 1)
    return float(1 - seen / chance)


@pytest.mark.parametrize("metric", ["nominal", "interval"])
def test_negative_whole_numbers_are_numbers(metric: Metric) -> None:
    """They counted as missing."""
    ratings = [[-2, -1, 0, 1, 2, -2], [-2, -1, 1, 1, 2, 2], [-1, -1, 0, 2, 2, -2]]
    assert krippendorff_alpha(ratings, metric) == pytest.approx(alpha_by_pairs(ratings, metric))
    assert krippendorff_alpha(ratings, metric) != pytest.approx(krippendorff_alpha(ratings, metric, missing=-1))


@pytest.mark.parametrize("size", [0.0, 1e4, 1e7, 1e12])
def test_alpha_of_numbers_keeps_its_digits_far_from_zero(size: float) -> None:
    """At 1e7 it was nan, because nothing was left of the spread."""
    ratings = np.array([[1.0, 2.5, 4.0, 3.0], [1.5, 2.5, math.nan, 3.25], [1.0, 3.0, 4.0, 3.0]]) + size
    assert krippendorff_alpha(ratings, "interval") == pytest.approx(alpha_by_pairs(ratings, "interval"), rel=1e-9)
    assert krippendorff_alpha(ratings, "interval") == pytest.approx(0.954, abs=0.001)


def test_two_units_that_agree_prove_little() -> None:
    assert certain_alpha(2) == pytest.approx(0.025**0.5)
    assert [certain_alpha(n) for n in (1, 2, 10, 1000)] == sorted(certain_alpha(n) for n in (1, 2, 10, 1000))
    assert math.isnan(certain_alpha(0))
