"""Labels need an annotator of their own: it is found, or added to study.toml with nothing else changed."""

from __future__ import annotations

import csv
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from portrayal.errors import ConfigError, UnknownNameError
from portrayal.study.importing.labels.imported_annotator import add_annotator, labelling_annotator
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]
Draw = Callable[..., bytes]
Run = Callable[..., subprocess.CompletedProcess[str]]
TEXT = """# mine
[study]
title = "What people see"

[[annotators]]
use = "simulated"           # the first

[report]
pictures = 3"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a study of one annotator that looks, and no line end at the end of its file."""
    (tmp_path / "study").mkdir()
    (tmp_path / "study/study.toml").write_text(TEXT, encoding="utf-8")
    return tmp_path / "study"


@pytest.mark.parametrize(
    ("name", "use"),
    [
        ("", "imported:people"),
        ("ann & bob", "imported:ann & bob"),
        ("imported:x", "imported:x"),
        ('"q"', 'imported:"q"'),
    ],
)
def test_it_is_added_to_the_end_and_all_else_stays(root: Path, name: str, use: str) -> None:
    study = OpenStudy(root)
    annotator = labelling_annotator(study, name)
    said = add_annotator(study, annotator)
    text = (root / "study.toml").read_text(encoding="utf-8")
    assert text.startswith(f"{TEXT}\n\n[[annotators]]")
    again = OpenStudy(root)
    assert [own.use for own in again.config.annotators] == ["simulated", use]
    assert again.config.report == study.config.report
    assert said.startswith(f"{root / 'study.toml'}: added a table [[annotators]] with use = ")
    assert labelling_annotator(again, name).name == annotator.name
    assert add_annotator(again, annotator) == ""
    assert (root / "study.toml").read_text(encoding="utf-8") == text


def test_where_there_is_one_a_slip_adds_no_other(root: Path) -> None:
    study = OpenStudy(root)
    add_annotator(study, labelling_annotator(study, "humans"))
    with pytest.raises(UnknownNameError, match="called 'humnas'; did you mean 'humans'"):
        labelling_annotator(OpenStudy(root), "humnas")


def test_annotators_in_one_line_are_left_to_the_user(make_study: Make) -> None:
    study = OpenStudy(make_study())
    before = (study.root / "study.toml").read_bytes()
    with pytest.raises(ConfigError, match='add an annotator with use = "imported:people" to those that are there'):
        add_annotator(study, labelling_annotator(study))
    assert (study.root / "study.toml").read_bytes() == before


@pytest.mark.slow
def test_from_pictures_to_labels_without_an_edit(root: Path, cli: Run, picture: Draw, tmp_path: Path) -> None:
    path = tmp_path / "pictures/sdxl/a nurse/0.png"
    path.parent.mkdir(parents=True)
    path.write_bytes(picture("red"))
    assert cli("labels", root, "--to", tmp_path / "early.csv").returncode == 2
    assert (root / "study.toml").read_text(encoding="utf-8") == TEXT  # nothing to label yet, so nothing is changed
    assert cli("import", root, "--images", tmp_path / "pictures", "--layout", "faintbench").returncode == 0
    said = cli("labels", root, "--to", tmp_path / "sheet.csv")
    assert said.stdout.splitlines()[0].endswith("for labels of gender, race5, age3; other ones: its option attributes")
    rows = list(csv.DictReader((tmp_path / "sheet.csv").read_text(encoding="utf-8").splitlines()))
    with (tmp_path / "filled.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerow({**rows[0], "gender": "female"})
    done = cli("import", root, "--labels", tmp_path / "filled.csv")
    assert (done.returncode, "added" in done.stderr) == (0, False)
    (root / "study.toml").write_text(TEXT, encoding="utf-8")
    again = cli("import", root, "--labels", tmp_path / "filled.csv", "--annotator", "others")
    assert 'with use = "imported:others"' in again.stderr
    assert cli("report", root).returncode == 0
