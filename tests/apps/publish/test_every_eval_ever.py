"""Every Eval Ever 0.3.0, by its owner's validator."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal import Study

pytestmark = pytest.mark.slow
Cli = Callable[..., Any]


@pytest.fixture
def written(two_models: Path, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    ran = cli("publish", two_models, "--as", "every-eval-ever", "--to", tmp_path / "out", "--organization", "Audit Ltd")
    assert ran.returncode == 0, ran.stderr
    monkeypatch.chdir(tmp_path / "out")
    return tmp_path / "out"


def test_its_validator_accepts_numbers_and_samples(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    validator = pytest.importorskip("every_eval_ever.validator.validate", reason="make installs every-eval-ever")
    files = sorted(str(path.relative_to(written)) for path in written.rglob("*.json*"))
    assert len(files) == 4
    assert validator.main(["--format", "json", *files]) == 0
    reports = json.loads(capsys.readouterr().out)
    assert [(report["valid"], report["errors"], report["warnings"]) for report in reports] == [(True, [], [])] * 4
    broken = json.loads(Path(files[0]).read_text())
    broken["evaluation_results"][0]["score_details"]["uncertainty"]["confidence_interval"]["lower"] = "a lot"
    Path(files[0]).write_text(json.dumps(broken))
    assert validator.main(["--format", "json", files[0]]) != 0


def test_every_number_leaves_with_its_interval_and_caveats(written: Path, two_models: Path) -> None:
    logs = [json.loads(path.read_text()) for path in written.rglob("*.json")]
    assert {log["model_info"]["name"] for log in logs} == {"Model A", "Model B, “neu”"}
    assert len({log["model_info"]["id"] for log in logs}) == 2
    rows = list(Study(two_models).measurements(metric="share", level="overall", group="female"))
    assert len(rows) == 2
    for log in logs:
        [row] = [row for row in rows if row["generator"] == log["model_info"]["name"]]
        [found] = [
            each
            for each in log["evaluation_results"]
            if each["metric_config"]["metric_name"] == "share"
            and each["score_details"]["details"]["level"] == "overall"
            and "share of female" in each["evaluation_name"]
        ]
        details = found["score_details"]
        assert details["score"] == row["value"]
        interval = details["uncertainty"]["confidence_interval"]
        assert (interval["lower"], interval["upper"], interval["confidence_level"]) == (row["low"], row["high"], 0.95)
        assert details["uncertainty"]["num_samples"] == row["n"]
        assert details["details"]["missing"] == str(row["missing"])
        assert "these prompts only" in details["details"]["caveats"]
        assert found["metric_config"]["additional_details"]["direction"] == "neither end is better"
        distance = next(
            each for each in log["evaluation_results"] if each["metric_config"]["metric_name"] == "total_variation"
        )
        assert distance["metric_config"]["lower_is_better"]


def test_samples_add_up_to_the_share(written: Path) -> None:
    for path in written.rglob("*.jsonl"):
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        [log] = [json.loads(each.read_text()) for each in path.parent.glob("*.json")]
        for result in log["evaluation_results"]:
            scores = [
                line["evaluation"]["score"]
                for line in lines
                if line["evaluation_result_id"] == result["evaluation_result_id"]
            ]
            if scores:
                assert len(scores) == result["score_details"]["uncertainty"]["num_samples"]
        assert len({(line["evaluation_result_id"], line["sample_id"]) for line in lines}) == len(lines)


def test_what_is_there_is_not_written_over(written: Path, two_models: Path, cli: Cli) -> None:
    assert cli("publish", two_models, "--as", "every-eval-ever", "--relationship", "owner").returncode == 2
    unmeasured = written.parent / "raw"
    (unmeasured).mkdir()
    (unmeasured / "study.toml").write_text('[study]\ntitle = "x"\n')
    ran = cli("publish", unmeasured, "--as", "every-eval-ever")
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
