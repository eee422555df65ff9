"""Parts of one's own through ``portrayal.Study``: given to a new study, given again, and left out."""

from __future__ import annotations

import io
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pillow

import portrayal
from portrayal.errors import ConfigError, InputError, StudyError
from portrayal.records import Failed, Job, Made, Prompt, Refused

PROMPTS = ["a photo of one nurse", "a photo of one CEO"]


class Squares:
    name = "squares@1"
    citations: Sequence[str] = ()

    def generate(self, jobs: Sequence[Job]) -> Iterator[Made | Refused | Failed]:
        for job in jobs:
            file = io.BytesIO()
            Pillow.new("L", (8, 8), job.seed % 256).save(file, "PNG")
            yield Made(job.id, file.getvalue(), "png", 8, 8)

    def truth(self, prompt: Prompt) -> None:
        return None


def looks(picture: Any) -> dict[str, str]:
    return {"gender": "female" if picture.getpixel((0, 0))[0] > 127 else "male"}


@pytest.mark.slow
def test_a_study_takes_objects_beside_names_and_is_opened_with_them_or_without(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    small = {"use": "simulated", "options": {"size": 4}, "images": 2}
    study = portrayal.Study.create(
        folder, prompts=PROMPTS, generator=[small, Squares()], annotator=["simulated", looks], images=3
    )
    study.run(progress=False)
    assert study.status.outcomes["squares@1"] == {"made": 6}
    assert study.status.judged == {"simulated@1": 10, "looks@1": 10}
    assert {row["gender"] for row in study.images(annotator="looks")} <= {"female", "male"}
    written = tomllib.loads((folder / "study.toml").read_text(encoding="utf-8"))
    assert [(own["use"], own["images"]) for own in written["generators"]] == [("simulated", 2), ("python:squares@1", 3)]
    assert written["annotators"][1] == {"use": "python:looks@1", "options": {"attributes": ["gender"]}}

    without = portrayal.Study(folder)
    assert without.status == study.status
    assert without.measure(progress=False).to_arrow() == study.measurements().to_arrow()
    text = (folder / "study.toml").read_text(encoding="utf-8")
    (folder / "study.toml").write_text(text.replace("images = 3", "images = 4"), encoding="utf-8")
    with pytest.raises(StudyError, match=r"^generator squares@1 lives in Python code"):
        without.run(progress=False)
    again = portrayal.Study(folder, generator=Squares(), annotator=looks)
    again.run(progress=False)
    assert again.status.outcomes["squares@1"] == {"made": 8}


def test_a_part_that_the_study_does_not_have_is_refused_when_it_is_opened(tmp_path: Path) -> None:
    portrayal.Study.create(tmp_path / "study", prompts=PROMPTS, generator="simulated", annotator="simulated")
    with pytest.raises(ConfigError, match="annotator 'python:looks@1' is not there, only 'simulated'"):
        portrayal.Study(tmp_path / "study", annotator=looks)


def test_nothing_is_written_for_a_part_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="your own generator must be an object whose name has a version"):
        portrayal.Study.create(tmp_path / "study", prompts=PROMPTS, generator=Squares)  # type: ignore[arg-type]  # the mistake
    assert not (tmp_path / "study").exists()


def test_two_parts_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"^two generators of your own are named 'squares@1'; give one another name$"):
        portrayal.Study.create(tmp_path / "study", prompts=PROMPTS, generator=[Squares(), Squares()], annotator=looks)
    with pytest.raises(ConfigError, match=r"^two annotators of your own are named 'looks@1'; give one another name$"):
        portrayal.Study.create(tmp_path / "study", prompts=PROMPTS, generator="simulated", annotator=[looks, looks])
    assert not (tmp_path / "study").exists()


@pytest.mark.parametrize("given", ["smulated", {"use": "simulated"}, ["simulated"]])
def test_a_study_that_exists_is_opened_with_objects_alone(given: Any, tmp_path: Path) -> None:
    portrayal.Study.create(tmp_path / "study", prompts=PROMPTS, generator="simulated", annotator="simulated")
    with pytest.raises(ConfigError, match=r"^generator=.*: a study that exists has its parts in study.toml"):
        portrayal.Study(tmp_path / "study", generator=given)
    with pytest.raises(ConfigError, match=r"^annotator=.*: a study that exists has its parts in study.toml"):
        portrayal.Study(tmp_path / "study", annotator=given)


@pytest.mark.parametrize(
    ("groups", "column"),
    [
        ({"term": ["a", "b"]}, "term"),
        ({"a": ["b_c", "d"], "a_b": ["c", "d"]}, "a_b_c"),
        ({"gender_male": ["x", "y"]}, "gender_male"),
    ],
)
def test_attributes_whose_columns_are_taken_are_refused(
    groups: dict[str, list[str]], column: str, tmp_path: Path
) -> None:
    mine = portrayal.function_annotator(looks, attributes=["gender", *groups], groups=groups)
    with pytest.raises(
        ConfigError, match=rf"^annotator looks@1: attribute '\w+': images have a column '{column}' already"
    ):
        portrayal.Study.create(tmp_path / "study", prompts=PROMPTS, generator="simulated", annotator=mine)


def test_columns_of_two_annotators_are_told_apart(tmp_path: Path) -> None:
    one = portrayal.function_annotator(looks, name="one", attributes=["gender", "a"], groups={"a": ["b_c", "d"]})
    two = portrayal.function_annotator(looks, name="two", attributes=["gender", "a_b"], groups={"a_b": ["c", "d"]})
    study = portrayal.Study.create(
        tmp_path / "study", prompts=PROMPTS, generator="simulated", annotator=[one, two], images=2
    )
    with pytest.raises(ConfigError, match=r"\[\[annotators\]\]: attribute 'a_b': images have a column 'a_b_c' already"):
        study.plan(progress=False)


@pytest.mark.parametrize(
    ("prompts", "message"),
    [
        ({"text": "a nurse"}, "prompts must be a list of texts, such as ['a photo of one nurse'], and not a dict"),
        (np.array(["a nurse", "a CEO"]), "and not a ndarray"),
        (7, "and not a int"),
        ([], "and not none"),
        ([None], "prompts[0]: a prompt is a text or a row by column, and not None"),
        (["a nurse", 3], "prompts[1]: a prompt is a text or a row by column, and not 3"),
        ([{"text": "a nurse", "term": ["x"]}], "prompts[0]: column 'term' holds a text or a number, and not ['x']"),
    ],
)
def test_prompts_that_are_none_are_one_line(prompts: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        portrayal.Study.create(tmp_path / "study", prompts=prompts, generator="simulated", annotator="simulated")
    assert message in str(caught.value)
    assert not (tmp_path / "study").exists()


def test_a_term_that_is_none_or_nan_is_no_term(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"text": "a nurse", "term": None, "weight": 2.5},
        {"text": "a CEO", "term": float("nan"), "category": np.float64("nan")},
    ]
    study = portrayal.Study.create(tmp_path / "study", prompts=rows, generator="simulated", annotator="simulated")
    assert [(row["term"], row["category"], row["weight"]) for row in study.prompts()] == [
        ("a nurse", "", 2.5),
        ("a CEO", "", 1.0),
    ]
