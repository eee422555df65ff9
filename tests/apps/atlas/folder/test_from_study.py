from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal.apps.atlas.folder.from_study import study_evaluations
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

SHARES = {"caption": {"a {term} on a lawn": 0.5, "a {term} and a fence": 0.5}, "prompt_match": {"match": 1.0}}


def protocol(make_study: Callable[..., Path], terms: list[str], images: int = 2, **options: Any) -> str:
    """Return the protocol of a measured study of some objects."""
    study = make_study(
        "-".join([*terms, str(images), *map(str, options.values())]),
        suite={"use": "tbyb", "options": {"terms": terms}},
        generators=[{"use": "simulated", "images": images, "options": {"shares": SHARES, "pixels": False}}],
        annotators=[{"use": "simulated", "options": {"attributes": ["caption", "prompt_match"]}}],
        methods=[{"use": "tbyb", "options": {"similarity": 0, "draws": 100, **options}}],
    )
    run_stages(OpenStudy(study), RunControl())
    (found,), _ = study_evaluations(study)
    return found.protocol


@pytest.mark.slow
def test_other_prompts_images_and_options_are_other_protocols(make_study: Callable[..., Path]) -> None:
    first = protocol(make_study, ["apple", "cat"])
    assert first.startswith("tbyb (simulated@1")
    assert ": 2 prompts #" in first
    assert ", 2 images each, tbyb@2#" in first
    others = [
        protocol(make_study, ["apple", "dog"]),
        protocol(make_study, ["apple", "cat"], 3),
        protocol(make_study, ["apple", "cat"], draws=200),
    ]
    assert len({first, *others}) == 4
    assert protocol(make_study, ["cat", "apple"]) == first


@pytest.mark.slow
def test_models_and_annotators_have_their_names(make_study: Callable[..., Path]) -> None:
    looks: dict[str, Any] = {"use": "simulated", "options": {"attributes": ["caption", "prompt_match"]}}
    draws = {"use": "simulated", "images": 2, "name": "Model A", "options": {"shares": SHARES, "pixels": False}}
    study = make_study(
        suite={"use": "tbyb", "options": {"terms": ["apple", "cat"]}},
        generators=[draws],
        annotators=[{**looks, "name": "Panel"}, {**looks, "options": {**looks["options"], "softness": 0.1}}],
        methods=[{"use": "tbyb", "options": {"similarity": 0, "draws": 100}}],
    )
    run_stages(OpenStudy(study), RunControl())
    (found,), (info,) = study_evaluations(study)
    assert found.model == info.model == "Model A"
    assert found.run.startswith("simulated@1#")
    assert "Panel" not in found.protocol  # a name changes nothing that is compared
    assert any(name.endswith(" Panel") for name in found.scores)
