"""Usable pictures one by one: who is on them, with which seed, whatever order they came in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from portrayal.evidence import PictureShares, Rule, UsablePictures

if TYPE_CHECKING:
    from tests.evidence.conftest import Store

CLIP = "clip@1"
WOMAN, MAN = (0.0, 1.0), (0.75, 0.25)
SHOWN = {"direct": ["w", "m", ""], "group": ["wm", "w"]}


@pytest.fixture
def drawn(store: Store) -> Store:
    for text, pictures in SHOWN.items():
        people = 0 if text == "group" else 1
        for number, shown in enumerate(pictures):
            word = f"{text} {number}"
            store.made(word, text, people, seed=number + 1)
            if not shown:
                store.said(word, "no_person")
            for subject, person in enumerate(shown):
                store.saw(word, MAN if person == "m" else WOMAN, None, subject)
    return store


def told(store: Store, need: PictureShares) -> dict[tuple[str, int], tuple[float, ...]]:
    found: UsablePictures = store.evidence(need)[need][CLIP, "gender"]
    texts = {prompt.id: text for text, prompt in store.prompts.items()}
    cells = [texts[store.plan().cells[cell][1]] for cell in found.cell.tolist()]
    return {
        (cell, seed): tuple(shares)
        for cell, seed, shares in zip(cells, found.seed.tolist(), found.shares.tolist(), strict=True)
    }


def test_a_picture_has_the_shares_of_its_people(drawn: Store) -> None:
    assert told(drawn, PictureShares(Rule("asked"))) == {
        ("direct", 1): (0.0, 1.0),
        ("direct", 2): (1.0, 0.0),
        ("group", 1): (0.5, 0.5),
        ("group", 2): (0.0, 1.0),
    }


def test_masses_count_as_they_are(drawn: Store) -> None:
    shares = told(drawn, PictureShares(Rule("asked"), "mass"))
    assert shares["direct", 2] == (0.75, 0.25)
    assert shares["group", 1] == (0.375, 0.625)


def test_a_picture_of_several_is_not_usable_where_one_is_wanted(drawn: Store) -> None:
    assert ("group", 1) not in told(drawn, PictureShares(Rule("one")))
