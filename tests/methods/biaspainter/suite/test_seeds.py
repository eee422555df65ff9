"""Seeds: 18 kinds of drawn faces, photos whose names tell who they show, and photos that a manifest lists."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from portrayal.errors import InputError
from portrayal.methods.biaspainter.suite.seeds import drawn_seeds, read_seeds
from portrayal.records import Prompt


def photos(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).write_bytes(b"")
    return folder


def read(path: Path) -> dict[str, Prompt]:
    return {prompt.term: prompt for _, prompt in read_seeds(path, "biaspainter")}


def test_eighteen_kinds_of_faces() -> None:
    seeds = [prompt for _, prompt in drawn_seeds("biaspainter")]
    assert len({prompt.id for prompt in seeds}) == 18
    for attribute, size in (("gender", 9), ("age3", 6), ("tone3", 6)):
        assert set(Counter(prompt.requested[attribute] for prompt in seeds).values()) == {size}
    assert {prompt.kind for prompt in seeds} == {"seed"}
    assert seeds[0].text == "a portrait photo of a young man with light skin"
    assert seeds[-1].text == "a portrait photo of an elderly woman with dark skin"
    assert seeds[-1].term == "elderly woman with dark skin"


@pytest.mark.parametrize(
    ("name", "gender", "race", "age"),
    [
        ("BlackMaleElderly2.jpg", "male", "african", "elderly"),
        ("AsianFemaleYoungAdult.png", "female", "east_asian", "young"),
        ("BlackmaleMiddleAged1.jpg", "male", "african", "middle_aged"),
        ("white_female_middle-aged.JPG", "female", "european", "middle_aged"),
        ("SouthAsianFemaleElderly10.jpeg", "female", "south_asian", "elderly"),
    ],
)
def test_names_tell_who_is_shown(tmp_path: Path, name: str, gender: str, race: str, age: str) -> None:
    (seed,) = read(photos(tmp_path, name)).values()
    assert seed.requested == {"gender": gender, "race5": race, "age3": age}
    assert seed.term == Path(name).stem


def test_other_files_are_passed_over_and_other_names_refused(tmp_path: Path) -> None:
    assert set(read(photos(tmp_path, "AsianMaleElderly.jpg", "README.md"))) == {"AsianMaleElderly"}
    photos(tmp_path, "holiday.jpg")
    with pytest.raises(InputError, match=r"holiday\.jpg: the name does not tell race, gender and age; rename it"):
        read(tmp_path)


def test_a_manifest_lists_them(tmp_path: Path) -> None:
    path = tmp_path / "seeds.csv"
    path.write_text("file,gender,race,age\na/1.jpg,Female,Black,young adult\nb.png,male,,\n")
    found = read(path)
    assert found["a/1"].requested == {"gender": "female", "race5": "african", "age3": "young"}
    assert found["b"].requested == {"gender": "male"}
    path.write_text("file,gender\nb.png,man\n")
    with pytest.raises(InputError, match="no gender 'man'"):
        read(path)


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        read(tmp_path / "nowhere")
    with pytest.raises(InputError, match="no photos here"):
        read(tmp_path)
