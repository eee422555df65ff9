from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from portrayal.annotators.simulated import Simulated
from portrayal.generators.simulated import Simulated as Drawer
from portrayal.records import Abstention, Image, Job, Made, Observation
from portrayal.study.annotate import annotate
from portrayal.study.generate import generate
from portrayal.study.hooks import Hooks
from portrayal.study.plan import plan
from portrayal.study.study import Study

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
