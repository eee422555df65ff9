from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.errors import InputError
from portrayal.methods.tbyb.words import Reader, Token

READER = Reader.of()


def kept(text: str) -> list[str]:
    return [token.lemma for token in READER.read(text) if not token.left_out]


def left_out(text: str) -> dict[str, str]:
    return {token.text: token.left_out for token in READER.read(text) if token.left_out}


def test_content_words_are_kept_as_lemmas_in_their_order() -> None:
    assert kept("A picture of two men sitting on the benches, eating apples.") == [
        "man",
        "sit",
        "bench",
        "eat",
        "apple",
    ]


def test_what_is_left_out_says_as_what() -> None:
    assert left_out("a photo of three red apples and one Grey cat") == {
        "a": "function",
        "photo": "depiction",
        "of": "function",
        "three": "number",
        "red": "colour",
        "and": "function",
        "one": "function",
        "grey": "colour",
    }


@pytest.mark.parametrize(
    "colour", ["red", "blue", "yellow", "green", "orange", "purple", "black", "white", "brown", "grey"]
)
def test_the_colours_of_the_paper_are_left_out(colour: str) -> None:
    assert left_out(f"a {colour} car") == {"a": "function", colour: "colour"}


def test_the_words_that_the_authors_code_leaves_out_are_left_out() -> None:
    said = "a person who looks like a good or bad chef, for none else, in front of a background eaten let ts"
    assert kept(said) == ["person", "chef"]
    assert left_out("a good cook on a plain background") == {
        "a": "function",
        "good": "released",
        "on": "function",
        "background": "released",
    }
    assert kept("a man looking at a house") == ["man", "look", "house"]


@pytest.mark.parametrize(
    ("form", "lemma"),
    [("people", "person"), ("playing", "play"), ("leaves", "leaf"), ("shelves", "shelf"), ("glasses", "glass")],
)
def test_lemmas_that_the_lemmatiser_gets_wrong_are_set_right(form: str, lemma: str) -> None:
    assert kept(form) == [lemma]


def test_possessives_hyphens_and_capitals() -> None:
    assert READER.read("The man's T-shirt, the dogs\N{RIGHT SINGLE QUOTATION MARK}") == (
        Token("the", "the", "function"),
        Token("man", "man"),
        Token("t-shirt", "t-shirt"),
        Token("the", "the", "function"),
        Token("dogs", "dog"),
    )


def test_a_text_without_words_has_no_tokens() -> None:
    assert READER.read("") == READER.read("  12 % !? _") == ()


def test_ones_own_list_takes_the_place_of_the_shipped_one(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("word,kind\ntree,scenery\n", encoding="utf-8")
    reader = Reader.of(tmp_path / "mine.csv")
    assert [(token.lemma, token.left_out) for token in reader.read("the trees")] == [("the", ""), ("tree", "scenery")]
    with pytest.raises(InputError, match="no such file"):
        Reader.of(tmp_path / "other.csv")


@given(st.text(max_size=60))
def test_any_text_can_be_read_and_the_same_one_the_same_way(text: str) -> None:
    tokens = READER.read(text)
    assert tokens == READER.read(text)
    assert all(token.text and token.lemma for token in tokens)
