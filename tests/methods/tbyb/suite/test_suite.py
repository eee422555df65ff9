from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from portrayal.csvfile import read_shipped
from portrayal.errors import ConfigError, InputError, UnknownNameError
from portrayal.methods.tbyb.suite import TbybSuiteOptions, tbyb
from portrayal.methods.tbyb.suite.suite import objects
from portrayal.settings import parse_settings
from portrayal.suites import Suite


def suite(folder: Path = Path(), **options: Any) -> Suite:
    return tbyb(parse_settings(TbybSuiteOptions, options, "study.toml"), folder)


def test_a_hundred_pictures_of_objects_as_published() -> None:
    found = suite()
    assert len(found.prompts) == len(set(objects())) == 100
    assert [prompt.text for prompt in found.prompts[:3]] == [
        "a picture of an apple",
        "a picture of a bottle",
        "a picture of a watch",
    ]
    assert {prompt.category for prompt in found.prompts} == {"objects"}
    assert found.adjusted == ()


def test_people_do_something_with_every_object() -> None:
    found = suite(actions=True)
    assert Counter(prompt.kind for prompt in found.prompts) == {"object": 100, "action": 100}
    assert "a picture of a person eating an apple" in [prompt.text for prompt in found.prompts]
    rows = read_shipped("portrayal.methods.tbyb", "actions.csv", ("object", "action"))
    assert [row["object"] for row in rows] == list(objects())
    assert all(row["object"].rstrip("s") in row["action"] for row in rows)
    assert [note.code for note in found.adjusted[0].details] == ["with_actions"]


def test_occupations_come_from_a_registered_list() -> None:
    found = suite(objects=False, occupations="bafis")
    assert len(found.prompts) == 151
    assert {prompt.kind for prompt in found.prompts} == {"occupation"}
    assert "a picture of an accountant" in [prompt.text for prompt in found.prompts]
    with pytest.raises(UnknownNameError, match="bafi"):
        suite(occupations="bafi")


def test_tasks_are_prompts_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("prompt,task\na cup of coffee,coffee\na cold drink,drink\n", encoding="utf-8")
    found = suite(tmp_path, objects=False, tasks="mine.csv")
    assert [(prompt.text, prompt.category) for prompt in found.prompts] == [
        ("a cup of coffee", "coffee"),
        ("a cold drink", "drink"),
    ]
    (tmp_path / "mine.csv").write_text("prompt\na drink\na drink\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"mine.csv:3: prompt 'a drink' stands already"):
        suite(tmp_path, tasks="mine.csv")


def test_some_objects_and_samples() -> None:
    assert [prompt.term for prompt in suite(terms=["Apple", "beer"]).prompts] == ["apple", "beer"]
    assert len(suite(actions=True, sample=10).prompts) == 10
    assert suite(sample=10).prompts == suite(sample=10).prompts != suite(sample=10, sample_seed=1).prompts


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"terms": ["appel"]}, "suite 'tbyb' has no object 'appel'; did you mean 'apple'?"),
        ({"objects": False}, "suite 'tbyb': no prompt is left; ask for objects, actions, occupations or tasks"),
        ({"sample": 101}, "suite 'tbyb': 'sample' asks for 101 of 100 prompts; lower it"),
    ],
)
def test_choices_that_make_no_sense_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        suite(**options)
    assert str(caught.value) == message
