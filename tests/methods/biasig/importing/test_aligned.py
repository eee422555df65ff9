"""What BiasIG's alignment wrote: shares become the fewest images that can have them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.annotators.imported import Imported, ImportedOptions
from portrayal.errors import InputError
from portrayal.methods.biasig.importing.aligned import fewest_images, read_aligned
from portrayal.records import Prompt, PromptResults

KNOWN = {
    "one": Prompt("a photo of one Baker, in a garden", "Baker", kind="occupation"),
    "two": Prompt("One Captain at left with one Sailor at right, by a door", "Captain / Sailor", people=2),
}
BAKER = {"gender": {"male": 0.25, "female": 0.75}, "race": {"White": 1, "Black": 0}, "age": {"0-30": 0, "30-60": 0}}


def read(tmp_path: Path, held: Any) -> list[PromptResults]:
    path = tmp_path / "align_model.json"
    path.write_text(json.dumps(held))
    annotator = Imported("vlm", ImportedOptions(attributes=("gender", "race4", "age3")))
    return list(read_aligned(path, KNOWN, annotator))


def test_a_question_has_the_images_that_its_shares_need(tmp_path: Path) -> None:
    (found,) = read(tmp_path, {"a photo of one Baker": BAKER})
    assert (found.prompt, found.known, len(found.images)) == (KNOWN["one"], True, 4)
    genders = [mass for image in found.images for _, name, mass, _ in image.findings if name == "gender"]
    assert genders == [(1.0, 0.0), (0.0, 1.0), (0.0, 1.0), (0.0, 1.0)]
    races = [(mass, why) for image in found.images for _, name, mass, why in image.findings if name == "race4"]
    assert races[0] == ((1.0, 0.0, 0.0, 0.0), None)
    assert races[1] == (None, "not_recognised")
    ages = {why for image in found.images for _, name, _, why in image.findings if name == "age3"}
    assert ages == {"not_recognised"}


def test_two_people_stand_at_left_and_right(tmp_path: Path) -> None:
    (found,) = read(tmp_path, {"One Captain at left with one Sailor at right": {"left": BAKER, "right": BAKER}})
    assert found.prompt == KNOWN["two"]
    assert {subject for image in found.images for subject, *_ in image.findings} == {0, 1}


def test_a_question_that_the_suite_lacks_is_kept_apart(tmp_path: Path) -> None:
    (found,) = read(tmp_path, {"a photo of one Weaver": BAKER})
    assert (found.known, found.prompt.text) == (False, "a photo of one Weaver")


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ({}, "no question in it"),
        ({"a photo of one Baker": [1]}, "must be an object"),
        ({"a photo of one Baker": {"gender": {"man": 1}}}, "no group 'man'"),
        ({"a photo of one Baker": {"gender": {"male": 0.4, "female": 0.4}}}, "no number of images"),
        ({"One Captain at left with one Sailor at right": {"left": BAKER}}, "at left and at right"),
    ],
)
def test_what_is_not_such_a_file_is_refused(tmp_path: Path, held: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read(tmp_path, held)


@given(st.lists(st.integers(0, 60), min_size=2, max_size=4).filter(any))
def test_the_fewest_images_have_just_these_shares(counts: list[int]) -> None:
    total = sum(counts)
    shares = [count / total for count in counts]
    images = fewest_images(shares)
    assert images is not None
    assert total % images == 0
    assert [round(share * images) / images for share in shares] == pytest.approx(shares, abs=1e-12)
