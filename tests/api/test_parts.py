"""Parts of one's own through ``portrayal.Study``: given to a new study, given again, and left out."""

from __future__ import annotations

import io
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image as Pillow

import portrayal
from portrayal.errors import ConfigError, StudyError
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
        portrayal.Study.create(tmp_path / "study", prompts=PROMPTS, generator=Squares)  # type: ignore[arg-type]
    assert not (tmp_path / "study").exists()
