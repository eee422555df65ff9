"""Whoever reads numbers of a run that was stopped is told so, and how many images are still to come."""

from __future__ import annotations

from pathlib import Path

import pytest

from portrayal import Study

STUDY = """
[study]
title = "Stopped"

[suite]
use = "file"
options.path = "prompts.csv"

[[generators]]
use = "simulated"
name = "A"
images = 10
options.pixels = false

[[generators]]
use = "simulated"
name = "B"
images = 10
options = { pixels = false, no_person = 0.1 }

[[annotators]]
use = "simulated"

[[annotators]]
use = "imported:people"
name = "People"
options.attributes = ["gender"]
"""


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """Return a study whose images are all drawn and looked at; nobody labelled any."""
    (tmp_path / "study.toml").write_text(STUDY)
    (tmp_path / "prompts.csv").write_text("text,term\na photo of one nurse,nurse\n")
    study = Study(tmp_path)
    study.run(progress=False)
    return study


def not_over(study: Study) -> list[str]:
    return [each.not_over.replace("\xa0", " ") for each in (study.findings(), study.compare())]


def test_images_to_come_are_counted_once_and_labels_are_none(study: Study) -> None:
    assert not_over(study) == ["", ""]
    settings = study.folder / "study.toml"
    settings.write_text(settings.read_text().replace("images = 10", "images = 15"))
    stopped = Study(study.folder)
    stopped.plan(progress=False)
    stopped.measure(progress=False)
    assert (
        not_over(stopped)
        == [
            "The run is not over: 10 images are still to be drawn or looked at, and numbers count what is not there as "
            "missing. Finish it with: portrayal run."
        ]
        * 2
    )
    stopped.generate(progress=False)
    stopped.measure(progress=False)
    assert not_over(stopped)[0].startswith("The run is not over: 10 images are still to be")
    settings.write_text(settings.read_text() + '\n[report]\nlanguage = "de"\n')
    assert Study(study.folder).findings().not_over.startswith("Der Lauf ist nicht zu Ende: 10")
    Study(study.folder).run(progress=False)
    assert not_over(Study(study.folder)) == ["", ""]
