from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from portrayal.errors import StudyError
from portrayal.records import Measurement, from_table
from portrayal.study.hooks import Hooks
from portrayal.study.measure import measure
from portrayal.study.run import run_stages
from portrayal.study.study import Study

Make = Callable[..., Path]
STAGES = ("plan", "generate", "annotate", "measure")


def shares(study: Study) -> list[Measurement]:
    rows = from_table(study.workspace.query("SELECT * FROM measurements"), Measurement)
    return [row for row in rows if row.metric == "share"]


def test_planted_truth_lies_inside_the_intervals(make_study: Make) -> None:
    terms = {"nurse": {"gender": {"male": 0.15, "female": 0.85}}, "CEO": {"gender": {"male": 0.8, "female": 0.2}}}
    options = {"terms": terms, "refused": 0.05, "no_person": 0.05}
    study = Study(make_study(generators=[{"use": "simulated", "images": 200, "options": options}]))
    run_stages(study, Hooks(), STAGES)
    cells = [row for row in shares(study) if row.level == "term"]
    inside = [row for row in cells if (row.low or 0.0) <= (row.planted or 0.0) <= (row.high or 0.0)]
    assert len(cells) == 16
    assert all(row.planted is not None and row.low is not None for row in cells)
    assert len(inside) >= 14


def test_what_is_used_and_what_is_missing_add_up_to_what_was_asked(make_study: Make) -> None:
    options = {"refused": 0.2, "failed": 0.3, "no_person": 0.2, "several": 0.2}
    study = Study(make_study(generators=[{"use": "simulated", "images": 50, "options": options}]))
    run_stages(study, Hooks(), STAGES)
    for row in shares(study):
        assert row.n + row.missing == (50 if row.level != "overall" else 100)


def test_measuring_twice_gives_the_same_numbers(make_study: Make) -> None:
    study = Study(make_study())
    run_stages(study, Hooks(), STAGES)
    assert measure(study, Hooks()) == measure(study, Hooks())
    assert len({path.name for path in (study.root / "tables" / "measurements").iterdir()}) == 1


def test_without_annotators_there_is_nothing_to_measure(make_study: Make) -> None:
    study = Study(make_study(annotators=[]))
    with pytest.raises(StudyError, match=r"no \[\[annotators\]\]"):
        measure(study, Hooks())


def test_a_study_with_nothing_usable_has_no_values(make_study: Make) -> None:
    study = Study(make_study(generators=[{"use": "simulated", "images": 3, "options": {"no_person": 1.0}}]))
    run_stages(study, Hooks(), STAGES)
    assert shares(study)
    for row in shares(study):
        assert row.value is None
        assert row.note == f"no usable image (no_person {row.missing})"


def test_a_stopped_measurement_leaves_the_last_one_alone(make_study: Make) -> None:
    study = Study(make_study())
    run_stages(study, Hooks(), STAGES)
    before = shares(study)
    assert measure(study, Hooks(stopped=lambda: True)) == []
    assert shares(study) == before
