"""One picture: how it was asked for, what it cost, what it was edited from and into; and the newest ones of a run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

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


def test_neighbours_are_those_that_a_filter_leaves(study: OpenStudy, tmp_path: Path) -> None:
    index = PictureIndex(study.root, tmp_path / "index")
    names = [picture["name"] for picture in index.page({}, 1).pictures]
    assert index.neighbours(names[1], {}) == (names[0], names[2])
    assert index.neighbours(names[0], {})[0] == ""
    women = [picture["name"] for picture in index.page({"gender": "female"}, 1).pictures]
    later = [name for name in women if names.index(name) > 0]
    assert index.neighbours(names[0], {"gender": "female"}) == ("", later[0] if later else "")
    assert index.neighbours("nothing.png", {}) == ("", "")
