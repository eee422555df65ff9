"""What ``portrayal init --method faintbench`` writes."""

from __future__ import annotations

from pathlib import Path

from portrayal.methods.faintbench.suite.prompt_texts import SUFFIXES, WORDS
from portrayal.study.config import StudyConfig, load_config
from portrayal.study.create.create_study import create_study
from portrayal.study.parts.specs import build_suite
from portrayal.suites import SUITES


def create(folder: Path, annotator: str = "simulated") -> StudyConfig:
    create_study(folder, title="Mine", generator="simulated", annotator=annotator, method="faintbench")
    return load_config(folder)


def test_a_new_study_is_the_published_benchmark(tmp_path: Path) -> None:
    config = create(tmp_path / "study", "faces")
    assert config.suite is not None
    suite = build_suite(config.suite, tmp_path / "study")
    assert len(suite.prompts) == 2654
    assert suite.adjusted == ()
    assert any("own words" in citation for citation in suite.citations)
    assert (config.study.title, config.generators[0].use, config.annotators[0].use) == ("Mine", "simulated", "faces")
    assert [method.use for method in config.methods] == ["faintbench"]


def test_a_new_study_shows_every_option(tmp_path: Path) -> None:
    config = create(tmp_path / "study")
    text = (tmp_path / "study" / "study.toml").read_text(encoding="utf-8")
    assert config.suite is not None
    assert {*config.suite.options, "table"} == set(SUITES.load("faintbench").Options.model_fields)
    assert "\n# table = " in text
    assert "\n# pairs = " in text
    assert config.methods[0].options == {
        "person": 0.2,
        "profile": "optimised",
        "manifestation": "definition",
        "resample": "images",
        "draws": 1000,
        "human": "",
        "weights": {"gender": 0.4, "race5": 0.4, "age3": 0.2},
        "group_weights": {
            "gender": {"male": 0.2, "female": 0.2},
            "race5": {"european": 0.2, "east_asian": 0.2, "african": 0.2, "latino": 0.1, "south_asian": 0.1},
            "age3": {"young": 0.1, "middle_aged": 0.1, "elderly": 0.1},
        },
    }


def test_a_new_study_says_how_many_images_it_asks_for(tmp_path: Path) -> None:
    config = create(tmp_path / "study")
    text = (tmp_path / "study" / "study.toml").read_text(encoding="utf-8")
    assert f"{2654 * config.generators[0].images:,} images in all" in text


def test_the_words_and_suffixes_in_the_file_are_the_suites(tmp_path: Path) -> None:
    config = create(tmp_path / "study")
    assert config.suite is not None
    assert config.suite.options["words"] == WORDS
    assert config.suite.options["suffix"] == SUFFIXES
