"""What a model's page on the hub shows, by the hub's own reader."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from huggingface_hub import parse_eval_result_entries

from portrayal import Study

pytestmark = pytest.mark.slow
Cli = Callable[..., Any]


@pytest.fixture
def written(two_models: Path, cli: Cli, tmp_path: Path) -> Path:
    words = ("--dataset", "me/careers", "--link", "https://example.org/report", "--to", tmp_path / "hub")
    ran = cli("publish", two_models, "--as", "hugging-face", *words)
    assert ran.returncode == 0, ran.stderr
    assert "no field for uncertainty" in ran.stdout
    return tmp_path / "hub"


def test_the_hub_reads_every_number_with_its_caveats(written: Path, two_models: Path) -> None:
    entries = parse_eval_result_entries(yaml.safe_load((written / "Model-A/.eval_results/portrayal.yaml").read_text()))
    [share] = [each for each in entries if "share_of_female" in each.task_id]
    [row] = Study(two_models).measurements(metric="share", level="overall", group="female", generator="Model A")
    assert (share.value, share.dataset_id, share.source_url) == (
        row["value"],
        "me/careers",
        "https://example.org/report",
    )
    assert share.notes is not None
    assert f"95 % interval {row['low']:.3g} to {row['high']:.3g}; {row['n']} images, 0 missing" in share.notes
    assert "these prompts only" in share.notes
    assert len({each.task_id for each in entries}) == len(entries)


def test_the_card_says_interval_images_and_missing(written: Path) -> None:
    folders = sorted(path.name for path in written.iterdir())
    assert folders == ["Model-A", "Model-B-neu"]
    card = (written / folders[1] / "card-section.md").read_text(encoding="utf-8")
    [line] = [line for line in card.splitlines() if "share of female" in line]
    cells = [cell.strip() for cell in line.strip("|").split(" | ")]
    assert " to " in cells[2]
    assert int(cells[4]) > 0
    assert "the annotator's errors are in the numbers" in card


def test_it_needs_a_dataset_and_writes_over_nothing(written: Path, two_models: Path, cli: Cli) -> None:
    for words, said in (
        (("--dataset", "me"), "needs --dataset"),
        (("--dataset", "a/b", "--to", written), "is there already"),
    ):
        ran = cli("publish", two_models, "--as", "hugging-face", *words)
        assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
        assert said in ran.stderr
