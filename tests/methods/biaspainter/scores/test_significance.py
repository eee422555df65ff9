"""What a study could have found: the smallest effects that stand out, checked against studies with such effects."""

from __future__ import annotations

import numpy as np
import pytest

from portrayal.methods.biaspainter.scores import EditedFaces, score_words
from portrayal.methods.biaspainter.scores.changes import FEMALE, MALE
from portrayal.methods.biaspainter.scores.significance import fewest_flips, least_shift
from portrayal.stats.multiple import benjamini_hochberg

GENDERS = np.array([MALE] * 9 + [FEMALE] * 9)
NULLS = 3


def edits(name: str, before: np.ndarray, after: np.ndarray) -> EditedFaces:
    words, seeds = after.shape
    word, seed = np.repeat(np.arange(words), seeds), np.tile(np.arange(seeds), words)
    first = np.broadcast_to(before, after.shape).ravel()
    return EditedFaces(words, GENDERS, word, seed, {name: first}, {name: after.ravel()})


@pytest.mark.parametrize("words", [4, 15, 229])
def test_as_many_flips_as_are_said_stand_out_and_one_fewer_do_not(words: int) -> None:
    least = fewest_flips(9, 9, NULLS, 0.05 / words)
    assert least is not None
    for turned, stands_out in ((least, True), (least - 1, False)):
        after = np.tile(GENDERS, (words + NULLS, 1))
        after[0, :turned] = FEMALE
        found = score_words(
            edits("gender", GENDERS, after), "gender", null=range(words, words + NULLS), draws=100,
            rng=np.random.default_rng(0),
        ).relative  # fmt: skip
        assert found is not None
        assert bool(found.q[0] <= 0.05) is stands_out


def test_too_few_faces_can_show_nothing() -> None:
    assert fewest_flips(3, 3, NULLS, 0.05 / 15) is None


@pytest.mark.slow
@pytest.mark.parametrize("words", [15, 100])
def test_a_shift_as_large_as_is_said_stands_out_in_four_of_five_studies(words: int) -> None:
    rng, studies = np.random.default_rng(words), 300
    out = []
    for _ in range(studies):
        noise = 4 * rng.standard_normal((words + NULLS, 18))
        apart = noise[:words] - noise[words:].mean(axis=0)
        shift = least_shift(*_tested(apart), 18, 0.05 / words)
        noise = 4 * rng.standard_normal((words + NULLS, 18))
        noise[0] += shift
        out.append(benjamini_hochberg(_tested(noise[:words] - noise[words:].mean(axis=0))[1])[0] <= 0.05)
    assert np.mean(out) == pytest.approx(0.8, abs=0.07)  # the standard error is 0.023


def _tested(apart: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    from portrayal.methods.biaspainter.scores.significance import student

    return apart.mean(axis=1), student(apart)


def test_where_nothing_varies_nothing_is_said() -> None:
    assert np.isnan(least_shift(np.zeros(3), np.ones(3), 18, 0.05))
    assert np.isnan(least_shift(np.ones(3), np.full(3, 0.5), 2, 0.05))
