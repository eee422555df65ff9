"""What ``portrayal init --method tbyb`` writes, and that it runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal.study.config import PartConfig, load_config
from portrayal.study.create.create_study import create_study


def test_a_new_study_shows_its_options_and_plants_what_it_needs(tmp_path: Path) -> None:
    _, left = create_study(tmp_path / "s", title="", generator="simulated", annotator="simulated", method="tbyb")
    config = load_config(tmp_path / "s")
    assert left == ()
    assert config.suite == PartConfig(use="tbyb")
    assert config.methods[0].options == {"similarity": 0.75, "people": "released", "draws": 1000}
    assert config.generators[0].images == 3
    assert "a {term}" in config.generators[0].options["shares"]["caption"]
    assert set(config.annotators[0].options["attributes"]) >= {"caption", "prompt_match"}


def test_a_captioner_and_a_judge_are_set_as_published(tmp_path: Path) -> None:
    parts = ["caption:Salesforce/blip-image-captioning-base", "clip:openai/clip-vit-large-patch14"]
    create_study(tmp_path / "s", title="", generator="simulated", annotator=parts, method="tbyb")
    caption, clip = load_config(tmp_path / "s").annotators
    assert caption.options == {"max_tokens": 9}
    assert clip.options == {"attributes": ["prompt_match"], "words": {"prompt_match": {"miss": " "}}}


def test_options_of_ones_own_are_left_as_they_are(tmp_path: Path) -> None:
    mine = {"use": "clip:openai/clip-vit-large-patch14", "options": {"attributes": ["prompt_match"]}}
    create_study(tmp_path / "s", title="", generator="simulated", annotator=mine, method="tbyb")
    assert load_config(tmp_path / "s").annotators[0].options == {"attributes": ["prompt_match"]}


def test_other_methods_keep_the_annotators_own_words(tmp_path: Path) -> None:
    create_study(tmp_path / "s", title="", generator="simulated", annotator="clip:openai/clip-vit-large-patch14")
    assert load_config(tmp_path / "s").annotators[0].options == {}


def test_an_annotator_that_tells_neither_is_named(tmp_path: Path) -> None:
    _, left = create_study(tmp_path / "s", title="", generator="simulated", annotator="faces", method="tbyb")
    assert left[0].startswith("annotator 'faces' does not report 'caption', 'prompt_match'")


@pytest.mark.slow
def test_the_new_study_runs_to_its_report(tmp_path: Path, cli: Callable[..., Any]) -> None:
    arguments = ("--method", "tbyb", "--generator", "simulated", "--annotator", "simulated")
    assert cli("init", tmp_path / "s", *arguments).returncode == 0
    path = tmp_path / "s" / "study.toml"
    text = path.read_text(encoding="utf-8").replace("draws = 1000", "draws = 100")
    path.write_text(text.replace('use = "tbyb"\n', 'use = "tbyb"\noptions.sample = 8\n', 1), encoding="utf-8")
    ran = cli("run", tmp_path / "s")
    assert ran.returncode == 0, ran.stderr
    page = (tmp_path / "s" / "report" / "index.html").read_text(encoding="utf-8")
    assert '<section id="tbyb"' in page
    assert (tmp_path / "s" / "report" / "tables" / "tbyb.uninvited.csv").is_file()
