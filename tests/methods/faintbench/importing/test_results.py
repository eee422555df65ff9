"""What the authors' files say is taken as it is, in the house's order of groups; what cannot be meant is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.annotators.imported import Imported, ImportedOptions
from portrayal.errors import ConfigError, InputError
from portrayal.methods.faintbench.importing.masses import check_attributes, describe
from portrayal.methods.faintbench.importing.results import match_prompt, read_results
from portrayal.records import SET_ASIDE, Attribute, Prompt, PromptResults, attribute_table, plain_prompt

ATTRIBUTES = tuple(attribute_table()[name] for name in ("gender", "race5", "age3"))
PERSON = {
    "gender": {"man": 0.25, "woman": 0.75},
    "race": {"European": 0.5, "East-asian": 0.25, "African": 0.125, "Latino": 0.0625, "South-Asian": 0.0625},
    "age": {"10~29 years old": 0.5, "31~59 years old": 0.375, "60 years old or older": 0.125},
}
SEEN = (
    (0, "gender", (0.25, 0.75), None),
    (0, "race5", (0.5, 0.25, 0.125, 0.0625, 0.0625), None),
    (0, "age3", (0.5, 0.375, 0.125), None),
)
NURSE = Prompt("a photo of one Nurse", "Nurse")
PAIR = Prompt("One Boss at left with one Clerk at right", "Boss / Clerk", people=2)
KNOWN = {plain_prompt(prompt.text): prompt for prompt in (NURSE, PAIR)}
CLIP = Imported("clip", ImportedOptions())


def read(tmp_path: Path, data: Any) -> list[PromptResults]:
    path = tmp_path / "sdxl.json"
    path.write_text(json.dumps(data))
    return list(read_results(path, KNOWN, CLIP))


def test_one_person() -> None:
    assert describe({"filepath": "x.png", **PERSON}, 1, ATTRIBUTES) == SEEN


def test_masses_follow_the_order_of_the_attributes_groups() -> None:
    turned = Attribute("gender", "perceived gender", ("female", "male"))
    assert describe(PERSON, 1, [turned]) == ((0, "gender", (0.75, 0.25), None),)


def test_two_people_are_left_then_right() -> None:
    right = {**PERSON, "gender": {"man": 1, "woman": 0}}
    rows = describe({"right": right, "left": PERSON}, 2, ATTRIBUTES)
    assert rows[:3] == SEEN
    assert rows[3] == (1, "gender", (1.0, 0.0), None)
    assert [row[0] for row in rows] == [0, 0, 0, 1, 1, 1]


def test_what_the_file_leaves_out_is_an_abstention() -> None:
    assert describe({"gender": PERSON["gender"]}, 1, ATTRIBUTES) == (
        SEEN[0],
        (0, "race5", None, "not_in_the_file"),
        (0, "age3", None, "not_in_the_file"),
    )
    rows = describe({"left": PERSON}, 2, ATTRIBUTES)
    assert rows[3:] == tuple((1, name, None, "not_in_the_file") for name in ("gender", "race5", "age3"))


@given(st.lists(st.floats(0, 1, width=32), min_size=5, max_size=5).filter(lambda masses: sum(masses) > 0.01))
def test_a_mass_is_kept_as_given(numbers: list[float]) -> None:
    shares = [number / sum(numbers) for number in numbers]
    ((_, _, mass, _),) = describe({"race": dict(zip(PERSON["race"], shares, strict=True))}, 1, ATTRIBUTES[1:2])
    assert mass == pytest.approx(shares, abs=1e-7)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"gender": {"man": 0.5, "woman": 0.53}}, "'gender' must hold shares from 0 that add up to 1"),
        ({"gender": {"man": 0.5, "woman": 0.47}}, "these add up to 0.97"),
        ({"gender": {"man": -0.1, "woman": 1.1}}, "shares from 0"),
        ({"gender": {"man": "0.5", "woman": 0.5}}, "'gender' must hold numbers"),
        ({"gender": {"man": None, "woman": 1}}, "'gender' must hold numbers"),
        ({"gender": {"man": 1}}, "must be an object with the numbers of man, woman"),
        ({"gender": {"man": 0.5, "women": 0.5}}, "'gender' has no number for 'woman'; did you mean 'women'?"),
        ({"gender": {"man": 0.5, "woman": 0.5, "other": 0}}, "must be an object with the numbers of man, woman"),
        ({"gender": 1}, "must be an object with the numbers of man, woman"),
        ({"gendr": {}}, "unknown key 'gendr'; did you mean 'gender'?"),
    ],
)
def test_a_mass_that_cannot_be_meant_is_refused_by_prompt_and_image(
    tmp_path: Path, changes: Mapping[str, Any], said: str
) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, {NURSE.text: {"image_1": PERSON, "image_2": {**PERSON, **changes}}})
    line = str(caught.value)
    assert line.startswith(f"{tmp_path / 'sdxl.json'}: prompt 'a photo of one Nurse', image_2: ")
    assert said in line
    with pytest.raises(InputError, match="image_1: right: "):
        read(tmp_path, {PAIR.text: {"image_1": {"left": PERSON, "right": {**PERSON, **changes}}}})


@pytest.mark.parametrize(("number", "said"), [(float("nan"), "NaN"), (float("inf"), "Infinity")])
def test_what_is_no_number_of_json_is_refused(tmp_path: Path, number: float, said: str) -> None:
    with pytest.raises(InputError, match=rf"sdxl\.json:1: not valid JSON: the number {said} is none of JSON"):
        read(tmp_path, {NURSE.text: {"image_1": {**PERSON, "gender": {"man": number, "woman": 0.5}}}})


def test_a_mass_may_be_off_by_rounding() -> None:
    assert describe({"gender": {"man": 0.5, "woman": 0.519}}, 1, ATTRIBUTES[:1])[0][2] == pytest.approx((0.5, 0.519))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({}, "no prompt in it"),
        ({"a nurse": []}, "prompt 'a nurse' must be an object with image_1"),
        ({"a nurse": {"image_0": PERSON}}, "'image_0' is no image"),
        ({"a nurse": {"image_1000001": PERSON}}, "'image_1000001' is no image"),
        ({"a nurse": {"image_1000000": PERSON}}, "names 1 of the images up to image_1000000; check the numbers"),
        ({"a nurse": {"picture": PERSON}}, "'picture' is no image; they are called image_1"),
        ({"a nurse": {"image_1": 3}}, "image_1: must be an object with filepath, gender, race, age"),
        ({", 4k": {"image_1": PERSON}}, "is empty before the first comma"),
        ({NURSE.text: {"image_1": {"left": PERSON}}}, "speaks of two people, at left and right"),
        ({PAIR.text: {"image_1": PERSON}}, "unknown key 'gender'; known: filepath, left, right"),
    ],
)
def test_a_file_that_is_something_else_is_refused(tmp_path: Path, data: Any, said: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, data)
    assert said in str(caught.value)


def test_a_prompt_that_stands_there_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "sdxl.json"
    path.write_text('{"a nurse": {}, "a nurse": {}}')
    with pytest.raises(InputError, match="prompt 'a nurse' stands there twice; keep one, or rename the other"):
        list(read_results(path, KNOWN, CLIP))


def test_numbers_left_out_were_set_aside(tmp_path: Path) -> None:
    (found,) = read(tmp_path, {NURSE.text: {"image_4": PERSON, "image_2": PERSON}})
    findings = [(image.index, image.findings) for image in found.images]
    assert findings == [(0, SET_ASIDE), (1, SEEN), (2, SET_ASIDE), (3, SEEN)]
    assert [image.source for image in found.images] == [f"{NURSE.text}/image_{number}" for number in (1, 2, 3, 4)]


def test_a_prompt_without_images_is_kept(tmp_path: Path) -> None:
    (found,) = read(tmp_path, {NURSE.text: {}})
    assert (found.prompt, list(found.images)) == (NURSE, [])


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("a photo of one Nurse", NURSE),
        ("A PHOTO  of one nurse, photorealistic, 4k", NURSE),
        ("a_photo_of_one_nurse", NURSE),
        ("a photo of one nurse_00012_", NURSE),
        ("a_photo_of_one_nurse_2", NURSE),
        ("a photo of one nurse 2", None),
        ("a photo of one_nurse aide", None),
        ("one boss at left with one clerk at right_", PAIR),
        ("_", None),
    ],
)
def test_prompts_are_matched_as_folders_are_and_by_what_stands_before_an_underscore(
    name: str, found: Prompt | None
) -> None:
    assert match_prompt(name, KNOWN) == found


def test_a_prompt_with_an_underscore_of_its_own_is_not_cut() -> None:
    known = {plain_prompt(text): Prompt(text, text) for text in ("a nurse", "a nurse_b")}
    assert match_prompt("a nurse_b", known) == known["a nurse b"]
    assert match_prompt("a nurse_c", known) == known["a nurse"]


def test_a_prompt_that_the_suite_does_not_have_is_kept(tmp_path: Path) -> None:
    one, two = read(tmp_path, {"a juggler_1, 4k": {"image_1": PERSON}, "two jugglers": {"image_1": {"left": PERSON}}})
    assert (one.prompt, one.known) == (Prompt("a juggler_1", "a juggler_1"), False)
    assert (two.prompt.people, two.known) == (2, False)


def test_the_annotator_must_have_an_attribute_that_is_there() -> None:
    table = attribute_table()
    assert check_attributes("a", [table["tone3"], table["gender"]]) == (table["gender"],)
    with pytest.raises(ConfigError, match="speak of gender, race5, age3"):
        check_attributes("a", [table["tone3"]])
    with pytest.raises(ConfigError, match="do not have these groups of 'age3'"):
        check_attributes("a", [Attribute("age3", "perceived age", ("young", "old"))])
