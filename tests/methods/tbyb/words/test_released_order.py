"""The two orders: words for people counted apart, as the authors' code does, or as one word from the start."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from portrayal.methods.tbyb.words import Analyser, Scored, WordOptions


def scored(prompt: str, caption: str, people: Literal["released", "merged"]) -> Scored:
    analyser = Analyser(WordOptions(similarity=0, people=people), Path())
    return analyser.scored(analyser.asked(prompt), caption)


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def test_the_released_order_counts_people_apart_and_merges_them_for_the_hallucination() -> None:
    found = scored("a picture of an apple", "a man and a woman with apples", "released")
    assert found == Scored(words("apple"), words("apple person"), words("man woman"))
    merged = scored("a picture of an apple", "a man and a woman with apples", "merged")
    assert merged == Scored(words("apple"), words("apple person"), words("person"))


def test_a_woman_where_a_person_was_asked_for_counts_in_the_released_order_and_is_no_hallucination() -> None:
    prompt, caption = "a picture of a person eating an apple", "a woman eating an apple"
    assert scored(prompt, caption, "released").counted == words("woman")
    assert scored(prompt, caption, "released").seen == scored(prompt, caption, "released").asked
    assert scored(prompt, caption, "merged").counted == frozenset()


def test_the_released_order_never_maps_prompts_so_that_a_man_is_never_found() -> None:
    found = scored("a picture of a man", "a man", "released")
    # The word is in the prompt, so the distribution bias does not count it; the caption's man became a person.
    assert found == Scored(words("man"), words("person"), frozenset())
    assert scored("a picture of a man", "a woman", "merged").asked == words("person")
    assert scored("a picture of a man", "a woman", "merged").seen == words("person")


@pytest.mark.parametrize(("prompt", "never"), [("a picture of a girl", True), ("a picture of a person", False)])
def test_prompts_for_somebody_whom_the_released_order_never_finds_are_known(prompt: str, never: bool) -> None:
    released = Analyser(WordOptions(similarity=0), Path())
    assert released.never_finds(released.asked(prompt)) is never
    merged = Analyser(WordOptions(similarity=0, people="merged"), Path())
    assert not merged.never_finds(merged.asked(prompt))


def test_without_words_for_people_both_orders_are_the_same() -> None:
    for prompt, caption in [("a picture of a cat", "a cat and a dog on a sofa"), ("a cup of coffee", "a table")]:
        assert scored(prompt, caption, "released") == scored(prompt, caption, "merged")
