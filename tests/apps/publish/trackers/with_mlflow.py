"""Runs of MLflow, read back by its own client: bash scripts/try_trackers.sh."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from portrayal import Study

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]
Cli = Callable[..., Any]


def test_its_client_reads_numbers_table_and_page(
    two_models: Path, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    for _ in range(2):  # the second adds to the first
        ran = cli("publish", two_models, "--as", "mlflow", "--to", tmp_path / "out")
        assert ran.returncode == 0, ran.stderr
        assert "2 runs, a model each" in ran.stdout
    client = import_module("mlflow").MlflowClient(tracking_uri=f"sqlite:///{tmp_path / 'out' / 'mlflow.db'}")
    experiment = client.get_experiment_by_name("A small study")
    runs = client.search_runs([experiment.experiment_id])
    assert sorted(run.info.run_name for run in runs) == ["Model A", "Model A", "Model B, “neu”", "Model B, “neu”"]
    for run in runs:
        assert (run.info.status, run.data.params["scope"][:18]) == ("FINISHED", "these prompts only")
        model = run.info.run_name
        [row] = Study(two_models).measurements(metric="share", level="overall", group="female", generator=model)
        name = "representation/share/gender/female/simulated"
        kept = [run.data.metrics[f"{name}{end}"] for end in ("", "/low", "/high", "/images", "/missing")]
        assert kept == [row["value"], row["low"], row["high"], row["n"], row["missing"]]
        assert {file.path for file in client.list_artifacts(run.info.run_id)} == {"numbers.csv", "report"}
        pages = {file.path for file in client.list_artifacts(run.info.run_id, "report")}
        assert "report/index.html" in pages


def test_a_server_that_refuses_is_one_line_without_its_password(
    two_models: Path, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "nothing://user:hidden-word@example.org/x")
    ran = cli("publish", two_models, "--as", "mlflow", "--to", tmp_path / "out")
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
    assert "MLFLOW_TRACKING_URI" in ran.stderr
    assert "hidden-word" not in ran.stderr
    assert not (tmp_path / "out").exists()
