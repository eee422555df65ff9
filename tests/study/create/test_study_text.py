"""A new study of a method that brings no file of its own."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from portrayal.bundles import bundles
from portrayal.study.config import GeneratorConfig, PartConfig
from portrayal.study.create.study_text import study_text


def test_a_method_without_a_file_gets_the_usual_one() -> None:
    bundle = replace(bundles()["bafis"], study="")
    drawn = [GeneratorConfig(use="simulated", options={"refused": 0.5}), GeneratorConfig(use="simulated", images=3)]
    asked = PartConfig(use="occupations", options={"limit": 2})
    written = tomllib.loads(study_text("bafis", bundle, Path("jobs"), "", asked, drawn, [PartConfig(use="faces")]))
    assert written == {
        "study": {"title": "jobs", "seed": 0},
        "suite": {"use": "occupations", "options": {"limit": 2}},
        "generators": [
            {"use": "simulated", "images": 10, "options": {"refused": 0.5}},
            {"use": "simulated", "images": 3},
        ],
        "annotators": [{"use": "faces"}],
        "methods": [{"use": "bafis"}],
    }


@pytest.mark.parametrize(("study", "suite", "can"), [("", "", False), ("", "bafis", True), ("study.toml.in", "", True)])
def test_a_study_can_begin_where_there_is_something_to_ask(study: str, suite: str, can: bool) -> None:
    assert replace(bundles()["bafis"], study=study, suite=suite).can_begin is can
