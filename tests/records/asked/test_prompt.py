from __future__ import annotations

import hashlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from portrayal.records import Prompt, aspect, content_id

parts = st.lists(st.text("ab\x1b\x1f", max_size=4), min_size=1, max_size=4)


@pytest.mark.parametrize(
    ("given_parts", "expected"),
    [
        (("a photo of one nurse",), "a8da950487dbab35f1736ad9a343bc3b"),
        (("a", "b"), hashlib.blake2b(b"a\x1fb", digest_size=16).hexdigest()),
        (("護士", "0"), hashlib.blake2b("護士\x1f0".encode(), digest_size=16).hexdigest()),
    ],
)
def test_ids_never_change_between_versions(given_parts: tuple[str, ...], expected: str) -> None:
    assert content_id(*given_parts) == expected


@given(parts, parts)
@example(["a\x1fb"], ["a", "b"])
@example(["a\x1f", "b"], ["a", "\x1fb"])
@example(["a\x1b", "b"], ["a\x1fb"])
@example(["ab"], ["a", "b"])
@example(["a", ""], ["a"])
def test_only_the_same_parts_have_the_same_id(one: list[str], other: list[str]) -> None:
    assert (content_id(*one) == content_id(*other)) == (one == other)


def test_a_prompt_is_its_text() -> None:
    plain = Prompt("a photo of one nurse", "nurse")
    told = Prompt("a photo of one nurse", "Nurse", "suite", "health", "2", "de", 3.0, {"gender": "male"})
    assert plain.id == told.id == content_id("a photo of one nurse")
    assert Prompt("a photo of one Nurse", "nurse").id != plain.id


def test_the_same_text_drawn_and_edited_by_is_two_prompts() -> None:
    drawn, edits = Prompt("a photo of one nurse", "nurse"), Prompt("a photo of one nurse", "nurse", edits="seed")
    assert edits.id == content_id("a photo of one nurse", "seed") != drawn.id
    assert Prompt("a photo of one nurse", "nurse", edits="portrait").id != edits.id


def test_an_id_that_is_given_does_not_replace_the_computed_one() -> None:
    assert Prompt("a", "a", id="mine").id == content_id("a")


def test_only_of_two_people_an_attribute_has_a_side() -> None:
    assert [aspect("gender", subject, 2) for subject in range(2)] == ["left.gender", "right.gender"]
    assert {aspect("gender", subject, people) for people in (0, 1) for subject in range(4)} == {"gender"}


def test_defaults_are_not_shared() -> None:
    assert Prompt("a", "a").requested == {}
    assert Prompt("a", "a").requested is not Prompt("b", "b").requested
