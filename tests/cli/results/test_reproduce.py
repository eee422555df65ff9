from __future__ import annotations

import json
import subprocess
from collections.abc import Callable

import pytest

from portrayal.methods.faintbench import paper_tables as module
from portrayal.methods.reproduction import PrintedNumber, Reproduction

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_json(cli: Run) -> None:
    ran = cli("reproduce", "faintbench", "--json")
    assert (ran.returncode, ran.stderr) == (0, "")
    found = json.loads(ran.stdout)
    assert (len(found["cells"]), found["agree"], found["errata"]) == (35, 31, 4)
    (cell,) = [cell for cell in found["cells"] if (cell["table"], cell["model"]) == (9, "LCM")]
    assert {key: cell[key] for key in ("row", "printed", "agrees", "erratum")} == {
        "row": "SR", "printed": 0.848909, "agrees": False, "erratum": True,
    }  # fmt: skip
    assert cell["computed"] == pytest.approx(0.4 * 0.946043 + 0.4 * 0.785212 + 0.2 * 0.882036, abs=1e-12)
    assert cell["difference"] == pytest.approx(cell["computed"] - cell["printed"], abs=1e-12)
    assert len(found["outside"]) == 4


def test_a_table_for_people(cli: Run) -> None:
    ran = cli("reproduce", "faintbench")
    assert ran.returncode == 0
    lines = ran.stdout.splitlines()
    assert lines[0].split() == ["table", "row", "model", "computed", "printed", "difference"]
    assert lines[1].split() == ["6", "Model", "SDXL", "0.8758478", "0.8758480", "-0.0000002", "agrees"]
    assert sum(" erratum: " in line for line in lines) == 4
    assert "DIFFERS" not in ran.stdout
    assert lines[-1].startswith("31 of 35 totals agree, 4 are errata of the paper; 59 of 59 further checks agree; 4 ")


def test_a_number_that_does_not_follow_ends_with_1(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    off = Reproduction(
        [PrintedNumber(6, "Model", "SDXL", 0.5, 0.6, 1e-5)], [PrintedNumber(2, "Score", "LCM", 0.5, 0.7, 1e-5)], []
    )
    monkeypatch.setattr(module, "reproduce", lambda: off)
    ran = cli("reproduce", "faintbench")
    assert ran.returncode == 1
    assert [line.split()[-1] for line in ran.stdout.splitlines()[1:3]] == ["DIFFERS", "DIFFERS"]
    assert cli("reproduce", "faintbench", "--json").returncode == 1


@pytest.mark.parametrize(("words", "mentioned"), [(["faintbnch"], "did you mean 'faintbench'?"), ([], "METHOD")])
def test_bad_input_is_one_line(cli: Run, words: list[str], mentioned: str) -> None:
    ran = cli("reproduce", *words)
    assert (ran.returncode, ran.stdout) == (2, "")
    (line,) = ran.stderr.splitlines()
    assert line.startswith("error: ")
    assert mentioned in line


def test_help_names_the_papers(cli: Run) -> None:
    assert "paper is recomputed: faintbench" in " ".join(cli("reproduce", "--help").stdout.split())
