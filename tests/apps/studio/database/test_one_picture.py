"""One picture: how it was asked for, what it cost, what it was edited from and into; and the newest ones of a run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal.api.study import Study
from portrayal.apps.studio.database.missing_pictures import missing_pictures
from portrayal.apps.studio.database.one_picture import picture_origin
from portrayal.apps.studio.database.picture_index import PictureIndex
from portrayal.apps.studio.runs.newest import NewestPictures
from portrayal.records import (
    JOB_SCHEMA,
    OUTCOME_SCHEMA,
    SPENDING_SCHEMA,
    Job,
    Made,
    Outcome,
    Refused,
    Spending,
    to_table,
)
from portrayal.study.create.create_study import create_study
from portrayal.study.status import read_status
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow


@pytest.fixture
def study(tmp_path: Path, add_finished: Callable[..., Path]) -> OpenStudy:
    return OpenStudy.to_read(add_finished(tmp_path / "one", 2))


def made(study: OpenStudy) -> Any:
    return study.workspace.query(
        "SELECT job, image, prompt FROM outcomes JOIN jobs ON job = id ORDER BY job"
    ).to_pylist()


def test_edits_costs_and_changed_prompts_are_known(study: OpenStudy) -> None:
    one, other, *_ = made(study)
    tables, name = study.workspace.tables, "0" * 64
    edit = Job("edit", other["prompt"], "editor@1", 0, 7, source_job=one["job"])
    tables["jobs"].append(to_table([edit], JOB_SCHEMA))
    drawn = Made("edit", b"x", "png", 5, 6, "a smiling nurse", stored=name)
    tables["outcomes"].append(to_table([Outcome.of(drawn, 2)], OUTCOME_SCHEMA))
    calls = [
        Spending("a", "editor@1", "edit", 0.5, settled=False),
        Spending("a", "editor@1", "edit", 0.25, settled=True),
    ]
    calls += [
        Spending("b", "looker@1", name, 0.01, settled=False),
        Spending("c", "editor@1", "another", 9, settled=True),
    ]
    tables["spending"].append(to_table(calls, SPENDING_SCHEMA))
    origin = picture_origin(study, name)
    [row] = origin.made
    assert (row["revised_prompt"], row["seed"], row["attempt"], row["width"]) == ("a smiling nurse", 7, 2, 5)
    assert origin.spent == {"editor@1": 0.25, "looker@1": 0.01}
    assert [picture.name[:64] for picture in origin.before] == [one["image"]]
    assert [picture.name for picture in picture_origin(study, one["image"]).edits] == [f"{name}.png"]
    assert picture_origin(study, "f" * 64).made == []


def test_the_newest_come_first_with_what_is_missing_and_why(study: OpenStudy) -> None:
    newest = NewestPictures()
    seen = newest.get(study.root)
    assert len(seen.pictures) == 4
    assert {picture.seen.split(",")[0] for picture in seen.pictures} <= {"female", "male"}
    job = made(study)[0]["job"]
    refused = Outcome.of(Refused(job, "content_policy"), 2)
    study.workspace.tables["outcomes"].append(to_table([refused], OUTCOME_SCHEMA))
    assert newest.get(study.root) == seen  # it rests for a while
    first = NewestPictures().get(study.root).pictures[0]
    assert (first.name, first.missing) == ("", "refused: content policy")


def test_what_is_missing_is_listed_by_reason(tmp_path: Path) -> None:
    part = {"use": "simulated", "options": {"pixels": False, "refused": 0.4, "failed": 0.3}}
    create_study(tmp_path / "one", generator=part, annotator="simulated", prompts=["a nurse", "a CEO"], images=60)
    Study(tmp_path / "one").run(progress=False)
    study = OpenStudy.to_read(tmp_path / "one")
    [(model, status)] = read_status(study).named().outcomes.items()
    unmade = {why: number for why, number in status.items() if why != "made" and number}
    page = missing_pictures(study, "", "", 1)
    assert {row["why"]: row["pictures"] for row in page.counts} == unmade
    assert len(unmade) > 1
    why = max(unmade, key=unmade.__getitem__)
    one = missing_pictures(study, model, why, 99)
    assert (one.total, {row["why"] for row in one.rows}) == (unmade[why], {why})
    assert missing_pictures(study, "nobody", "", 1).rows == []


def test_neighbours_are_those_that_a_filter_leaves(study: OpenStudy, tmp_path: Path) -> None:
    index = PictureIndex(study.root, tmp_path / "index")
    names = [picture["name"] for picture in index.page({}, 1).pictures]
    assert index.neighbours(names[1], {}) == (names[0], names[2])
    assert index.neighbours(names[0], {})[0] == ""
    women = [picture["name"] for picture in index.page({"gender": "female"}, 1).pictures]
    later = [name for name in women if names.index(name) > 0]
    assert index.neighbours(names[0], {"gender": "female"}) == ("", later[0] if later else "")
    assert index.neighbours("nothing.png", {}) == ("", "")
