"""People's labels come in whole or not at all; what they disagree about stays visible; nothing is taken twice."""

from __future__ import annotations

import csv
import io
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from portrayal.csvfile import CsvRow
from portrayal.errors import InputError
from portrayal.records import Prompt, attribute_table
from portrayal.study.importing.folders.layouts import read_layout
from portrayal.study.importing.import_images import import_images
from portrayal.study.importing.labels.find_image import Target
from portrayal.study.importing.labels.import_labels import check_labels, combine, import_labels
from portrayal.study.importing.labels.imported_annotator import imported_annotator
from portrayal.study.importing.labels.read_sheet import Answer
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow

Make = Callable[..., Path]
Rows = Callable[[Path], dict[str, list[str]]]
NURSE, PAIR = "a photo of a nurse", "One boss at left with one clerk at right"


@pytest.fixture(scope="module")
def imported(write_study: Make, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a study with two pictures of a nurse and one of a boss and a clerk, by sdxl; only to be read."""
    folder = tmp_path_factory.mktemp("labels")
    root = write_study(folder / "study", generators=None, annotators=[{"use": "imported:people"}])
    for name, colour in ((f"{NURSE}/0", "red"), (f"{NURSE}/1", "green"), (f"{PAIR}/0", "blue")):
        path = folder / "in" / "sdxl" / f"{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (8, 8), colour).save(path)
    opened = OpenStudy(root)
    assert opened.suite is not None
    opened.suite = replace(opened.suite, prompts=(*opened.suite.prompts, Prompt(PAIR, "boss", people=2)))
    import_images(opened, read_layout("faintbench", folder / "in"), RunControl())
    return root


@pytest.fixture
def study(imported: Path, tmp_path: Path) -> Path:
    """Return a copy of it that a test may change."""
    return shutil.copytree(imported, tmp_path / "study")


def images(study: Path) -> dict[tuple[str, int], str]:
    sql = 'SELECT text, "index", image FROM jobs JOIN prompts ON prompts.id = prompt JOIN outcomes ON job = jobs.id'
    rows = OpenStudy(study).workspace.query(sql).to_pylist()
    return {(row["text"], row["index"]): row["image"] for row in rows}


def bring(study: Path, text: str, name: str = "sheet.csv") -> Counter[str]:
    path = study.parent / name
    path.write_text(text, encoding="utf-8")
    opened = OpenStudy(study)
    labels = check_labels(opened, path, imported_annotator(opened))
    with opened.workspace.writing():
        return import_labels(opened, labels)


def seen(study: Path) -> dict[tuple[str, int, str], Any]:
    """Return mass or reason by image, subject and attribute."""
    rows = (
        OpenStudy(study).workspace.query("SELECT * FROM observations WHERE annotator = 'imported:people'").to_pylist()
    )
    return {(row["image"], row["subject"], row["attribute"]): row["mass"] or row["reason"] for row in rows}


def test_labels_come_in_by_name_prefix_and_path(study: Path, imported: Path) -> None:
    known = images(study)
    one, two = known[NURSE, 0], known[NURSE, 1]
    sheet = f"image,gender,race,age\n{one[:8].upper()},Female,East-Asian,middle aged\n"
    sheet += f"{imported.parent}/in/sdxl/{NURSE}/1.png,male,,Elderly\n"
    assert bring(study, sheet) == {"rows": 2, "images": 2, "observations": 5, "could not tell": 1}
    assert seen(study) == {
        (one, 0, "gender"): [0, 1],
        (one, 0, "race5"): [0, 1, 0, 0, 0],
        (one, 0, "age3"): [0, 1, 0],
        (two, 0, "gender"): [1, 0],
        (two, 0, "race5"): "raters_could_not_tell",
        (two, 0, "age3"): [0, 0, 1],
    }


def test_images_can_be_named_by_model_prompt_and_index_and_by_the_picture_in_the_study(study: Path) -> None:
    known = images(study)
    bring(study, f"model,prompt,index,gender\nsdxl,{NURSE.upper()},1,male\n")
    name = known[NURSE, 0]
    bring(study, f"image,gender\nimages/{name[:2]}/{name}.png,female\n", "second.csv")
    assert seen(study) == {(known[NURSE, 1], 0, "gender"): [1, 0], (name, 0, "gender"): [0, 1]}


def test_a_relative_source_path_is_found(study: Path, imported: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(imported.parent)
    bring(study, f"image,gender\nin/sdxl/{NURSE}/0.png,female\n")
    assert list(seen(study).values()) == [[0, 1]]


def test_the_mass_is_the_share_of_raters(study: Path) -> None:
    name = images(study)[NURSE, 0]
    sheet = "image,rater,gender,age3\n" + "".join(
        f"{name},{rater},{gender},{age}\n"
        for rater, gender, age in (("ann", "male", "young"), ("bob", "female", ""), ("cy", "female", "?"))
    )
    bring(study, sheet)
    assert seen(study)[name, 0, "gender"] == pytest.approx([1 / 3, 2 / 3])
    assert seen(study)[name, 0, "age3"] == [1, 0, 0]


def test_rows_without_a_rater_are_raters_of_their_own(study: Path) -> None:
    name = images(study)[NURSE, 0]
    bring(study, f"image,gender\n{name},male\n{name},female\n")
    assert seen(study)[name, 0, "gender"] == [0.5, 0.5]


@pytest.mark.parametrize(("right", "left"), [("yes", "no"), ("no", "yes"), ("no", "")])
def test_sides_are_left_and_right(study: Path, right: str, left: str) -> None:
    name = images(study)[PAIR, 0]
    bring(study, f"image,side,gender,person\n{name},Right,female,{right}\n{name},left,male,{left}\n")
    assert seen(study) == {
        (name, 0, "gender"): [1, 0],
        (name, 1, "gender"): [0, 1],
        (name, 0, "person"): [0, 1],  # of the two that were asked for, the one rater misses one
    }


def test_a_hallucination_is_what_raters_say_shows_no_person(study: Path) -> None:
    name = images(study)[NURSE, 0]
    bring(study, f"image,rater,person,gender\n{name},ann,no,\n{name},bob,No,\n{name},cy,YES,male\n{name},di,,?\n")
    assert seen(study)[name, 0, "person"] == pytest.approx([1 / 3, 2 / 3])
    assert seen(study)[name, 0, "gender"] == [1, 0]


def test_rows_left_empty_are_no_answer(study: Path) -> None:
    one, two = images(study)[NURSE, 0], images(study)[NURSE, 1]
    sheet = f"image,rater,gender,age3\n{one},ann,male,\n{two},ann,,\n"
    assert bring(study, sheet)["rows left empty"] == 1
    assert {key[0] for key in seen(study)} == {one}
    bring(study, f"image,rater,gender,age3\n{one},ann,male,\n{two},ann,?,?\n")
    assert seen(study)[two, 0, "gender"] == "raters_could_not_tell"


def test_the_same_sheet_again_adds_nothing(study: Path, rows: Rows) -> None:
    name = images(study)[NURSE, 0]
    sheet = f"image,rater,gender,age3\n{name},ann,male,\n{name},bob,female,\n{name},cy,female,\n"
    bring(study, sheet)
    before = rows(study)
    assert bring(study, sheet) == {"rows": 3, "images": 1, "already there": 2}
    assert rows(study) == before


def test_another_sheet_adds_other_images_and_contradicts_nothing(study: Path, rows: Rows) -> None:
    one, two = images(study)[NURSE, 0], images(study)[NURSE, 1]
    bring(study, f"image,gender\n{one},male\n")
    before = rows(study)
    said = rf"sheet\.csv:3: imported:people has said something else about image {one[:12]} before"
    for header, cells in (("gender", "female"), ("gender,age3", "male,young"), ("age3", "young"), ("gender", "?")):
        with pytest.raises(InputError, match=said):
            bring(study, f"image,{header}\n{two},{cells}\n{one},{cells}\n")
    assert rows(study) == before
    assert bring(study, f"image,gender\n{two},male\n{one},male\n") == {
        "rows": 2, "images": 2, "observations": 1, "already there": 1
    }  # fmt: skip


def test_the_rows_of_an_image_stand_together(study: Path) -> None:
    pair, one = images(study)[PAIR, 0], images(study)[NURSE, 0]
    sheet = f"image,side,gender,person\n{pair},left,male,yes\n{one},,male,yes\n{pair},right,male,yes\n"
    bring(study, sheet)
    (table,) = OpenStudy(study).workspace.tables["observations"].batches()
    assert table["image"].to_pylist() == [pair] * 3 + [one] * 2


@pytest.mark.parametrize(
    ("sheet", "said"),
    [
        ("", "sheet.csv: the file is empty; its first line must name the columns image, gender, race5, age3"),
        ("image,gender\n", "the file has a header but no rows"),
        ("image,gender\n{one},\n", "sheet.csv: no row is filled in"),
        ("image,gendr\n{one},male\n", "unknown column 'gendr'; did you mean 'gender'?"),
        ("picture,gender\n{one},male\n", "unknown column 'picture'"),
        ("model,prompt,gender\nsdxl,p,male\n", "column 'image' is missing, or the columns model, prompt and index"),
        ("image\n{one}\n", "no column of labels; name one of gender, race5, age3"),
        ("image,race,race5\n{one},latino,latino\n", "two columns for one attribute among race, race5"),
        ("image,gender\n{one},male\n{one},men\n", "sheet.csv:3: column 'gender' has no group 'men'"),
        ("image,age\n{one},60+\n", "sheet.csv:2: column 'age' has no group '60+'; known: elderly, middle_aged, young"),
        ("image,person\n{one},maybe\n", "sheet.csv:2: column 'person' must be yes or no, got 'maybe'"),
        (
            "image,gender\n{one},male\nabcdef0123,male\n",
            "sheet.csv:3: no image 'abcdef0123' in this study; give",
        ),
        ("image,gender\n{short},male\n", "no image"),
        ("image,model,prompt,index,gender\n,sdxl,,0,male\n", "sheet.csv:2: which image?"),
        ("model,prompt,index,gender\nsdxl,a photo of a nurze,0,male\n", "no prompt 'a photo of a nurze'"),
        ("model,prompt,index,gender\nsdlx,a photo of a nurse,0,male\n", "no model 'sdlx' in this study; did you mean"),
        ("model,prompt,index,gender\nsdxl,a photo of a nurse,first,male\n", "column 'index' must be a whole number"),
        ("model,prompt,index,gender\nsdxl,a photo of a nurse,9,male\n", "there is no image 9 of this prompt by 'sdxl'"),
        ("image,side,gender\n{one},left,male\n", "column 'side' must be empty, the prompt asks for one person"),
        ("image,gender\n{pair},male\n", "column 'side' must be left or right, got ''"),
        ("image,rater,gender\n{one},ann,male\n{one},ann,male\n", "sheet.csv:3: 'ann' judged this person already at"),
    ],
)
def test_a_sheet_with_a_mistake_is_refused_and_adds_nothing(study: Path, rows: Rows, sheet: str, said: str) -> None:
    known = images(study)
    before = rows(study)
    text = sheet.format(one=known[NURSE, 0], short=known[NURSE, 0][:7], pair=known[PAIR, 0])
    with pytest.raises(InputError) as caught:
        bring(study, text)
    assert said in str(caught.value)
    assert rows(study) == before


def test_an_image_that_two_runs_count_alike_must_be_named(study: Path, tmp_path: Path, picture: Any) -> None:
    path = tmp_path / "more" / "sdxl" / NURSE / "0.png"
    path.parent.mkdir(parents=True)
    path.write_bytes(picture("yellow"))
    import_images(OpenStudy(study), read_layout("faintbench", tmp_path / "more"), RunControl())
    with pytest.raises(InputError, match="2 images are image 0 of this prompt by 'sdxl'; name them in column 'image'"):
        bring(study, f"model,prompt,index,gender\nsdxl,{NURSE},0,male\n")


@given(st.lists(st.sampled_from(["male", "female", None]), min_size=1, max_size=12))
def test_masses_are_shares_of_those_who_could_tell(votes: list[str | None]) -> None:
    row = CsvRow("sheet.csv:2", {})
    answers = [(Answer(row, {"gender": vote}, None, True), Target("a", 1)) for vote in votes]
    (judged,) = combine(answers, attribute_table())
    _, _, mass, reason = judged.finding
    told = [vote for vote in votes if vote]
    assert (mass is None) == (not told) == (reason is not None)
    if mass:
        assert mass == pytest.approx((told.count("male") / len(told), told.count("female") / len(told)))


def test_quoted_cells_and_a_byte_order_mark_are_read(study: Path) -> None:
    text = io.StringIO()
    csv.writer(text).writerows([["image", "rater", "gender"], [images(study)[NURSE, 0], "Ann, B.", "male"]])
    assert bring(study, "\ufeff" + text.getvalue())["observations"] == 1
