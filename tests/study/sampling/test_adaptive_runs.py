"""Images are drawn in rounds, each prompt until it is known well enough; killed or not, it ends the same."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.study.sampling.conftest import SAMPLING, last, rounds, run

import portrayal
from portrayal.generators.simulated.generator import Simulated
from portrayal.records import Measurement, Refused, from_table
from portrayal.store.tables.table import Table
from portrayal.study.measure.measure_study import measure
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow

Write = Callable[..., Path]
Rows = Callable[[Path], dict[str, list[str]]]
NURSE, PORTRAIT, CLERK = "a photo of a nurse", "a portrait of a nurse", "a photo of a clerk"


@pytest.fixture(scope="module")
def whole(write_adaptive: Write, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a study that ran undisturbed; only to be read."""
    root = write_adaptive(tmp_path_factory.mktemp("whole") / "study")
    run(root)
    return root


def test_what_is_known_stops_early_and_what_is_not_goes_on(whole: Path) -> None:
    study = OpenStudy(whole)
    decided = last(study)
    assert decided[NURSE].reason == decided[PORTRAIT].reason == "narrow"
    assert decided[CLERK].images > 2 * decided[NURSE].images
    assert (decided[CLERK].reason, decided[CLERK].images) == ("most_of_prompt", 40)
    known = decided[NURSE].half_width or 1.0
    assert known <= 0.15 < (decided[CLERK].half_width or 1.0)
    planned = study.workspace.query("SELECT count(*) AS n FROM jobs")["n"][0].as_py()
    assert planned == sum(row.images for row in decided.values()) < 3 * 40
    assert [row.asked for row in rounds(study, 1)] == [5, 5, 5]


def test_status_counts_each_prompt_of_each_model(whole: Path) -> None:
    drawn = portrayal.Study(whole).status
    assert drawn.rounds is not None
    two = replace(drawn.rounds, prompts=[*drawn.rounds.prompts, *drawn.rounds.prompts])
    said = [line.strip() for line in replace(drawn, rounds=two).results()]
    assert "of a prompt by a model: the interval is narrow enough (4 of 6)" in said
    assert "of a prompt by a model: it has the most images that a prompt may have (2 of 6)" in said


def test_a_second_run_does_nothing(whole: Path, rows: Rows) -> None:
    before = rows(whole)
    run(whole)
    assert rows(whole) == before


def test_refused_images_count_as_asked(whole: Path) -> None:
    study = OpenStudy(whole)
    refused = study.workspace.query("SELECT count(*) AS n FROM outcomes WHERE status = 'refused'")["n"][0].as_py()
    decided = last(study)
    assert refused > 0
    assert sum(row.images for row in decided.values()) == study.workspace.tables["jobs"].count()
    assert decided[CLERK].usable < decided[CLERK].asked


@pytest.mark.parametrize("after", [1, 3, 9, 14])
def test_stopped_at_any_point_it_ends_the_same(adaptive: Write, whole: Path, rows: Rows, after: int) -> None:
    root = adaptive()
    asked = iter(range(10_000))
    run(root, control=RunControl(stopped=lambda: next(asked) >= after))
    run(root)
    assert rows(root) == rows(whole)


@pytest.mark.parametrize("when", ["before", "after"])
def test_killed_around_a_decision_it_ends_the_same(
    adaptive: Write, whole: Path, rows: Rows, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    root, append = adaptive(), Table.append

    def killed(table: Table, added: Any) -> None:
        if table.folder.name != "rounds":
            append(table, added)
            return
        if when == "after":
            append(table, added)
        raise KeyboardInterrupt

    for _ in range(3):
        monkeypatch.setattr(Table, "append", killed)
        with pytest.raises(KeyboardInterrupt):
            run(root)
    monkeypatch.undo()
    run(root)
    assert rows(root) == rows(whole)


def test_stage_by_stage_it_draws_the_same_rounds(adaptive: Write, whole: Path, rows: Rows) -> None:
    root, said = adaptive(), list[str]()
    control = RunControl(remark=said.append)
    run(root, "plan", "generate", control=control)
    assert run(root, "plan", "measure").workspace.tables["jobs"].count() == 15
    assert "round 1" in said[-1]
    assert "portrayal annotate" in said[-1]
    for _ in range(8):
        run(root, "plan", "annotate")
        run(root, "plan", "generate", control=control)
    assert "nothing more is drawn" in said[-1]
    run(root, "plan", "measure")
    assert rows(root) == rows(whole)


def test_intervals_allow_for_the_looks(whole: Path) -> None:
    rows = list(from_table(OpenStudy(whole).workspace.query("SELECT * FROM measurements"), Measurement))
    assert {row.looks for row in rows} == {6}
    [clerk] = [r for r in rows if (r.metric, r.item, r.group, r.attribute) == ("share", "clerk", "female", "gender")]
    stopped = last(OpenStudy(whole))[CLERK].half_width
    assert clerk.low is not None
    assert clerk.high is not None
    assert (clerk.high - clerk.low) / 2 == pytest.approx(stopped, abs=0.005)


def test_a_run_whose_settings_are_deleted_still_allows_for_its_looks(whole: Path, tmp_path: Path) -> None:
    root = shutil.copytree(whole, tmp_path / "study")
    told = "SELECT * FROM measurements ORDER BY ALL"
    before = OpenStudy(root).workspace.query(told)
    lines = (root / "study.toml").read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if not line.startswith("sampling")]
    (root / "study.toml").write_text("\n".join(kept), encoding="utf-8")
    study = OpenStudy(root)
    assert study.config.sampling is None
    measure(study, RunControl(workers=1))
    assert study.workspace.query(told).equals(before)


def test_labels_that_people_bring_later_are_not_waited_for(adaptive: Write, whole: Path) -> None:
    people = {"use": "imported:people", "options": {"attributes": ["gender"]}}
    study = run(adaptive(annotators=[{"use": "simulated"}, people]))
    assert study.workspace.tables["jobs"].count() == OpenStudy(whole).workspace.tables["jobs"].count()
    assert last(study)[NURSE].reason == "narrow"


def test_a_limit_of_all_images_ends_it(adaptive: Write) -> None:
    study = run(adaptive(sampling={**SAMPLING, "most": 40}))
    assert study.workspace.tables["jobs"].count() == 40
    assert {row.reason for row in last(study).values()} <= {"narrow", "most_in_all"}
    assert last(study)[CLERK].reason == "most_in_all"


def test_looks_run_out(adaptive: Write) -> None:
    study = run(adaptive(sampling={**SAMPLING, "tolerance": 0.05, "rounds": 2}, images=400))
    assert (last(study)[CLERK].number, last(study)[CLERK].reason) == (2, "looks")


def test_a_narrower_tolerance_goes_on_from_what_is_there(adaptive: Write) -> None:
    root = adaptive()
    before = last(run(root))
    text = (root / "study.toml").read_text()
    (root / "study.toml").write_text(text.replace("0.15", "0.1"))
    after = last(run(root))
    assert after[NURSE].images > before[NURSE].images
    assert after[NURSE].number > before[NURSE].number


def test_a_prompt_that_is_always_refused_does_not_keep_its_term_open(
    adaptive: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = Simulated._trouble

    def refused(self: Simulated, job: Any, chance: float) -> Any:
        portraits = job.text == PORTRAIT
        return Refused(job.id, "policy") if portraits else usual(self, job, chance)

    monkeypatch.setattr(Simulated, "_trouble", refused)
    decided = last(run(adaptive()))
    assert (decided[PORTRAIT].reason, decided[PORTRAIT].usable) == ("unusable", 0)
    assert decided[PORTRAIT].images < 20
    assert (decided[NURSE].reason, decided[NURSE].half_width is not None) == ("narrow", True)


@pytest.mark.parametrize("why", ["no_person", "refused"])
def test_where_nothing_can_be_used_one_further_round_is_all(adaptive: Write, why: str) -> None:
    nobody = {"use": "simulated", "images": 60, "options": {why: 1.0, "size": 2}}
    study = run(adaptive(generators=[nobody]))
    decided = {(row.number, row.reason, row.images, row.half_width) for row in last(study).values()}
    assert decided == {(2, "unusable", 10, None)}
