"""What ``portrayal init --method socialbiaskg`` writes."""

from __future__ import annotations

from pathlib import Path

from portrayal.study.config import load_config
from portrayal.study.create.create_study import create_study
from portrayal.study.study import OpenStudy


def test_a_new_study_can_be_run(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    create_study(folder, title="", generator="simulated", annotator="simulated", suite=None, method="socialbiaskg")
    config = load_config(folder)
    assert config.suite is not None
    assert config.suite.use == "socialbiaskg"
    assert config.generators[0].images == 10
    assert config.methods[0].options["thresholds"] == {"dominance": 0.4, "underrepresentation": 0.2}
    OpenStudy(folder).check()
