from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal import errors
from portrayal.errors import PortrayalError, did_you_mean, message_of

CLASSES = {name: thing for name, thing in vars(errors).items() if isinstance(thing, type)}


def test_every_error_class_is_exported_and_exported_names_exist() -> None:
    assert {*CLASSES, "did_you_mean", "message_of"} == set(errors.__all__)


@pytest.mark.parametrize("name", CLASSES)
def test_every_error_is_a_portrayal_error_with_a_docstring(name: str) -> None:
    assert issubclass(CLASSES[name], PortrayalError)
    assert CLASSES[name].__doc__


def drawn_tree() -> dict[str, str]:
    """Each error's parent, as the module's docstring draws it."""
    tree: dict[str, str] = {}
    path = ["Exception"]
    for branches, name in re.findall(r"^    ([│├└─ ]*)(\w+Error)  ", str(errors.__doc__), re.MULTILINE):
        depth = len(branches) // 4
        path[depth + 1 :] = [name]
        tree[name] = path[depth]
    return tree


def test_the_tree_drawn_in_the_docstring_is_the_tree() -> None:
    # What no user can act on, such as a bug, must not pass for one of these: hence plain Exception at the root.
    assert drawn_tree() == {name: error.__bases__[0].__name__ for name, error in CLASSES.items()}


@pytest.mark.parametrize(
    ("name", "known", "hint"),
    [
        ("facegna", ["simulated", "facegan"], "; did you mean 'facegan'?"),
        ("gendr", ["age3", "gender", "race5"], "; did you mean 'gender'?"),
        ("trem", ["item", "term"], "; did you mean 'term'?"),
        ("race6", ["race7", "race5"], "; did you mean 'race5'?"),
        ("zzz", ["b", "a"], "; known: a, b"),
        ("anything", [], ""),
    ],
)
def test_hint(name: str, known: list[str], hint: str) -> None:
    assert did_you_mean(name, known) == hint
    assert did_you_mean(name, iter(known)) == hint


@given(st.text(), st.lists(st.text(st.characters(exclude_categories=["C"]), min_size=1)))
def test_a_hint_names_only_known_names(name: str, known: list[str]) -> None:
    hint = did_you_mean(name, known)
    if not known:
        assert hint == ""
    elif hint.startswith("; did you mean "):
        assert hint in {f"; did you mean {other!r}?" for other in known}
    else:
        assert hint == f"; known: {', '.join(sorted(known))}"


def test_an_error_that_cannot_say_what_it_is_says_nothing() -> None:
    class SpeechlessError(Exception):
        def __str__(self) -> str:
            raise ValueError("no words")

    assert message_of(SpeechlessError()) == ""


def test_a_name_of_a_million_letters_is_not_compared() -> None:
    assert did_you_mean("a" * 1_000_000, ["b", "a"]) == "; known: a, b"
