"""``portrayal measure STUDY --method faintbench --json``, on a small simulated study."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from portrayal.records import MEASUREMENT_SCHEMA

Ran = subprocess.CompletedProcess[str]
SUITE = {"use": "faintbench", "options": {"terms": ["rich", "poor", "Nurse", "Employer / Employee"]}}
METHODS = [
    {"use": "representation", "options": {"draws": 100}},
    {"use": "faintbench", "options": {"draws": 100, "profile": "plain"}},
]
SHARES = {
    "gender": {"male": 0.6, "female": 0.4},
    "race5": {"european": 0.5, "east_asian": 0.2, "african": 0.1, "latino": 0.1, "south_asian": 0.1},
    "age3": {"young": 0.5, "middle_aged": 0.3, "elderly": 0.2},
}
ANNOTATORS = [{"use": "simulated", "options": {"attributes": ["gender", "race5", "age3"]}}]


@pytest.fixture
def study(make_study: Callable[..., Path], cli: Callable[..., object]) -> Path:
    generators = [{"use": "simulated", "images": 2, "options": {"pixels": False, "shares": SHARES}}]
    batches = {"generate": {"batch": 1000}, "annotate": {"batch": 1000, "workers": 1}}
    folder = make_study(suite=SUITE, generators=generators, annotators=ANNOTATORS, methods=METHODS, **batches)
    for stage in ("generate", "annotate"):
        cli(stage, folder)
    return folder


@pytest.mark.slow
def test_json_holds_the_rows_of_that_method(study: Path, cli: Callable[..., Ran]) -> None:
    ran = cli("measure", study, "--method", "faintbench", "--json")
    assert ran.returncode == 0, ran.stderr
    rows = json.loads(ran.stdout)
    assert {row["method"] for row in rows} == {"faintbench"}
    assert all(list(row) == MEASUREMENT_SCHEMA.names for row in rows)
    overall = {row["metric"]: row for row in rows if row["level"] == "overall" and not row["attribute"]}
    assert set(overall) == {
        "implicit_score", "explicit_score", "explicit_score_hard", "manifestation", "hallucination_rate"
    }  # fmt: skip
    assert all(row["value"] is not None and row["low"] <= row["high"] for row in overall.values())
    implicit = overall["implicit_score"]
    parts = [row for row in rows if row["metric"] == "implicit_score" and row["level"] == "overall"]
    weights = {"gender": 0.4, "race5": 0.4, "age3": 0.2}
    total = sum(weights[row["attribute"]] * row["value"] for row in parts if row["attribute"])
    assert implicit["value"] == pytest.approx(total, abs=1e-12)
    assert (implicit["prompts"], implicit["n"] + implicit["missing"]) == (4, 8)


@pytest.mark.slow
def test_rows_of_other_methods_stay(study: Path, cli: Callable[..., Ran]) -> None:
    assert cli("measure", study).returncode == 0
    both = json.loads(cli("measure", study, "--json").stdout)
    assert {row["method"] for row in both} == {"representation", "faintbench"}
    again = json.loads(cli("measure", study, "--method", "faintbench", "--json").stdout)
    assert again == [row for row in both if row["method"] == "faintbench"]
    assert json.loads(cli("measure", study, "--json").stdout) == both


def test_an_unknown_method_is_one_line(study: Path, cli: Callable[..., Ran]) -> None:
    ran = cli("measure", study, "--method", "faintbnch", "--json")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "error: no method named 'faintbnch'; did you mean 'faintbench'?\n"
