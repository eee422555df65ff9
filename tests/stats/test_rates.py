from __future__ import annotations

import math

import numpy as np
import pytest

from portrayal.stats.annotation.agreement import coincidence_alpha, coincidences, count_labels
from portrayal.stats.intervals import Array, wilson
from portrayal.stats.rates import Estimate, Tally, difference, draw_clusters, resampled


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_one_cluster_is_wilson() -> None:
    found = Tally.of([50.0], [40.0]).rate(draw_clusters(1, 10, rng()))
    assert (found.low, found.high) == pytest.approx(tuple(float(bound) for bound in wilson(0.8, 50)))


def test_all_is_exactly_all() -> None:
    counts = [float(count) for count in range(1, 40)]
    assert Tally.of(counts, counts).rate(draw_clusters(39, 50, rng())).value == 1
    assert Tally.of(counts, counts).mean().value == 1


def test_a_cluster_counts_by_its_size() -> None:
    found = Tally.of([90.0, 0.0, 10.0], [90.0, 0.0, 0.0]).rate(draw_clusters(3, 100, rng()))
    assert found.value == pytest.approx(0.9)


def test_clusters_that_differ_widen_the_interval() -> None:
    drawn = draw_clusters(10, 500, rng())
    alike = Tally.of(np.full(10, 50.0), np.full(10, 40.0)).rate(drawn)
    apart = Tally.of(np.full(10, 50.0), [50.0] * 8 + [0.0] * 2).rate(drawn)
    assert (alike.value, apart.value) == pytest.approx((0.8, 0.8))
    assert apart.high - apart.low > 3 * (alike.high - alike.low)


def test_few_clusters_that_differ_say_little() -> None:
    # A bootstrap cannot reach beyond the lowest of the three.
    found = Tally.of([50.0] * 3, [30.0, 40.0, 50.0]).rate(draw_clusters(3, 500, rng()))
    assert found.low < 0.5


def test_a_difference_has_a_width_where_nothing_varies() -> None:
    drawn = draw_clusters(5, 200, rng())
    own, rest = Tally.of([4.0] * 5, [4.0] * 5), Tally.of([8.0] * 5, [8.0] * 5)
    found = difference((own, own.rate(drawn)), (rest, rest.rate(drawn)), drawn)
    assert found.low == pytest.approx(own.rate(drawn).low - 1)
    assert found.high == pytest.approx(1 - rest.rate(drawn).low)
    assert not found.differs


def test_nothing_is_nan() -> None:
    empty = Tally.of(np.zeros(2), np.zeros(2))
    assert math.isnan(empty.rate(draw_clusters(2, 10, rng())).value)
    assert math.isnan(empty.mean().value)
    assert not Estimate(math.nan).differs


def test_a_rare_group_is_missing_in_some_draws() -> None:
    # One of 20 clusters has the group: most draws of clusters do without it.
    count = np.zeros(20)
    count[3] = 5.0
    drawn = draw_clusters(20, 200, rng())
    own, rest = Tally.of(count, count), Tally.of(np.full(20, 10.0), np.full(20, 5.0))
    found = difference((own, own.rate(drawn)), (rest, rest.rate(drawn)), drawn)
    assert found.value == pytest.approx(0.5)
    assert found.low < 0.5 < found.high


def planted(seed: int, prompts: int = 30, images: int = 40) -> tuple[Tally, Tally]:
    """Return agreement on dark and on other skin: 0.8 and 0.95 on average, differing from prompt to prompt."""
    draw = rng(seed)
    dark = draw.binomial(images, draw.uniform(0.1, 0.6, prompts))
    shift = draw.uniform(-1, 1, prompts)
    right = draw.binomial(dark, 0.8 + 0.15 * shift)
    return Tally.of(dark, right), Tally.of(images - dark, draw.binomial(images - dark, 0.95 + 0.05 * shift))


def test_intervals_hold_the_truth_where_prompts_differ() -> None:
    held = np.zeros(4)
    for seed in range(200):
        own, rest = planted(seed)
        drawn = draw_clusters(30, 400, rng(seed))
        one, other = own.rate(drawn), rest.rate(drawn)
        apart = difference((own, one), (rest, other), drawn)
        held += (
            one.low <= 0.8 <= one.high,
            other.low <= 0.95 <= other.high,
            apart.low <= -0.15 <= apart.high,
            apart.differs,
        )
    assert (held[:3] / 200 >= 0.93).all()
    assert held[3] / 200 > 0.95  # and such a difference is seen


def test_no_difference_is_seldom_marked() -> None:
    marked = 0
    for seed in range(200):
        own, rest = (Tally.of(np.full(12, 20.0), rng(seed * 2 + part).binomial(20, 0.9, 12)) for part in (0, 1))
        drawn = draw_clusters(12, 400, rng(seed))
        marked += difference((own, own.rate(drawn)), (rest, rest.rate(drawn)), drawn).differs
    assert marked / 200 <= 0.06


def test_means_of_numbers() -> None:
    draw = rng(3)
    values = draw.normal(7, 2, (20, 30)) + draw.normal(0, 1, 20)[:, None]
    found = Tally.of(np.full(20, 30.0), values.sum(axis=1), (values**2).sum(axis=1)).mean()
    assert found.value == pytest.approx(values.mean())
    assert found.low < 7 < found.high
    single = Tally.of([30.0], [values[0].sum()], [(values[0] ** 2).sum()]).mean()
    half = 2.04523 * values[0].std(ddof=1) / math.sqrt(30)  # Student's quantile of 29 degrees of freedom
    assert single.high - single.value == pytest.approx(half, rel=1e-4)


def test_alpha_holds_the_truth_when_prompts_are_resampled() -> None:
    held = 0
    for seed in range(100):
        draw = rng(seed)
        truth = draw.integers(2, size=600)
        labels = np.where(draw.random((3, 600)) < 0.9, truth, 1 - truth)
        matrices = coincidences(count_labels(labels, 2), np.arange(600) % 20, 20)
        found = resampled(matrices, alpha, draw_clusters(20, 400, draw))
        held += found.low <= 0.64 <= found.high
    assert held >= 91


def alpha(matrix: Array) -> Array:
    return coincidence_alpha(matrix)
