from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from portrayal.annotators.imported import Imported
from portrayal.annotators.simulated import Simulated
from portrayal.generators.simulated import Simulated as Drawer
from portrayal.methods import Counting
from portrayal.records import (
    PROMPT_SCHEMA,
    Abstention,
    Image,
    Job,
    Made,
    Observation,
    Person,
    Prompt,
    from_table,
    to_table,
)
from portrayal.store.table import Table
from portrayal.study.annotate import annotate, pending_images
from portrayal.study.generate import generate
from portrayal.study.hooks import Hooks
from portrayal.study.plan import plan
from portrayal.study.status import read_status
from portrayal.study.study import Study
from portrayal.study.tally import tally

Make = Callable[..., Path]
Seen = Iterator[Observation | Abstention]


def run(root: Path) -> Study:
    study = Study(root)
    plan(study, Hooks())
    generate(study, Hooks())
    annotate(study, Hooks())
    return study


def test_every_image_gets_at_least_one_row(make_study: Make) -> None:
    options = {"no_person": 0.3, "several": 0.3}
    study = run(make_study(generators=[{"use": "simulated", "images": 20, "options": options}]))
    judged = study.workspace.query("SELECT DISTINCT image FROM observations").num_rows
    assert judged == study.workspace.query("SELECT DISTINCT image FROM outcomes").num_rows == 40


def test_a_second_run_asks_nothing(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"no_person": 0.5}
    study = run(make_study(generators=[{"use": "simulated", "images": 3, "options": options}]))
    monkeypatch.setattr(Simulated, "annotate", lambda self, images: pytest.fail("asked again"))
    annotate(study, Hooks())


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("batch", [1, 7])
def test_batches_and_workers_change_nothing(
    make_study: Make, rows: Callable[[Path], dict[str, list[str]]], workers: int, batch: int
) -> None:
    annotators = [{"use": "simulated", "options": {"accuracy": 0.7}}]
    whole = run(make_study("whole", annotators=annotators, annotate={"batch": 100, "workers": 1}))
    other = run(make_study("other", annotators=annotators, annotate={"batch": batch, "workers": workers}))
    assert rows(other.root)["observations"] == rows(whole.root)["observations"]


def test_other_options_are_another_annotator(make_study: Make) -> None:
    annotators = [{"use": "simulated"}, {"use": "simulated", "options": {"accuracy": 0.5}}]
    study = run(make_study(annotators=annotators))
    names = study.workspace.query(
        "SELECT annotator, count(DISTINCT image) AS n FROM observations GROUP BY 1"
    ).to_pylist()
    assert sorted(row["annotator"] for row in names) == sorted(study.annotators)
    assert [row["n"] for row in names] == [6, 6]


def test_a_picture_drawn_twice_is_judged_once(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def same(self: Drawer, jobs: Sequence[Job]) -> Iterator[Made]:
        yield from (Made(job.id, b"same", "png", 1, 1, planted=[{"gender": "male"}]) for job in jobs)

    monkeypatch.setattr(Drawer, "generate", same)
    study = run(make_study())
    assert study.workspace.query("SELECT DISTINCT image FROM observations").num_rows == 1
    repeated = study.workspace.query("SELECT subject, attribute FROM observations GROUP BY ALL HAVING count(*) > 1")
    assert repeated.num_rows == 0


def draw(study: Study, people: Mapping[str, int]) -> None:
    """Plan and generate, with prompts that ask for so many people by their term."""
    plan(study, Hooks())
    prompts = from_table(study.workspace.query("SELECT * FROM prompts"), Prompt)
    asking = [replace(prompt, people=people[prompt.term]) for prompt in prompts]
    study.workspace.tables["prompts"].replace([to_table(asking, PROMPT_SCHEMA)])
    generate(study, Hooks())


def made_alike(monkeypatch: pytest.MonkeyPatch, planted: Sequence[Person]) -> None:
    """Let every job give the same picture."""

    def same(self: Drawer, jobs: Sequence[Job]) -> Iterator[Made]:
        yield from (Made(job.id, b"same", "png", 1, 1, planted=planted) for job in jobs)

    monkeypatch.setattr(Drawer, "generate", same)


@pytest.mark.parametrize("chunk", [1, 100])
@pytest.mark.parametrize("first", [1, 2])
def test_a_picture_of_prompts_for_one_and_for_two_is_judged_once_as_one_of_two(
    make_study: Make, monkeypatch: pytest.MonkeyPatch, chunk: int, first: int
) -> None:
    made_alike(monkeypatch, [{"gender": "male"}, {"gender": "female"}])
    batches = Table.batches
    monkeypatch.setattr(Table, "batches", lambda self, size=chunk: batches(self, size))
    shown: list[int] = []
    look = Simulated.annotate

    def noted(self: Simulated, images: Sequence[Image]) -> Seen:
        shown.extend(image.people for image in images)
        return look(self, images)

    monkeypatch.setattr(Simulated, "annotate", noted)
    study = Study(make_study(annotators=[{"use": "simulated", "options": {"attributes": ["gender"]}}]))
    draw(study, {"nurse": first, "CEO": 3 - first})
    annotate(study, Hooks())
    assert shown == [2]
    rows = study.workspace.query("SELECT subject, attribute, reason FROM observations ORDER BY subject").to_pylist()
    assert rows == [{"subject": subject, "attribute": "gender", "reason": None} for subject in (0, 1)]


@pytest.mark.parametrize("people", [1, 2])
def test_an_annotator_is_told_how_many_people_were_asked_for(make_study: Make, people: int) -> None:
    study = Study(make_study())
    draw(study, {"nurse": people, "CEO": people})
    pending = [row["people"] for table in pending_images(study, "simulated@1") for row in table.to_pylist()]
    assert pending == [people] * 6


def test_an_annotator_that_does_not_look_is_passed_over(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Imported, "annotate", lambda self, images: pytest.fail("asked"))
    study = run(make_study(annotators=[{"use": "imported:humans"}, {"use": "simulated"}]))
    assert list(study.annotators) == ["imported:humans", "simulated@1"]
    assert [table.num_rows for table in pending_images(study, "imported:humans")] == []
    assert study.workspace.query("SELECT DISTINCT annotator FROM observations").to_pylist() == [
        {"annotator": "simulated@1"}
    ]
    missing = tally(study, Counting(), Hooks()).missing.to_pylist()
    assert {(row["annotator"], row["reason"]): row["count"] for row in missing} == {
        ("imported:humans", "not annotated"): 3.0
    }
    assert read_status(study).unjudged == {"imported:humans": 0, "simulated@1": 0}


def test_a_broken_image_costs_only_itself(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    look = Simulated.annotate
    victims: list[str] = []

    def fragile(self: Simulated, images: Sequence[Image]) -> Seen:
        if not victims:
            victims.append(images[0].id)
        if victims[0] in {image.id for image in images}:
            raise OSError("cannot decode")
        return look(self, images)

    monkeypatch.setattr(Simulated, "annotate", fragile)
    study = run(make_study())
    failed = study.workspace.query("SELECT image, reason FROM observations WHERE reason IS NOT NULL").to_pylist()
    assert failed == [{"image": victims[0], "reason": "annotator_error: OSError"}]
    assert study.workspace.query("SELECT DISTINCT image FROM observations").num_rows == 6


def test_an_annotator_that_says_nothing_is_on_record(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Simulated, "annotate", lambda self, images: iter(()))
    study = run(make_study())
    reasons = study.workspace.query("SELECT reason FROM observations")["reason"].to_pylist()
    assert reasons == ["annotator_said_nothing"] * 6
