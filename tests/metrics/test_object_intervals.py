from __future__ import annotations

import math

import numpy as np
import pytest

from portrayal.metrics import ObjectCounts, distribution_bias, object_scores, rarefied_bias
from portrayal.metrics.object_intervals import WordEvidence
from portrayal.metrics.objects import Array


def counts(words: Array, hallucinated: float = 0.5, missed: float = 0.1, images: int = 4) -> ObjectCounts:
    prompts = len(words)
    parts = images * np.array([hallucinated, hallucinated, 0.0, hallucinated, 0.0])
    full = np.full(prompts, float(images))
    return ObjectCounts(full, np.tile(parts, (prompts, 1)), words, full, np.full(prompts, missed * images))


def planted(rng: np.random.Generator, peak: float, prompts: int = 60, words: int = 2000) -> ObjectCounts:
    """Return prompts whose three images have one word each, the first with probability ``peak``; 30 % are missed.

    The other words are the rarer the further down the list, as words are.
    """
    images, tail = 3, 1 / np.arange(2, words + 1)
    shares = np.r_[peak, (1 - peak) * tail / tail.sum()]
    words_of = rng.multinomial(images, shares, size=prompts).astype(float)
    words_of = words_of[:, words_of.any(axis=0)]
    full = np.full(prompts, float(images))
    # One object asked for and one word more: half of what is there.
    parts = np.column_stack([full / 2, full / 2, np.zeros(prompts), full / 2, np.zeros(prompts)])
    return ObjectCounts(full, parts, words_of, full, rng.binomial(images, 0.3, prompts).astype(float))


def scored(given: ObjectCounts, draws: int = 200, seed: int = 0) -> object:
    return object_scores(given, draws=draws, rng=np.random.default_rng(seed))


def test_the_values_are_those_of_the_formulas() -> None:
    words = np.array([[3.0, 1.0, 0.0], [2.0, 0.0, 1.0], [0.0, 2.0, 1.0]])
    found = object_scores(counts(words), draws=100, rng=np.random.default_rng(0))
    assert found.distribution.value == pytest.approx(float(distribution_bias([5, 3, 2])))
    assert found.hallucination.value == 0.5
    assert (found.by_addition.value, found.by_omission.value) == (0.5, 0)
    assert (found.part_added.value, found.part_omitted.value) == (0.5, 0)
    assert found.misses.value == pytest.approx(0.1)
    assert found.log.value == pytest.approx(-math.log(5 / 6) - math.log(0.5) - math.log(0.9))
    for score in (found.hallucination, found.misses):
        assert score.low <= score.value <= score.high


def test_no_extra_words_leave_no_distribution_and_no_log() -> None:
    found = object_scores(counts(np.zeros((5, 3)), hallucinated=0.0), draws=100, rng=np.random.default_rng(0))
    assert math.isnan(found.distribution.value)
    assert math.isnan(found.log.value)
    assert found.hallucination.value == 0
    assert 0 < found.hallucination.high < 0.5


def test_one_word_has_a_value_and_no_log() -> None:
    found = object_scores(counts(np.full((5, 1), 2.0)), draws=100, rng=np.random.default_rng(0))
    assert found.distribution.value == 0
    assert math.isnan(found.log.value)


def test_everything_missed_has_no_log() -> None:
    found = object_scores(counts(np.eye(5), missed=1.0), draws=100, rng=np.random.default_rng(0))
    assert found.misses.value == 1
    assert math.isnan(found.log.value)


def test_nobody_judged_is_not_known_and_not_0() -> None:
    given = counts(np.eye(5))
    silent = ObjectCounts(given.images, given.hallucinated, given.words, np.zeros(5), np.zeros(5))
    found = object_scores(silent, draws=100, rng=np.random.default_rng(0))
    assert math.isnan(found.misses.value)
    assert math.isnan(found.log.value)
    assert found.distribution.value == 4


def test_one_prompt_leaves_no_interval_over_prompts() -> None:
    found = object_scores(counts(np.array([[3.0, 2.0, 1.0]])), draws=100, rng=np.random.default_rng(0))
    assert found.distribution.value == pytest.approx(1)
    assert math.isnan(found.distribution.low)
    assert not math.isnan(found.hallucination.low)


def words_of(prompts: int, most: int, others: int) -> Array:
    """Return the words of some prompts: one that is in ``most`` images in all, and so many that are in one each."""
    words = np.zeros((prompts, 1 + others))
    for place in range(most):
        words[place % prompts, 0] += 1
    for place in range(others):
        words[place % prompts, 1 + place] = 1
    return words


@pytest.mark.parametrize(
    ("prompts", "most", "others", "bounded"),
    [(4, 10, 80, False), (5, 4, 80, False), (5, 5, 54, False), (5, 5, 55, True), (20, 4, 56, False), (20, 5, 80, True)],
)
def test_b_d_and_b_log_have_intervals_where_prompts_words_and_their_spread_are_enough(
    prompts: int, most: int, others: int, bounded: bool
) -> None:
    words = words_of(prompts, most, others)
    found = object_scores(counts(words, images=40), draws=100, rng=np.random.default_rng(0))
    assert found.words == WordEvidence(prompts, most + others, most - 1)
    for score in (found.distribution, found.log):
        assert not math.isnan(score.value)
        assert (not math.isnan(score.low)) is bounded
    assert not math.isnan(found.hallucination.low)
    place, word = np.nonzero(words)
    times = words[place, word].astype(int)
    named = [np.array([own]) for own in np.repeat(word, times)]
    rarefied = rarefied_bias(named, np.repeat(place, times), len(named), draws=50, rng=np.random.default_rng(0))
    assert (rarefied.words, not math.isnan(rarefied.low)) == (found.words, bounded)


def test_words_that_are_all_as_common_have_a_value_and_no_interval() -> None:
    # One image more with any of them would bring B_D from 19 to 0.5.
    found = object_scores(counts(np.eye(20)), draws=100, rng=np.random.default_rng(0))
    assert (found.distribution.value, found.words.spread) == (19, 0)
    assert math.isnan(found.distribution.low)
    more = np.vstack([np.eye(20), np.eye(20)[:1]])
    assert object_scores(counts(more), draws=100, rng=np.random.default_rng(0)).distribution.value == 0.5


def test_the_interval_of_two_prompts_reaches_beyond_them() -> None:
    full, parts = np.full(2, 3.0), 3 * np.array([[0.3, 0.3, 0.0, 0.3, 0.0], [0.6, 0.6, 0.0, 0.6, 0.0]])
    given = ObjectCounts(full, parts, np.eye(2), np.zeros(2), np.zeros(2))
    found = object_scores(given, draws=200, rng=np.random.default_rng(0)).hallucination
    assert found.value == pytest.approx(0.45)
    assert found.low < 0.25
    assert found.high > 0.65


def test_the_same_seed_gives_the_same_interval() -> None:
    given = planted(np.random.default_rng(3), 0.4)
    assert scored(given) == scored(given)
    assert scored(given) != scored(given, seed=1)


def drawn(rng: np.random.Generator, peak: float, times: int, words: int = 2000) -> list[float]:
    """Return B_D of studies drawn anew."""
    return [float(distribution_bias(planted(rng, peak, words=words).words.sum(axis=0))) for _ in range(times)]


def test_the_higher_the_peak_the_smaller_the_bias_score() -> None:
    rng = np.random.default_rng(5)
    biases = [np.mean(drawn(rng, peak, 40)) for peak in (0.05, 0.2, 0.4, 0.6, 0.8)]
    assert biases == sorted(biases, reverse=True)


@pytest.mark.slow
@pytest.mark.parametrize(("peak", "words"), [(0.1, 2000), (0.3, 2000), (0.6, 2000), (0.3, 40)])
def test_intervals_hold_what_endless_draws_of_prompts_give(peak: float, words: int) -> None:
    """Of 200 studies 95 % should hold it; that 179 or fewer do has a chance below 0.001 at 95 %."""
    rng = np.random.default_rng(7)
    many = drawn(rng, peak, 1000, words)
    truth, log = np.mean(many), -np.mean(np.log(many)) - math.log(0.5) - math.log(1 - 0.3)
    held = np.zeros(3)
    for _ in range(200):
        found = object_scores(planted(rng, peak, words=words), draws=300, rng=rng)
        truths = (found.distribution, truth), (found.misses, 0.3), (found.log, log)
        held += np.array([score.low <= value <= score.high for score, value in truths], dtype=float)
    assert (held >= 180).all(), held


def images(given: ObjectCounts) -> tuple[list[np.ndarray[tuple[int], np.dtype[np.int64]]], list[int]]:
    """Return the words of each image, and its prompt; every image has one word."""
    prompt, word = np.nonzero(given.words)
    times = given.words[prompt, word].astype(int)
    return [np.array([own]) for own in np.repeat(word, times)], np.repeat(prompt, times).tolist()


def test_fewer_images_have_a_smaller_distribution_bias() -> None:
    rng = np.random.default_rng(11)
    words, prompt = images(planted(rng, 0.05, prompts=100))
    whole = float(distribution_bias(np.bincount(np.concatenate(words))))
    sizes = [
        rarefied_bias(words, np.array(prompt), size, draws=100, rng=rng).value for size in (60, 150, 250, len(words))
    ]
    assert sizes == sorted(sizes)
    assert sizes[-1] == pytest.approx(whole)


@pytest.mark.slow
def test_models_that_differ_in_images_alone_are_alike_at_a_common_number() -> None:
    rng = np.random.default_rng(13)
    found = []
    for _ in range(30):
        few, many = (images(planted(rng, 0.05, prompts=prompts)) for prompts in (60, 240))
        size = len(few[0])
        small = rarefied_bias(few[0], np.array(few[1]), size, draws=20, rng=rng)
        large = rarefied_bias(many[0], np.array(many[1]), size, draws=20, rng=rng)
        assert large.low < large.value < large.high
        found.append((small.value, large.value, float(distribution_bias(np.bincount(np.concatenate(many[0]))))))
    small_mean, large_mean, whole = np.mean(found, axis=0)
    assert whole > 1.3 * small_mean
    assert large_mean == pytest.approx(small_mean, rel=0.1)


def test_more_images_than_there_are_cannot_be_drawn() -> None:
    with pytest.raises(ValueError, match="cannot be drawn"):
        rarefied_bias([np.array([0])], np.array([0]), 2, draws=10, rng=np.random.default_rng(0))
