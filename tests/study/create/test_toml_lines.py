"""Values are exchanged in a TOML text without touching anything else, and any value is read back."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.errors import ConfigError
from portrayal.study.create.toml_lines import set_keys, written

TEXT = """\
[study]
title = "A # in a title"

[[methods]]      # what is computed
use = "bees"
[methods.options]
draws = 1000     # of the bootstrap
[methods.options.weights]
gender = 0.4

[report]
draws = 7
"""
VALUES = st.recursive(
    st.booleans() | st.integers(-(2**40), 2**40) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda own: st.lists(own, max_size=3) | st.dictionaries(st.text(), own, max_size=3),
    max_leaves=8,
)


def test_only_the_table_that_is_named_changes() -> None:
    text = set_keys(TEXT, "methods.options", {"draws": 9, "weights": {"gender": 1, "age3": 2}, "new": ["a"]})
    assert text == TEXT.replace("draws = 1000     #", "draws = 9        #").replace(
        "gender = 0.4\n", "gender = 1\nage3 = 2\n"
    ).replace("bootstrap\n", 'bootstrap\nnew = ["a"]\n')


def test_a_value_ends_where_toml_says_so() -> None:
    text = TEXT.replace("gender = 0.4", 'gender = [\n  "a",  # one\n]  # both')
    text = set_keys(set_keys(text, "study", {"title": "B"}), "methods.options", {"weights": {"gender": 1}})
    assert text == TEXT.replace("A # in a title", "B").replace("gender = 0.4", "gender = 1  # both")


def test_a_table_may_be_written_as_dotted_keys() -> None:
    text = "[suite]\noptions.sample = 0     # of all\nuse = 'bees'\n"
    assert set_keys(text, "suite.options", {"sample": 30}) == text.replace("0     #", "30    #")


@pytest.mark.parametrize("text", [TEXT, "suite = 1", "suite.options = []", "[suite]\noptions = 'none'"])
def test_a_table_that_is_not_there_is_an_error(text: str) -> None:
    assert set_keys(text, "suite.options", {}) == text
    with pytest.raises(ConfigError, match=r"no table \[suite.options\] in which 'sample' could be set"):
        set_keys(text, "suite.options", {"sample": 3})


def test_what_could_not_be_read_back_is_refused() -> None:
    deep: dict[str, object] = {}
    for _ in range(1000):
        deep = {"deeper": deep}
    with pytest.raises(ConfigError, match=r"^\[study\]: tables or lists lie more than 50 deep in one another$"):
        set_keys(TEXT, "study", deep)


@given(VALUES, st.text(min_size=1))
def test_any_value_is_read_back(value: object, key: str) -> None:
    assert tomllib.loads(f"it = {written(value)}")["it"] == value
    assert tomllib.loads(set_keys("[study]\n", "study", {key: value}))["study"] == {key: value}
