"""What others saw in images comes in once, each image by its place, nothing changed and nothing left out."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from portrayal.errors import InputError
from portrayal.study.importing import results
from portrayal.study.importing.folders.layouts import read_layout
from portrayal.study.importing.import_images import import_images
from portrayal.study.importing.labels.imported_annotator import imported_annotator
from portrayal.study.importing.results import check_results, import_results
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl, Silent
from portrayal.study.status import read_status
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow

Make = Callable[..., Path]
Break = Callable[[object, str], None]
Rows = Callable[[Path], dict[str, list[str]]]
READER = "faintbench-json"
ANNOTATORS = [{"use": "imported:clip"}, {"use": "imported:other"}]
NURSE, PAIR = "a photo of a nurse", "One boss at left with one clerk at right"


def person(man: float = 0.25) -> dict[str, Any]:
    return {
        "gender": {"man": man, "woman": 1 - man},
        "race": {"European": 0.5, "East-asian": 0.25, "African": 0.125, "Latino": 0.0625, "South-Asian": 0.0625},
        "age": {"10~29 years old": 0.5, "31~59 years old": 0.375, "60 years old or older": 0.125},
    }


def write(tmp_path: Path, data: Mapping[str, Any], name: str = "sdxl.json") -> Path:
    path = tmp_path / name
    path.write_text(json.dumps(data, indent=4))
    return path


def bring(
    study: Path, path: Path, model: str = "", annotator: str = "clip", control: RunControl | None = None
) -> Counter[str]:
    opened = OpenStudy(study)
    file = check_results(opened, READER, path, model, imported_annotator(opened, annotator))
    with opened.workspace.writing():
        return import_results(opened, file, control or RunControl())


def seen(study: Path, annotator: str = "imported:clip") -> list[tuple[Any, ...]]:
    """Return what the annotator said about the images of the plan."""
    sql = """
        SELECT generator, prompts.text, "index", subject, attribute, mass, observations.reason FROM jobs
        JOIN prompts ON prompts.id = prompt JOIN outcomes ON job = jobs.id JOIN observations USING (image)
        WHERE annotator = '{}' ORDER BY ALL
    """
    return [tuple(row.values()) for row in OpenStudy(study).workspace.query(sql.format(annotator)).to_pylist()]


@pytest.fixture
def study(make_study: Make) -> Path:
    """Return a study with two annotators that never look."""
    return make_study(generators=None, annotators=ANNOTATORS)


def test_images_come_in_with_their_masses(study: Path, tmp_path: Path) -> None:
    path = write(tmp_path, {"A photo of a nurse, 4k": {"image_1": {"filepath": "x", **person()}, "image_3": person()}})
    assert bring(study, path) == {"prompts": 1, "images": 2, "set aside by the authors": 1}
    masses = [
        ("age3", [0.5, 0.375, 0.125], None),
        ("gender", [0.25, 0.75], None),
        ("race5", [0.5, 0.25, 0.125, 0.0625, 0.0625], None),
    ]
    assert seen(study) == [
        *(("sdxl", NURSE, 0, 0, *mass) for mass in masses),
        ("sdxl", NURSE, 1, None, None, None, "set_aside_by_authors"),
        *(("sdxl", NURSE, 2, 0, *mass) for mass in masses),
    ]


def test_two_people_and_prompts_that_the_suite_does_not_have(study: Path, tmp_path: Path) -> None:
    pair = {"left": person(1), "right": {"gender": {"man": 0, "woman": 1}}}
    path = write(tmp_path, {PAIR: {"image_1": pair}, "a photo of a CEO_1": {}, "a juggler": {}})
    assert bring(study, path) == {
        "prompts": 3, "images": 1, "prompts the suite does not have": 2, "prompts without images": 2
    }  # fmt: skip
    workspace = OpenStudy(study).workspace
    (prompt,) = workspace.query("SELECT text, kind, people FROM prompts WHERE people = 2").to_pylist()
    assert prompt == {"text": PAIR, "kind": "", "people": 2}
    gender = [row[3:] for row in seen(study) if row[4] == "gender"]
    assert gender == [(0, "gender", [1.0, 0.0], None), (1, "gender", [0.0, 1.0], None)]
    assert [row[3:] for row in seen(study) if row[6]] == [
        (1, "age3", None, "not_in_the_file"),
        (1, "race5", None, "not_in_the_file"),
    ]


def test_images_have_no_pixels_and_a_name_of_their_own(study: Path, tmp_path: Path) -> None:
    bring(study, write(tmp_path, {NURSE: {f"image_{number}": person() for number in (1, 2, 3)}}))
    rows = OpenStudy(study).workspace.query("SELECT image, ext, status, versions FROM outcomes").to_pylist()
    assert {(row["ext"], row["status"], row["versions"]) for row in rows} == {("", "made", "imported")}
    assert len({row["image"] for row in rows}) == 3
    assert not (study / "images").exists()


def test_a_second_import_adds_nothing_wherever_the_file_lies(study: Path, tmp_path: Path, rows: Rows) -> None:
    path = write(tmp_path, {NURSE: {"image_1": person(0.1), "image_3": person(1 / 3)}})
    bring(study, path)
    before = rows(study)
    moved = path.rename(tmp_path / "moved.json")
    assert bring(study, moved, "sdxl") == {"prompts": 1, "already there": 3}
    assert rows(study) == before


def test_images_added_later_come_in_alone(study: Path, tmp_path: Path) -> None:
    bring(study, write(tmp_path, {NURSE: {"image_1": person()}}))
    path = write(tmp_path, {NURSE: {"image_1": person(), "image_2": person(0.5)}})
    assert bring(study, path) == {"prompts": 1, "images": 1, "already there": 1}


def test_what_is_said_otherwise_stands_and_can_be_taken_back(study: Path, tmp_path: Path) -> None:
    first = write(tmp_path, {NURSE: {"image_1": person(0.25), "image_2": person(0.5)}})
    bring(study, first)
    before = seen(study)
    changed = write(tmp_path, {NURSE: {"image_1": person(0.75), "image_2": person(0.5)}}, "new.json")
    assert bring(study, changed, "sdxl") == {"prompts": 1, "images": 1, "already there": 1}
    assert [row[5] for row in seen(study) if row[4] == "gender"] == [[0.75, 0.25], [0.5, 0.5]]
    assert bring(study, first) == {"prompts": 1, "images": 1, "already there": 1}
    assert seen(study) == before
    assert OpenStudy(study).workspace.tables["jobs"].count() == 2


def test_an_image_that_was_set_aside_first_can_be_seen_later(study: Path, tmp_path: Path) -> None:
    bring(study, write(tmp_path, {NURSE: {"image_2": person()}}))
    assert bring(study, write(tmp_path, {NURSE: {"image_1": person(), "image_2": person()}}))["images"] == 1
    assert len(seen(study)) == 6


def test_two_annotators_speak_of_the_same_images(study: Path, tmp_path: Path) -> None:
    first = write(tmp_path, {NURSE: {"image_1": person(0.25), "image_2": person()}})
    second = write(tmp_path, {NURSE: {"image_1": person(0.75), "image_2": person()}}, "optimised.json")
    bring(study, first)
    assert bring(study, second, "sdxl", "other")["images"] == 2
    assert len(seen(study)) == len(seen(study, "imported:other")) == 6
    assert OpenStudy(study).workspace.tables["jobs"].count() == 2
    assert bring(study, second, "sdxl", "other")["already there"] == 2
    assert bring(study, first)["already there"] == 2


@pytest.mark.parametrize("again", ["same", "changed", "other"])
@pytest.mark.parametrize("step", ["imports", "outcomes", "observations"])
def test_an_import_that_broke_off_is_completed_by_the_next(
    make_study: Make,
    tmp_path: Path,
    rows: Rows,
    monkeypatch: pytest.MonkeyPatch,
    break_second_call: Break,
    step: str,
    again: str,
) -> None:
    monkeypatch.setattr(results, "BATCH", 2)
    path = write(tmp_path, {NURSE: {f"image_{number}": person(number / 8) for number in range(1, 6)}})
    whole, broken = (make_study(name, generators=None, annotators=ANNOTATORS) for name in ("whole", "broken"))
    opened = OpenStudy(broken)
    file = check_results(opened, READER, path, "", imported_annotator(opened, "clip"))
    break_second_call(opened.workspace.tables[step], "append")
    with pytest.raises(RuntimeError, match="pulled the plug"):
        import_results(opened, file, RunControl())
    assert opened.workspace.tables["observations"].count() == 6
    last = path
    if again == "changed":
        last = write(tmp_path, {NURSE: {f"image_{number}": person(0.5) for number in range(1, 6)}}, "changed.json")
    for root in (broken, whole):
        bring(root, last, "sdxl", "other" if again == "other" else "clip")
        if again != "same":
            bring(root, path)
    assert seen(broken) == seen(whole)
    assert seen(broken, "imported:other") == seen(whole, "imported:other")
    assert len(seen(broken)) == 15
    if again == "same":
        assert rows(broken) == rows(whole)


def test_an_import_asked_to_stop_ends_after_the_batch(
    study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "BATCH", 1)
    path = write(tmp_path, {NURSE: {"image_1": person(), "image_2": person()}})
    asked = iter((False, True))
    assert bring(study, path, control=RunControl(Silent(), lambda: next(asked)))["images"] == 1
    assert bring(study, path) == {"prompts": 1, "images": 1, "already there": 1}


def test_pictures_and_numbers_do_not_share_a_model(study: Path, tmp_path: Path, picture: Callable[..., bytes]) -> None:
    path = write(tmp_path, {NURSE: {"image_1": person()}})
    folder = tmp_path / "images" / "sdxl" / NURSE
    folder.mkdir(parents=True)
    (folder / "0.png").write_bytes(picture())
    found = read_layout("faintbench", tmp_path / "images")
    bring(study, path)
    with pytest.raises(InputError, match="model 'sdxl' has imported results without pictures already"):
        import_images(OpenStudy(study), found, RunControl())
    (folder.parent).rename(tmp_path / "images" / "pixart")
    import_images(OpenStudy(study), read_layout("faintbench", tmp_path / "images"), RunControl())
    with pytest.raises(InputError, match="model 'pixart' has imported pictures already"):
        bring(study, path, "pixart")


def test_an_images_source_is_kept_with_the_name_of_its_reader(study: Path, tmp_path: Path) -> None:
    bring(study, write(tmp_path, {f"{NURSE}, 4k": {"image_1": person()}}))
    rows = OpenStudy(study).workspace.query("SELECT source FROM imports").to_pylist()
    assert rows == [{"source": f"faintbench-json:{NURSE}, 4k/image_1"}]


def test_results_of_two_readers_do_not_share_a_model(study: Path, tmp_path: Path) -> None:
    path = write(tmp_path, {NURSE: {"image_1": person()}})
    bring(study, path)
    opened = OpenStudy(study)
    with pytest.raises(InputError, match="model 'sdxl' has imported results without pictures already"):
        check_results(opened, "other-json", path, "", imported_annotator(opened, "clip"))


def test_the_study_runs_to_its_report(study: Path, tmp_path: Path) -> None:
    path = write(
        tmp_path, {NURSE: {"image_1": person(), "image_3": person(0.9)}, PAIR: {"image_1": {"left": person()}}}
    )
    bring(study, path)
    assert "set aside by authors" in run_stages(OpenStudy(study), RunControl()).read_text(encoding="utf-8")
    status = read_status(OpenStudy(study))
    assert status.judged == {"imported:clip": 4, "imported:other": 0}
    assert status.unjudged == {"imported:clip": 0, "imported:other": 0}
    assert status.abstained["imported:clip"] == {"not_in_the_file": 1, "set_aside_by_authors": 1}
