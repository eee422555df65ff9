"""Which studies can be compared is said before one is chosen, and why others cannot."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.apps.studio.conftest import add_study

from portrayal.api.study import Study
from portrayal.apps.studio.across.comparable import ComparableStudies
from portrayal.apps.studio.listed_studies import list_studies
from portrayal.language.translation import speaking
from portrayal.study.create.create_study import create_study

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    add_study(tmp_path / "one")
    add_study(tmp_path / "same")
    add_study(tmp_path / "not-run")
    about: Mapping[str, Any] = {"generator": "simulated", "images": 4}
    create_study(tmp_path / "other-prompts", annotator="simulated", prompts=["a photo of one judge"], **about)
    looked: Mapping[str, Any] = {"use": "simulated", "options": {"accuracy": 0.9}}
    create_study(tmp_path / "other-looks", annotator=looked, prompts=["a photo of one nurse"], **about)
    for name in ("one", "same", "other-prompts", "other-looks"):
        Study(tmp_path / name).run(progress=False)
    return tmp_path


def test_only_what_can_be_compared_is_offered_and_it_can_be(folder: Path, start: Callable[..., Any]) -> None:
    listed = {study.name: study for study in list_studies(folder)}
    comparable = ComparableStudies()
    found = comparable.beside(listed["one"], listed.values())
    assert [study.name for study in found.fitting] == ["same"]
    assert len(Study(folder / "one").compare(folder / "same")) > 0
    reasons = {study.name: reason for study, reason in found.others}
    assert reasons == {
        "not-run": "it has no numbers yet: run it first",
        "other-prompts": "it asks other prompts",
        "other-looks": "other annotators looked at its pictures",
    }
    nothing = comparable.beside(listed["not-run"], [listed["one"]])
    assert nothing.others == [(listed["one"], "this study has no numbers yet")]
    page = start(folder).client().get(f"/s/{listed['one'].key}/compare").text
    assert f'<option value="{listed["same"].key}"' in page
    assert f'<option value="{listed["other-prompts"].key}"' not in page
    assert "it asks other prompts" in page
    # Once it has numbers a study is offered.
    Study(folder / "not-run").run(progress=False)
    assert "not-run" in [study.name for study in comparable.beside(listed["one"], listed.values()).fitting]


def test_reasons_are_said_in_the_language_of_the_page(folder: Path) -> None:
    listed = {study.name: study for study in list_studies(folder)}
    with speaking("de"):
        found = ComparableStudies().beside(listed["one"], listed.values())
    assert {study.name: reason for study, reason in found.others}["other-prompts"] == "sie fragt andere Prompts"
