"""Images that exist already: found by term, edits by term and source, and what is not there said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from portrayal.errors import ConfigError, InputError
from portrayal.generators.folder import Folder
from portrayal.records import Failed, Job, Made, Measurement, from_table
from portrayal.reports.text.notes import plain_notes
from portrayal.settings import parse_settings
from portrayal.store.images.image_store import read_image
from portrayal.study.generate.sources import draw_and_look
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.status import read_status
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]


def put(folder: Path, *names: str) -> Path:
    for number, name in enumerate(names):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (8, 8), (number, 0, 0)).save(path)
    return folder


def build(folder: Path) -> Folder:
    return Folder("", parse_settings(Folder.Options, {"path": str(folder)}, "study.toml"))


def job(term: str, source: str = "") -> Job:
    return Job("id", "prompt", "g", 0, 0, term, term, source_term=source)


def test_images_are_found_by_their_terms(tmp_path: Path) -> None:
    painter = build(put(tmp_path, "Taxi_Driver.png", "people/Anna 1.jpg"))
    taxi, anna, missing = painter.generate([job("taxi driver"), job("people/anna-1"), job("nurse")])
    assert isinstance(taxi, Made)
    assert (taxi.data, taxi.ext) == ((tmp_path / "Taxi_Driver.png").read_bytes(), "png")
    assert isinstance(anna, Made)
    assert isinstance(missing, Failed)
    assert (missing.reason, missing.detail) == ("missing_file", f"{tmp_path}/nurse.*: no such file")


def test_edits_lie_in_the_folder_of_their_word(tmp_path: Path) -> None:
    painter = build(put(tmp_path, "nurse/m1.png", "nurse/f1.png", "CEO/m1.png"))
    found = list(painter.edit([job("Nurse", "M1"), job("ceo", "m1"), job("CEO", "f1")]))
    assert [isinstance(own, Made) for own in found] == [True, True, False]
    assert isinstance(found[0], Made)
    assert found[0].data == (tmp_path / "nurse" / "m1.png").read_bytes()


def test_what_is_no_picture_fails_and_two_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "nurse.png").write_text("no picture")
    (found,) = build(tmp_path).generate([job("nurse")])
    assert isinstance(found, Failed)
    assert found.reason == "unreadable_image"
    assert found.detail == f"{tmp_path}/nurse.png: 10 bytes, no picture in PNG, JPEG or WebP"
    put(tmp_path, "Nurse.jpg")
    with pytest.raises(InputError, match="both are meant by one name"):
        list(build(tmp_path).generate([job("nurse")]))


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        list(build(tmp_path / "nowhere").generate([job("nurse")]))
    with pytest.raises(ConfigError, match="takes no argument"):
        Folder("photos", Folder.Options(path=tmp_path))


def edited(make_study: Make, *files: str, **about: Any) -> Path:
    """Write a study of two photos whose edits lie in a folder."""
    parts = [
        {"use": "folder", "images": 1, "role": role, "options": {"path": path}}
        for role, path in (("draw", "photos"), ("edit", "edits"))
    ]
    suite = {"use": "biaspainter", "options": {"null": [], "seeds": "photos", **about}}
    look = {"use": "simulated", "options": {"attributes": ["gender", "age", "intensity"]}}
    root = make_study(suite=suite, generators=parts, annotators=[look], generate={"attempts": 1})
    put(root / "photos", "BlackMaleElderly.png")
    put(root / "edits", *files)
    return root


def taken(root: Path) -> dict[tuple[str, str, str], bytes]:
    """Return what was taken for the edits: topic, word and instruction to the file."""
    run_stages(OpenStudy(root), RunControl(), ("plan", "generate"))
    query = """
        SELECT category, term, variant, image, ext FROM outcomes JOIN jobs ON outcomes.job = jobs.id
        JOIN prompts ON jobs.prompt = prompts.id WHERE status = 'made' AND edits IS NOT NULL
    """
    workspace = OpenStudy(root).workspace
    rows = workspace.query(query).to_pylist()
    return {
        (row["category"], row["term"], row["variant"]): read_image(workspace.images.path(row["image"], row["ext"]))
        for row in rows
    }


SEED = "BlackMaleElderly.png"


@pytest.mark.slow
def test_a_mitigation_takes_the_edits_of_its_own_folder(make_study: Make) -> None:
    files = [f"nurse/{SEED}", f"keep-the-gender/nurse/{SEED}"]
    root = edited(make_study, *files, words=["nurse"], mitigations=["keep the gender"])
    assert taken(root) == {
        ("profession", "nurse", ""): (root / "edits" / files[0]).read_bytes(),
        ("profession", "nurse", "keep the gender"): (root / "edits" / files[1]).read_bytes(),
    }


@pytest.mark.slow
@pytest.mark.parametrize("alike", [True, False])
def test_arms_that_are_the_same_pictures_carry_a_warning(make_study: Make, alike: bool) -> None:
    files = [f"nurse/{SEED}", f"keep-the-gender/nurse/{SEED}"]
    root = edited(make_study, *files, words=["nurse"], mitigations=["keep the gender"])
    if alike:
        (root / "edits" / files[1]).write_bytes((root / "edits" / files[0]).read_bytes())
    study = OpenStudy(root)
    study.narrow("biaspainter")
    run_stages(study, RunControl(), ("plan", "generate", "annotate", "measure"))
    rows = from_table(study.workspace.query("SELECT * FROM measurements WHERE metric LIKE 'mitigation%'"), Measurement)
    told = [plain_notes(row.notes) for row in rows]
    assert told
    assert all(("1 of 1 edit are the very same picture with the text and without it" in own) is alike for own in told)


@pytest.mark.slow
def test_a_mitigation_without_a_folder_is_missing_and_not_the_plain_edit(make_study: Make) -> None:
    root = edited(make_study, f"nurse/{SEED}", words=["nurse"], mitigations=["keep the gender"])
    said: list[str] = []
    study = OpenStudy(root)
    run_stages(study, RunControl(remark=said.append), ("plan", "generate"))
    (line,) = said
    assert line.endswith(
        f"the first: {root}/edits/keep the gender/nurse/BlackMaleElderly.*: no such file; mend them and run again"
    )
    assert read_status(study).outcomes[list(study.generators)[1]] == {"failed: missing_file": 1, "made": 1}


@pytest.mark.slow
def test_a_profession_and_an_object_of_one_name_lie_in_folders_of_their_topics(make_study: Make) -> None:
    """The layout in which the authors of BiasPainter keep their edits."""
    files = [f"profession/cleaner/{SEED}", f"object/cleaner/{SEED}", f"profession/nurse/{SEED}"]
    root = edited(make_study, *files, words=["cleaner", "nurse"])
    assert taken(root) == {
        (topic, word, ""): (root / "edits" / topic / word / SEED).read_bytes()
        for topic, word in (("profession", "cleaner"), ("object", "cleaner"), ("profession", "nurse"))
    }


@pytest.mark.parametrize("more", [[], [f"profession/cleaner/{SEED}"]])
def test_a_folder_that_two_prompts_could_mean_is_refused_with_the_names_that_do(
    make_study: Make, more: list[str]
) -> None:
    root = edited(make_study, f"Cleaner/{SEED}", *more, words=["cleaner"])
    with pytest.raises(InputError) as refused:
        OpenStudy(root).check()
    assert str(refused.value) == (
        f"{root}/edits/Cleaner: it could be meant by 'a photo of a cleaner' and 'a photo of a person with the "
        "cleaner'; name the folders profession/cleaner and object/cleaner"
    )


def test_one_of_two_topics_needs_no_folder_of_its_own(make_study: Make) -> None:
    OpenStudy(edited(make_study, f"cleaner/{SEED}", words=["cleaner"], topics=["object"])).check()


def test_prompts_that_no_name_tells_apart_are_refused_where_there_is_an_image(make_study: Make, tmp_path: Path) -> None:
    prompts = tmp_path / "prompts.csv"
    prompts.write_text("term,text\nnurse,a nurse\nnurse,one nurse\n")
    parts = [{"use": "folder", "images": 1, "options": {"path": "photos"}}]
    root = make_study(suite={"use": "file", "options": {"path": str(prompts)}}, generators=parts)
    OpenStudy(root).check()  # nothing is there that could be taken for both
    put(root / "photos", "nurse.png")
    with pytest.raises(
        InputError, match=r"nurse\.png: .*; another prompt has the same term.*; give them different terms"
    ):
        OpenStudy(root).check()
    (found,) = build(root / "photos").generate([replace(job("nurse"), names=())])
    assert isinstance(found, Failed)
    assert "no name tells them apart" in found.detail


@pytest.mark.slow
def test_a_study_of_photos_and_edits_that_exist(make_study: Make, tmp_path: Path) -> None:
    seeds = ("BlackMaleElderly.png", "WhiteFemaleYoungAdult.png")
    about = {"words": ["nurse", "taxi driver"], "null": [], "seeds": "photos"}
    parts = [
        {"use": "folder", "images": 1, "role": role, "options": {"path": path}}
        for role, path in (("draw", "photos"), ("edit", "edits"))
    ]
    root = make_study(suite={"use": "biaspainter", "options": about}, generators=parts, generate={"attempts": 1})
    put(root / "photos", *seeds)
    put(root / "edits", *(f"{word}/{seed}" for word in ("nurse", "taxi driver") for seed in seeds[:1]))
    study = OpenStudy(root)
    said: list[str] = []
    run_stages(study, RunControl(remark=said.append), ("plan", "generate"))
    photos, edits = study.generators
    first = f"{root}/edits/nurse/WhiteFemaleYoungAdult.*: no such file"
    assert said == [f"{edits}: images not found or unreadable: 2; the first: {first}; mend them and run again"]
    assert read_status(study).outcomes == {photos: {"made": 2}, edits: {"failed: missing_file": 2, "made": 2}}
    (root / "edits" / "nurse" / "WhiteFemaleYoungAdult.png").write_text("no picture")
    run_stages(OpenStudy(root), RunControl(), ("plan", "generate"))
    put(root / "edits", "nurse/WhiteFemaleYoungAdult.png")
    assert list(OpenStudy(root).generators) == [photos, edits]  # more files make no other generator
    run_stages(OpenStudy(root), RunControl(), ("plan", "generate"))
    assert read_status(study).outcomes[edits] == {"failed: missing_file": 1, "made": 3}


@pytest.mark.parametrize(("role", "images"), [("draw", 2), ("edit", 3)])
def test_more_images_than_files_of_a_name_are_refused(make_study: Make, role: str, images: int) -> None:
    about = {"words": ["nurse"], "null": [], "seeds": "photos"}
    parts = [
        {"use": "folder", "images": images if own == role else 1, "role": own, "options": {"path": path}}
        for own, path in (("draw", "photos"), ("edit", "edits"))
    ]
    root = make_study(suite={"use": "biaspainter", "options": about}, generators=parts)
    put(root / "photos", "BlackMaleElderly.png")
    put(root / "edits", "nurse/BlackMaleElderly.png")
    said = rf"folder@1#\w+ takes images that exist.* images = {images} .*; write images = 1"
    with pytest.raises(ConfigError, match=said):
        OpenStudy(root).check()


@pytest.mark.slow
def test_photos_are_looked_at_before_the_folder_of_edits_is_there(make_study: Make) -> None:
    parts = [
        {"use": "folder", "images": 1, "role": role, "options": {"path": path}}
        for role, path in (("draw", "photos"), ("edit", "edits"))
    ]
    about = {"words": ["nurse"], "null": [], "seeds": "photos"}
    root = make_study(suite={"use": "biaspainter", "options": about}, generators=parts)
    put(root / "photos", "BlackMaleElderly.png")
    study = OpenStudy(root)
    run_stages(study, RunControl(), ("plan",))
    draw_and_look(study, RunControl())
    photos, edits = study.generators
    assert read_status(study).outcomes[photos] == {"made": 1}
    with pytest.raises(InputError, match=r"edits: no such folder; generator 'folder' takes the images from it"):
        run_stages(study, RunControl(), ("generate",))
    (root / "edits").mkdir()
    assert list(OpenStudy(root).generators) == [photos, edits]
