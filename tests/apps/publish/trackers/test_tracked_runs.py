"""What trackers are given, and what is said where one is not installed."""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal import Study
from portrayal.apps.publish.trackers.tracked_runs import COLUMNS, TrackedRun, tracked_runs, write_files
from portrayal.study.study import OpenStudy

Cli = Callable[..., Any]


@pytest.fixture(scope="module")
def runs(two_models: Path) -> list[TrackedRun]:
    return tracked_runs(OpenStudy.to_read(two_models))


def test_every_number_over_all_prompts_has_its_interval_and_images_beside_it(
    runs: list[TrackedRun], two_models: Path
) -> None:
    assert sorted(run.model for run in runs) == ["Model A", "Model B, “neu”"]
    for run in runs:
        [row] = Study(two_models).measurements(metric="share", level="overall", group="female", generator=run.model)
        name = "representation/share/gender/female/simulated"
        beside = [run.numbers[f"{name}{end}"] for end in ("", "/low", "/high", "/images", "/missing")]
        assert beside == [row["value"], row["low"], row["high"], row["n"], row["missing"]]
        assert all(set(key) <= set("abcdefghijklmnopqrstuvwxyz_/") for key in run.numbers), "neither tracker takes more"
        assert "these prompts only" in run.notes
        assert "by simulated, whose errors are in the numbers" in run.notes


@pytest.mark.slow
def test_all_numbers_and_the_page_go_along(runs: list[TrackedRun], two_models: Path, tmp_path: Path) -> None:
    page = write_files(OpenStudy.to_read(two_models), runs[0], tmp_path)
    assert "Model B" in page.read_text(encoding="utf-8")
    with (tmp_path / "numbers.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    assert tuple(header) == COLUMNS
    assert {row[header.index("level")] for row in rows} >= {"overall", "term"}
    assert len({tuple(row[:3]) for row in rows}) == len(rows) > len(runs[0].numbers) / 5


@pytest.mark.parametrize("form", ["wandb", "mlflow"])
def test_a_tracker_that_is_not_installed_is_one_line(
    form: str, two_models: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, form, None)  # as if it were not, where it is installed
    ran = cli("publish", two_models, "--as", form)
    assert (ran.returncode, ran.stderr) == (2, f"error: --as {form} needs {form}: run pip install {form}\n")
