"""``portrayal arena rate``: JSON with its fixed names, tables for people, a page, and one line for what is wrong."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from portrayal.apps.arena.ratings import elo

Run = Callable[..., subprocess.CompletedProcess[str]]

ROWS = [("x", "y", "0"), ("y", "z", "draw"), ("x", "z", "0"), ("z", "y", "1"), ("y", "x", "0"), ("z", "x", "skip")] * 8
BAFIS = """[study]
title = "By languages"
[suite]
use = "bafis"
options.terms = ["nurse", "ceo"]
[[generators]]
use = "simulated"
images = 2
options.pixels = false
[[annotators]]
use = "simulated"
options.attributes = ["gender"]
[[methods]]
use = "bafis"
options.draws = 100
options.references.gender = "uniform"
[annotate]
workers = 1
"""


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    lines = [f"{a},{b},{vote},{('bias', 'quality')[n % 2]},r{n % 7},p{n % 3}" for n, (a, b, vote) in enumerate(ROWS)]
    path = tmp_path / "votes.csv"
    path.write_text("\n".join(["model_a,model_b,vote,aspect,rater,prompt", *lines]), encoding="utf-8")
    return path


def test_json(cli: Run, votes: Path) -> None:
    ran = cli("arena", "rate", votes, "--aspect", "bias", "--draws", "200", "--json")
    assert (ran.returncode, ran.stderr) == (0, "")
    found = json.loads(ran.stdout)
    own = [row for n, row in enumerate(ROWS) if n % 2 == 0]
    assert {row["model"]: row["elo"] for row in found["ratings"]} == pytest.approx(elo(own), abs=1e-9)
    assert {"aspect", "model", "elo", "bradley_terry", "low", "high", "battles"} <= set(found["ratings"][0])
    assert {row["aspect"] for row in found["ratings"]} == {"bias"}
    assert found["parameters"] == {
        "k": 4, "scale": 400, "base": 10, "initial": 1000, "ties": "half", "draws": 200, "orders": 100,
        "confidence": 0.95, "seed": 0,
    }  # fmt: skip
    assert cli("arena", "rate", votes, "--aspect", "bias", "--draws", "200", "--json").stdout == ran.stdout


def test_the_seed_moves_intervals_and_nothing_else(cli: Run, votes: Path) -> None:
    one, two = (
        json.loads(cli("arena", "rate", votes, "--draws", "200", "--seed", seed, "--json").stdout) for seed in (1, 2)
    )
    assert [row["bradley_terry"] for row in one["ratings"]] == [row["bradley_terry"] for row in two["ratings"]]
    assert [row["low"] for row in one["ratings"]] != [row["low"] for row in two["ratings"]]


def test_tables_for_people(cli: Run, votes: Path) -> None:
    ran = cli("arena", "rate", votes, "--draws", "200", "--orders", "5", "--ties", "davidson")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "aspect: bias" in ran.stdout
    assert "Krippendorff's alpha" in ran.stdout
    assert "won against (a draw is half):" in ran.stdout
    assert "(5 tried)" in ran.stdout
    assert all(len(line) < 120 for line in ran.stdout.splitlines())


def test_scores_and_a_page_in_german(cli: Run, votes: Path, tmp_path: Path) -> None:
    scores, page = tmp_path / "scores.csv", tmp_path / "page.html"
    scores.write_text("model,score,value\nx,auto,3\ny,auto,2\nz,auto,1\n", encoding="utf-8")
    ran = cli("arena", "rate", votes, "--scores", scores, "--html", page, "--language", "de", "--json")
    assert ran.stderr == f"leaderboard: {page}\n"
    (bias, _) = json.loads(ran.stdout)["correlations"]
    assert (bias["score"], bias["models"]) == ("auto", 3)
    assert bias["note"].startswith("few models: ")
    assert '<html lang="de">' in page.read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_study_gives_scores(cli: Run, finished: Path, tmp_path: Path) -> None:
    votes = tmp_path / "votes.csv"
    votes.write_text("model_a,model_b,vote\nsimulated@1,y,0\ny,simulated@1,0\n", encoding="utf-8")
    ran = cli("arena", "rate", votes, "--scores", finished, "--draws", "100", "--json")
    found = json.loads(ran.stdout)["correlations"]
    assert any(row["score"].startswith("representation share gender") for row in found)
    assert {row["models"] for row in found} <= {0, 1}


@pytest.mark.slow
def test_a_study_by_languages_gives_a_score_for_each(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(BAFIS, encoding="utf-8")
    assert cli("run", tmp_path).returncode == 0
    votes = tmp_path / "votes.csv"
    votes.write_text("model_a,model_b,vote\nsimulated@1,y,0\ny,simulated@1,0\n", encoding="utf-8")
    ran = cli("arena", "rate", votes, "--scores", tmp_path, "--draws", "100", "--json")
    scores = [row["score"] for row in json.loads(ran.stdout)["correlations"]]
    distances = [score for score in scores if score.startswith("bafis total_variation gender uniform ")]
    assert sorted(score.rpartition(" ")[2] for score in distances) == ["de", "en"]
    assert len(scores) == len(set(scores))
    assert not any("paired_difference" in score for score in scores), "what one variant shows is no score of the model"


def test_json_of_the_authors(cli: Run, tmp_path: Path) -> None:
    path = tmp_path / "released.JSON"
    battles = [
        {"model_a": "x", "model_b": "y", "bias_vote": vote, "quality_vote": 0.0} for vote in (0.0, 1.0, 3.0, None)
    ]
    path.write_text(json.dumps(battles), encoding="utf-8")
    found = json.loads(cli("arena", "rate", path, "--json", "--draws", "100").stdout)
    assert (found["votes"], found["skipped"]) == (7, 1)
    assert {row["aspect"] for row in found["ratings"]} == {"bias", "quality"}


def test_one_vote_is_no_votes(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("model_a,model_b,vote,rater\nx,y,0,r\n", encoding="utf-8")
    assert "1 vote by 1 rater, 0 skipped" in cli("arena", "rate", tmp_path / "one.csv").stdout


def test_names_that_would_move_the_cursor_and_wide_ones(cli: Run, tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text("model_a,model_b,vote\n\x1b[31mred,モデル,0\nモデル,\x1b[31mred,0\n", encoding="utf-8")
    ran = cli("arena", "rate", path, "--draws", "100")
    assert "\x1b" not in ran.stdout
    _, header, first, second = ran.stdout.splitlines()[:4]
    assert header.index("Bradley") == first.index("1000")
    assert second.index("1000") == header.index("Bradley") - 3  # three letters of two columns each


def test_huge_scores_give_no_warning(cli: Run, votes: Path, tmp_path: Path) -> None:
    (tmp_path / "scores.csv").write_text("model,score,value\nx,s,1e308\ny,s,-1e308\nz,s,0\n", encoding="utf-8")
    ran = cli("arena", "rate", votes, "--scores", tmp_path / "scores.csv", "--draws", "100", "--json")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert json.loads(ran.stdout)["correlations"][0]["spearman"] is not None


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        ("model_a,model_b,vote\nx,y,7\n", [], "votes.csv:2: unknown vote '7'"),
        ("model_a,model_b,vote\nx,y,skip\n", [], "votes.csv: no vote can be rated; all 1 were skipped"),
        ("model_a,model_b,vote\nx,y,0\n", ["--aspect", "bias"], "the votes have no column 'aspect'"),
        ("model_a,model_b,vote,rater\nx,y,0,r\n", ["--by", "ratter"], "did you mean 'rater'?"),
        ("model_a,model_b,vote\nx,y,0\n", ["--scores", "none.csv"], "none.csv: no such file"),
        ("model_a,model_b,vote\nx,y,0\n", ["--html", "no/where/page.html"], "no/where/page.html: cannot be written"),
        ("model_a,model_b,vote\nx,y,0\n", ["--draws", "1"], "--draws"),
        ("model_a,model_b,vote\nx,y,0\n", ["--ties", "none"], "--ties"),
    ],
)
def test_bad_input_is_one_line(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, words: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("votes.csv").write_text(text, encoding="utf-8")
    ran = cli("arena", "rate", "votes.csv", *words)
    assert (ran.returncode, ran.stdout) == (2, "")
    (line,) = ran.stderr.splitlines()
    assert line.startswith("error: ")
    assert said in line


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("model,score,value\nx,s,1\nx,s,2\n", "scores.csv:3: 'x' has the score 's' twice"),
        ("model,score,value\n,s,1\n", "scores.csv:2: 'model' and 'score' must not be empty"),
        ("model,score,value\nx,s,much\n", "column 'value' must be a number"),
    ],
)
def test_bad_scores_are_one_line(cli: Run, votes: Path, tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "scores.csv").write_text(text, encoding="utf-8")
    ran = cli("arena", "rate", votes, "--scores", tmp_path / "scores.csv")
    assert ran.returncode == 2
    assert said in ran.stderr


def test_no_file_and_a_folder(cli: Run, tmp_path: Path) -> None:
    assert "none.csv: no such file" in cli("arena", "rate", tmp_path / "none.csv").stderr
    assert "is a folder, a file is needed" in cli("arena", "rate", tmp_path).stderr
