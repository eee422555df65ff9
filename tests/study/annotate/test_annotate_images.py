from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image as Pillow

from portrayal.annotators.imported import Imported
from portrayal.annotators.simulated import Simulated
from portrayal.evidence import Missing, Rule
from portrayal.generators.simulated import Simulated as Drawer
from portrayal.records import (
    OUTCOME_SCHEMA,
    PROMPT_SCHEMA,
    Abstention,
    Image,
    Job,
    Made,
    Observation,
    Outcome,
    Person,
    Prompt,
    from_table,
    to_table,
)
from portrayal.study.annotate.annotate_images import PendingImages, annotate
from portrayal.study.generate.generate_images import generate
from portrayal.study.measure.collect import collect
from portrayal.study.plan.make_plan import plan
from portrayal.study.run_control import RunControl
from portrayal.study.status import read_status
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]
Cut = Callable[[int], AbstractContextManager[None]]
Seen = Iterator[Observation | Abstention]


def run(root: Path) -> OpenStudy:
    study = OpenStudy(root)
    plan(study, RunControl())
    generate(study, RunControl())
    annotate(study, RunControl())
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
    annotate(study, RunControl())


@pytest.mark.slow
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


def draw(study: OpenStudy, people: Mapping[str, int]) -> None:
    """Plan and generate, with prompts that ask for so many people by their term."""
    plan(study, RunControl())
    prompts = from_table(study.workspace.query("SELECT * FROM prompts"), Prompt)
    asking = [replace(prompt, people=people[prompt.term]) for prompt in prompts]
    study.workspace.tables["prompts"].replace([to_table(asking, PROMPT_SCHEMA)])
    generate(study, RunControl())


def made_alike(monkeypatch: pytest.MonkeyPatch, planted: Sequence[Person]) -> None:
    """Let every job give the same picture."""

    def same(self: Drawer, jobs: Sequence[Job]) -> Iterator[Made]:
        yield from (Made(job.id, b"same", "png", 1, 1, planted=planted) for job in jobs)

    monkeypatch.setattr(Drawer, "generate", same)


@pytest.mark.parametrize("chunk", [1, 100])
@pytest.mark.parametrize("first", [1, 2])
def test_a_picture_of_prompts_for_one_and_for_two_is_judged_once_as_one_of_two(
    make_study: Make, monkeypatch: pytest.MonkeyPatch, cut_tables: Cut, chunk: int, first: int
) -> None:
    made_alike(monkeypatch, [{"gender": "male"}, {"gender": "female"}])
    shown: list[int] = []
    look = Simulated.annotate

    def noted(self: Simulated, images: Sequence[Image]) -> Seen:
        shown.extend(image.people for image in images)
        return look(self, images)

    monkeypatch.setattr(Simulated, "annotate", noted)
    study = OpenStudy(make_study(annotators=[{"use": "simulated", "options": {"attributes": ["gender"]}}]))
    with cut_tables(chunk):
        draw(study, {"nurse": first, "CEO": 3 - first})
        annotate(study, RunControl())
    assert shown == [2]
    rows = study.workspace.query("SELECT subject, attribute, reason FROM observations ORDER BY subject").to_pylist()
    assert rows == [{"subject": subject, "attribute": "gender", "reason": None} for subject in (0, 1)]


@pytest.mark.parametrize("people", [1, 2])
def test_an_annotator_is_told_how_many_people_were_asked_for(make_study: Make, people: int) -> None:
    study = OpenStudy(make_study())
    draw(study, {"nurse": people, "CEO": people})
    pending = PendingImages(study, "simulated@1")
    assert [image.people for image in pending] == [people] * 6
    assert {type(image.people) for image in pending} == {int}, "whoever looks may write it down as JSON"


def test_an_annotator_that_does_not_look_is_passed_over(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Imported, "annotate", lambda self, images: pytest.fail("asked"))
    study = run(make_study(annotators=[{"use": "imported:humans"}, {"use": "simulated"}]))
    assert list(study.annotators) == ["imported:humans", "simulated@1"]
    assert study.workspace.query("SELECT DISTINCT annotator FROM observations").to_pylist() == [
        {"annotator": "simulated@1"}
    ]
    need = Missing(Rule("one"))
    counts = collect(study, [need], RunControl())[need].counts
    assert {key: own.tolist() for key, own in counts.items()} == {("imported:humans", "", "not annotated"): [3, 3]}
    assert read_status(study).unjudged == {"imported:humans": 0, "simulated@1": 0}


@pytest.mark.parametrize("error", [OSError, SystemExit])
def test_a_broken_image_costs_only_itself(
    make_study: Make, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    look = Simulated.annotate
    victims: list[str] = []

    def fragile(self: Simulated, images: Sequence[Image]) -> Seen:
        if not victims:
            victims.append(images[0].id)
        if victims[0] in {image.id for image in images}:
            raise error("cannot decode")
        return look(self, images)

    monkeypatch.setattr(Simulated, "annotate", fragile)
    study = run(make_study())
    failed = study.workspace.query("SELECT image, reason FROM observations WHERE reason IS NOT NULL").to_pylist()
    assert failed == [{"image": victims[0], "reason": f"annotator_error: {error.__name__}"}]
    assert study.workspace.query("SELECT DISTINCT image FROM observations").num_rows == 6


def test_rows_that_nobody_could_read_cost_only_their_image(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    look = Simulated.annotate
    victims: list[str] = []

    def careless(self: Simulated, images: Sequence[Image]) -> Seen:
        victims.extend(images[0].id for _ in range(1 - len(victims)))
        for row in look(self, images):
            yield replace(row, attribute="nope") if row.image == victims[0] else row

    monkeypatch.setattr(Simulated, "annotate", careless)
    study = run(make_study())
    failed = study.workspace.query("SELECT image, reason FROM observations WHERE reason IS NOT NULL").to_pylist()
    assert failed == [{"image": victims[0], "reason": "annotator_error: ValueError"}]


def test_an_annotator_that_says_nothing_is_on_record(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Simulated, "annotate", lambda self, images: iter(()))
    study = run(make_study())
    reasons = study.workspace.query("SELECT reason FROM observations")["reason"].to_pylist()
    assert reasons == ["annotator_said_nothing"] * 6


@pytest.mark.parametrize("chunk", [1, 2, 100])
def test_pending_images_come_in_the_order_in_which_they_were_made_each_once(
    make_study: Make, cut_tables: Cut, chunk: int
) -> None:
    study = OpenStudy(make_study(prompts="text,term\nz,nurse\ny,CEO\n"))
    plan(study, RunControl())
    jobs = study.workspace.query("SELECT jobs.id, text FROM jobs JOIN prompts ON prompts.id = jobs.prompt").to_pylist()
    nurses, bosses = ([row["id"] for row in jobs if row["text"] == text] for text in "zy")
    words = ["3" * 64, "1" * 64, "2" * 64]
    answers = [
        Outcome(bosses[0], 1, "failed", reason="crash"),
        Outcome(nurses[0], 1, "made", image=words[0], ext="png", planted=[{"gender": "male"}]),
        Outcome(bosses[0], 2, "made", image=words[1]),
        Outcome(nurses[1], 1, "refused", reason="policy"),
        Outcome(bosses[1], 1, "made", image=words[0], ext="png", planted=[{"gender": "male"}]),
        Outcome("of an earlier plan", 1, "made", image="4" * 64),
        Outcome(bosses[2], 1, "made", image=words[2]),
    ]
    study.workspace.tables["outcomes"].append(to_table(answers, OUTCOME_SCHEMA))
    with cut_tables(chunk):
        pending = PendingImages(study, "simulated@1")
        found = list(pending)
        assert (pending.count(), dict(pending.texts())) == (3, {"y": 3})
    assert [image.id for image in found] == words
    assert [image.text for image in found] == ["y", "y", "y"], "of several the first in the alphabet"
    assert found[0] == Image(
        words[0], study.workspace.images.path(words[0], "png"), [{"gender": "male"}], 1, "y", term="CEO"
    )
    assert (found[1].path, found[1].planted) == (None, None)


def test_judged_images_are_not_pending_for_who_judged_them(make_study: Make) -> None:
    annotators = [{"use": "simulated"}, {"use": "simulated", "options": {"accuracy": 0.5}}]
    study = OpenStudy(make_study(annotators=annotators[:1]))
    for stage in (plan, generate, annotate):
        stage(study, RunControl())
    both = OpenStudy(make_study("other", annotators=annotators))
    both.workspace = study.workspace
    first, second = (PendingImages(both, name) for name in both.annotators)
    assert (first.count(), list(first), dict(first.texts())) == (0, [], {})
    assert (second.count(), len(list(second))) == (6, 6)


@pytest.mark.slow
def test_one_file_that_is_an_edit_of_two_pictures_is_shown_with_both(make_study: Callable[..., Path]) -> None:
    prompts = "text,term,kind,edits\na man,man,seed,\na woman,woman,seed,\na nurse,nurse,word,seed\n"
    parts = [{"use": "folder", "images": 1, "role": role, "options": {"path": role}} for role in ("draw", "edit")]
    root = make_study(prompts=prompts, generators=parts)
    for number, name in enumerate(("draw/man.png", "draw/woman.png", "edit/nurse/man.png", "edit/nurse/woman.png")):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        Pillow.new("RGB", (8, 8), (min(number, 2), 0, 0)).save(root / name)
    study = OpenStudy(root)
    plan(study, RunControl())
    generate(study, RunControl())
    shown = list(PendingImages(study, "simulated@1"))
    assert sorted(len(image.sources) for image in shown) == [0, 0, 2]
    (both,) = [image for image in shown if image.sources]
    assert {path.stem for path in both.sources} == {image.id for image in shown if not image.sources}


@pytest.mark.slow
def test_edits_are_shown_with_what_they_were_made_from(make_study: Callable[..., Path]) -> None:
    prompts = (
        "text,term,kind,edits\na man,man,seed,\na woman,woman,seed,\na nurse,nurse,word,seed\na CEO,CEO,word,seed\n"
    )
    parts = [{"use": "simulated", "images": images, "role": role} for images, role in ((3, "draw"), (2, "edit"))]
    study = OpenStudy(make_study(prompts=prompts, generators=parts))
    plan(study, RunControl())
    generate(study, RunControl())
    sql = """
        SELECT edited.image, source.image AS source FROM jobs JOIN outcomes AS edited ON edited.job = jobs.id
        LEFT JOIN outcomes AS source ON source.job = source_job
    """
    wanted = {row["image"]: row["source"] for row in study.workspace.query(sql).to_pylist()}
    shown = {
        image.id: image.sources[0].stem if image.sources else None for image in PendingImages(study, "simulated@1")
    }
    assert len(shown) == 6 + 24
    assert shown == wanted
