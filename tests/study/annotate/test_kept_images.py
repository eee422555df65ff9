"""Images that are not where study.toml says: one that is gone is missing, all of them are somewhere else."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

import portrayal
from portrayal.annotators.annotator import Observed
from portrayal.errors import StudyError
from portrayal.records import Attribute, Image, Observation, attribute_table
from portrayal.store.images.allowed_stores import allow_store

Make = Callable[..., Path]
_GENDER = attribute_table()["gender"]
IMAGES = 6


@dataclass
class Reader:
    """Opens the file of every image, without looking whether there is one."""

    name: str = "reader@1"
    looks: bool = True
    citations: tuple[str, ...] = ()
    attributes: tuple[Attribute, ...] = (_GENDER,)

    def annotate(self, images: Sequence[Image]) -> Iterator[Observed]:
        for image in images:
            assert image.path is not None
            assert image.path.read_bytes()
            yield Observation(image.id, self.name, 0, "gender", mass=(1.0, 0.0))


@pytest.fixture
def study(make_study: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> portrayal.Study:
    """A study whose images lie in a folder elsewhere, and that an annotator is to look at."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    for name in ("pictures", "pictures typo"):
        (tmp_path / name).mkdir()
        allow_store(str(tmp_path / name))
    annotators = [{"use": "python:reader@1", "options": {"attributes": ["gender"]}}]
    folder = make_study(storage={"images": "../pictures"}, annotators=annotators)
    made = portrayal.Study(folder, annotator=Reader())
    made.generate(progress=False)
    return made


def look(study: portrayal.Study) -> list[str | None]:
    """Return the reason of each image, none of those that were seen."""
    portrayal.Study(study.folder, annotator=Reader()).annotate(progress=False)
    return [row["reason"] for row in study.observations()]


def pictures(study: portrayal.Study) -> Path:
    return study.folder.parent / "pictures"


def test_a_slip_in_the_address_is_no_missing_image(study: portrayal.Study) -> None:
    config = study.folder / "study.toml"
    right = config.read_text()
    config.write_text(right.replace("../pictures", "../pictures typo"))
    with pytest.raises(StudyError, match=r"pictures typo: none of the study's images is here .* \[storage\]"):
        look(study)
    config.write_text(right)
    assert look(study) == [None] * IMAGES


def test_some_that_are_gone_are_missing(study: portrayal.Study) -> None:
    first, *_ = sorted(pictures(study).glob("*/*"))
    first.unlink()
    assert sorted(map(str, look(study))) == ["None"] * (IMAGES - 1) + ["missing_file"]


def test_those_of_a_new_annotator_are_missing_where_any_other_is_left(study: portrayal.Study) -> None:
    _, *others = sorted(pictures(study).glob("*/*"))
    for file in others:
        file.unlink()
    assert look(study).count("missing_file") == IMAGES - 1


def test_all_that_were_looked_at_may_be_deleted(study: portrayal.Study) -> None:
    before = look(study)
    shutil.rmtree(pictures(study))
    pictures(study).mkdir()
    assert look(study) == before


def test_a_slip_in_the_address_shows_in_the_report_too(study: portrayal.Study) -> None:
    config = study.folder / "study.toml"
    right = config.read_text()
    look(study)
    config.write_text(right.replace("../pictures", "../pictures typo"))
    with pytest.raises(StudyError, match=r"pictures typo: none of the study's images is here .* Nothing was written"):
        portrayal.Study(study.folder, annotator=Reader()).report(progress=False)
    assert not (study.folder / "report").exists()
    config.write_text(right)
    first, *_ = sorted(pictures(study).glob("*/*"))
    first.unlink()
    page = portrayal.Study(study.folder, annotator=Reader()).report(progress=False)
    assert page.read_text().count("no picture on disk") >= 1


def test_without_a_store_elsewhere_there_is_a_page_without_pictures(make_study: Make) -> None:
    study = portrayal.Study(make_study())
    study.run(progress=False)
    shutil.rmtree(study.folder / "images")
    assert study.report(progress=False).exists()
