"""What annotators write, collected by cell."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from portrayal.evidence import Rule, Texts

if TYPE_CHECKING:
    from tests.evidence.conftest import Store

CLIP = "clip@1"
EACH = Texts(Rule("each"), "caption")


@pytest.fixture
def captions(make_store: Callable[..., Store]) -> Store:
    return make_store({CLIP: ("caption", "occupation"), "blip": ("caption",)})


def read(store: Store, need: Texts = EACH, by: str = CLIP) -> dict[tuple[str, str], int]:
    """Return how many images of each prompt have each text."""
    plan, found = store.plan(), store.evidence(need)[need][by]
    texts = {prompt.id: text for text, prompt in store.prompts.items()}
    rows = zip(found.cell.tolist(), found.text.tolist(), found.images.tolist(), strict=True)
    return {(texts[plan.cells[cell][1]], found.texts[text]): images for cell, text, images in rows}


def test_equal_texts_of_a_cell_are_counted_together(captions: Store) -> None:
    for word, prompt, text in (("a", "apple", "a tree"), ("b", "apple", "a tree"), ("c", "pear", "a tree")):
        captions.made(word, prompt)
        captions.wrote(word, text)
    captions.made("d", "pear")
    captions.wrote("d", "a pear")
    assert read(captions) == {("apple", "a tree"): 2, ("pear", "a tree"): 1, ("pear", "a pear"): 1}


def test_texts_of_other_attributes_and_annotators_stay_apart(captions: Store) -> None:
    captions.made("a", "apple")
    captions.wrote("a", "a tree")
    captions.wrote("a", "farmer", attribute="occupation")
    captions.wrote("a", "an apple", by="blip")
    assert read(captions) == {("apple", "a tree"): 1}
    assert read(captions, by="blip") == {("apple", "an apple"): 1}
    assert read(captions, Texts(Rule("each"), "occupation")) == {("apple", "farmer"): 1}


def test_an_image_that_cannot_be_used_has_no_text(captions: Store) -> None:
    captions.made("a", "apple")
    captions.said("a", "empty_caption")
    captions.made("b", "apple")
    captions.wrote("b", "an apple")
    captions.said("b", "blurred")
    assert captions.evidence(EACH)[EACH] == {CLIP: captions.evidence(EACH)[EACH][CLIP]}
    assert read(captions) == {("apple", "an apple"): 1}
    one = Texts(Rule("one"), "caption")
    assert captions.evidence(one)[one] == {}


def test_a_picture_of_several_prompts_counts_for_each(captions: Store) -> None:
    captions.made("a", "apple")
    captions.made("a", "fruit")
    captions.wrote("a", "an apple")
    assert read(captions) == {("apple", "an apple"): 1, ("fruit", "an apple"): 1}
