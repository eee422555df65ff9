"""What an occupation's name means where several lists have it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest

from portrayal.registry import Entry
from portrayal.suites.known import OCCUPATIONS, Known, known_occupations

LISTED = [
    Known("Falconer", "5164", "falkner", ("animals",)),
    Known("Painter", "9999"),
    Known("Nurse", "2221", "", ("x",)),
]


def listed() -> list[Known]:
    return LISTED


@pytest.fixture
def plugin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A list of another package."""
    monkeypatch.setattr(OCCUPATIONS, "plugins", lambda: [("theirs", Entry("theirs:listed"))])
    load = OCCUPATIONS.load
    monkeypatch.setattr(OCCUPATIONS, "load", lambda name: listed if name == "theirs" else load(name))
    known_occupations.cache_clear()
    yield
    known_occupations.cache_clear()


def test_lists_are_joined_where_they_mean_the_same() -> None:
    nurse = known_occupations()["nurse"]
    assert (nurse.isco, nurse.german) == ("2221", "pfleger")
    assert nurse.categories == ("Healthcare & Social Services", "healthcare")


def test_the_same_word_is_the_same_occupation_but_for_painters() -> None:
    lists = [{own.name.casefold(): own.isco for own in OCCUPATIONS.load(name)()} for name in OCCUPATIONS.builtin()]
    differ = {
        name
        for one, other in combinations(lists, 2)
        for name in one.keys() & other.keys()
        if one[name] and one[name] != other[name]
    }
    assert differ == {"painter"}
    assert known_occupations()["painter"].isco == lists[1]["painter"]


@pytest.mark.usefixtures("plugin")
def test_a_plugin_adds_occupations_and_changes_none() -> None:
    known = known_occupations()
    assert known["falconer"] == LISTED[0]
    assert known["painter"].isco == "7131"
    assert known["nurse"].categories[-1] == "x"
