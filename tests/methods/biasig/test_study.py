"""A new study of BiasIG: the clone is named on the command line and stands in study.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from portrayal.cli.create.new_study import say_outlook
from portrayal.errors import ConfigError
from portrayal.study.create.create_study import create_study


def test_the_clone_is_named_with_the_suite(clone: Path) -> None:
    folder = clone.parent / "study"
    path, _ = create_study(
        folder, generator="simulated", annotator="simulated", suite=f"biasig:{clone}", method="biasig"
    )
    study = tomllib.loads(path.read_text())
    assert study["suite"]["options"]["path"] == "../clone"
    assert study["methods"][0]["options"]["path"] == "../clone"
    assert {"gender", "race4", "age3"} <= {*study["annotators"][0]["options"]["attributes"]}


def test_without_a_clone_the_study_says_what_to_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, lacking = create_study(tmp_path / "study", generator="simulated", annotator="simulated", method="biasig")
    assert "set options.path of the suite 'biasig' to the files that it reads" in lacking
    assert 'path = ""' in path.read_text()
    say_outlook(path.parent)
    assert "to do:" in capsys.readouterr().out


def test_a_suite_that_reads_no_files_takes_no_path(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="suite 'occupations' reads no files of yours; leave ':somewhere' out"):
        create_study(tmp_path / "study", generator="simulated", annotator="simulated", suite="occupations:somewhere")
