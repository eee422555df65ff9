from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from portrayal.methods.tbyb.words.matching import Match, Matcher
from portrayal.methods.tbyb.words.reading import Token
from portrayal.methods.tbyb.words.similarity import Similarity

SYNONYMS = {"phone": {"telephone", "cell phone"}, "couch": {"sofa"}}


class Angles:
    """Words as directions: those with the same first letter lie 30 degrees apart, all others at a right angle."""

    title = "angles"

    def __init__(self) -> None:
        self.batches: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.batches.append(list(texts))
        found = np.zeros((len(texts), 256), dtype=np.float32)
        for row, text in zip(found, texts, strict=True):
            turn = np.deg2rad(30 * (len(text) % 3))
            row[2 * (ord(text[0]) % 128)], row[2 * (ord(text[0]) % 128) + 1] = np.cos(turn), np.sin(turn)
        return found


def matcher(similarity: Similarity | None = None, threshold: float = 0.8) -> Matcher:
    counted = {"man": "person", "woman": "person"}
    return Matcher(counted, lambda name: SYNONYMS.get(name, ()), similarity, threshold)


def found(prompt: str, caption: str, similarity: Similarity | None = None, threshold: float = 0.8) -> list[Match]:
    one = matcher(similarity, threshold)
    asked, seen = ([Token(word, word) for word in text.split()] for text in (prompt, caption))
    return one.match(one.objects(asked), seen)


def test_the_same_word_is_the_same_object() -> None:
    assert found("apple", "apple tree") == [Match("apple", "apple", "same"), Match("tree", "tree")]


def test_a_synonym_counts_as_the_object() -> None:
    assert found("couch", "sofa") == [Match("sofa", "couch", "synonym")]
    assert found("apple", "sofa") == [Match("sofa", "sofa")]


def test_a_synonym_of_several_words_counts_once() -> None:
    assert found("phone", "man cell phone table") == [
        Match("man", "person"),
        Match("cell phone", "phone", "synonym"),
        Match("table", "table"),
    ]
    assert found("phone", "cell") == [Match("cell", "cell")]


def test_words_that_are_asked_for_one_by_one_count_one_by_one() -> None:
    assert found("cell phone", "cell phone") == [Match("cell", "cell", "same"), Match("phone", "phone", "same")]


def test_men_and_women_count_as_a_person_asked_for_or_not() -> None:
    assert found("person", "woman") == [Match("woman", "person", "counted_as")]
    assert found("woman", "man") == [Match("man", "person", "counted_as")]
    assert found("apple", "man woman") == [Match("man", "person"), Match("woman", "person")]


def test_a_word_that_is_near_enough_counts_as_the_object() -> None:
    near = Similarity(Angles())
    # "bat" and "bird" differ by 30 degrees: the cosine is 0.866.
    assert found("bird", "bat", near) == [Match("bat", "bird", "similar", 0.866)]
    assert found("bird", "bat", near, 0.9) == [Match("bat", "bat", "", 0.866)]
    assert found("bird", "cow", near) == [Match("cow", "cow", "", 0)]


def test_of_several_objects_the_nearest_counts() -> None:
    near = Similarity(Angles())
    assert found("cow bird", "bat", near)[0].object == "bird"


def test_each_word_is_embedded_once_and_many_together() -> None:
    angles = Angles()
    near = Similarity(angles)
    near.know(["tree", "apple", "bat", "tree"])
    assert angles.batches == [["bat", "tree", "apple"]]
    near.of("tree", "apple")
    assert len(angles.batches) == 1
    near.of("tree", "new")
    assert angles.batches[1:] == [["new"]]


def test_words_are_compared_as_they_are_written() -> None:
    angles = Angles()
    one = matcher(Similarity(angles))
    one.match(one.objects([Token("sneakers", "sneaker")]), [Token("shoes", "shoe")])
    assert sorted(word for batch in angles.batches for word in batch) == ["shoes", "sneakers"]
