"""Edits beside their sources: several people are averaged or must agree, and what is missing has its reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pytest

from portrayal.evidence import Edited, Edits

if TYPE_CHECKING:
    from tests.evidence.conftest import Store

CLIP = "clip@1"
MAN, WOMAN = (0.9, 0.1), (0.2, 0.8)
NEED = Edits(("gender", "age"))


@pytest.fixture
def store(make_store: Callable[..., Store]) -> Store:
    """Return a store with two seeds, a man of 30 and a woman of 50."""
    found = make_store({CLIP: ("gender", "age")}, editing=("nurse", "CEO"))
    for number, (gender, age) in enumerate(((MAN, 30.0), (WOMAN, 50.0))):
        found.made(f"seed {number}", "portrait", source=number)
        look(found, f"seed {number}", gender, age)
    return found


def look(store: Store, word: str, gender: tuple[float, float] | str, age: float | str, subject: int = 0) -> None:
    store.told(word, "gender", gender, subject)
    store.told(word, "age", age, subject)


def edited(store: Store) -> Edited:
    return store.evidence(NEED)[NEED][CLIP]


def test_an_edit_stands_beside_its_source(store: Store) -> None:
    store.made("edit", "nurse", source=1)
    look(store, "edit", MAN, 42.0)
    found = edited(store)
    assert found.source.tolist() == [1]
    assert found.before["gender"].tolist() == [0.0, 1.0]
    assert found.before["age"].tolist() == [30.0, 50.0]
    assert (found.after["gender"][0], found.after["age"][0]) == (0.0, 42.0)
    assert found.why_after["gender"].tolist() == [""]
    assert not found.unchanged.any()


def test_of_several_people_numbers_are_averaged_and_groups_must_agree(store: Store) -> None:
    for name, others in (("alike", WOMAN), ("unlike", MAN)):
        store.made(name, "nurse", source=0)
        look(store, name, WOMAN, 20.0)
        look(store, name, others, 40.0, subject=1)
        store.said(name, "several_faces")
    found = edited(store)
    genders = dict(zip(found.why_after["gender"].tolist(), found.after["gender"].tolist(), strict=True))
    assert genders[""] == 1.0
    assert np.isnan(genders["inconsistent_gender"])
    assert found.after["age"].tolist() == [30.0, 30.0]
    assert found.people.tolist() == [2, 2]


def test_a_source_of_several_people_is_none(store: Store) -> None:
    store.made("seed 2", "portrait", source=2)
    look(store, "seed 2", WOMAN, 20.0)
    look(store, "seed 2", WOMAN, 40.0, subject=1)
    store.said("seed 2", "several_faces")
    found = edited(store)
    assert np.isnan(found.before["age"][2])
    assert found.why_before["age"][2] == "several_faces"


def test_why_something_is_missing(store: Store) -> None:
    for name in ("empty", "dark"):
        store.made(name, "nurse", source=0)
    store.said("empty", "no_face")
    look(store, "dark", WOMAN, "too_dark")
    found = edited(store)
    reasons = list(zip(found.why_after["gender"].tolist(), found.why_after["age"].tolist(), strict=True))
    assert sorted(reasons) == [("", "too_dark"), ("no_face", "no_face")]


def test_a_source_that_nobody_looked_at(store: Store) -> None:
    store.made("seed 2", "portrait", source=2)
    store.made("edit", "nurse", source=2)
    look(store, "edit", MAN, 42.0)
    found = edited(store)
    assert found.why_before["gender"].tolist() == ["", "", "not annotated"]


def test_the_very_picture_it_was_made_from_is_unchanged(store: Store) -> None:
    store.made("seed 0", "nurse", source=0)
    store.made("seed 0", "CEO", source=1)  # the picture of another: something was changed
    found = edited(store)
    assert dict(zip(found.source.tolist(), found.unchanged.tolist(), strict=True)) == {0: True, 1: False}


def test_what_an_annotator_does_not_tell_is_not_there(store: Store) -> None:
    store.made("edit", "nurse", source=0)
    look(store, "edit", MAN, 42.0)
    need = Edits(("gender", "intensity"))
    found = store.evidence(need)[need][CLIP]
    assert np.isnan(found.after["intensity"]).all()
    assert set(found.why_after["intensity"].tolist()) == {"nothing_observed"}
