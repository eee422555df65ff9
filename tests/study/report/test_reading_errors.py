"""How often an annotator misreads people is counted against people's labels, one person to an image."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal.records import OBSERVATION_SCHEMA, Observation, to_table
from portrayal.reports.reading_errors import ReadingErrors
from portrayal.study.report.reading_errors import reading_errors
from portrayal.study.study import OpenStudy


@pytest.fixture
def study(make_study: Callable[..., Path]) -> OpenStudy:
    """Return a study of one annotator, and of people who label gender."""
    people = {"use": "imported:people", "options": {"attributes": ["gender"]}}
    return OpenStudy(make_study(annotators=[{"use": "simulated"}, people]))


def observe(study: OpenStudy, rows: list[tuple[str, str, int, str]]) -> None:
    """Write down who perceived which gender in which person of which image."""
    groups = study.attributes["gender"].groups
    found = [
        Observation(image, by, person, "gender", tuple(float(seen == group) for group in groups))
        for image, by, person, seen in rows
    ]
    study.workspace.tables["observations"].append(to_table(found, OBSERVATION_SCHEMA))


def test_what_is_read_is_counted_by_what_people_say(study: OpenStudy) -> None:
    machine, people = study.annotators
    told = {"a": ("male", "male"), "b": ("male", "female"), "c": ("male", "female"), "d": ("female", "female")}
    for image, (truth, seen) in told.items():
        observe(study, [(image, machine, 0, seen), (image, people, 0, truth)])
    observe(study, [("unlabelled", machine, 0, "male")])
    observe(study, [("two", machine, 0, "male"), ("two", machine, 1, "female"), ("two", people, 0, "male")])
    pairs = {("male", "male"): 1, ("male", "female"): 2, ("female", "female"): 1}
    assert reading_errors(study, {}) == {(machine, "gender"): ReadingErrors("labels", pairs)}


def test_labels_come_before_planted_truth(study: OpenStudy) -> None:
    machine, people = study.annotators
    planted = {(machine, "gender"): {("male", "male"): 9}, (machine, "age3"): {("adult", "young"): 2}}
    about_age = {(machine, "age3"): ReadingErrors("planted", {("adult", "young"): 2})}
    assert reading_errors(study, planted) == {
        (machine, "gender"): ReadingErrors("planted", {("male", "male"): 9}), **about_age
    }  # fmt: skip
    observe(study, [("a", machine, 0, "female"), ("a", people, 0, "male")])
    labelled = {(machine, "gender"): ReadingErrors("labels", {("male", "female"): 1})}
    assert reading_errors(study, planted) == {**labelled, **about_age}


def test_errors_are_known_model_by_model(make_study: Callable[..., Path], by_hand: Callable[[Path], Any]) -> None:
    """An annotator may misread the pictures of one model alone."""
    people = {"use": "imported:people", "options": {"attributes": ["gender"]}}
    written = by_hand(make_study(annotators=[{"use": "simulated"}, people]))
    machine, person = written.study.annotators
    for model, misread in (("A", 2), ("B", 0)):
        for number in range(3):
            word = f"{model} {number}"
            written.made(word, generator=model)
            written.told(word, machine, 0, "gender", (0.0, 1.0) if number < misread else (1.0, 0.0))
            written.told(word, person, 0, "gender", (1.0, 0.0))
    known = reading_errors(written.write(), {})[machine, "gender"]
    assert known.by_model == {"A": {("male", "female"): 2, ("male", "male"): 1}, "B": {("male", "male"): 3}}
    assert known.of_model("A") is known, "three labels say too little of one model"
