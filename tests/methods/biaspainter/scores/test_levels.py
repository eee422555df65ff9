"""How large the words' biases are beyond null edits, and how far single edits move faces: worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from portrayal.methods.biaspainter.scores import EditedFaces, Scored, score_words
from portrayal.methods.biaspainter.scores.changes import FEMALE, MALE
from portrayal.methods.biaspainter.scores.image_sizes import image_sizes
from portrayal.methods.biaspainter.scores.levels import word_sizes

NAN = float("nan")
GENDERS = [MALE] * 9 + [FEMALE] * 9
STILL = [MALE] * 9 + [FEMALE] * 9
WOMEN = [FEMALE] * 18
"""Every man has become a woman."""


def faces(after: list[list[float]], before: list[float] | None = None, attribute: str = "gender") -> EditedFaces:
    words, seeds = len(after), len(GENDERS)
    word, seed = np.repeat(np.arange(words), seeds), np.tile(np.arange(seeds), words)
    first = np.tile(np.array(GENDERS if before is None else before), words)
    return EditedFaces(words, np.array(GENDERS), word, seed, {attribute: first}, {attribute: np.array(after).ravel()})


def scored(edits: EditedFaces, attribute: str = "gender", null: tuple[int, ...] = ()) -> Scored:
    return score_words(edits, attribute, null=null, draws=400, rng=np.random.default_rng(1))


def test_words_that_add_nothing_to_what_the_null_edit_does_have_no_size_beyond_it() -> None:
    """An editor that turns every man into a woman, whatever it is asked: a bias of 1 that is not the words'."""
    found = scored(faces([WOMEN, WOMEN, WOMEN]), null=(2,))
    plain, beyond = (word_sizes(found, np.arange(2), relative=relative) for relative in (False, True))
    assert plain is not None
    assert beyond is not None
    assert (plain.mean, beyond.mean, beyond.chance) == (1.0, 0.0, 0.0)
    assert beyond.low == 0.0 < beyond.high


def test_a_word_that_does_less_than_the_null_edit_counts_with_its_size() -> None:
    found = scored(faces([STILL, WOMEN, WOMEN]), null=(2,))
    plain, beyond = (word_sizes(found, np.arange(2), relative=relative) for relative in (False, True))
    assert plain is not None
    assert beyond is not None
    assert (plain.total, plain.mean, beyond.total, beyond.mean) == (1.0, 0.5, 1.0, 0.5)  # but of the other word


def test_both_ways_at_once_go_up_to_two() -> None:
    turned = [FEMALE] * 9 + [MALE] * 9
    men = [MALE] * 18
    found = scored(faces([men, [FEMALE] * 9 + [FEMALE] * 9, turned]), null=(1,))
    beyond = word_sizes(found, np.arange(1), relative=True)
    assert beyond is not None
    assert beyond.mean == 2.0  # no man turned where the null edit turns all, all women turned where it turns none
    assert beyond.high == 2.0


def test_without_null_edits_nothing_is_beyond_them() -> None:
    assert word_sizes(scored(faces([WOMEN])), np.arange(1), relative=True) is None


@pytest.mark.slow
def test_words_that_do_nothing_show_about_what_chance_would_beyond_null_edits_that_age_everyone() -> None:
    """All words of a study share its null edits and what these err by, so that studies are averaged."""
    rng = np.random.default_rng(3)
    sizes = []
    for _ in range(25):
        drift = 10 + 3 * rng.standard_normal(18)
        after = 30 + drift + 5 * rng.standard_normal((33, 18))
        found = scored(faces(after.tolist(), [30.0] * 18, "age"), "age", null=(30, 31, 32))
        plain, beyond = (word_sizes(found, np.arange(30), relative=relative) for relative in (False, True))
        assert plain is not None
        assert beyond is not None
        assert plain.mean > 4 * plain.chance
        sizes.append((beyond.mean, beyond.chance, beyond.low))
    mean, chance, low = np.mean(sizes, axis=0)
    assert mean == pytest.approx(chance, rel=0.1)
    assert low < 0.005


def test_the_size_of_image_biases_is_the_share_of_edits_that_changed_the_perceived_gender() -> None:
    """Half of the men and half of the women change: no word bias, but an image bias of a half."""
    turned = [FEMALE, MALE] * 4 + [MALE] + [MALE, FEMALE] * 4 + [FEMALE]
    edits = faces([turned, STILL])
    found = image_sizes(edits.sizes("gender"), share=True)
    assert found is not None
    assert found.value == pytest.approx(8 / 36)
    assert (found.n, found.seeds) == (36, 18)
    assert scored(edits).score.value.tolist() == [0.0, 0.0]


def test_image_biases_of_age_and_tone_are_mean_sizes() -> None:
    after = [[55.0] * 9 + [5.0] * 9]
    found = image_sizes(faces(after, [30.0] * 18, "age").sizes("age"), share=False)
    assert found is not None
    assert found.value == 1.0
    assert scored(faces(after, [30.0] * 18, "age"), "age").score.value.tolist() == [0.0]


def test_beside_them_stands_what_null_edits_do() -> None:
    edits = faces([WOMEN, STILL, WOMEN])
    words, null = (edits.sizes("gender").take(np.array(rows)) for rows in ([0, 1], [2]))
    found = image_sizes(words, null, share=True)
    assert found is not None
    assert (found.value, found.null, found.gap) == pytest.approx((0.25, 0.5, -0.25))
    assert found.gap_low < -0.25 < found.gap_high
    alone = image_sizes(words, share=True)
    assert alone is not None
    assert np.isnan([alone.null, alone.gap]).all()


def test_nobody_of_eighteen_is_not_never() -> None:
    found = image_sizes(faces([STILL] * 5).sizes("gender"), share=True)
    assert found is not None
    assert (found.value, found.low) == (0.0, 0.0)
    assert found.high > 0.1
    still = image_sizes(faces([[30.0] * 18] * 5, [30.0] * 18, "age").sizes("age"), share=False)
    assert still is not None
    assert still.high == pytest.approx(0.185, abs=0.001)


def test_nothing_to_compare_is_no_number() -> None:
    assert image_sizes(faces([[NAN] * 18]).sizes("gender"), share=True) is None


def test_in_print_edits_without_an_answer_count_as_faces_that_did_not_change() -> None:
    """Of nine men five become women, and two have no answer: 5 of 7 here, 5 of 9 in print."""
    after = [[FEMALE] * 5 + [NAN] * 2 + [MALE] * 2 + [FEMALE] * 9]
    edits = faces(after)
    assert scored(edits).score.value.tolist() == pytest.approx([5 / 7])
    printed = replace(edits, planned=np.ones((1, 18)))
    assert scored(printed).score.value.tolist() == pytest.approx([5 / 9])
    assert scored(edits).n.tolist() == scored(printed).n.tolist() == [16]  # so many have an answer, however they count
    assert [found.value for found in (image_sizes(own.sizes("gender"), share=True) for own in (edits, printed))
            if found] == pytest.approx([5 / 16, 5 / 18])  # fmt: skip


def test_age_is_a_mean_over_edits_with_an_answer_in_print_too() -> None:
    edits = faces([[55.0] * 9 + [NAN] * 9], [30.0] * 18, "age")
    printed = replace(edits, planned=np.ones((1, 18)))
    assert scored(edits, "age").score.value.tolist() == scored(printed, "age").score.value.tolist() == [1.0]
