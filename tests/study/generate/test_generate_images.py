from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from portrayal.errors import ConfigError
from portrayal.generators.simulated import Simulated, SimulatedOptions
from portrayal.records import OUTCOME_SCHEMA, Failed, Job, Made, Outcome, Prompt, Refused, plan_job, to_table
from portrayal.study.generate.generate_images import generate
from portrayal.study.generate.pending_jobs import PendingJobs
from portrayal.study.plan.make_plan import plan
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]
Cut = Callable[[int], AbstractContextManager[None]]
Result = Made | Refused | Failed


def statuses(study: OpenStudy) -> list[tuple[str, int, str | None]]:
    rows = study.workspace.query("SELECT status, attempt, reason FROM outcomes ORDER BY ALL").to_pylist()
    return [(row["status"], row["attempt"], row["reason"]) for row in rows]


def run(study: OpenStudy, control: RunControl | None = None) -> OpenStudy:
    plan(study, RunControl())
    generate(study, control or RunControl())
    return study


def test_every_job_gets_its_image(make_study: Make) -> None:
    study = run(OpenStudy(make_study()))
    rows = study.workspace.query("SELECT image, ext FROM outcomes WHERE status = 'made'").to_pylist()
    assert len(rows) == 6
    assert all(study.workspace.images.path(row["image"], row["ext"]).is_file() for row in rows)


def test_a_second_run_draws_nothing(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    study = run(OpenStudy(make_study()))
    monkeypatch.setattr(Simulated, "generate", lambda self, jobs: pytest.fail("asked again"))
    generate(study, RunControl())


def test_a_refusal_is_an_answer(make_study: Make) -> None:
    study = run(OpenStudy(make_study(generators=[{"use": "simulated", "images": 3, "options": {"refused": 1.0}}])))
    generate(study, RunControl())
    assert statuses(study) == [("refused", 1, "simulated_refusal")] * 6


@pytest.mark.slow
def test_a_failure_is_tried_again_up_to_its_attempts(make_study: Make) -> None:
    study = run(OpenStudy(make_study(generators=[{"use": "simulated", "images": 1, "options": {"failed": 1.0}}])))
    expected = [("failed", attempt, "simulated_failure") for attempt in (1, 2, 3) for _ in range(2)]
    assert statuses(study) == expected
    generate(study, RunControl())
    assert statuses(study) == expected


@pytest.mark.slow
def test_a_later_attempt_can_succeed(make_study: Make) -> None:
    study = run(OpenStudy(make_study(generators=[{"use": "simulated", "images": 40, "options": {"failed": 0.5}}])))
    rows = study.workspace.query("SELECT max(attempt) AS attempt FROM outcomes WHERE status = 'made'").to_pylist()
    assert rows[0]["attempt"] > 1
    twice = study.workspace.query("SELECT job FROM outcomes WHERE status = 'made' GROUP BY job HAVING count(*) > 1")
    assert twice.num_rows == 0


def test_it_stops_between_batches_and_goes_on(make_study: Make) -> None:
    study = OpenStudy(make_study())
    calls = iter([False, True, True, True])
    run(study, RunControl(stopped=lambda: next(calls, True)))
    assert study.workspace.tables["outcomes"].count() == 2
    generate(study, RunControl())
    assert study.workspace.tables["outcomes"].count() == 6


def broken(self: Simulated, jobs: Sequence[Job]) -> Iterator[Result]:
    yield Refused(jobs[0].id, "first")
    raise ZeroDivisionError("out of luck")


class SpeechlessError(ValueError):
    def __str__(self) -> str:
        raise ValueError("no words")


def speechless(self: Simulated, jobs: Sequence[Job]) -> Iterator[Result]:
    raise SpeechlessError


def leaving(self: Simulated, jobs: Sequence[Job]) -> Iterator[Result]:
    sys.exit("bad weather")


def silent(self: Simulated, jobs: Sequence[Job]) -> Iterator[Result]:
    return iter(())


def confused(self: Simulated, jobs: Sequence[Job]) -> Iterator[Result]:
    yield Refused("somebody else's", "oops")


@pytest.mark.parametrize(
    ("misbehave", "detail"),
    [
        (broken, "ZeroDivisionError: out of luck"),
        (speechless, "SpeechlessError"),
        (leaving, "SystemExit: bad weather"),
        (silent, "gave no result"),
        (confused, "not asked"),
    ],
)
def test_a_misbehaving_generator_fails_its_jobs_only(
    make_study: Make, monkeypatch: pytest.MonkeyPatch, misbehave: Callable[..., object], detail: str
) -> None:
    monkeypatch.setattr(Simulated, "generate", misbehave)
    study = run(OpenStudy(make_study()))
    rows = study.workspace.query("SELECT job, reason, detail FROM outcomes WHERE status = 'failed'").to_pylist()
    assert rows
    assert {row["reason"] for row in rows} == {"generator_error"}
    assert all(detail in row["detail"] for row in rows)


def test_a_user_error_inside_a_generator_stops_the_stage(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Simulated, jobs: Sequence[Job]) -> Iterator[Result]:
        raise ConfigError("the key is wrong")

    monkeypatch.setattr(Simulated, "generate", refuse)
    with pytest.raises(ConfigError, match="key is wrong"):
        run(OpenStudy(make_study()))


def test_the_same_picture_is_stored_once(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def same(self: Simulated, jobs: Sequence[Job]) -> Iterator[Result]:
        yield from (Made(job.id, b"the same bytes", "png", 1, 1) for job in jobs)

    monkeypatch.setattr(Simulated, "generate", same)
    study = run(OpenStudy(make_study()))
    assert study.workspace.tables["outcomes"].count() == 6
    assert len([path for path in (study.root / "images").rglob("*") if path.is_file()]) == 1


def test_options_are_part_of_the_identity() -> None:
    assert Simulated("", SimulatedOptions()).name == "simulated@1"


@pytest.mark.parametrize("chunk", [1, 4, 100])
def test_pending_jobs_come_in_the_order_of_the_plan_with_their_next_attempt(
    make_study: Make, cut_tables: Cut, chunk: int
) -> None:
    generators = [{"use": "simulated", "images": 4}, {"use": "simulated", "images": 1, "options": {"size": 4}}]
    study = OpenStudy(make_study(generators=generators, generate={"attempts": 2}))
    plan(study, RunControl())
    name, other = study.generators
    rows = study.workspace.query("SELECT * FROM jobs").to_pylist()
    jobs = [row["id"] for row in rows if row["generator"] == name]
    outcomes = [
        Outcome(jobs[1], 1, "failed", reason="crash"),
        Outcome(jobs[0], 1, "made", image="a" * 64),
        Outcome(jobs[2], 1, "failed", reason="crash"),
        Outcome(jobs[2], 2, "failed", reason="crash"),
        Outcome(jobs[3], 1, "refused", reason="policy"),
        Outcome(jobs[4], 1, "failed", reason="crash"),
        Outcome(jobs[4], 2, "made", image="b" * 64),
        Outcome("of an earlier plan", 1, "failed", reason="crash"),
    ]
    study.workspace.tables["outcomes"].append(to_table(outcomes, OUTCOME_SCHEMA))
    with cut_tables(chunk):
        pending, others = PendingJobs(study, name), PendingJobs(study, other)
        found = list(pending)
        assert (pending.count(), others.count()) == (4, 2)
        assert pending.texts() == {"a photo of a nurse": 1, "a photo of a CEO": 3}
    assert [(job.id, job.attempt) for job in found] == [(jobs[1], 2), *((job, 1) for job in jobs[5:])]
    planned = {job.id: job for prompt in study.design.prompts.values() for job in planned_jobs(prompt, name)}
    assert [replace(job, attempt=1) for job in found] == [planned[job.id] for job in found]


def planned_jobs(prompt: Prompt, generator: str) -> list[Job]:
    return [plan_job(prompt, generator, index, 1) for index in range(4)]


def test_jobs_that_share_the_first_half_of_their_names_are_told_apart(make_study: Make) -> None:
    study = OpenStudy(make_study())
    plan(study, RunControl())
    rows = study.workspace.query("SELECT * FROM jobs").to_pylist()
    for number, row in enumerate(rows):
        row["id"] = f"{7:016x}{number << 32:016x}"
    jobs = study.workspace.tables["jobs"]
    jobs.replace([pa.Table.from_pylist(rows, jobs.schema)])
    made = [Outcome(row["id"], 1, "made", image=f"{number:064x}") for number, row in enumerate(rows[:2])]
    study.workspace.tables["outcomes"].append(to_table(made, OUTCOME_SCHEMA))
    (name,) = study.generators
    assert [job.id for job in PendingJobs(study, name)] == [row["id"] for row in rows[2:]]
