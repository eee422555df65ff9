from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from portrayal.methods.tbyb.counting import CaptionRows, Counted, Judged, count_captions
from portrayal.methods.tbyb.words import Analyser, WordOptions
from portrayal.metrics import jaccard_hallucination

PROMPTS = ["a picture of an apple", "a picture of a cat", "a picture"]


@pytest.fixture(scope="module")
def analyser() -> Analyser:
    return Analyser(WordOptions(similarity=0), Path())


def counted(analyser: Analyser, *rows: tuple[int, str, int]) -> Counted:
    prompt, captions, images = zip(*rows, strict=True) if rows else ((), (), ())
    return count_captions(analyser, PROMPTS, CaptionRows.of(prompt, captions, images))


def test_captions_become_numbers_of_objects(analyser: Analyser) -> None:
    found = counted(analyser, (0, "a red apple on a tree", 2), (1, "a man and a woman", 1), (0, "an apple", 3))
    assert found.rows.prompt.tolist() == [0, 0, 1]
    assert found.rows.captions == ["a red apple on a tree", "an apple", "a man and a woman"]
    assert (found.shared.tolist(), found.added.tolist(), found.omitted.tolist()) == ([1, 1, 0], [1, 0, 1], [0, 0, 1])
    assert found.uninvited.words == ["tree", "person"]
    assert found.counted.words == ["tree", "man", "woman"]


def test_what_a_prompt_s_images_hold(analyser: Analyser) -> None:
    found = counted(analyser, (0, "an apple on a tree", 2), (0, "an apple", 1), (1, "a tree and a man", 3))
    cells = np.array([0, 1])
    counts = found.object_counts(cells, Judged(np.array([3.0, 2.0]), np.array([0.0, 1.0])))
    assert counts.images.tolist() == [3, 3]
    # Of the apple's three images two add a tree; the cat's three name two other things and no cat.
    assert counts.hallucinated.tolist() == [[1, 1, 0, 1, 0], [3, 3, 3, 2, 1]]
    words = [found.counted.words[number] for number in np.unique(found.counted.flat)]
    assert dict(zip(words, counts.words.T.tolist(), strict=True)) == {"tree": [2, 3], "man": [0, 3]}
    assert counts.missed.tolist() == [0, 1]
    asked = [{"apple"}] * 3 + [{"cat"}] * 3
    seen = [{"apple", "tree"}] * 2 + [{"apple"}] + [{"tree", "person"}] * 3
    assert counts.hallucinated[:, 0].sum() / 6 == pytest.approx(jaccard_hallucination(asked, seen).total)


def test_one_prompt_alone(analyser: Analyser) -> None:
    found = counted(analyser, (0, "an apple on a tree", 2), (1, "a cat", 1))
    counts = found.object_counts(np.array([1]), Judged.nobody(1))
    assert (counts.images.tolist(), counts.words.shape) == ([1], (1, 0))


def test_a_prompt_that_names_no_object_is_left_out_and_counted(analyser: Analyser) -> None:
    found = counted(analyser, (2, "a white photo", 2), (2, "a tree", 1), (1, "a cat", 4))
    counts = found.object_counts(np.array([1, 2]), Judged.nobody(2))
    assert counts.images.tolist() == [4, 0]
    assert counts.hallucinated.tolist() == [[0] * 5] * 2
    assert found.objectless.tolist() == [0, 0, 3]
    assert found.uninvited.words == found.counted.words == []


def test_no_captions_at_all(analyser: Analyser) -> None:
    counts = counted(analyser).object_counts(np.array([0, 1]), Judged.nobody(2))
    assert counts.images.tolist() == [0, 0]
    assert counts.words.shape == (2, 0)


def test_a_word_that_stands_twice_counts_once(analyser: Analyser) -> None:
    found = counted(analyser, (0, "a tree beside a tree, men and women", 1))
    assert found.added.tolist() == [2]
    assert sorted(found.counted.words) == ["man", "tree", "woman"]
