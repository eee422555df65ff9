"""What ``portrayal init --method bafis`` writes."""

from __future__ import annotations

from pathlib import Path

from portrayal.study.config import PartConfig, StudyConfig, load_config
from portrayal.study.create.create_study import create_study


def create(folder: Path, suite: str | None = None) -> StudyConfig:
    create_study(folder, title="", generator="simulated", annotator="simulated", suite=suite, method="bafis")
    return load_config(folder)


def test_a_new_study_shows_every_option(tmp_path: Path) -> None:
    config = create(tmp_path / "study")
    assert config.suite == PartConfig(use="bafis")
    assert config.methods[0].options == {
        "people": "asked",
        "evidence": "label",
        "language": "en",
        "variant": "direct",
        "draws": 1000,
        "references": {"gender": "us"},
    }
    text = (tmp_path / "study" / "study.toml").read_text(encoding="utf-8")
    assert f"{1057 * config.generators[0].images:,} images" in text


def test_ones_own_prompts_are_compared_with_equal_shares(tmp_path: Path) -> None:
    (tmp_path / "prompts.csv").write_text("text,term\na photo of a nurse,nurse\n", encoding="utf-8")
    config = create(tmp_path / "study", str(tmp_path / "prompts.csv"))
    assert config.methods[0].options["references"] == {}
