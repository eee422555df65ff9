"""What became of every job: found in one pass over the tables, and the same as a plain search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portrayal.evidence import Requires
from portrayal.records import JOB_SCHEMA, OUTCOME_SCHEMA, Job, Outcome, to_table
from portrayal.store.tables.table import Table
from portrayal.study.study import OpenStudy
from portrayal.study.tables.plan_answers import Answers, read_answers

if TYPE_CHECKING:
    from tests.study.conftest import Written

Make = Callable[..., Path]
Cut = Callable[[int], AbstractContextManager[None]]
Begin = Callable[[Path], "Written"]
EVERYTHING = Requires(seeds=True, planted=True)


@pytest.fixture
def written(by_hand: Begin, make_study: Make) -> Written:
    return by_hand(make_study())


def unmade(answers: Answers) -> dict[str, int]:
    return {reason: int(counts.sum()) for reason, counts in answers.unmade.items()}


def images(written: Written, answers: Answers) -> Counter[tuple[Any, ...]]:
    """Return every made job: its image, its cell and, where there are any, its seed and who is planted."""
    names = sorted({outcome.image for outcome in written.outcomes if outcome.image})
    places, found = answers.find(np.array([int(name[:16], 16) for name in names], dtype=np.uint64))
    columns = [[names[place] for place in places], [answers.cells[cell] for cell in found["cell"]]]
    if "seed" in found:
        columns.append(found["seed"].tolist())
    if "person" in found:
        columns.append([str(answers.persons[person]) if person >= 0 else "" for person in found["person"]])
    return Counter(zip(*columns, strict=True))


def test_every_job_without_an_image_has_its_reason(written: Written) -> None:
    refused, crashed, late, _, silent = (written.job() for _ in range(5))
    written.outcomes = [
        Outcome(refused, 1, "failed", reason="timeout"),
        Outcome(refused, 2, "refused", reason="policy"),
        Outcome(crashed, 2, "failed", reason="second"),
        Outcome(crashed, 1, "failed", reason="first"),
        Outcome(late, 1, "failed", reason="first"),
        Outcome(late, 2, "made", image=written.name_of("a")),
        Outcome(silent, 1, "failed"),
    ]
    answers = read_answers(written.write().workspace)
    assert answers.cells == [("g", written.prompts["nurse"].id)]
    assert (answers.planned.tolist(), answers.made.tolist()) == ([5], [1])
    assert unmade(answers) == {"failed: second": 1, "failed: unknown": 1, "pending": 1, "refused: policy": 1}


def test_a_refusal_is_the_answer_whatever_failed_later(written: Written) -> None:
    job = written.job()
    written.outcomes = [Outcome(job, 1, "refused", reason="policy"), Outcome(job, 5, "failed", reason="late")]
    assert unmade(read_answers(written.write().workspace)) == {"refused: policy": 1}


def test_cells_are_in_order_and_counted_apart(written: Written) -> None:
    written.made("a", "nurse", generator="h")
    written.made("b", "CEO", generator="g")
    written.made("c", "CEO", generator="g")
    written.job("CEO", generator="g")
    written.job("nurse", generator="g")
    answers = read_answers(written.write().workspace)
    assert answers.cells == sorted({(job.generator, job.prompt) for job in written.jobs})
    by_cell = dict(zip(answers.cells, zip(answers.planned.tolist(), answers.made.tolist(), strict=True), strict=True))
    nurse, ceo = (written.prompts[text].id for text in ("nurse", "CEO"))
    assert by_cell == {("h", nurse): (1, 1), ("g", ceo): (3, 2), ("g", nurse): (1, 0)}
    pending = dict(zip(answers.cells, answers.unmade["pending"].tolist(), strict=True))
    assert pending == {("h", nurse): 0, ("g", ceo): 1, ("g", nurse): 1}


def test_a_picture_belongs_to_every_job_that_it_answers(written: Written) -> None:
    written.made("a", "nurse")
    written.made("a", "CEO")
    written.made("a", "CEO")
    written.made("b", "CEO")
    answers = read_answers(written.write().workspace)
    assert (answers.made.sum(), answers.pictures, len(answers.images)) == (4, 2, 4)
    places, found = answers.find(np.array([int(written.name_of("a")[:16], 16)], dtype=np.uint64))
    assert places.tolist() == [0, 0, 0]
    assert Counter(answers.cells[cell][1] for cell in found["cell"].tolist()) == {
        written.prompts["nurse"].id: 1,
        written.prompts["CEO"].id: 2,
    }


def test_outcomes_of_an_earlier_larger_plan_are_kept_and_not_counted(written: Written) -> None:
    written.made("a")
    written.outcomes += [
        Outcome("f" * 32, 1, "made", image=written.name_of("old")),
        Outcome("e" * 32, 1, "failed", reason="old"),
    ]
    answers = read_answers(written.write().workspace)
    assert (answers.planned.tolist(), answers.made.tolist(), unmade(answers), answers.pictures) == ([1], [1], {}, 1)


def test_seeds_and_planted_people_only_where_they_are_asked_for(written: Written) -> None:
    written.made("a", seed=7, planted=[{"gender": "male"}])
    written.made("b", seed=0, planted=[{"gender": "male"}, {"gender": "female"}])
    written.made("c", seed=-3)
    written.job(seed=9)
    workspace = written.write().workspace
    bare = read_answers(workspace)
    assert (bare.drawn_with, list(bare.persons)) == (None, [])
    assert list(bare.find(np.zeros(0, dtype=np.uint64))[1]) == ["cell"]
    answers = read_answers(workspace, EVERYTHING)
    assert answers.drawn_with is not None
    assert sorted(answers.drawn_with[1].tolist()) == [-3, 0, 7, 9]
    assert answers.drawn_with[0].tolist() == [0, 0, 0, 0]
    assert list(answers.persons) == [{"gender": "male"}]
    by_seed = {seed: person for _, _, seed, person in images(written, answers)}
    assert by_seed == {7: str({"gender": "male"}), 0: "", -3: ""}


def test_what_failed_before_it_was_made_is_made(written: Written) -> None:
    written.made("a")
    written.outcomes.insert(0, Outcome(written.jobs[0].id, 0, "failed", reason="crash"))
    answers = read_answers(written.write().workspace)
    assert (answers.made.tolist(), answers.unmade) == ([1], {})


def test_nothing_planned_and_nothing_made(written: Written) -> None:
    empty = read_answers(written.write().workspace, EVERYTHING)
    assert (empty.cells, empty.planned.tolist(), empty.unmade, empty.pictures) == ([], [], {}, 0)
    written.job()
    assert unmade(read_answers(written.write().workspace)) == {"pending": 1}


def test_many_cells(written: Written) -> None:
    """More cells than a byte can number."""
    for number in range(300):
        written.made(str(number), f"prompt {number}")
    answers = read_answers(written.write().workspace)
    assert answers.made.tolist() == [1] * 300
    prompts = {text: prompt.id for text, prompt in written.prompts.items()}
    expected = {(written.name_of(str(number)), ("g", prompts[f"prompt {number}"])) for number in range(300)}
    assert set(images(written, answers)) == expected


@pytest.mark.slow
@given(seed=st.integers(0, 2**32), rows=st.sampled_from([1, 2, 7, 120_000]), parts=st.integers(1, 3))
@settings(max_examples=25)
def test_answers_are_those_of_a_plain_search_however_tables_are_cut(
    by_hand: Begin, write_study: Make, cut_tables: Cut, tmp_path_factory: pytest.TempPathFactory,
    seed: int, rows: int, parts: int,
) -> None:  # fmt: skip
    random = Random(seed)
    written = by_hand(write_study(tmp_path_factory.mktemp("answers") / "study"))
    people: list[Any] = [None, [], [{"gender": "male"}], [{"gender": "female"}], [{"age3": "young"}] * 2]
    for _ in range(random.randint(0, 20)):
        job = written.job(f"prompt {random.randint(0, 3)}", 1, random.choice("gh"), random.randint(0, 3))
        fates: list[tuple[str, str | None, str | None]] = [
            ("failed", random.choice(["x", "y", None]), None) for _ in range(random.randint(0, 3))
        ]
        if random.random() < 0.6:
            fates.append(("made", None, written.name_of(str(random.randint(0, 9)))))
        elif random.random() < 0.4:
            fates.append(("refused", "policy", None))
        for attempt, (status, reason, image) in enumerate(fates, 1):
            planted = random.choice(people) if image else None
            written.outcomes.append(Outcome(job, attempt, status, reason=reason, image=image, planted=planted))
    random.shuffle(written.outcomes)
    with cut_tables(rows):
        answers = read_answers(written.write(parts).workspace, EVERYTHING)
    made, absent = search(written)
    assert images(written, answers) == made
    found = {
        (cell, reason): count
        for reason, counts in answers.unmade.items()
        for cell, count in zip(answers.cells, counts.tolist(), strict=True)
        if count
    }
    assert found == absent
    assert answers.drawn_with is not None
    assert Counter(zip(*(own.tolist() for own in answers.drawn_with), strict=True)) == Counter(
        (answers.cells.index((job.generator, job.prompt)), job.seed) for job in written.jobs
    )
    assert (answers.made + sum(answers.unmade.values()) == answers.planned).all()


def search(written: Written) -> tuple[Counter[tuple[Any, ...]], dict[tuple[Any, str], int]]:
    """Return the made images and the reasons of the others, by looking at every outcome for every job."""
    made: Counter[tuple[Any, ...]] = Counter()
    absent: Counter[tuple[Any, str]] = Counter()
    for job in written.jobs:
        cell = (job.generator, job.prompt)
        own = [outcome for outcome in written.outcomes if outcome.job == job.id]
        for outcome in own:
            if outcome.image is not None:
                person = outcome.planted[0] if outcome.planted and len(outcome.planted) == 1 else None
                made[outcome.image, cell, job.seed, str(person) if person else ""] += 1
        if not any(outcome.image for outcome in own):
            refused = [outcome for outcome in own if outcome.status == "refused"]
            last = max(refused or own, key=lambda outcome: outcome.attempt, default=None)
            absent[cell, f"{last.status}: {last.reason or 'unknown'}" if last else "pending"] += 1
    return made, dict(absent)


def test_the_outcomes_are_read_once(written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    written.made("a")
    workspace = written.write().workspace
    scans: list[str] = []
    scan = Table.scan

    def noted(self: Table, *arguments: Any, **options: Any) -> Any:
        scans.append(self.folder.name)
        return scan(self, *arguments, **options)

    monkeypatch.setattr(Table, "scan", noted)
    read_answers(workspace, EVERYTHING)
    assert scans.count("outcomes") == 1
    assert "observations" not in scans


def test_names_of_somebodys_own_will_do(by_hand: Begin, make_study: Make) -> None:
    """An older study, or a plugin, may call jobs and images as it likes."""
    study: OpenStudy = by_hand(make_study()).study
    jobs = [Job(f"job {number}", "p", "g", number, 0) for number in range(3)]
    study.workspace.tables["jobs"].replace([to_table(jobs, JOB_SCHEMA)])
    written = by_hand(study.root)
    written.outcomes = [Outcome("job 0", 1, "made", image="one"), Outcome("job 2", 1, "made", image="two")]
    written.jobs = jobs
    answers = read_answers(written.write().workspace)
    assert (answers.made.tolist(), unmade(answers), answers.pictures) == ([2], {"pending": 1}, 2)


def test_it_may_be_read_beside_a_stage_that_is_still_drawing(written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    """Outcomes that come in between one look at the table and the next do no harm."""
    for word in "abc":
        written.made(word)
    late = written.outcomes[1:]
    del written.outcomes[1:]
    workspace = written.write().workspace
    scan = Table.scan

    def interrupted(self: Table, *arguments: Any, **options: Any) -> Any:
        if self.folder.name == "outcomes" and late:
            self.append(to_table(late, OUTCOME_SCHEMA))
            late.clear()
        return scan(self, *arguments, **options)

    monkeypatch.setattr(Table, "scan", interrupted)
    answers = read_answers(workspace)
    assert answers.made.sum() + sum(int(own.sum()) for own in answers.unmade.values()) == 3
