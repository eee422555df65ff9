from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import Field, ValidationError, field_validator, model_validator

from portrayal.errors import ConfigError
from portrayal.methods.comparing_method import ComparingOptions
from portrayal.settings import Settings, parse_settings


class Inner(Settings):
    images: int = Field(default=10, ge=1)
    people: Literal["one", "each"] = "one"


class Outer(Settings):
    title: str
    inner: Inner = Inner()
    maybe: Inner | None = None
    many: tuple[Inner, ...] = ()
    named: Mapping[str, Inner] = {}
    free: Mapping[str, Any] = {}

    @field_validator("title")
    @classmethod
    def _not_blank(cls, title: str) -> str:
        if not title.strip():
            raise ValueError("The title is blank; give the study a name")
        return title

    @model_validator(mode="after")
    def _agrees(self) -> Outer:
        if self.title == "many" and not self.many:
            raise ValueError("Many need at least one")
        return self


def test_an_unknown_key_is_told_before_what_follows_from_it() -> None:
    assert problem({"titel": "x"}) == "study.toml: unknown key 'titel'; did you mean 'title'? (and 1 more)"
    assert problem({"titel": 3, "inner": {"image": 0}}).startswith("study.toml: unknown key 'inner.image'")
    assert problem({"title": "", "many": [{"images": 0}, {"image": 3}]}).startswith("study.toml: unknown key 'many.2.")


def test_the_way_to_what_is_wrong_is_given_as_it_is_in_the_file() -> None:
    ways: list[tuple[str | int, ...]] = []

    def where(keys: tuple[str | int, ...]) -> str:
        ways.append(keys)
        return "here"

    for data in ({"many": [{}, {"image": 3}], "title": "x"}, {"maybe": {"images": "3"}, "title": "x"}):
        with pytest.raises(ConfigError, match=r"^here: "):
            parse_settings(Outer, data, where)
    assert ways == [("many", 1, "image"), ("maybe", "images")]


def problem(data: dict[str, Any]) -> str:
    with pytest.raises(ConfigError) as caught:
        parse_settings(Outer, data, "study.toml")
    return str(caught.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"titel": "x", "title": "x"}, "unknown key 'titel'; did you mean 'title'?"),
        ({"zzz": 1, "title": "x"}, "unknown key 'zzz'; known: free, inner, many, maybe, named, title"),
        ({"title": "x", "inner": {"image": 3}}, "unknown key 'inner.image'; did you mean 'images'?"),
        ({"title": "x", "maybe": {"image": 3}}, "unknown key 'maybe.image'; did you mean 'images'?"),
        (
            {"title": "x", "many": [{}, {"pepole": "one"}]},
            "unknown key 'many.2.pepole' (entries are counted from 1); did you mean 'people'?",
        ),
        ({"title": "x", "named": {"a": {"image": 3}}}, "unknown key 'named.a.image'; did you mean 'images'?"),
        ({}, "'title' is required"),
        ({"title": 3}, "'title': input should be a valid string (got 3)"),
        ({"title": ["x"]}, "'title': input should be a valid string"),
        ({"title": "x", "inner": {"images": "3"}}, "'inner.images': input should be a valid integer (got '3')"),
        ({"title": "x", "inner": {"images": True}}, "'inner.images': input should be a valid integer (got True)"),
        ({"title": " "}, "'title': the title is blank; give the study a name (got ' ')"),
        ({"title": "many"}, "many need at least one"),
        ({"title": "x", "inner": 3}, "'inner': input should be a table (got 3)"),
        (
            {"title": "x", "many": {"images": 1}},
            "'many' is a list of tables; write [[many]] with double brackets, not [m",
        ),
        ({"title": "x", "many": 3}, "'many': input should be a valid array (got 3)"),
        ({"title": "x", "many": [{"images": 1}, {"images": 0}]}, "'many.2.images': input should be greater than or"),
        ({"title": "x", "inner": {"people": "two"}}, "'inner.people': input should be 'one' or 'each' (got 'two')"),
    ],
)
def test_the_problem_is_named_with_its_place_and_a_way_out(data: dict[str, Any], message: str) -> None:
    assert problem(data).startswith(f"study.toml: {message}")


@pytest.mark.parametrize(
    ("data", "ending"),
    [({}, "is required"), ({"a": 1}, "(and 1 more)"), ({"a": 1, "inner": {"images": "x", "b": 2}}, "(and 3 more)")],
)
def test_further_problems_are_counted(data: dict[str, Any], ending: str) -> None:
    assert problem(data).endswith(ending)


def test_the_place_given_stands_first_and_no_pydantic_shows() -> None:
    with pytest.raises(ConfigError, match=r"^here: options of 'x': 'title' is required$") as caught:
        parse_settings(Outer, {}, "here: options of 'x'")
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.slow
@given(st.dictionaries(st.sampled_from(list(Outer.model_fields)) | st.text(), values))
@example({"title": "x", "two\nlines": 1})
@example({"title": "two\nlines", "inner": "two\nlines"})
def test_whatever_is_wrong_is_one_line(data: dict[str, Any]) -> None:
    message = ""
    try:
        parse_settings(Outer, data, "study.toml")
    except ConfigError as error:
        message = str(error)
    assert len(message.splitlines()) <= 1


def test_good_settings_are_parsed_and_frozen() -> None:
    parsed = parse_settings(Outer, {"title": "x", "many": [{"images": 2}], "free": {"any": [1]}}, "")
    assert parsed.many == (Inner(images=2),)
    assert parsed.free == {"any": [1]}
    with pytest.raises(ValidationError, match="frozen"):
        parsed.title = "y"


def test_changed_holds_only_what_differs_from_the_defaults() -> None:
    assert Inner().changed() == {}
    assert Inner(images=10).changed() == {}
    assert Inner(images=3, people="each").changed() == {"images": 3, "people": "each"}


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ({"table": "x.csv", "regoin": "F"}, "unknown key 'references.gender.regoin'; did you mean 'region'?"),
        ({}, "'references.gender.table' is required"),
        ({"table": 3}, "'references.gender.table': input should be a valid string (got 3)"),
        (3, "'references.gender': input should be a valid string (got 3)"),
    ],
)
def test_where_a_text_or_a_table_may_stand_the_table_is_explained(reference: object, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_settings(ComparingOptions, {"references": {"gender": reference}}, "study.toml")
    assert str(caught.value).startswith(f"study.toml: {said}")
