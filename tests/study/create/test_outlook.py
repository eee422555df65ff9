"""What running a study comes to is said before: how many images, and how long as far as anybody knows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from portrayal.study.create.outlook import costs_line, outlook
from portrayal.study.plan.make_plan import plan
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]
OPENAI = {"use": "openai:gpt-image-1.5", "images": 2, "options": {"size": "1024x1024", "quality": "low"}}


def test_images_are_counted_and_their_time_is_told_roughly(make_study: Make) -> None:
    generators = [{"use": "simulated", "images": 40_000, "name": "Toy"}]
    assert outlook(OpenStudy(make_study(generators=generators))) == [
        "Toy draws 80,000 images: about 3 minutes on two cores",
        "simulated@1 looks at 80,000 images: about 1 minute on two cores",
        "with 40,000 images a prompt you will see deviations from a reference of 1 point or more over all prompts, "
        "four times in five; for a single term 1 point or more",
        "drawn in rounds ([sampling]), a share known to 10 points takes about 40, 59, 90, 126 images of a term where "
        "it is 5, 10, 20, 50 %",
    ]
    assert costs_line(OpenStudy(make_study("free", generators=generators))) == []


def rounds_line(study: OpenStudy) -> list[str]:
    return [line for line in outlook(study) if "[sampling]" in line]


def test_what_rounds_take_follows_the_settings_that_there_are(make_study: Make) -> None:
    about: dict[str, object] = {"attribute": "gender"}
    generators = [{"use": "simulated", "images": 90}]
    make = {"generators": generators, "sampling": {"about": about, "tolerance": 0.15, "pilot": 30}}
    [said] = rounds_line(OpenStudy(make_study("wide", **make)))
    assert "known to 15 points takes about 30, 31, 39, 56 images" in said
    by_prompt = {"about": {**about, "of": "prompt"}}
    assert rounds_line(OpenStudy(make_study("single", generators=generators, sampling=by_prompt))) == []


def test_what_nobody_knows_is_said(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    study = OpenStudy(make_study(generators=[OPENAI], annotators=[{"use": "simulated"}]))
    drawn, seen, too_few, _ = outlook(study)
    [cost] = costs_line(study)
    assert drawn.startswith("openai@1:gpt-image-1.5")
    assert drawn.endswith("draws 4 images: how long depends on the service; once it has begun, the time left is told")
    assert seen == "simulated@1 looks at 4 images: under a minute on two cores"
    assert too_few == "with 2 images a prompt no deviation from a reference will be certain, however large it is"
    assert cost.endswith("--dry-run")


def test_options_that_are_not_set_yet_are_named_as_the_cause(make_study: Make) -> None:
    study = OpenStudy(make_study(generators=[{"use": "diffusers:org/model"}]))
    assert outlook(study) == [
        "how many images that makes, and how long it takes, depends on the options that are not set yet"
    ]


def test_people_who_label_take_no_time_here(make_study: Make) -> None:
    study = OpenStudy(make_study(annotators=[{"use": "imported:people"}]))
    assert outlook(study)[0] == "simulated@1 draws 6 images: under a minute on two cores"
    assert not any("looks at" in line for line in outlook(study))


@pytest.mark.slow
def test_edits_are_counted_as_the_plan_counts_them(make_study: Make) -> None:
    suite = {"use": "biaspainter", "options": {"words": ["nurse", "CEO"], "null": ["same"]}}
    generators = [{"use": "simulated", "images": 2, "role": "draw"}, {"use": "simulated", "images": 3, "role": "edit"}]
    study = OpenStudy(make_study(suite=suite, generators=generators, methods=[{"use": "biaspainter"}]))
    plan(study, RunControl())
    planned = study.workspace.tables["jobs"].count()
    assert outlook(study)[0] == f"simulated@1 draws and edits {planned:,} images: under a minute on two cores"


def test_of_files_that_come_in_only_those_that_may_be_images_are_counted(make_study: Make, tmp_path: Path) -> None:
    folder = tmp_path / "pictures" / "sdxl" / "a nurse"
    folder.mkdir(parents=True)
    for name in ("0.png", "1.png", "notes.txt"):
        (folder / name).write_text("no picture", encoding="utf-8")
    imports = [{"images": str(tmp_path / "pictures"), "layout": "faintbench"}]
    study = OpenStudy(make_study(suite=None, generators=[], imports=imports))
    assert outlook(study) == [
        "2 files of 1 model come in", "simulated@1 looks at up to 2 images: under a minute on two cores",
    ]  # fmt: skip
