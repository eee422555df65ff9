"""Answers of generators are checked before anything is stored."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from portrayal.errors import StudyError
from portrayal.records import Failed, Job, Made, Prompt, Refused
from portrayal.study.generate.check_answers import check_result, planted_truth

JOB = Job("j1", "p", "mine@1", 0, 7)
MADE = Made("j1", b"data", "png", 8, 8)
Unfit: Any = Refused


def made(**changes: Any) -> Made:
    return replace(MADE, **changes)


@pytest.mark.parametrize(
    "result", [MADE, made(data=b"", ext="", fingerprint=b"x"), Refused("j1", "no"), Failed("j1", "x", "y")]
)
def test_an_answer_is_taken(result: Any) -> None:
    assert check_result(result, JOB) is result


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (None, "it gave None; give Made(job.id, data, 'png', width, height), Refused or Failed"),
        (b"\x89PNG", "it gave b'\\x89PNG'; give Made("),
        (made(job="other"), "it answered a job it was not asked, or out of order"),
        (made(data=bytearray(b"x")), "data of Made are the bytes of a picture's file, not bytearray"),
        (made(data=b""), "data of Made are empty"),
        (made(data=b"", stored="a" * 64), "stored of Made is not for generators"),
        (made(ext="../../x"), "ext of Made is a file's ending without a dot, such as 'png', not '../../x'"),
        (made(ext=None), "such as 'png', not None"),
        (made(data=b"", fingerprint=b"x", ext="../../x"), "such as 'png', not '../../x'"),
        (made(width=-1), "width of Made is a number of pixels, not -1"),
        (made(height="8"), "height of Made is a number of pixels, not '8'"),
        (made(height=2**31), "height of Made is a number of pixels"),
        (made(planted="female"), "planted of Made are people, attribute to group by name, not 'female'"),
        (made(planted=[{"gender": 1}]), "planted of Made are people"),
        (made(versions=None), "versions and revised_prompt of Made are texts"),
        (Unfit("j1", None), "reason and detail are texts, not None and ''"),
    ],
)
def test_what_is_wrong_with_it_is_one_line(result: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError)) as caught:
        check_result(result, JOB)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


class Planting:
    name = "mine@1"

    def __init__(self, truth: Any) -> None:
        self.truth = lambda _: truth() if callable(truth) else truth


def planted(truth: Any) -> Any:
    generator: Any = Planting(truth)
    return planted_truth(generator, Prompt("a nurse", "nurse"))


def test_truths_are_taken() -> None:
    assert planted(None) == planted({}) == {}
    assert planted({"gender": {"female": 0.25, "male": 0.75}}) == {"gender": {"female": 0.25, "male": 0.75}}


@pytest.mark.parametrize(
    ("truth", "message"),
    [
        ("female", "generator mine@1: truth gave 'female'; it gives None or shares that add up to 1, such "),
        ({"gender": "female"}, "truth gave {'gender': 'female'}"),
        ({"gender": {"female": 0.5}}, "truth gave {'gender': {'female': 0.5}}"),
        ({"gender": {"female": 2, "male": -1}}, "shares that add up to 1"),
        ({"gender": {"female": float("nan")}}, "shares that add up to 1"),
        (lambda: dict[str, str]()["x"], "generator mine@1: truth fails: KeyError: 'x' (test_check_answers.py, line "),
    ],
)
def test_a_truth_that_is_none_is_one_line(truth: Any, message: str) -> None:
    with pytest.raises(StudyError) as caught:
        planted(truth)
    assert message in str(caught.value)
