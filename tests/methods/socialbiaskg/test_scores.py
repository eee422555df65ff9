from __future__ import annotations

import numpy as np
import pytest

from portrayal.methods.socialbiaskg.scores import Estimate, counterfactual, diversity, iterative, mean, ratio

NONE = Estimate()


def ints(*numbers: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(numbers, dtype=np.int64)


def test_a_share_of_nothing_is_not_known() -> None:
    assert ratio(0, 0) == mean(np.zeros(0)) == iterative([]) == counterfactual([[]]) == NONE
    assert diversity(np.zeros(11, dtype=np.int64)) == NONE


def test_shares() -> None:
    none = ratio(0, 40)
    assert (none.value, none.low, none.n) == (0.0, 0.0, 40)
    assert none.high is not None
    assert none.high < 0.2


def test_diversity_counts_groups() -> None:
    found = diversity(ints(10, 0, 0, 25, 0, 0, 0, 0, 0, 0, 5), 40)
    assert found.value == 3 / 11
    assert found.n == 40
    assert found.low is not None
    assert found.high is not None
    assert found.low <= 3 / 11 <= found.high
    assert found.reach == (1 / 11, 1.0)
    assert diversity(ints(2, *[0] * 10), 40).reach == (1 / 11, 2 / 11)
    one = diversity(ints(40, *[0] * 10), 40)
    assert one.value == 1 / 11
    # None of forty: of ten other groups together up to 3.1 might be seen in other forty (Clopper-Pearson, 0 of 10).
    assert one.high == pytest.approx((1 + 10 * 0.3085) / 11, abs=1e-4)


def test_more_images_than_published_do_not_make_a_model_more_diverse() -> None:
    counts = ints(380, 10, 10, *[0] * 8)
    assert diversity(counts).value == 3 / 11
    # Of 40 of the 400 images, each rare group is in 1 - C(390, 40) / C(400, 40) = 0.656.
    assert diversity(counts, 40).value == pytest.approx((1 + 2 * 0.656) / 11, abs=1e-3)
    assert diversity(counts // 10, 40).value == 3 / 11


def test_enough_images_of_one_group_are_certain() -> None:
    def high(images: int, published: int) -> float:
        found = diversity(ints(images, *[0] * 10), published)
        assert found.high is not None
        return found.high

    assert high(100, 40) > 0.2 > high(140, 40)
    assert high(100_000, 0) > 0.2  # as many other images might always show a group that these do not


@pytest.mark.slow
@pytest.mark.parametrize("images", [3, 10, 40, 100, 400])
@pytest.mark.parametrize(
    "shares",
    [
        [1.0] + [0.0] * 10, [0.5, 0.5] + [0.0] * 9, [0.9, 0.1] + [0.0] * 9, [0.2] * 5 + [0.0] * 6, [1 / 11] * 11,
        [0.97] + [0.003] * 10, [0.9] + [0.01] * 10, [0.75] + [0.025] * 10, [0.95, 0.02, 0.02, 0.01] + [0.0] * 7,
    ],
)  # fmt: skip
def test_the_interval_of_diversity_holds_the_average_of_other_draws(shares: list[float], images: int) -> None:
    rng, known = np.random.default_rng(images), np.array(shares)
    truth = float((1 - (1 - known) ** min(images, 40)).sum()) / 11
    made = [diversity(counts, 40) for counts in rng.multinomial(images, known, size=300)]
    held = sum((own.low or 0.0) - 1e-9 <= truth <= (own.high or 0.0) + 1e-9 for own in made)
    assert held >= 279  # 93 %


def test_mean() -> None:
    found = mean(np.array([0.4, 0.6, 0.5, 0.5]))
    assert found.value == pytest.approx(0.5)
    assert found.low is not None
    assert found.low == pytest.approx(0.5 - 3.182446 * 0.0408248, abs=1e-5)
    assert mean(np.array([0.4])) == Estimate(0.4, None, None, 1)


def test_similarity_is_the_mean_over_prompts() -> None:
    high = (ints(0, 0, 1), ints(1, 2, 2), np.array([0.9, 0.9, 0.9]))
    low = (np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64), np.array([0.1]))
    both = iterative([high, low])
    assert both.value == pytest.approx(0.5)
    assert both.n == 4
    single = iterative([high])
    assert single.value == pytest.approx(0.9)
    assert single.low is not None
    assert single.low < 0.1  # three images are one independent pair: another may be nothing like it


def test_images_that_several_couples_share_count_once() -> None:
    places = ints(*range(10))
    values = np.linspace(0.3, 0.9, 10)
    once = counterfactual([[(places, places, values)]])
    often = counterfactual([[(places, places, values)] * 8])
    assert once.value == often.value == pytest.approx(0.6)
    assert (once.low, once.high) == pytest.approx((often.low, often.high))
    assert often.n == 80
    others = counterfactual([[(places, places, values)], [(places, places, values)]])
    assert (others.low or 0.0) > (once.low or 0.0)  # another wording has images of its own


def test_couples_of_prompts_weigh_the_same() -> None:
    place = np.zeros(1, dtype=np.int64)
    couples = [[(place, place, np.array([own])) for own in values] for values in ((0.2, 0.4, 0.6), (0.8,))]
    assert counterfactual(couples).value == pytest.approx(0.5)


def two_styles(rng: np.random.Generator, images: int, common: float) -> tuple[object, object, object]:
    one, other = np.triu_indices(images, 1)
    style = rng.random(images) < common
    return one, other, np.where(style[one] == style[other], 0.8, 0.2) + rng.normal(0, 0.03, len(one))


@pytest.mark.slow
@pytest.mark.parametrize(("prompts", "images"), [(4, 2), (4, 5), (4, 10), (1, 10), (4, 30)])
@pytest.mark.parametrize("common", [0.5, 0.9, 0.97])
def test_the_interval_of_similarity_holds_with_two_styles(prompts: int, images: int, common: float) -> None:
    """Pairs of images of one style are alike: a jackknife over images held in 23 to 98 of 100 cases."""
    rng = np.random.default_rng(images)
    truth = 0.2 + 0.6 * (common**2 + (1 - common) ** 2)
    held = 0
    for _ in range(300):
        found = iterative([two_styles(rng, images, common) for _ in range(prompts)])  # type: ignore[misc]
        held += int((found.low or 0.0) <= truth <= (found.high or 0.0))
    assert held >= 279  # 93 %


@pytest.mark.slow
def test_the_interval_of_counterfactuals_holds_where_images_have_a_style() -> None:
    """The style of an image is in each of the ten couples that it is part of."""
    rng, held = np.random.default_rng(3), 0
    places = ints(*range(10))
    for _ in range(300):
        prompts = []
        for _ in range(4):
            style = rng.choice([0.2, 0.6], 10)
            prompts.append([(places, places, style + rng.normal(0, 0.02, 10)) for _ in range(10)])
        found = counterfactual(prompts)
        held += int((found.low or 0.0) <= 0.4 <= (found.high or 0.0))
    assert 279 <= held <= 300
