"""Results that exist already, from the command line: what comes in, and one line for whatever is wrong."""

from __future__ import annotations

import csv
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

Ran = subprocess.CompletedProcess[str]
Run = Callable[..., Ran]
Make = Callable[..., Path]
Tree = Callable[[Path], dict[str, bytes | None]]

PERSON = {
    "gender": {"man": 0.25, "woman": 0.75},
    "race": {"European": 1, "East-asian": 0, "African": 0, "Latino": 0, "South-Asian": 0},
    "age": {"10~29 years old": 1, "31~59 years old": 0, "60 years old or older": 0},
}
FILE = {"a photo of a nurse, 4k": {"image_1": PERSON, "image_3": PERSON}, "a juggler": {"image_1": PERSON}}


@pytest.fixture
def study(make_study: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a study beside files to import, in the folder that commands run in."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sdxl.json").write_text(json.dumps(FILE))
    (tmp_path / "bad.json").write_text(
        json.dumps({"a nurse": {"image_1": {**PERSON, "gender": {"man": 2, "woman": 0}}}})
    )
    (tmp_path / "sheet.csv").write_text("image,gender\n0123456789,male\n")
    return make_study(annotators=[{"use": "simulated"}, {"use": "imported:clip"}])


def test_a_file_of_the_authors_comes_in(cli: Run, study: Path) -> None:
    ran = cli("import", study, "--faintbench-json", "sdxl.json")
    assert ran.returncode == 0
    assert ran.stdout.splitlines() == [
        "imported                         count",
        "images                           3",
        "set aside by the authors         1",
        "prompts                          2",
        "prompts the suite does not have  1",
    ]
    again = cli("import", study, "--faintbench-json", "sdxl.json", "--annotator", "clip", "--json")
    assert json.loads(again.stdout) == {"prompts": 2, "prompts the suite does not have": 1, "already there": 4}
    status = json.loads(cli("status", study, "--json").stdout)
    assert status["outcomes"]["sdxl"] == {"made": 4}
    assert status["judged"]["imported:clip"] == 4


def test_a_sheet_goes_out_and_comes_back(cli: Run, study: Path) -> None:
    assert cli("generate", study).returncode == 0
    ran = cli("labels", study, "--to", "out.csv", "--prompts", "1", "--images", "2", "--seed", "4")
    assert (ran.returncode, ran.stdout) == (
        0,
        "out.csv written: 2 images to label; filled in, import it with --labels\n",
    )
    rows = list(csv.DictReader(Path("out.csv").read_text().splitlines()))
    assert "model" not in rows[0]
    with Path("out.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows([{**row, "gender": "Female"} for row in rows])
    ran = cli("import", study, "--labels", "out.csv", "--json")
    assert json.loads(ran.stdout) == {"rows": 2, "images": 2, "observations": 2, "could not tell": 4}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("import study", "nothing to import; give --images, --faintbench-json, --biasig-json, or --labels"),
        ("import study --annotator clip", "nothing to import"),
        ("import study --images in", "in: no such folder; --images takes the folder that holds the images"),
        ("import study --images in --labels sheet.csv", "--images and --labels exclude each other"),
        ("import study --faintbench-json sdxl.json --labels sheet.csv", "--faintbench-json and --labels exclude"),
        (
            "import study --labels sheet.csv --model sdxl",
            "--model goes with --images or --faintbench-json or --biasig-json, not",
        ),
        ("import study --labels sheet.csv --layout bafis", "--layout goes with --images, not with --labels"),
        (
            "import study --images in --layout bafis --annotator clip",
            "--annotator goes with --faintbench-json or --biasig-json or --lab",
        ),
        ("import study --faintbench-json gone.json", "gone.json: no such file; check the path"),
        ("import study --faintbench-json sheet.csv", "sheet.csv:1: not valid JSON: { is expected"),
        ("import study --faintbench-json bad.json", "bad.json: prompt 'a nurse', image_1: 'gender' must hold shares"),
        ("import study --faintbench-json sdxl.json --annotator clap", "called 'clap'; did you mean 'clip'?"),
        ("import study --faintbench-json sdxl.json --annotator simulated@1", "called 'simulated@1'"),
        ("import study --faintbench-json sdxl.json --model simulated@1", "is a generator of this study too"),
        ("import study --labels gone.csv", "gone.csv: no such file"),
        ("import study --labels sheet.csv", "sheet.csv:2: no image '0123456789' in this study"),
        ("labels study --to sheet.csv", "sheet.csv: there is a file already"),
        ("labels study --to out.csv", "study: no pictures to label yet"),
        ("labels study --to out.csv --prompts 0", "--prompts"),
        ("labels study", "--to"),
    ],
)
def test_a_mistake_is_one_line_and_writes_nothing(
    cli: Run, study: Path, tmp_path: Path, tree: Tree, words: str, said: str
) -> None:
    before = tree(tmp_path)
    ran = cli(*words.split())
    assert (ran.returncode, ran.stdout) == (2, "")
    (line,) = ran.stderr.splitlines()
    assert line.startswith("error: ")
    assert said in line
    assert tree(tmp_path) == before


@pytest.mark.parametrize(
    ("annotators", "words", "said"),
    [
        (["simulated"], "", 'nobody to import for; add a table [[annotators]] with the line use = "imported:NAME"'),
        (["simulated"], "--annotator clip", 'with the line use = "imported:clip"'),
        (["imported:a", "imported:b"], "", "say for whom with --annotator, one of: imported:a, imported:b"),
    ],
)
def test_for_whom_it_is_must_be_clear(
    cli: Run, make_study: Make, study: Path, annotators: list[str], words: str, said: str
) -> None:
    other = make_study("other", annotators=[{"use": name} for name in annotators])
    ran = cli("import", other, "--faintbench-json", "sdxl.json", *words.split())
    assert (ran.returncode, ran.stdout) == (2, "")
    (line,) = ran.stderr.splitlines()
    assert line.startswith(f"error: {other}/study.toml: ")
    assert said in line
