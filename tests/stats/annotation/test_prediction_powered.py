from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.stats.annotation.prediction_powered import (
    LabelledImages,
    Unlabelled,
    best_tuning,
    prediction_powered,
)
from portrayal.stats.intervals import t_value

TRUTH = np.repeat([0.0, 0.0, 1.0, 1.0], [37, 3, 9, 31])
READ = np.repeat([0.0, 1.0, 0.0, 1.0], [37, 3, 9, 31])


@pytest.mark.parametrize(
    ("tuning", "value", "low", "high"),
    [
        # By ppi-python 0.2.3, ppi_mean_pointestimate and ppi_mean_ci(alpha=0.05): 80 labels, 430 of 1200 others read so
        (None, 0.45270769945909384, 0.372971491023269, 0.5324439078949187),
        (1.0, 0.43333333333333335, 0.345762276378844, 0.5209043902878228),
        (0.0, 0.5, 0.39043468242792734, 0.6095653175720727),
    ],
)
def test_the_same_as_ppi_python(tuning: float | None, value: float, low: float, high: float) -> None:
    labelled, others = LabelledImages.of(TRUTH, READ), Unlabelled(1200, 430 / 1200)
    found = prediction_powered(labelled, others, best_tuning(labelled, others) if tuning is None else tuning)
    reach = t_value(0.95) * found.error
    assert (found.value, found.value - reach, found.value + reach) == pytest.approx((value, low, high), abs=1e-8)


@pytest.mark.slow
def test_few_labels_leave_no_bias() -> None:
    rng, ours, theirs = np.random.default_rng(2), [], []
    for _ in range(2000):
        # One person in ten is a woman; one woman in five is read as a man, one man in fifty as a woman.
        counts = rng.multinomial(50, [0.882, 0.018, 0.02, 0.08])
        labelled = LabelledImages.of(np.repeat([0, 0, 1, 1], counts), np.repeat([0, 1, 0, 1], counts))
        others = Unlabelled(1950, float(rng.binomial(1950, 0.098)) / 1950)
        ours.append(prediction_powered(labelled, others).value)
        theirs.append(prediction_powered(labelled, others, best_tuning(labelled, others)).value)
    assert abs(float(np.mean(ours)) - 0.1) < 0.0025  # standard error below 0.001
    assert float(np.mean(theirs)) < 0.095


def test_a_single_label_is_the_share() -> None:
    assert prediction_powered(LabelledImages.of([1], [0]), Unlabelled(100, 0.4)).value == 1.0


def test_a_right_annotator_is_worth_its_images() -> None:
    labelled = LabelledImages.of(TRUTH, TRUTH)
    found = prediction_powered(labelled, Unlabelled(100_000, 0.3))
    assert found.value == pytest.approx(0.3, abs=0.002)
    assert found.interval().width < 0.06


def test_of_an_annotator_that_guesses_the_labels_remain() -> None:
    read = np.tile([0.0, 1.0], 40)
    found = prediction_powered(LabelledImages.of(TRUTH, read), Unlabelled(100_000, 0.9))
    assert found.value == pytest.approx(TRUTH.mean(), abs=0.03)
    assert found.tuning < 0.1


def test_labels_of_all_images_are_the_share() -> None:
    labelled = LabelledImages.of(TRUTH, READ)
    found = prediction_powered(labelled, Unlabelled.rest(80, float(READ.mean()), labelled))
    assert (found.value, found.tuning) == (0.5, 0.0)


def test_the_rest_of_the_images_is_all_without_those_labelled() -> None:
    labelled = LabelledImages.of([1, 0, 1, 0], [1, 1, 1, 0])
    rest = Unlabelled.rest(100, 0.5, labelled)
    assert (rest.images, rest.share) == pytest.approx((96, 47 / 96))
    assert Unlabelled.rest(100, 0.0, labelled).share == 0  # as where the weights of prompts differ


def test_an_image_of_a_rarely_labelled_prompt_counts_for_more() -> None:
    # Two prompts of 100 images: 30 labels of one, in which all are of the group, 10 of the other, in which none is.
    labelled = LabelledImages.of([1] * 30 + [0] * 10, [0] * 40, [1 / 30] * 30 + [1 / 10] * 10)
    found = prediction_powered(labelled, Unlabelled(160, 0.0))
    assert found.value == pytest.approx(0.5)
    assert found.labels == pytest.approx(30)


def test_labels_that_all_agree_do_not_prove_that_nothing_is_misread() -> None:
    labelled = LabelledImages.of([1] * 25 + [0] * 25, [1] * 25 + [0] * 25)
    found = prediction_powered(labelled, Unlabelled(1e9, 0.5))
    assert found.error < 0.005
    assert found.interval().width > 0.05


def test_a_share_of_1_has_a_width() -> None:
    found = prediction_powered(LabelledImages.of([1] * 50, [1] * 50), Unlabelled(500, 1.0)).interval()
    assert found.high == 1
    assert 0.9 < found.low < 0.97


def test_four_times_the_labels_halve_the_error_that_labels_make() -> None:
    found = prediction_powered(LabelledImages.of(TRUTH, READ), Unlabelled(1e9, 430 / 1200))
    more = replace(found, labels=4 * found.labels)
    assert more.careful == pytest.approx(found.careful / 2, rel=1e-3)
    assert more.interval().width < 0.52 * found.interval().width


@given(
    pairs=st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=80),
    others=st.floats(1, 1e6),
    share=st.floats(0, 1),
)
def test_bounds_are_shares_and_hold_the_value(pairs: list[tuple[bool, bool]], others: float, share: float) -> None:
    labelled = LabelledImages.of(*np.array(pairs, dtype=float).T)
    found = prediction_powered(labelled, Unlabelled(others, share))
    bounds = found.interval()
    assert 0 <= bounds.low <= bounds.high <= 1
    assert bounds.low - 1e-9 <= min(max(found.value, 0.0), 1.0) <= bounds.high + 1e-9
    assert 0 <= found.tuning <= 1
    assert not math.isnan(found.error)
    # With few labels the papers' interval may be a point; the careful one never is.
    assert found.careful > 0
