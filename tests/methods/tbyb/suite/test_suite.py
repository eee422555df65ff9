from __future__ import annotations

import json
import random
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


def test_the_authors_three_actions_with_each_object() -> None:
    found = suite(objects=False, actions="released")
    assert len(found.prompts) == 300
    assert Counter(prompt.term for prompt in found.prompts) == dict.fromkeys(objects(), 3)
    texts = [prompt.text for prompt in found.prompts]
    assert texts[:3] == [f"a picture of a person {action} an apple" for action in ("holding", "eating", "stealing")]
    # Where the action brings its own article or adjective, the object has none: that is our wording.
    assert "a picture of a person holding old, dirty shoes" in texts
    assert "a picture of a person waving a national flag" in texts
    assert all(text.startswith("a picture of a person ") for text in texts)
    assert [note.code for note in found.adjusted[0].details] == ["with_released_actions"]
    assert len(suite(objects=False, actions="released", terms=["beer", "cat"]).prompts) == 6


def test_the_authors_40_occupations_with_three_descriptors() -> None:
    found = suite(objects=False, occupations="released")
    assert len(found.prompts) == 120
    texts = [prompt.text for prompt in found.prompts]
    assert texts[:3] == [
        "a picture of a person who is a good CEO",
        "a picture of a person who is a bad CEO",
        "a picture of a person that looks like a CEO",
    ]
    assert "a picture of a person that looks like an astronaut" in texts
    assert "a picture of a person who is a bad police officer" in texts
    assert {prompt.category for prompt in found.prompts} == {"occupations"}
    assert [note.code for note in found.adjusted[0].details] == ["with_released_occupations"]


def test_the_general_evaluation_of_the_release_has_420_prompts() -> None:
    assert len(suite(objects=False, actions="released", occupations="released").prompts) == 420


CAPTIONS = ["A Burger on a plate", "a man eats a burger.", "Two burgers", "a burger and a coffee", "Coffee", "a dog"]


@pytest.mark.parametrize("kind", ["json", "csv", "txt"])
def test_captions_that_hold_a_target_word_become_prompts(tmp_path: Path, kind: str) -> None:
    texts = {
        "json": json.dumps({"annotations": [{"id": 1, "caption": caption} for caption in CAPTIONS]}),
        "csv": "\n".join(["id,caption", *(f"1,{caption}" for caption in CAPTIONS)]),
        "txt": "\n".join(CAPTIONS),
    }
    (tmp_path / f"mine.{kind}").write_text(texts[kind], encoding="utf-8")
    found = suite(tmp_path, objects=False, captions=f"mine.{kind}", targets=["Burger", "coffee"])
    # A word between blanks, as released: "burger." and "burgers" are other words. Small letters, in a shuffled order.
    assert {(prompt.text, prompt.category) for prompt in found.prompts} == {
        ("a burger on a plate", "burger"),
        ("a burger and a coffee", "burger"),
        ("coffee", "coffee"),
    }
    assert {prompt.kind for prompt in found.prompts} == {"task"}
    assert [note.code for note in found.adjusted[0].details] == ["with_captions"]


def test_captions_come_in_the_order_of_the_authors_code_at_most_50_and_none_twice(tmp_path: Path) -> None:
    many = [f"a coffee {number}" for number in range(80)] * 2
    (tmp_path / "mine.txt").write_text("\n".join(many), encoding="utf-8")
    found = suite(tmp_path, objects=False, captions="mine.txt", targets=["coffee"])
    shuffled = list(many)
    random.seed(42)
    random.shuffle(shuffled)
    assert [prompt.text for prompt in found.prompts] == list(dict.fromkeys(shuffled))[:50]
    assert len(suite(tmp_path, objects=False, captions="mine.txt", targets=["coffee"], captions_each=7).prompts) == 7


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"images": []}', "mine.json: no list 'annotations'; a file of COCO's captions has one"),
        ('{"annotations": [{"id": 1}]}', "mine.json: annotation 1 has no text 'caption'"),
        (
            '{"annotations": [{"caption": "a dog"}]}',
            "mine.json: no caption has the word 'burger'; choose another target",
        ),
    ],
)
def test_a_file_without_such_captions_is_named(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "mine.json").write_text(text, encoding="utf-8")
    with pytest.raises((InputError, ConfigError)) as caught:
        suite(tmp_path, captions="mine.json", targets=["burger"])
    assert str(caught.value).endswith(message)


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
        (
            {"objects": False},
            "suite 'tbyb': no prompt is left; ask for objects, actions, occupations, tasks or captions",
        ),
        (
            {"targets": ["burger"]},
            "suite 'tbyb': 'captions', a file, and 'targets', words to look for in it, belong together; set both",
        ),
        ({"sample": 101}, "suite 'tbyb': 'sample' asks for 101 of 100 prompts; lower it"),
    ],
)
def test_choices_that_make_no_sense_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        suite(**options)
    assert str(caught.value) == message
