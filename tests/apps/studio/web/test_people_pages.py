"""The page about people: what is needed before somebody starts, and nothing that cannot be started."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.apps.studio.conftest import add_study

from portrayal.api.study import Study
from portrayal.apps.labels.config import LabelsConfig
from portrayal.apps.studio.listed_studies import list_studies
from portrayal.apps.studio.people.how_many import USUAL_RATERS, raters_of, set_raters
from portrayal.errors import InputError
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow


def test_how_many_people_label_is_asked_for_and_written(tmp_path: Path) -> None:
    folder = add_study(tmp_path / "one")
    before = (folder / "study.toml").read_text()
    assert raters_of(folder) == USUAL_RATERS == LabelsConfig().raters
    set_raters(folder, str(USUAL_RATERS))
    assert (folder / "study.toml").read_text() == before
    set_raters(folder, "1")
    assert (raters_of(folder), OpenStudy(folder).config.of_app(LabelsConfig).raters) == (1, 1)
    assert (folder / "study.toml").read_text().startswith(before.rstrip())
    for wrong in ("0", "21", "many", ""):
        with pytest.raises(InputError, match="from 1 to 20"):
            set_raters(folder, wrong)
    assert raters_of(folder) == 1


def test_what_cannot_be_started_says_why_instead(tmp_path: Path, start: Callable[..., Any]) -> None:
    add_study(tmp_path / "one")
    [study] = list_studies(tmp_path)
    client = start().client()
    page = client.get(f"/s/{study.key}/people").text
    assert page.count("This study has no pictures yet: run it first.") == 2
    assert page.count("Start it") == 1  # relations, which need no pictures
    Study(tmp_path / "one").run(progress=False)
    page = client.get(f"/s/{study.key}/people").text
    assert "It compares pictures of two models, and this study has one." in page
    assert "How many people label each picture?" in page
    assert ">a random sample</option>" in page
    refused = client.send(
        f"/s/{study.key}/people",
        client.get(f"/s/{study.key}/people"),
        {"site": "labels", "what": "start", "raters": "0"},
    )
    assert (refused.status_code, "from 1 to 20" in refused.text) == (422, True)


def test_one_labeller_is_enough_where_one_is_asked_for(tmp_path: Path, start: Callable[..., Any]) -> None:
    Study(add_study(tmp_path / "one")).run(progress=False)
    [study] = list_studies(tmp_path)
    client, at = start().client(), f"/s/{study.key}/people"
    try:
        page = client.follow(client.send(at, client.get(at), {"site": "labels", "what": "start", "raters": "1"}))
        while ">starting …<" in page.text:
            page = client.get(at)
        assert "Link for a first person" in page.text
        assert "have labelled it: give each" not in page.text
        assert "admin</a>" in page.text
        assert "rater's link to try" not in page.text
        assert "answers by 0 people" in page.text.replace("\xa0", " ")
        assert "judged alike" not in page.text  # of no picture
    finally:
        page = client.follow(client.send(at, page, {"site": "labels", "what": "close"}))
    while ">closing …<" in page.text:
        page = client.get(at)
    # Later starts go on with the pictures that are there.
    assert ">those chosen before</option>" in page.text
    assert ">a random sample</option>" not in page.text
    assert raters_of(study.folder) == 1
