"""``portrayal power``: the answer first, a table, a curve, JSON, and one line where something is wrong."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from portrayal import Study
from portrayal.errors import InputError

Run = Callable[..., subprocess.CompletedProcess[str]]
Make = Callable[..., Path]


@pytest.fixture
def study(make_study: Make) -> Path:
    """Return a study of which nothing is drawn yet."""
    return make_study(generators=[{"use": "simulated", "name": "Toy", "images": 30}])


def test_the_answer_comes_first_then_the_table_and_what_it_takes(study: Path, cli: Run) -> None:
    ran = cli("power", study, "--deviation", "0.2", "--share", "0.3")
    assert (ran.returncode, ran.stderr) == (0, "")
    lines = ran.stdout.splitlines()
    assert lines[0].startswith("assumed (nothing is measured yet): 1 prompt a term, a share of 30%")
    assert lines[1].startswith("with 30 images a prompt you will see deviations")
    answer = next(line for line in lines if line.startswith("deviations of 20 points from the reference found: "))
    images = answer.split(": ")[1].split()[0]
    row = next(line for line in lines if line.startswith(f"{images} ") and line.endswith("deviation"))
    assert row.split()[4] == "20"
    assert any(line.startswith(f"{images} ") and "Toy" in line and "draws" in line for line in lines)


def test_json_holds_the_same_and_more(study: Path, cli: Run) -> None:
    plan = json.loads(cli("power", study, "--half-width", "0.05", "--decision", "0.1", "--json").stdout)
    assert set(plan) == {"sentences", "answers", "assumptions", "rows", "costs"}
    assert plan["answers"] == {"half_width": 402, "decision": pytest.approx(269, abs=5)}
    row = next(row for row in plan["rows"] if row["images_a_prompt"] == 402)
    assert row["answers"] == "half_width"
    assert row["half_width"] == pytest.approx(0.05, abs=1e-3)
    assert row["images"] == 804
    assert row["half_width_like"] is None
    assert {cost["does"] for cost in plan["costs"]} == {"draws", "looks at"}


def test_the_curve_is_a_picture(study: Path, cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "curve.svg"
    assert cli("power", study, "--curve", file).stdout.endswith("curve.svg written\n")
    drawn = file.read_text()
    assert drawn.startswith("<svg")
    assert "deviation from the reference that is found" in drawn
    assert drawn.count("<path") >= 4


def test_the_curve_speaks_the_language_of_the_report(make_study: Make) -> None:
    folder = make_study(generators=[{"use": "simulated", "images": 30}], report={"language": "de"})
    assert "Punkte" in Study(folder).power().plot().svg


@pytest.mark.parametrize(
    "words",
    [
        ("--deviation", "20"),
        ("--power", "0"),
        ("--share", "-1"),
        ("--prompts", "0"),
        ("--curve", "c.gif"),
        ("--difference", "0.6", "--share", "0.5"),
        ("--deviation", "0.8", "--target", "0.3"),
    ],
)
def test_what_is_wrong_is_one_line(study: Path, cli: Run, words: tuple[str, ...]) -> None:
    ran = cli("power", study, *words)
    assert ran.returncode == 2
    assert len(ran.stderr.splitlines()) == 1
    assert ran.stderr.startswith("error: ")


def test_what_no_number_of_images_answers_is_said(study: Path) -> None:
    plan = Study(study).power(half_width=0.0001)
    assert plan.answers == {"half_width": None}
    assert plan.sentences[-1].endswith("no number of images that could be drawn answers that")
    with pytest.raises(InputError, match="half_width"):
        Study(study).power(half_width=True)
