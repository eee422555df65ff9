"""Status accounts for every planned image and every look at it."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal.study.annotate.annotate_images import annotate
from portrayal.study.generate.generate_images import generate
from portrayal.study.plan.make_plan import plan
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl, Silent
from portrayal.study.status import read_status, status_label
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]


def final(study: Path) -> list[dict[str, Any]]:
    """Return the answer of each job, or its last failure, by plain Python."""
    last: dict[str, dict[str, Any]] = {}
    for batch in OpenStudy(study).workspace.tables["outcomes"].batches():
        for row in batch.to_pylist(maps_as_pydicts="strict"):
            last[row["job"]] = row
    return list(last.values())


def test_a_new_study_has_nothing(make_study: Make) -> None:
    status = read_status(OpenStudy(make_study()))
    assert (status.title, status.prompts, status.jobs, status.outcomes) == ("A small study", 0, 0, {})
    assert (status.judged, status.unjudged, status.abstained) == ({"simulated@1": 0}, {"simulated@1": 0}, {})
    assert (status.measurements, status.report) == (0, None)


def test_a_plan_is_all_pending(make_study: Make) -> None:
    study = OpenStudy(make_study())
    plan(study, RunControl())
    status = read_status(study)
    assert (status.prompts, status.jobs) == (2, 6)
    assert status.outcomes == {"simulated@1": {"pending": 6}}


def test_a_stopped_stage_leaves_the_rest_pending(make_study: Make) -> None:
    study = OpenStudy(make_study())
    plan(study, RunControl())
    asked = iter((False, True, True))
    generate(study, RunControl(Silent(), lambda: next(asked)))
    status = read_status(study)
    assert status.outcomes == {"simulated@1": {"made": 2, "pending": 4}}
    assert status.unjudged == {"simulated@1": 2}


def test_every_job_is_counted_once_with_its_reason(finished: Path) -> None:
    status = read_status(OpenStudy(finished))
    (counts,) = status.outcomes.values()
    assert set(counts) == {"made", "refused: simulated_refusal", "failed: simulated_failure"}
    assert counts == Counter(status_label(row["status"], row["reason"]) for row in final(finished))
    assert sum(counts.values()) == status.jobs == 24
    assert OpenStudy(finished).workspace.tables["outcomes"].count() > status.jobs  # some were tried twice


def test_every_look_is_counted_with_the_reason_to_abstain(finished: Path) -> None:
    status = read_status(OpenStudy(finished))
    made = [len(row["planted"]) for row in final(finished) if row["status"] == "made"]
    assert status.judged == {"simulated@1": len(made)}
    assert status.unjudged == {"simulated@1": 0}
    assert status.abstained == {"simulated@1": {"no_person": made.count(0), "several_people": made.count(2)}}
    assert 0 not in status.abstained["simulated@1"].values()


def test_the_report_and_the_measurements_are_named(finished: Path) -> None:
    status = read_status(OpenStudy(finished))
    assert status.measurements > 0
    assert status.report == str(finished / "report" / "index.html")


def test_it_is_plain_data(finished: Path) -> None:
    data = read_status(OpenStudy(finished)).as_json()
    assert json.loads(json.dumps(data)) == data


@pytest.mark.slow
def test_a_smaller_plan_counts_only_what_it_asks_for(make_study: Make) -> None:
    folder = make_study(generators=[{"use": "simulated", "images": 3, "options": {"no_person": 1.0}}])
    run_stages(OpenStudy(folder), RunControl())
    text = (folder / "study.toml").read_text()
    (folder / "study.toml").write_text(text.replace('"images" = 3', '"images" = 1'))
    plan(OpenStudy(folder), RunControl())
    status = read_status(OpenStudy(folder))
    assert [sum(counts.values()) for counts in status.outcomes.values()] == [2]
    assert (status.judged, status.unjudged) == ({"simulated@1": 2}, {"simulated@1": 0})
    assert status.abstained == {"simulated@1": {"no_person": 2}}


def test_a_new_annotator_has_everything_before_it(finished_copy: Path) -> None:
    path = finished_copy / "study.toml"
    path.write_text(path.read_text().replace('"simulated" }]', '"simulated", "options" = { "accuracy" = 0.5 } }]'))
    study = OpenStudy(finished_copy)
    (name,) = study.annotators
    made = sum(row["status"] == "made" for row in final(finished_copy))
    assert read_status(study).unjudged == {name: made}
    annotate(study, RunControl())
    assert read_status(study).judged == {name: made}


def test_a_line_break_in_a_name_adds_no_line(finished: Path, tmp_path: Path) -> None:
    folder = tmp_path / "study\nmeasurements: 999"
    shutil.copytree(finished, folder)
    lines = repr(read_status(OpenStudy(folder))).splitlines()
    assert len(lines) == len(repr(read_status(OpenStudy(finished))).splitlines())
    assert r"study\u000ameasurements: 999" in lines[-1]


def test_it_needs_no_lock(finished_copy: Path) -> None:
    study = OpenStudy(finished_copy)
    with study.workspace.writing():
        assert read_status(study).jobs == 24


@pytest.mark.parametrize(
    ("status", "reason", "label"),
    [(None, None, "pending"), ("made", None, "made"), ("failed", "timeout", "failed: timeout")],
)
def test_labels(status: str | None, reason: str | None, label: str) -> None:
    assert status_label(status, reason) == label


def test_prompts_of_the_suite_that_have_no_images_are_told_apart(finished_copy: Path) -> None:
    found = read_status(OpenStudy(finished_copy))
    assert found.asked == found.prompts == 2
    jobs = OpenStudy(finished_copy).workspace
    kept = jobs.query("SELECT * FROM jobs WHERE prompt = (SELECT min(prompt) FROM jobs)")
    jobs.tables["jobs"].replace([kept])
    found = read_status(OpenStudy(finished_copy))
    assert (found.asked, found.prompts) == (1, 2)


def test_a_prompt_and_a_notebook_show_what_the_command_prints(
    finished: Path, cli: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    status = read_status(OpenStudy(finished))
    assert cli("status", finished).stdout == f"{status!r}\n"
    shown = status._repr_html_()
    assert all(f"<td>{cell}</td>" in shown for row in status.table() for cell in row)
    assert "A small study: 2 prompts, 24 images planned" in shown
    assert f"measurements: {status.measurements}" in shown
