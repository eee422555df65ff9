"""Pairs of images with the same seed: what each kind of pair adds, written out by hand."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import pytest

from portrayal.evidence import Paired, Rule, SeedPairs
from portrayal.records import Prompt

if TYPE_CHECKING:
    from tests.evidence.conftest import Store

CLIP, HUMANS = "clip@1", "humans"
WOMAN, MAN = (0.0, 1.0), (0.75, 0.25)


def couples(prompts: Collection[Prompt]) -> list[tuple[str, str]]:
    """German against English, way of asking by way of asking."""
    by = {prompt.text: prompt.id for prompt in prompts}
    return [(id_, by[text.replace("de", "en")]) for text, id_ in by.items() if text.startswith("de")]


def pairs(people: Any = "asked", weighing: Any = "label") -> SeedPairs:
    return SeedPairs(Rule(people), weighing, couples)


SHOWN = {"de direct": ["w", "m", ""], "en direct": ["m", "m", "m"], "de group": ["wm", "w"], "en group": ["mm"]}
"""Who is shown in the images of each prompt; three of each were planned, with the seeds 1 to 3."""


@pytest.fixture
def four(store: Store) -> Store:
    for text, pictures in SHOWN.items():
        people = 0 if text.endswith("group") else 1
        for number in range(3):
            word = f"{text} {number}"
            if number >= len(pictures):
                store.unmade("pending", text, people, number + 1)
                continue
            store.made(word, text, people, seed=number + 1)
            if not pictures[number]:
                store.said(word, "no_person")
            for subject, person in enumerate(pictures[number]):
                store.saw(word, MAN if person == "m" else WOMAN, None, subject)
    return store


def sums(store: Store, found: Paired, by: str = CLIP) -> dict[tuple[str, int], tuple[float, ...]]:
    texts = {prompt.id: text for text, prompt in store.prompts.items()}
    cells = store.plan().cells
    return {
        (texts[cells[x][1]], group): (own.n, float(own.totals[group]), float(own.squares[group]))
        for (x, _), own in found.differences.get((by, "gender"), {}).items()
        for group in (0, 1)
    }


def test_pairs_by_hand(four: Store) -> None:
    need = pairs()
    found = four.evidence(need)[need]
    # Direct: of three pairs two are usable, a woman against a man and a man against a man; male is group 0.
    # Group: of three pairs one is usable, half women against none.
    assert sums(four, found) == {
        ("de direct", 0): (2, -1.0, 1.0),
        ("de direct", 1): (2, 1.0, 1.0),
        ("de group", 0): (1, -0.5, 0.25),
        ("de group", 1): (1, 0.5, 0.25),
    }
    assert list(found.planned.values()) == [3, 3]


def test_masses_by_hand(four: Store) -> None:
    need = pairs(weighing="mass")
    found = sums(four, four.evidence(need)[need])
    women = {text: own for (text, group), own in found.items() if group == 1}
    assert women == {"de direct": (2, 0.75, 0.5625), "de group": (1, 0.375, 0.375**2)}


def test_images_that_cannot_be_used_make_no_pair(four: Store) -> None:
    need = pairs("one")
    found = four.evidence(need)[need]
    assert set(sums(four, found)) == {("de direct", 0), ("de direct", 1)}
    assert list(found.planned.values()) == [3, 3]


def test_images_without_a_seed_or_with_another_have_no_partner(store: Store) -> None:
    for text, seeds in (("de x", (0, 1, 2, 7)), ("en x", (0, 1, 3, 7))):
        for seed in seeds:
            store.made(f"{text} {seed}", text, seed=seed)
            store.saw(f"{text} {seed}", WOMAN if text == "de x" else MAN, None)
    need = pairs()
    found = store.evidence(need)[need]
    assert list(found.planned.values()) == [2]
    assert sums(store, found)["de x", 1] == (2, 2.0, 2.0)


def test_generators_are_not_paired_with_each_other(store: Store) -> None:
    store.made("a", "de x", generator="g", seed=1)
    store.made("b", "en x", generator="h", seed=1)
    for word in "ab":
        store.saw(word)
    need = pairs()
    found = store.evidence(need)[need]
    assert (found.planned, found.differences) == ({}, {})


def test_several_images_with_one_seed_are_pooled(store: Store) -> None:
    for word, text, mass in (("a", "de x", WOMAN), ("b", "de x", MAN), ("c", "en x", MAN)):
        store.made(word, text, seed=5)
        store.saw(word, mass, None)
    need = pairs()
    found = store.evidence(need)[need]
    assert list(found.planned.values()) == [1]
    assert sums(store, found)["de x", 1] == (1, 0.5, 0.25)


def test_one_picture_may_be_both_sides_of_a_pair(store: Store) -> None:
    store.made("a", "de x", seed=1)
    store.made("a", "en x", seed=1)
    store.saw("a", WOMAN)
    need = pairs()
    assert sums(store, store.evidence(need)[need])["de x", 1] == (1, 0.0, 0.0)


def test_attributes_and_annotators_are_paired_apart(store: Store) -> None:
    for word, text in (("a", "de x"), ("b", "en x")):
        store.made(word, text, seed=1)
        store.saw(word, WOMAN if word == "a" else MAN, (1.0, 0.0, 0.0) if word == "a" else "too_dark")
        store.saw(word, WOMAN, by=HUMANS)
    need = pairs()
    found = store.evidence(need)[need]
    assert sums(store, found)["de x", 1] == (1, 1.0, 1.0)
    assert sums(store, found, HUMANS)["de x", 1] == (1, 0.0, 0.0)
    assert found.differences.get((CLIP, "age3"), {}) == {}, "one image of the pair does not tell it"
    assert len(found.differences[HUMANS, "age3"]) == 1


def test_nothing_to_pair(four: Store) -> None:
    need = SeedPairs(Rule("asked"), "label", lambda prompts: [])
    found = four.evidence(need)[need]
    assert (found.planned, found.differences) == ({}, {})


def test_nothing_planned(store: Store) -> None:
    need = SeedPairs(Rule("asked"), "label", couples)
    found = store.evidence(need)[need]
    assert (found.planned, found.differences) == ({}, {})
