"""Raters of a sheet and what an annotator read of the same images are put side by side."""

from __future__ import annotations

import csv
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal.cli.annotation.stand_in_lines import lines
from portrayal.errors import InputError, StudyError
from portrayal.study.agreement.stand_in import StandIn, stand_in
from portrayal.study.study import OpenStudy

TOOL = "simulated@1"
GENDER = {"use": "imported:people", "options": {"attributes": ["gender"]}}
GROUPS = {"male": (1.0, 0.0), "female": (0.0, 1.0)}
OTHER = {"male": "female", "female": "male"}


@pytest.fixture
def study(make_study: Callable[..., Path], by_hand: Callable[[Path], Any]) -> OpenStudy:
    """Return a study of 90 images, of whom the annotator misreads one in ten."""
    written = by_hand(make_study(annotators=[{"use": "simulated"}, GENDER]))
    for number in range(90):
        truth = "female" if number % 2 else "male"
        written.made(str(number), text="nurse")
        written.told(str(number), TOOL, 0, "gender", GROUPS[OTHER[truth] if number % 10 == 0 else truth])
    opened: OpenStudy = written.write()
    return opened


def sheet(study: OpenStudy, path: Path, misread: float, raters: str = "abc", images: int = 90) -> Path:
    """Let raters judge images, and misread so many of them."""
    rng = random.Random(4)
    rows = study.workspace.query("SELECT image, job FROM outcomes").to_pylist()
    order = {row["id"]: row["index"] for row in study.workspace.query('SELECT id, "index" FROM jobs').to_pylist()}
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("image", "rater", "gender"))
        for row in [row for row in rows if order[row["job"]] < images]:
            truth = "female" if order[row["job"]] % 2 else "male"
            for rater in raters:
                writer.writerow((row["image"], rater, OTHER[truth] if rng.random() < misread else truth))
    return path


def said(found: list[StandIn]) -> str:
    return "\n".join(line for test in found for line in lines(test))


def test_an_annotator_that_errs_as_people_do_may_stand_in(study: OpenStudy, tmp_path: Path) -> None:
    found = stand_in(study, sheet(study, tmp_path / "a.csv", misread=0.1))
    assert [(test.annotator, test.attribute, test.items) for test in found] == [(TOOL, "gender", 90)]
    assert found[0].test.passes
    assert "simulated@1, perceived gender: may stand in for these raters: it wins against 3 of 3, and" in said(found)
    plain = found[0].as_json()
    assert plain["passes"] is True
    assert [duel["rater"] for duel in plain["raters"]] == ["a", "b", "c"]


def test_beside_people_who_never_err_it_may_not(study: OpenStudy, tmp_path: Path) -> None:
    found = stand_in(study, sheet(study, tmp_path / "a.csv", misread=0.0), allowance=0.05)
    assert not found[0].test.passes
    assert "not shown that it may stand in for these raters: it wins against 0 of 3." in said(found)
    assert "no number of items would show it" in said(found)
    assert found[0].as_json()["items_needed"] is None
    allowed = stand_in(study, tmp_path / "a.csv", allowance=0.11)
    assert "items of each rater would show it in four of five tests" in said(allowed)


def test_few_raters_or_few_images_decide_nothing(study: OpenStudy, tmp_path: Path) -> None:
    two = stand_in(study, sheet(study, tmp_path / "a.csv", misread=0.1, raters="ab"))
    assert "too few answers to tell: the test takes 3 raters or more with 30 items or more" in said(two)
    assert "here are 2 of 2." in said(two)
    few = stand_in(study, sheet(study, tmp_path / "b.csv", misread=0.1, images=20))
    assert "here are 0 of 3." in said(few)
    assert few[0].as_json()["passes"] is None


def test_it_must_be_known_who_judged(study: OpenStudy, tmp_path: Path) -> None:
    path = sheet(study, tmp_path / "a.csv", misread=0.1, raters="a")
    path.write_text(path.read_text().replace(",a,", ",,"))
    with pytest.raises(InputError, match="fill the column 'rater'"):
        stand_in(study, path)


def test_somebody_must_have_read_the_same_images(study: OpenStudy, tmp_path: Path) -> None:
    path = sheet(study, tmp_path / "a.csv", misread=0.1)
    study.workspace.tables["observations"].replace([])
    with pytest.raises(StudyError, match=r"no annotator of .* reads what these raters answered"):
        stand_in(study, path)
    with pytest.raises(InputError, match="an allowance lies from 0 to below 1"):
        stand_in(study, path, allowance=1.0)
