"""BiasIG's suite: every prompt of a clone, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from portrayal.errors import ConfigError, InputError
from portrayal.methods.biasig.suite import BiasigSuiteOptions, biasig
from portrayal.methods.biasig.suite.truth_files import read_pairs
from portrayal.suites.suite import Suite


def built(clone: Path, **options: Any) -> Suite:
    return biasig(BiasigSuiteOptions(path=clone, **options), Path())


def test_every_line_becomes_a_prompt_with_term_groups_weight_and_shares(clone: Path) -> None:
    prompts = {prompt.text: prompt for prompt in built(clone).prompts}
    assert len(prompts) == 378  # 4 + 3 + 2 questions, 63 + 27 + 4 + 32 + 18 that name groups, in 3 wordings
    one = prompts["a photo of one East Asian Boxer, by a door, glad, sharp"]
    assert (one.term, one.kind, one.variant, one.weight) == ("Boxer", "occupation", "explicit", 2)
    assert one.requested == {"race4": "east_asian"}
    assert one.reference["age3"] == {"young": 0.4, "middle_aged": 0.4, "elderly": 0.2}  # "60 years old or older"
    two = prompts["One male Captain at left with one female Sailor at right, in a garden, calm, sharp"]
    assert (two.people, two.category, two.requested) == (2, "ranks", {"left.gender": "male", "right.gender": "female"})
    assert two.reference["right.gender"] == {"male": 0.5, "female": 0.5}
    woman = prompts["a photo of a kind woman, in a garden, calm, sharp"]
    assert (woman.requested, woman.term) == ({"gender": "female"}, "kind")


def test_names_that_differ_between_files_meet(clone: Path) -> None:
    by_term = {prompt.term: prompt for prompt in built(clone).prompts}
    assert by_term["unattractive"].weight == 5  # "ugly" in the weights
    assert (by_term["unattractive"].category, by_term["Baker"].category) == ("negative", "Making")  # "bakers"
    assert [pair.name for pair in read_pairs(clone)] == ["kind / unattractive", "BOSS / Baker", "Captain / Sailor"]


def test_what_was_not_read_is_said(clone: Path) -> None:
    path = clone / "data" / "prompt" / "implicit" / "oc.txt"
    path.write_text(path.read_text() + 'a line\n--prompt "two cats, asleep"\n')
    (unread,) = [one for one in built(clone).adjusted if one.what.code == "unread"]
    names = [name for note in unread.details for name, _ in note.values]
    assert names == [
        "category.json: Weavers",
        "data/prompt/implicit/oc.txt:16",
        "data/prompt/implicit/oc.txt:17",
    ] or set(names) == {
        "category.json: Weavers",
        "weight.json: Clown",
        "data/prompt/implicit/oc.txt:16",
        "data/prompt/implicit/oc.txt:17",
    }
    assert "Clown" not in {prompt.term for prompt in built(clone).prompts}


def test_a_negative_share_is_no_reference(clone: Path) -> None:
    path = clone / "data" / "truth" / "oc_gt.json"
    held = json.loads(path.read_text())
    held["a photo of one Baker"]["age"]["60+"] = -0.02
    path.write_text(json.dumps(held))
    (baker, *_) = [prompt for prompt in built(clone).prompts if prompt.term == "Baker"]
    assert "age3" not in baker.reference
    assert "gender" in baker.reference


@pytest.mark.parametrize(
    ("options", "count"),
    [
        ({"visibility": ("implicit",)}, 27),
        ({"kinds": ("relation",), "attributes": ("gender",)}, 18),
        ({"terms": ("boss",)}, 30),
        ({"wordings": 1}, 126),
        ({"categories": ("ranks",), "wordings": 2, "visibility": ("explicit",)}, 58),
        ({"sample": 3, "visibility": ("implicit",)}, 9),
    ],
)
def test_subsets(clone: Path, options: dict[str, Any], count: int) -> None:
    suite = built(clone, **options)
    assert len(suite.prompts) == count
    assert suite.adjusted[0].what.code == "chosen_prompts"


def test_without_a_path_it_says_what_to_set() -> None:
    with pytest.raises(ConfigError, match=r"set options.path to a clone of https://github.com/Astarojth/BiasIG"):
        biasig(BiasigSuiteOptions(), Path())


@pytest.mark.parametrize(
    ("gone", "said"),
    [
        ("data/truth/weight.json", r"no file data/truth/weight.json in it"),
        ("data/prompt/relation", r"no folder data/prompt/relation in it"),
    ],
)
def test_a_clone_without_a_file_is_refused(clone: Path, gone: str, said: str) -> None:
    (clone / gone).rename(clone / "elsewhere")
    with pytest.raises(InputError, match=said):
        built(clone)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("data/prompt/implicit/char.txt", "a photo of a kind person\n", "this is not the BiasIG that Portrayal reads"),
        ("data/truth/weight.json", "[1, 2]", "must hold an object"),
        ("data/truth/weight.json", '{"Baker": 3}', "none of its keys is a prompt"),
        ("data/truth/weight.json", '{"a photo of one Baker": "much"}', "must have a number"),
        ("data/truth/category.json", '{"Making": "Baker"}', "must be a list"),
        ("data/truth/sr_gt.json", '{"One Captain at left with one Sailor at right": {"left": {}}}', "left and right"),
    ],
)
def test_another_version_is_refused(clone: Path, name: str, text: str, said: str) -> None:
    (clone / name).write_text(text)
    with pytest.raises(InputError, match=said):
        built(clone)


def test_pairs_of_another_form_are_refused(clone: Path) -> None:
    (clone / "data" / "truth" / "eta.json").write_text('{"pair1": ["rich", "poor"]}')
    with pytest.raises(InputError, match="'pair1' must be"):
        read_pairs(clone)


@pytest.mark.parametrize("share", ["much", None, [0.5], True])
def test_shares_that_are_no_numbers_are_refused(clone: Path, share: object) -> None:
    path = clone / "data" / "truth" / "oc_gt.json"
    shares = json.loads(path.read_text())
    next(iter(shares.values()))["gender"]["male"] = share
    path.write_text(json.dumps(shares))
    with pytest.raises(InputError, match="'gender' must have a number for each group"):
        built(clone)


def test_shares_of_no_group_are_not_read(clone: Path) -> None:
    path = clone / "data" / "truth" / "oc_gt.json"
    shares = json.loads(path.read_text())
    term, first = next(iter(shares.items()))
    first["gender"] = {}
    path.write_text(json.dumps(shares))
    assert term == "a photo of one Baker"
    assert "gender" not in next(prompt for prompt in built(clone).prompts if prompt.term == "Baker").reference
