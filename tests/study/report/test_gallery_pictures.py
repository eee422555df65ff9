"""The gallery shows the first pictures of each prompt, what was seen in them, and why a place is empty."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from portrayal.errors import DamagedError
from portrayal.records import OBSERVATION_SCHEMA, Abstention, Observation, to_table
from portrayal.reports import Perceived
from portrayal.reports.data import Picture
from portrayal.study.importing.folders.layouts import read_layout
from portrayal.study.importing.import_images import import_images
from portrayal.study.report.gallery_pictures import gather_pictures, gather_thumbnails
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow

Make = Callable[..., Path]
Draw = Callable[..., bytes]


def bring(study: OpenStudy, images: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        (images / name).parent.mkdir(parents=True, exist_ok=True)
        (images / name).write_bytes(data)
    import_images(study, read_layout("faintbench", images), RunControl())


def see(study: OpenStudy, *seen: Observation | Abstention) -> None:
    study.workspace.tables["observations"].append(to_table(seen, OBSERVATION_SCHEMA))


@pytest.fixture
def imported(make_study: Make, tmp_path: Path, picture: Draw) -> OpenStudy:
    """Return a study of one imported picture, 200 wide and 100 high."""
    study = OpenStudy(make_study(suite=None, generators=None))
    bring(study, tmp_path / "images", {"sdxl/a nurse/0.png": picture("green", size=(200, 100))})
    return study


def name_of(study: OpenStudy) -> str:
    return str(study.workspace.query("SELECT image FROM outcomes")["image"][0].as_py())


def test_pictures_come_by_prompt_and_number(finished: Path) -> None:
    pictures = gather_pictures(OpenStudy(finished))
    assert [picture.term for picture in pictures] == ["nurse"] * 12 + ["CEO"] * 12
    assert {picture.prompt for picture in pictures} == {"a photo of a nurse", "a photo of a CEO"}
    jobs = OpenStudy(finished).workspace.query("SELECT seed FROM jobs")
    assert [picture.seed for picture in pictures] == jobs["seed"].to_pylist()


def test_an_empty_place_says_why(finished: Path) -> None:
    missing = [picture for picture in gather_pictures(OpenStudy(finished)) if not picture.image]
    assert {reason for picture in missing for reason in picture.reasons} == {
        "refused: simulated_refusal",
        "failed: simulated_failure",
    }
    assert all(len(picture.reasons) == 1 and not picture.thumbnail for picture in missing)


def test_a_picture_shows_its_people_or_the_reason_to_abstain(finished: Path) -> None:
    expected: dict[int, list[str]] = {0: ["no_person"], 1: [], 2: ["several_people"]}
    made = [picture for picture in gather_pictures(OpenStudy(finished)) if picture.image]
    assert {len(picture.planted) for picture in made} == {0, 1, 2}
    for picture in made:
        assert len(picture.faces) == len(picture.planted)
        assert picture.reasons == expected[len(picture.planted)]


def test_findings_are_groups_and_what_was_planted_stands_beside_them(finished: Path) -> None:
    picture = next(p for p in gather_pictures(OpenStudy(finished)) if len(p.faces) == 1)
    findings = {found.attribute: found.group for found in picture.faces[0].findings}
    assert list(findings) == ["gender", "age3", "tone3"]
    assert picture.planted == [tuple(findings.values())]


def test_boxes_are_fractions_of_the_picture(imported: OpenStudy) -> None:
    image = name_of(imported)
    see(imported, Observation(image, "simulated@1", 0, "gender", (0.25, 0.75), box=(50, 10, 150, 60)))
    (picture,) = gather_pictures(imported)
    assert picture.faces[0].box == (0.25, 0.1, 0.5, 0.5)
    assert picture.faces[0].findings == [Perceived("gender", "female", 0.75)]


def test_boxes_lie_on_the_picture_as_it_is_seen(imported: OpenStudy, tmp_path: Path, picture: Draw) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by 90 degrees: stored 40 wide and 20 high, seen 20 wide and 40 high
    data = picture(form="JPEG", size=(40, 20), exif=exif)
    bring(imported, tmp_path / "turned", {"phone/a nurse/0.jpg": data})
    (row,) = imported.workspace.query("SELECT image FROM outcomes WHERE ext = 'jpg'").to_pylist()
    see(imported, Observation(row["image"], "simulated@1", 0, "gender", (0.0, 1.0), box=(0, 0, 10, 10)))
    turned = next(p for p in gather_pictures(imported) if p.generator == "phone")
    assert (turned.width, turned.height) == (20, 40)
    assert turned.faces[0].box == (0.0, 0.0, 0.5, 0.25)


def test_a_person_without_a_box_or_an_answer_is_still_shown(imported: OpenStudy) -> None:
    image = name_of(imported)
    see(imported, Abstention(image, "simulated@1", "blurred", 0, "gender"), Abstention(image, "simulated@1", "tiny", 1))
    (picture,) = gather_pictures(imported)
    assert [(face.box, face.findings, face.reasons) for face in picture.faces] == [
        (None, [], [("gender", "blurred")]),
        (None, [], [("", "tiny")]),
    ]


def test_what_a_former_annotator_saw_is_not_shown(imported: OpenStudy) -> None:
    see(imported, Abstention(name_of(imported), "gone@1", "no_face"))
    assert gather_pictures(imported)[0].reasons == []


def test_thumbnails_are_small_pictures_of_the_same_shape(imported: OpenStudy, tmp_path: Path, picture: Draw) -> None:
    bring(imported, tmp_path / "large", {"big/a nurse/0.png": picture("blue", size=(900, 600))})
    large = next(p for p in gather_pictures(imported) if p.generator == "big")
    with Image.open(io.BytesIO(large.thumbnail)) as thumbnail:
        assert (thumbnail.format, thumbnail.size) == ("WEBP", (224, 149))
    assert (large.width, large.height) == (900, 600)


def test_a_picture_that_is_gone_leaves_its_place_and_a_reason(imported: OpenStudy) -> None:
    Path(imported.workspace.images.path(name_of(imported), "png")).unlink()
    (picture,) = gather_pictures(imported)
    assert (picture.thumbnail, picture.reasons) == (b"", ["no picture on disk"])


def test_a_picture_that_is_damaged_is_not_shown(imported: OpenStudy) -> None:
    Path(imported.workspace.images.path(name_of(imported), "png")).write_bytes(b"rotten")
    with pytest.raises(DamagedError, match="the image is damaged"):
        gather_pictures(imported)


def test_a_pending_image_is_an_empty_place(make_study: Make) -> None:
    study = OpenStudy(make_study())
    run_stages(study, RunControl(), ("plan",))
    assert [picture.reasons for picture in gather_pictures(study)] == [["pending"]] * 6


@pytest.mark.parametrize(("wanted", "shown"), [(0, 0), (2, 4), (99, 6)])
def test_the_study_says_how_many_pictures_of_each_prompt(make_study: Make, wanted: int, shown: int) -> None:
    study = OpenStudy(make_study(report={"pictures": wanted}))
    run_stages(study, RunControl(), ("plan",))
    assert len(gather_pictures(study)) == shown


def test_many_models_share_the_page(make_study: Make, tmp_path: Path, picture: Draw) -> None:
    study = OpenStudy(make_study(suite=None, generators=None, report={"most": 6}))
    names = [f"{model}/a nurse/{number}.png" for model in ("dalle", "flux", "sdxl") for number in range(4)]
    bring(study, tmp_path / "images", dict.fromkeys(names, picture()))
    pictures: list[Picture] = gather_pictures(study)
    assert [picture.generator for picture in pictures] == ["dalle"] * 2 + ["flux"] * 2 + ["sdxl"] * 2


def test_small_pictures_are_found_by_the_beginning_of_their_names(finished: Path) -> None:
    study = OpenStudy(finished)
    made = study.workspace.query("SELECT image FROM outcomes WHERE ext <> '' ORDER BY image LIMIT 2")[
        "image"
    ].to_pylist()
    found = gather_thumbnails(study, {made[0][:16], made[1][:16], "0" * 16})
    assert set(found) == {made[0][:16], made[1][:16]}
    assert all(data[8:12] == b"WEBP" for data in found.values())
    assert gather_thumbnails(study, ()) == {}
