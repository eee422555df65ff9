"""A plain function looks: what it may return, what it may not, and what becomes of its answers."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from portrayal.annotators.annotator import Observed
from portrayal.annotators.function import FunctionAnnotator, Look, function_annotator
from portrayal.errors import ConfigError
from portrayal.records import Image

Picture = Callable[..., bytes]

TELLS: dict[str, Any] = {"attributes": ["gender", "age", "caption", "hat"], "groups": {"hat": ["no", "yes"]}}


@pytest.fixture
def image(tmp_path: Path, picture: Picture) -> Image:
    (tmp_path / "red.png").write_bytes(picture("red"))
    return Image("red", tmp_path / "red.png")


def saying(answer: Any, **more: Any) -> FunctionAnnotator:
    return function_annotator(lambda _: answer, name="mine", **{**TELLS, **more})


def seen(rows: list[Observed]) -> list[tuple[Any, ...]]:
    return [(row.subject, row.attribute, row.mass or row.value or row.text or row.reason) for row in rows]


def test_it_sees_the_picture_and_tells_by_name(image: Image) -> None:
    def looks(picture: Any) -> dict[str, Any]:
        assert (picture.mode, picture.size, picture.getpixel((0, 0))) == ("RGB", (8, 8), (255, 0, 0))
        return {"hat": "yes", "gender": {"female": 0.9, "male": 0.1}, "age": 31, "caption": "a red square"}

    annotator = function_annotator(looks, version="2", **TELLS)
    assert annotator.name == "looks@2"
    rows = list(annotator.annotate([image]))
    assert {row.annotator for row in rows} == {"looks@2"}
    assert seen(rows) == [
        (0, "gender", (0.1, 0.9)),
        (0, "age", 31.0),
        (0, "caption", "a red square"),
        (0, "hat", (0.0, 1.0)),
    ]


@pytest.mark.parametrize(
    ("answer", "rows"),
    [
        (None, [(None, None, "annotator_said_nothing")]),
        ({}, [(None, None, "annotator_said_nothing")]),
        ("no_face", [(None, None, "no_face")]),
        ([], [(None, None, "no_person")]),
        ({"hat": None, "gender": {"female": 1}}, [(0, "gender", (0.0, 1.0)), (0, "hat", "annotator_said_nothing")]),
        (
            [{"gender": "female", "hat": "no"}, {"gender": "male", "hat": "no"}],
            [
                (None, None, "several_people"),
                (0, "gender", (0.0, 1.0)),
                (0, "hat", (1.0, 0.0)),
                (1, "gender", (1.0, 0.0)),
                (1, "hat", (1.0, 0.0)),
            ],
        ),
    ],
)
def test_it_may_abstain_or_tell_of_several_people(answer: Any, rows: list[Any], image: Image) -> None:
    annotator = saying(answer, attributes=["gender", "hat"])
    assert seen(list(annotator.annotate([image]))) == rows


def test_numbers_of_other_libraries_count_and_rounding_is_evened_out(image: Image) -> None:
    thirds = {"young": np.float32(0.3333), "middle_aged": 0.3333, "elderly": 0.3333}
    (row,) = saying({"age3": thirds}, attributes=["age3"]).annotate([image])
    assert row.mass is not None
    assert row.mass == pytest.approx((1 / 3,) * 3)
    assert math.fsum(row.mass) == 1


def test_a_file_that_is_none_is_not_shown(tmp_path: Path, image: Image) -> None:
    (tmp_path / "broken.png").write_bytes(b"no picture")
    images = [Image("gone", None), Image("broken", tmp_path / "broken.png"), image]
    rows = [(row.image, row.reason) for row in saying({"hat": "no"}, attributes=["hat"]).annotate(images)]
    assert rows == [("gone", "missing_file"), ("broken", "unreadable_image"), ("red", None)]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (
            {"gendr": "female"},
            "the function tells 'gendr', which it was not said to tell; did you mean 'gender'?; name all it tells: "
            "function_annotator(f, attributes=[...])",
        ),
        ({"gender": "femal"}, "attribute 'gender' has no group 'femal'; did you mean 'female'?"),
        ({"gender": {"femal": 1.0}}, "attribute 'gender' has no group 'femal'; did you mean 'female'?"),
        (
            {"gender": {"female": 0.9}},
            "probabilities of 'gender' are from 0 to 1 and add up to 1, not {'female': 0.9}",
        ),
        (
            {"gender": {"female": 1.5, "male": -0.5}},
            "probabilities of 'gender' are from 0 to 1 and add up to 1, not {'female': 1.5, 'male': -0.5}",
        ),
        ({"gender": {"female": "much"}}, "'gender.female' is told as a number, and not as 'much'"),
        ({"gender": 0.9}, "'gender' is told by group, such as {'male': 0.5, 'female': 0.5}, and not as 0.9"),
        ({"age": "31"}, "'age' is told as a number, and not as '31'"),
        ({"age": True}, "'age' is told as a number, and not as True"),
        ({"age": 1e308}, "'age' is told as a number, and not as 1e+308"),
        ({"age": -1}, "'age' is told in years, and not as -1"),
        ({"age": math.nan}, "'age' is told as a number, and not as nan"),
        ({"caption": 3}, "'caption' is told in words, and not as 3"),
        (
            0.9,
            "the function returned 0.9; return what it perceives by attribute, such as "
            '{"gender": {"female": 0.9, "male": 0.1}}, or None',
        ),
        (
            ["female"],
            "the function returned ['female']; return what it perceives by attribute, such as "
            '{"gender": {"female": 0.9, "male": 0.1}}, or None',
        ),
    ],
)
def test_what_makes_no_sense_is_one_line(answer: Any, message: str, image: Image) -> None:
    with pytest.raises(ConfigError) as caught:
        list(saying(answer).annotate([image]))
    assert str(caught.value) == f"annotator mine@1: {message}"


@pytest.mark.parametrize("nameless", [lambda _: None, functools.partial(print, end="")])
def test_without_a_name_there_is_nothing_to_keep_its_results_under(nameless: Look) -> None:
    with pytest.raises(ConfigError, match="a function without a name cannot be an annotator"):
        function_annotator(nameless)
    assert function_annotator(nameless, name="mine").name == "mine@1"


def test_attributes_it_says_it_tells_are_known_ones() -> None:
    with pytest.raises(ConfigError) as caught:
        saying(None, attributes=["gendr"])
    assert str(caught.value) == "annotator 'mine' knows no attribute 'gendr'; did you mean 'gender'?"


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (dict, "an annotator is a function from a picture to what is perceived, not <class 'dict'>"),
        (3, "an annotator is a function from a picture to what is perceived, not 3"),
        (lambda: None, "<lambda>() cannot be an annotator: it is called with a picture alone"),
        (lambda picture, model: None, "<lambda>(picture, model) cannot be an annotator"),
    ],
)
def test_what_cannot_be_shown_a_picture_is_refused(function: Any, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        function_annotator(function, name="mine")
    assert str(caught.value).startswith(message)


def test_a_function_may_have_more_parameters_with_defaults() -> None:
    def looks(picture: Any, model: str = "small") -> None: ...

    assert function_annotator(looks).name == "looks@1"
    assert function_annotator(functools.partial(lambda model, picture: None, "small"), name="mine").name == "mine@1"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"version": None}, """annotator 'mine': a version is a text, such as "1", and not None"""),
        ({"version": ""}, "a version is a text"),
        ({"attributes": []}, """attributes are a list of names, such as ["gender"], not []"""),
        ({"attributes": "gender"}, """attributes are a list of names, such as ["gender"], not 'gender'"""),
        ({"groups": {"hat": []}}, """groups of 'hat' are a list of different names, such as ["no", "yes"], not []"""),
        ({"groups": {"hat": "no"}}, "groups of 'hat' are a list"),
        ({"groups": {"hat": ["no", "no"]}}, "groups of 'hat' are a list of different names"),
    ],
)
def test_what_it_tells_must_be_given_as_it_should(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        saying({}, **given)
    assert message in str(caught.value)
