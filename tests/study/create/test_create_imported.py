"""A new study of images that exist already: its file names them, and runs as it is written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from portrayal.errors import ConfigError, InputError, StudyError, UnknownNameError
from portrayal.study.create.create_imported import create_imported
from portrayal.study.importing.folders.recognise import FoundFolder, recognise
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

Draw = Callable[..., bytes]


@pytest.fixture
def images(tmp_path: Path, picture: Draw) -> FoundFolder:
    """Return a folder of two models' pictures."""
    for number, model in enumerate(("sdxl", "pixart")):
        path = tmp_path / 'odd "folder" ü' / model / "a photo of one nurse, 4k" / "0.png"
        path.parent.mkdir(parents=True)
        path.write_bytes(picture((number, 0, 0)))
    return recognise(tmp_path / 'odd "folder" ü')


def create(folder: Path, images: FoundFolder, **changes: str) -> OpenStudy:
    options = {"title": "", "annotator": "simulated", **changes}
    _, lacking = create_imported(folder, images, **options)
    assert lacking == ()
    study = OpenStudy(folder)
    study.check()
    return study


@pytest.mark.slow
def test_it_runs_as_it_is_written_and_names_its_images_from_its_own_folder(images: FoundFolder, tmp_path: Path) -> None:
    study = create(tmp_path / "study", images)
    assert str(study.config.imports[0].images) == '../odd "folder" ü'
    assert (study.config.generators, study.suite) == ((), None)
    assert run_stages(study, RunControl()).is_file()
    assert study.workspace.tables["outcomes"].count() == 2


def test_a_suite_says_what_the_prompts_mean(images: FoundFolder, tmp_path: Path) -> None:
    create_imported(tmp_path / "study", images, title="", annotator="simulated", suite="occupations")
    study = OpenStudy(tmp_path / "study")
    assert study.config.suite is not None
    assert study.config.suite.use == "occupations"
    references = study.config.methods[0].options["references"]
    assert references == {"gender": "faintbench", "age3": "faintbench"}


def test_a_file_of_prompts_is_named_from_the_study(images: FoundFolder, tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("text,term\na photo of one nurse,nurse\n", encoding="utf-8")
    study = create(tmp_path / "study", images, suite=str(tmp_path / "mine.csv"))
    assert study.config.suite is not None
    assert study.config.suite.options == {"path": "../mine.csv"}


@pytest.mark.parametrize("method", ["faintbench", "bafis", "tbyb"])
def test_a_method_brings_its_suite(images: FoundFolder, tmp_path: Path, method: str) -> None:
    create_imported(tmp_path / "study", images, title="", annotator="simulated", method=method)
    study = OpenStudy(tmp_path / "study")
    assert study.suite is not None
    assert (study.suite.name, study.config.methods[0].use) == (method, method)


def test_what_cannot_be_is_refused_before_anything_is_written(images: FoundFolder, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="'simulatd'; did you mean 'simulated'"):
        create(tmp_path / "study", images, annotator="simulatd")
    with pytest.raises(UnknownNameError, match="method named 'bafiss'; did you mean 'bafis'"):
        create(tmp_path / "study", images, method="bafiss")
    with pytest.raises(ConfigError, match="scores the suite 'faintbench', not 'occupations'; leave --suite out"):
        create(tmp_path / "study", images, method="faintbench", suite="occupations")
    with pytest.raises(InputError, match=r"lies inside .*, the folder of the images; choose another place"):
        create(images.folder / "study", images)
    assert not (tmp_path / "study").exists()
    create(tmp_path / "study", images)
    with pytest.raises(StudyError, match="there is a study here already"):
        create(tmp_path / "study", images)


@pytest.mark.parametrize(
    ("method", "prompt", "said"),
    [
        (
            "biaspainter",
            "nurse",
            "the method 'biaspainter' scores edits of pictures, and imported images are not known",
        ),
        ("faintbench", "nurse", "the prompt of the images is not in the suite 'faintbench' (there: 'a photo of one"),
        ("faintbench", "nurse", "so the method 'faintbench' would score nothing; name the folders after its prompts"),
        (
            "bafis",
            "nurse",
            "so what the suite knows is not used; name the folders after its prompts (portrayal suites ",
        ),
        ("faintbench", "A photo of one nurse, 4k", ""),
        ("bafis", "A photo of the face of an accountant.", ""),
    ],
)
def test_images_that_a_method_cannot_score_are_something_to_do(
    tmp_path: Path, picture: Draw, method: str, prompt: str, said: str
) -> None:
    path = tmp_path / "images/sdxl" / prompt / "0.png"
    path.parent.mkdir(parents=True)
    path.write_bytes(picture((0, 0, 0)))
    folder = recognise(tmp_path / "images")
    _, lacking = create_imported(tmp_path / "study", folder, title="", annotator="simulated", method=method)
    about = [line for line in lacking if "score" in line or "suite" in line]
    assert len(about) == bool(said)
    assert said in "".join(about)


def test_how_many_prompts_a_suite_does_not_have_is_said(tmp_path: Path, picture: Draw) -> None:
    for prompt in ("nurse", "CEO"):
        path = tmp_path / "images/sdxl" / prompt / "0.png"
        path.parent.mkdir(parents=True)
        path.write_bytes(picture((0, 0, 0)))
    folder = recognise(tmp_path / "images")
    _, (said,) = create_imported(tmp_path / "study", folder, title="", annotator="simulated", suite="occupations")
    assert said.startswith("none of the 2 prompts is in the suite 'occupations' (there: 'a portrait photo of ")
    assert "name the folders after its prompts (portrayal suites show occupations), or list" in said
    (tmp_path / "mine.csv").write_text("text,term\na doctor,doctor\n", encoding="utf-8")
    suite = str(tmp_path / "mine.csv")
    _, (said,) = create_imported(tmp_path / "other", folder, title="", annotator="simulated", suite=suite)
    assert "(there: 'a doctor')" in said
    assert "suites show" not in said
