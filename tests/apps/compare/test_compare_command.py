"""``portrayal compare``: the answer first, a table, JSON, and one line where something is wrong."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from portrayal import Study

Run = Callable[..., subprocess.CompletedProcess[str]]
Make = Callable[..., Path]


@pytest.fixture
def study(make_measured: Make) -> Path:
    """Return a study of two models that differ."""
    return run(make_measured, "study", 0.1, 0.9)


@pytest.fixture
def few(make_measured: Make) -> Path:
    """Return one in which hardly a picture shows a woman."""
    return run(make_measured, "few", 0.02, 0.0)


def run(make_measured: Make, name: str, *women: float) -> Path:
    models = [
        {"use": "simulated", "name": model, "images": 60, "options": {"pixels": False, "shares": {"gender": shares}}}
        for model, shares in (
            ("A", {"female": women[0], "male": 1 - women[0]}),
            ("B", {"female": women[1], "male": 1 - women[1]}),
        )
    ]
    methods = [{"use": "representation", "options": {"references": {"gender": "uniform"}}}]
    suite = {"use": "file", "options": {"path": "prompts.csv"}}
    prompts = "text,term\na photo of one CEO,CEO\n"
    return make_measured(name, suite=suite, generators=models, methods=methods, prompts=prompts)


def test_the_answer_comes_first_then_the_table(study: Path, cli: Run) -> None:
    ran = cli("compare", study)
    assert (ran.returncode, ran.stderr) == (0, "")
    first, *_ = ran.stdout.splitlines()
    assert "a woman in" in first
    assert "by A" in first
    assert "by B" in first
    header = next(line for line in ran.stdout.splitlines() if line.startswith("about"))
    assert header.split()[:2] == ["about", "what"]
    assert "\xa0" not in ran.stdout


def test_differences_of_shares_are_in_points(study: Path, cli: Run) -> None:
    table = cli("compare", study, "--all").stdout
    assert re.search(r"all prompts +female .* -\d+ points  ", table)
    assert re.search(r"all prompts +total variation .* [+-]?0\.\d{3}  ", table)


def test_what_cannot_be_compared_says_why_and_what_to_do(make_measured: Make, cli: Run) -> None:
    one = [{"use": "simulated", "name": "A", "images": 5, "options": {"pixels": False}}]
    refused = [{**each, "options": {"pixels": False, "refused": 1.0}} for each in one]
    both = [*refused, {**refused[0], "name": "B", "options": {"pixels": False, "no_person": 1.0}}]
    for name, models, by, said in (
        ("one", one, "model", "it takes two models, and there is one model, A; name a second study, or what else"),
        (
            "none",
            both,
            "model",
            "nothing to compare: no picture of A could be used (refused: simulated refusal 10) and no picture of B "
            "could be used (no person 10)",
        ),
        ("alike", one, "gender", "it takes prompts that show women and men, and another attribute perceived"),
    ):
        attributes = {"use": "simulated", "options": {"attributes": ["gender"]}}
        ran = cli("compare", make_measured(name, generators=models, annotators=[attributes]), "--by", by)
        assert (ran.returncode, ran.stdout) == (2, "")
        assert said in ran.stderr


def test_groups_that_few_images_show_carry_the_sign_and_others_do_not(study: Path, few: Path, cli: Run) -> None:
    for folder, signs in ((study, False), (few, True)):
        rows = json.loads(cli("compare", folder, "--json").stdout)["rows"]
        assert {row["wide"] for row in rows if row["group"] == "female"} == {signs}
        assert ("⁺ few images show the group" in cli("compare", folder).stdout) == signs


def test_json_holds_the_same(study: Path, cli: Run) -> None:
    found = json.loads(cli("compare", study, "--json", "--correction", "holm").stdout)
    assert found["rows"][0]["verdict"] in ("more", "less")
    assert found["rows"][0]["group"] == "female"
    assert set(found) == {"sentences", "summary", "not_compared", "not_over", "rows"}


def test_a_few_that_are_named_are_corrected_for_no_others(study: Path, cli: Run) -> None:
    every = json.loads(cli("compare", study, "--json").stdout)
    named = json.loads(cli("compare", study, "--about", "CEO", "--attribute", "gender", "--json").stdout)
    [row] = named["rows"]
    assert (row["item"], row["attribute"], row["p_corrected"]) == ("CEO", "gender", row["p"])
    [same] = [each for each in every["rows"] if each["item"] == "CEO" and each["attribute"] == "gender"]
    assert {key: row[key] for key in ("difference", "low", "high")} == {
        key: same[key] for key in ("difference", "low", "high")
    }
    assert "at most one study in twenty reports such a difference by chance" in named["summary"]
    assert "any such difference by chance" not in every["summary"]
    listed = Study(study).compare(about="CEO", correction="benjamini-hochberg")
    assert "at most about one in twenty of such differences is chance" in listed.summary
    for words, said in (
        (("--about", "CEOO"), "no term or category 'CEOO' is measured; did you mean 'CEO'"),
        (("--attribute", "gendr"), "no attribute 'gendr' is measured; did you mean 'gender'"),
    ):
        ran = cli("compare", study, *words)
        assert (ran.returncode, said in ran.stderr) == (2, True), ran.stderr


def test_all_prints_every_row(study: Path, cli: Run) -> None:
    rows = len(json.loads(cli("compare", study, "--json").stdout)["rows"])
    assert len(cli("compare", study, "--all").stdout.splitlines()) >= rows


def test_a_wrong_name_or_folder_is_one_line(study: Path, cli: Run) -> None:
    for words in (("compare", study, "--model", "C"), ("compare", study.parent), ("compare", study, study.parent)):
        ran = cli(*words)
        assert ran.returncode == 2
        assert len(ran.stderr.splitlines()) == 1
        assert ran.stderr.startswith("error: ")
