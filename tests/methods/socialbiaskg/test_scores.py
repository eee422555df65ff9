from __future__ import annotations

import numpy as np
import pytest

from portrayal.methods.socialbiaskg.scores import Estimate, diversity, mean, ratio, similarity

NONE = Estimate()


def ints(*numbers: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(numbers, dtype=np.int64)


def test_a_share_of_nothing_is_not_known() -> None:
    assert ratio(0, 0) == mean(np.zeros(0)) == similarity([]) == NONE
    assert diversity(np.zeros(11, dtype=np.int64), np.random.default_rng(0)) == NONE


def test_shares() -> None:
    none = ratio(0, 40)
    assert (none.value, none.low, none.n) == (0.0, 0.0, 40)
    assert none.high is not None
    assert none.high < 0.2


def test_diversity_counts_groups() -> None:
    found = diversity(ints(10, 0, 0, 25, 0, 0, 0, 0, 0, 0, 5), np.random.default_rng(0))
    assert found.value == pytest.approx(3 / 11)
    assert found.n == 40
    assert found.low is not None
    assert found.high is not None
    assert found.low <= 3 / 11 <= found.high
    assert found.reach == (1 / 11, 1.0)
    few = diversity(ints(2, *[0] * 10), np.random.default_rng(0))
    assert few.reach == (1 / 11, 2 / 11)
    one = diversity(ints(40, *[0] * 10), np.random.default_rng(0))
    assert one.value == pytest.approx(1 / 11)
    assert one.high is not None
    assert 1 / 11 < one.high < 0.5  # forty of one group: other forty may show some more, but not many


def test_diversity_of_other_images_lies_within_its_interval() -> None:
    rng = np.random.default_rng(1)
    shares = np.array([0.6, 0.2, 0.1, 0.05, 0.05, 0, 0, 0, 0, 0, 0])
    held = 0
    for _ in range(200):
        found = diversity(rng.multinomial(40, shares), rng)
        again = np.count_nonzero(rng.multinomial(40, shares)) / 11
        assert found.low is not None
        assert found.high is not None
        held += int(found.low - 1e-9 <= again <= found.high + 1e-9)
    assert held >= 180


def test_mean() -> None:
    found = mean(np.array([0.4, 0.6, 0.5, 0.5]))
    assert found.value == pytest.approx(0.5)
    assert found.low is not None
    assert found.low == pytest.approx(0.5 - 3.182446 * 0.0408248, abs=1e-5)
    assert mean(np.array([0.4])) == Estimate(0.4, None, None, 1)


def test_similarity_is_the_mean_over_prompts() -> None:
    high = (ints(0, 0, 1), ints(1, 2, 2), np.array([0.9, 0.9, 0.9]))
    low = (
        ints(
            0,
        ),
        ints(
            1,
        ),
        np.array([0.1]),
    )
    assert similarity([high, low]).value == pytest.approx(0.5)
    assert similarity([high, low]).low is None  # of a single pair nobody knows how much it varies
    same = similarity([high])
    assert [same.value, same.low, same.high] == pytest.approx([0.9, 0.9, 0.9])


def test_pairs_of_equal_places_are_independent() -> None:
    values = np.array([0.2, 0.4, 0.6, 0.8])
    places = ints(0, 1, 2, 3)
    found, plain = similarity([(places, places, values)]), mean(values)
    assert found.low is not None
    assert found.low == pytest.approx(plain.low)


@pytest.mark.slow
def test_the_interval_of_similarity_holds_the_truth_about_as_often_as_it_says() -> None:
    """Images have a style of their own, so pairs that share one are alike; a plain interval over pairs would fail."""
    rng, held = np.random.default_rng(2), 0
    one, other = np.triu_indices(10, 1)
    for _ in range(400):
        prompts = []
        for _ in range(4):
            style = rng.normal(0, 0.1, 10)
            prompts.append((one, other, 0.5 + style[one] + style[other] + rng.normal(0, 0.02, len(one))))
        found = similarity(prompts)
        assert found.low is not None
        assert found.high is not None
        held += int(found.low <= 0.5 <= found.high)
    assert 368 <= held <= 396
