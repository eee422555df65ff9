from __future__ import annotations

import csv
from importlib.resources import files
from pathlib import Path

import pytest

from portrayal.errors import InputError
from portrayal.generators.facegan import Facegan
from portrayal.generators.facegan.bank import CELLS
from portrayal.generators.facegan.profile import load_profile
from portrayal.records import Job, Prompt, plan_job

HEADER = "term,attribute,group,share\n"
DEFAULT = "".join(
    f"*,{attribute},{group},{1 if place == 0 else 0}\n"
    for attribute, groups in CELLS.items()
    for place, group in enumerate(groups)
)


def job(term: str, index: int = 0) -> Job:
    return plan_job(Prompt(f"a photo of one {term}", term), "facegan@1", index, study_seed=1)


def test_the_demo_profile_is_stereotyped_but_never_certain() -> None:
    profile = load_profile()
    assert len(profile.terms) >= 17
    for term in profile.terms:
        for attribute, shares in profile.shares(term).items():
            assert tuple(shares) == CELLS[attribute]
            assert sum(shares.values()) == pytest.approx(1.0)
            assert 0 < min(shares.values()) <= max(shares.values()) < 1
        if term != "*":
            assert abs(profile.shares(term)["gender"]["female"] - 0.5) >= 0.08


def test_the_demo_profile_lies_away_from_the_labour_statistics() -> None:
    released = files("portrayal.methods.faintbench") / "data" / "terms.csv"
    female = {row["term"].casefold(): float(row["female"]) for row in csv.DictReader(released.read_text().splitlines())}
    profile = load_profile()
    for term in profile.terms:
        if term != "*":
            assert abs(profile.shares(term)["gender"]["female"] - female[term]) >= 0.08, term


def test_a_profile_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(HEADER + DEFAULT + "Smith,gender,female,1\n\n", encoding="utf-8-sig")
    painter = Facegan("", Facegan.Options(profile=path))
    assert painter.truth(Prompt("a smith", "smith"))["gender"] == {"male": 0.0, "female": 1.0}
    assert painter.truth(Prompt("a smith", "smith"))["age3"]["young"] == 1.0
    assert {face.gender for index in range(50) for face in painter.pick(job("SMITH", index))} == {"female"}


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("Nurse,gendre,male,1\n", r"mine.csv:10: no attribute 'gendre'; did you mean 'gender'\?"),
        ("Nurse,middle.gender,male,1\n", r"mine.csv:10: no attribute 'middle.gender'"),
        ("Nurse,left.gendre,male,1\n", r"mine.csv:10: no attribute 'left.gendre'; did you mean 'gender'\?"),
        ("Nurse,left.gender,male,0.4\n", r"mine.csv:10: nurse, left.gender: the shares add up to 0.4"),
        ("Nurse,gender,woman,1\n", r"mine.csv:10: 'gender' has no group 'woman'"),
        ("Nurse,gender,male,1.5\n", r"mine.csv:10: the share 1.5 is not between 0 and 1"),
        ("Nurse,gender,male,nan\n", r"mine.csv:10: .*nan"),
        ("Nurse,gender,male,half\n", r"mine.csv:10: column 'share' must be a number, got 'half'"),
        ("Nurse,gender,male,0.4\nnurse,gender,female,0.5\n", r"mine.csv:11: nurse, gender: the shares add up to 0.9"),
        ("Nurse,gender,male,1\nNURSE,gender,male,1\n", r"mine.csv:11: NURSE, gender, male is given twice"),
        (",gender,male,1\n", r"mine.csv:10: the term is empty"),
        ("Nurse,gender,male\n", r"mine.csv:10: 3 values, but the header has 4 columns"),
    ],
)
def test_a_wrong_profile_names_file_and_line(tmp_path: Path, rows: str, message: str) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(HEADER + DEFAULT + rows, encoding="utf-8")
    with pytest.raises(InputError, match=message) as caught:
        load_profile(path)
    assert "mine.csv" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_profile_that_is_no_profile(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_bytes(b"term,attribute,group,share\n\xff,gender,male,1\n")
    with pytest.raises(InputError, match="not UTF-8"):
        load_profile(path)
    path.write_text("term,share\n")
    with pytest.raises(InputError, match="column 'attribute' is missing"):
        load_profile(path)
    path.write_text(HEADER + "Nurse,gender,male,1\n")
    with pytest.raises(InputError, match=r"mine.csv: no rows for term \* and gender, age3, tone3"):
        load_profile(path)
    with pytest.raises(InputError, match="no such file"):
        load_profile(tmp_path / "gone.csv")
