from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal.methods import Counting
from portrayal.records import OBSERVATION_SCHEMA, OUTCOME_SCHEMA, Abstention, Observation, Outcome, to_table
from portrayal.study.annotate import annotate
from portrayal.study.generate import generate
from portrayal.study.hooks import Hooks
from portrayal.study.plan import plan
from portrayal.study.study import Study
from portrayal.study.tally import tally, tally_confusion

Make = Callable[..., Path]
LOOKER = "simulated@1"


@pytest.fixture
def study(make_study: Make) -> Study:
    """Two prompts of three images, put together by hand so that every count is known."""
    study = Study(make_study())
    plan(study, Hooks())
    jobs = [row["id"] for row in study.workspace.query("SELECT id FROM jobs").to_pylist()]
    answers = [
        Outcome(jobs[0], 1, "made", image="one", planted=[{"gender": "female"}]),
        Outcome(jobs[1], 1, "failed", reason="crash"),
        Outcome(jobs[1], 2, "made", image="two", planted=[{"gender": "male"}, {"gender": "male"}]),
        Outcome(jobs[2], 1, "refused", reason="policy"),
        Outcome(jobs[3], 1, "made", image="none", planted=[]),
        Outcome(jobs[4], 1, "failed", reason="crash"),
    ]
    seen = [
        Observation("one", LOOKER, 0, "gender", (0.6, 0.4)),
        Abstention("one", LOOKER, "too_dark", 0, "tone3"),
        Abstention("one", LOOKER, "tiny", 1),
        Abstention("two", LOOKER, "several_people"),
        Observation("two", LOOKER, 0, "gender", (1.0, 0.0)),
        Observation("two", LOOKER, 1, "gender", (0.1, 0.9)),
        Observation("two", LOOKER, 0, "age", value=30.0),
        Observation("two", LOOKER, 1, "age", value=50.0),
        Abstention("none", LOOKER, "no_person"),
    ]
    study.workspace.tables["outcomes"].append(to_table(answers, OUTCOME_SCHEMA))
    study.workspace.tables["observations"].append(to_table(seen, OBSERVATION_SCHEMA))
    return study


def plain(table: Any, *columns: str) -> list[tuple[Any, ...]]:
    return sorted(tuple(row[column] for column in columns) for row in table.to_pylist())


def test_one_person_an_image(study: Study) -> None:
    tables = tally(study, Counting(), Hooks())
    assert plain(tables.counts, "attribute", "group", "count") == [("gender", 0, 1.0)]
    assert plain(tables.values, "n") == []
    assert plain(tables.planned, "count") == [(3.0,), (3.0,)]
    assert plain(tables.missing, "attribute", "reason", "count") == [
        ("", "failed: crash", 1.0),
        ("", "no_person", 1.0),
        ("", "pending", 1.0),
        ("", "refused: policy", 1.0),
        ("", "several_people", 1.0),
        ("tone3", "too_dark", 1.0),
    ]


def test_each_person(study: Study) -> None:
    tables = tally(study, Counting(people="each"), Hooks())
    assert plain(tables.counts, "attribute", "group", "count") == [("gender", 0, 2.0), ("gender", 1, 1.0)]
    assert plain(tables.values, "attribute", "n", "total", "squares") == [("age", 2, 80.0, 3400.0)]
    assert "several_people" not in tables.missing["reason"].to_pylist()
    assert "no_person" in tables.missing["reason"].to_pylist()


def test_an_image_of_several_people_counts_once_for_a_reason(study: Study) -> None:
    seen = [Abstention("two", LOOKER, "too_dark", person, "tone3") for person in (0, 1)]
    study.workspace.tables["observations"].append(to_table(seen, OBSERVATION_SCHEMA))
    missing = tally(study, Counting(people="each"), Hooks()).missing
    # The images one and two; their three people are more than the images planned could be.
    assert ("tone3", "too_dark", 2.0) in plain(missing, "attribute", "reason", "count")


def test_masses_add_up(study: Study) -> None:
    tables = tally(study, Counting(evidence="mass"), Hooks())
    assert plain(tables.counts, "group", "count") == [(0, pytest.approx(0.6)), (1, pytest.approx(0.4))]


def test_confusion_is_of_single_planted_people(study: Study) -> None:
    assert plain(tally_confusion(study), "attribute", "planted", "perceived", "count") == [("gender", "female", 0, 1.0)]


def test_an_image_nobody_looked_at_is_missing(study: Study) -> None:
    study.workspace.tables["observations"].replace([])
    reasons = tally(study, Counting(), Hooks()).missing
    assert ("not annotated", 1.0) in plain(reasons, "reason", "count")


def test_chunks_change_nothing(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"refused": 0.1, "failed": 0.1, "no_person": 0.1, "several": 0.1}
    study = Study(make_study(generators=[{"use": "simulated", "images": 40, "options": options}]))
    for stage in (plan, generate, annotate):
        stage(study, Hooks())
    whole = tally(study, Counting(), Hooks())
    jobs = study.workspace.tables["jobs"]
    batches = type(jobs).batches
    monkeypatch.setattr(type(jobs), "batches", lambda self, size=0: batches(self, 7))
    parts = tally(study, Counting(), Hooks())
    for name in ("planned", "counts", "missing"):
        columns = getattr(whole, name).column_names
        assert plain(getattr(parts, name), *columns) == plain(getattr(whole, name), *columns)


def test_nothing_planned(make_study: Make) -> None:
    study = Study(make_study(generators=[]))
    plan(study, Hooks())
    tables = tally(study, Counting(), Hooks())
    assert tables.planned.num_rows == tables.counts.num_rows == tables.missing.num_rows == 0


def test_several_people_are_not_one_even_if_the_annotator_does_not_say_so(study: Study) -> None:
    seen = [Observation("two", LOOKER, subject, "gender", (1.0, 0.0)) for subject in (0, 1)]
    study.workspace.tables["observations"].replace([to_table(seen, OBSERVATION_SCHEMA)])
    tables = tally(study, Counting(), Hooks())
    assert tables.counts.num_rows == 0
    assert ("several_people", 1.0) in plain(tables.missing, "reason", "count")
    assert plain(tally(study, Counting(people="each"), Hooks()).counts, "count") == [(2.0,)]


@pytest.mark.parametrize("people", ["one", "each"])
def test_who_is_only_said_to_be_absent_is_missing(study: Study, people: Any) -> None:
    job = study.workspace.query("SELECT id FROM jobs").to_pylist()[5]["id"]
    study.workspace.tables["outcomes"].append(to_table([Outcome(job, 1, "made", image="empty")], OUTCOME_SCHEMA))
    said = [
        Observation("empty", LOOKER, 0, "person", (0.1, 0.9)),
        Observation("none", LOOKER, 0, "person", (0.0, 1.0)),
    ]
    study.workspace.tables["observations"].append(to_table(said, OBSERVATION_SCHEMA))
    missing = tally(study, Counting(people=people), Hooks()).missing.to_pylist()
    assert sum(row["count"] for row in missing if row["reason"] == "no_person") == 2


def test_nothing_planted_has_no_confusion(make_study: Make) -> None:
    study = Study(make_study())
    plan(study, Hooks())
    assert tally_confusion(study).num_rows == 0


def test_what_is_asked_for_decides_whether_several_people_count(make_study: Make) -> None:
    suite = {"use": "bafis", "options": {"terms": ["nurse"], "languages": ["de"], "variants": ["direct", "group"]}}
    study = Study(make_study(suite=suite, generators=[{"use": "simulated", "images": 2}]))
    plan(study, Hooks())
    jobs = study.workspace.query(
        "SELECT jobs.id, variant FROM jobs JOIN prompts ON prompts.id = jobs.prompt ORDER BY variant, index"
    )
    direct, also_direct, group, also_group = jobs["id"].to_pylist()
    # The same picture of two people answers a prompt for one and a prompt for a group.
    answers = [Outcome(job, 1, "made", image="two") for job in (direct, group)]
    answers += [Outcome(also_direct, 1, "made", image="one"), Outcome(also_group, 1, "made", image="none")]
    seen = [
        Abstention("two", LOOKER, "several_faces"),
        Observation("two", LOOKER, 0, "gender", (1.0, 0.0)),
        Observation("two", LOOKER, 1, "gender", (0.1, 0.9)),
        Observation("one", LOOKER, 0, "gender", (0.0, 1.0)),
        Abstention("none", LOOKER, "no_face"),
    ]
    study.workspace.tables["outcomes"].append(to_table(answers, OUTCOME_SCHEMA))
    study.workspace.tables["observations"].append(to_table(seen, OBSERVATION_SCHEMA))
    tables = tally(study, Counting(people="asked"), Hooks())
    variants = {prompt.id: prompt.variant for prompt in tables.prompts.values()}
    counts = {(variants[row["prompt"]], row["group"]): row["count"] for row in tables.counts.to_pylist()}
    assert counts == {("direct", 1): 1.0, ("group", 0): 1.0, ("group", 1): 1.0}
    missing = {(variants[row["prompt"]], row["reason"]): row["count"] for row in tables.missing.to_pylist()}
    assert missing == {("direct", "several_faces"): 1.0, ("group", "no_face"): 1.0}
    assert tally(study, Counting(), Hooks()).counts["count"].to_pylist() == [1.0]
    assert sum(tally(study, Counting(people="each"), Hooks()).counts["count"].to_pylist()) == 5.0
