"""A suite is shown in full: what each prompt asks for, what it is compared with, and what is drawn."""

from __future__ import annotations

import csv
import io
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Ran = subprocess.CompletedProcess[str]
Run = Callable[..., Ran]
OLD_COLUMNS = ["id", "text", "term", "category", "variant", "language", "weight"]
SMALL = {"use": "faintbench", "options": {"terms": ["Nurse", "Friend / Friend"], "attributes": ["gender"]}}


def done(ran: Ran) -> str:
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_all_2654_prompts_one_per_line_as_they_are_drawn(cli: Run) -> None:
    lines = done(cli("suites", "show", "faintbench", "--format", "txt")).splitlines()
    assert len(set(lines)) == len(lines) == 2654
    assert lines[0].startswith("a photo of one Actor, photorealistic, ")
    assert all(", photorealistic, " in line for line in lines)


def test_every_format_tells_the_same(cli: Run, make_study: Callable[..., Path]) -> None:
    study = make_study(suite=SMALL)
    shown: list[dict[str, Any]] = json.loads(done(cli("suites", "show", study, "--json")))
    lines = done(cli("suites", "show", study, "--format", "jsonl")).splitlines()
    table = list(csv.DictReader(io.StringIO(done(cli("suites", "show", study)))))
    assert [json.loads(line) for line in lines] == shown
    assert (
        list(table[0])
        == [*OLD_COLUMNS, "kind", "people", "requested", "reference", "drawn_text", "edits"]
        == list(shown[0])
    )
    for row, cells in zip(shown, table, strict=True):
        read = {"requested": json.loads(cells["requested"]), "reference": json.loads(cells["reference"])}
        numbers = {"weight": float(cells["weight"]), "people": int(cells["people"])}
        assert {**cells, **read, **numbers, "edits": cells["edits"] or None} == row
    assert done(cli("suites", "show", study, "--format", "txt")).splitlines() == [row["drawn_text"] for row in shown]


def test_prompts_that_edit_say_what(cli: Run, make_study: Callable[..., Path]) -> None:
    study = make_study(prompts="text,kind,edits\na portrait,seed,\nmake it a nurse,word,seed\n")
    table = list(csv.DictReader(io.StringIO(done(cli("suites", "show", study)))))
    assert [(row["kind"], row["edits"]) for row in table] == [("seed", ""), ("word", "seed")]


def test_what_is_told_of_a_prompt(cli: Run, make_study: Callable[..., Path]) -> None:
    shown = json.loads(done(cli("suites", "show", make_study(suite=SMALL), "--json")))
    told = [(row["text"], row["kind"], row["variant"], row["people"], row["requested"]) for row in shown]
    assert told == [
        ("a photo of one Nurse", "occupation", "implicit", 1, {}),
        ("a photo of one male Nurse", "occupation", "explicit", 1, {"gender": "male"}),
        ("a photo of one female Nurse", "occupation", "explicit", 1, {"gender": "female"}),
        ("One human Friend at left with another human Friend at right", "relation", "implicit", 2, {}),
    ]
    assert shown[0]["reference"] == {"gender": {"male": 0.138, "female": 0.862}}
    assert shown[3]["drawn_text"].startswith(f"{shown[3]['text']}, photorealistic, ")


def test_a_suites_name_wins_over_a_study_of_that_name(
    cli: Run, make_study: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_study("occupations", suite=SMALL)
    monkeypatch.chdir(tmp_path)
    assert len(json.loads(done(cli("suites", "show", "occupations", "--json")))) == 179
    assert len(json.loads(done(cli("suites", "show", "./occupations", "--json")))) == 4


def test_a_study_without_a_suite_has_nothing_to_show(cli: Run, make_study: Callable[..., Path]) -> None:
    ran = cli("suites", "show", make_study(suite=None, generators=None))
    assert ran.returncode == 2
    assert "study.toml: no [suite] here, so there are no prompts to show" in ran.stderr
    assert len(ran.stderr.splitlines()) == 1


def test_init_writes_a_study_of_the_method(cli: Run, tmp_path: Path) -> None:
    parts = ("--generator", "simulated", "--annotator", "simulated", "--method", "faintbench")
    assert "study.toml written" in done(cli("init", tmp_path / "mine", *parts))
    shown = done(cli("suites", "show", tmp_path / "mine", "--format", "txt"))
    assert shown == done(cli("suites", "show", "faintbench", "--format", "txt"))
