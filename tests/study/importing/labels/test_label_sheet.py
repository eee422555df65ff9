"""The sheet for raters is a random sample, says nothing about models, and comes back as it went out."""

from __future__ import annotations

import csv
import shutil
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pytest
from PIL import Image

from portrayal.errors import InputError, StudyError
from portrayal.study.importing.folders.layouts import read_layout
from portrayal.study.importing.import_images import import_images
from portrayal.study.importing.labels.import_labels import check_labels, import_labels
from portrayal.study.importing.labels.imported_annotator import imported_annotator
from portrayal.study.importing.labels.label_sheet import Sample, write_sheet
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]
ANNOTATORS = [{"use": "imported:people", "options": {"attributes": ["gender", "age3", "age"]}}]


@pytest.fixture(scope="module")
def imported(write_study: Make, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a study with four images of three prompts by two models; only to be read."""
    folder = tmp_path_factory.mktemp("sample")
    root = write_study(folder / "study", suite=None, generators=None, annotators=ANNOTATORS)
    for number in range(24):
        model, prompt, image = number % 2, number // 2 % 3, number // 6
        path = folder / "in" / f"model{model}" / f"prompt {prompt}" / f"{image}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (8, 8), (number, 0, 0)).save(path)
    import_images(OpenStudy(root), read_layout("faintbench", folder / "in"), RunControl())
    return root


@pytest.fixture
def study(imported: Path, tmp_path: Path) -> Path:
    """Return a copy of it that a test may change."""
    return shutil.copytree(imported, tmp_path / "study")


def sheet(study: Path, name: str, sample: Sample) -> list[dict[str, str]]:
    opened, path = OpenStudy(study), study.parent / name
    count, _ = write_sheet(opened, path, imported_annotator(opened), sample)
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    assert len(rows) == count
    return rows


def test_as_many_of_each_prompt_and_model_as_asked_for(study: Path) -> None:
    rows = sheet(study, "a.csv", Sample(prompts=2, images=3, seed=0, models=True))
    assert list(rows[0]) == ["image", "path", "model", "prompt", "side", "rater", "person", "gender", "age3"]
    counts = Counter((row["model"], row["prompt"]) for row in rows)
    assert len(counts) == 4
    assert set(counts.values()) == {3}
    order = [(row["model"], row["prompt"]) for row in rows]
    assert sum(one != next_ for one, next_ in pairwise(order)) > len(counts), "the order tells who drew what"


def test_it_does_not_tell_the_model_unless_asked(study: Path) -> None:
    sheet(study, "a.csv", Sample(prompts=9, images=9, seed=0))
    text = (study.parent / "a.csv").read_text()
    assert "model" not in text
    assert len(text.splitlines()) == 25


def test_a_seed_gives_one_sample(study: Path) -> None:
    first, same, other = (
        sheet(study, f"{name}.csv", Sample(2, 2, seed)) for name, seed in (("a", 1), ("b", 1), ("c", 2))
    )
    assert first == same
    assert first != other


def test_the_pictures_lie_where_it_says(study: Path) -> None:
    for row in sheet(study, "a.csv", Sample(3, 4, 0)):
        assert (study / row["path"]).name == f"{row['image']}.png"
        assert (study / row["path"]).is_file()


def test_filled_in_it_comes_back(study: Path) -> None:
    rows = sheet(study, "a.csv", Sample(3, 4, 0))
    path = study.parent / "filled.csv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows([{**row, "gender": "female", "person": "yes"} for row in rows])
    opened = OpenStudy(study)
    assert import_labels(opened, check_labels(opened, path, imported_annotator(opened))) == {
        "rows": 24, "images": 24, "observations": 48, "could not tell": 24
    }  # fmt: skip


def test_a_filled_in_sheet_is_not_overwritten(study: Path) -> None:
    sheet(study, "a.csv", Sample(1, 1, 0))
    with pytest.raises(InputError, match=r"a\.csv: there is a file already"):
        sheet(study, "a.csv", Sample(1, 1, 0))


def test_two_people_have_a_row_each(make_study: Make, tmp_path: Path, picture: Callable[..., bytes]) -> None:
    root = make_study(generators=None, annotators=ANNOTATORS)
    path = tmp_path / "in" / "sdxl" / "a photo of a nurse" / "0.png"
    path.parent.mkdir(parents=True)
    path.write_bytes(picture())
    opened = OpenStudy(root)
    import_images(opened, read_layout("faintbench", tmp_path / "in"), RunControl())
    prompts = opened.workspace.tables["prompts"]
    (table,) = prompts.batches()
    pair = table.set_column(table.schema.get_field_index("people"), "people", pa.array([2, 2], pa.int32()))
    prompts.replace([pair])
    assert write_sheet(opened, tmp_path / "a.csv", imported_annotator(opened), Sample(9, 9, 0))[0] == 1
    rows = list(csv.DictReader((tmp_path / "a.csv").read_text().splitlines()))
    assert [row["side"] for row in rows] == ["left", "right"]


@pytest.mark.slow
def test_rejected_images_are_not_asked_about(redrawn: tuple[OpenStudy, set[str]], tmp_path: Path) -> None:
    study, rejected = redrawn
    count, _ = write_sheet(study, tmp_path / "a.csv", imported_annotator(study), Sample(99, 99, 0))
    asked = {row["image"] for row in csv.DictReader((tmp_path / "a.csv").read_text().splitlines())}
    assert count == len(asked) == 18 + 18  # every seed and its edit
    assert asked & rejected == set()


def test_without_pictures_there_is_nothing_to_label(make_study: Make) -> None:
    root = make_study(generators=None, annotators=ANNOTATORS)
    with pytest.raises(StudyError, match="no pictures to label yet"):
        sheet(root, "a.csv", Sample(1, 1, 0))
