"""Measured by any number of processes, in any parts and whatever comes back first, a study gives the same bytes."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portrayal.evidence import (
    Confusion,
    Evidence,
    GroupCounts,
    GroupMoments,
    MatchedMoments,
    Missing,
    Need,
    PeopleByPicture,
    Plan,
    Requires,
    Rule,
    SeedPairs,
    Texts,
    Values,
)
from portrayal.methods.faintbench.alignment import load_profile
from portrayal.methods.socialbiaskg.looks import Looks
from portrayal.records import Observation, Prompt, attribute_table
from portrayal.store.tables.row_groups import GroupRange
from portrayal.study.measure import adding
from portrayal.study.measure import collect as collecting
from portrayal.study.measure.adding import PART, AddWork, in_order, sensible_workers
from portrayal.study.measure.collect import collect, read_plan
from portrayal.study.measure.measure_study import measure
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl, Silent
from portrayal.study.study import OpenStudy
from portrayal.study.tables.plan_answers import read_answers

if TYPE_CHECKING:
    from tests.study.conftest import Written

Cut = Callable[[int], AbstractContextManager[None]]
Begin = Callable[[Path], "Written"]


def couples(prompts: Collection[Prompt]) -> list[tuple[str, str]]:
    """Every two different prompts."""
    ids = [prompt.id for prompt in prompts]
    return [(x, y) for x in ids for y in ids if x != y]


SOFT = load_profile("optimised", Path(), attribute_table())
MOMENTS = GroupMoments((("gender", 2), ("race5", 5)), SOFT, Rule("exactly", 0.2))
NEEDS: list[Need[Any]] = [
    GroupCounts(Rule("each")),
    GroupCounts(Rule("one"), "mass"),
    Values(Rule("each")),
    Missing(Rule("exactly", 0.2)),
    Confusion(Rule("each")),
    PeopleByPicture(Rule("each")),
    MOMENTS,
    MatchedMoments(MOMENTS, "imported:humans"),
    Looks(Rule("each"), ("gender", "age", "caption")),
    SeedPairs(Rule("each"), "mass", couples),
    Texts(Rule("each"), "caption"),
]


def fill(written: Written, random: Random, images: int) -> None:
    """Write some images, most of them with several rows by one or two annotators."""
    for number in range(images):
        text, people = random.choice([("nurse", 1), ("CEO", 1), ("couple", 2)])
        planted = [{"gender": random.choice(["male", "female"])}] if random.random() < 0.5 else None
        word = str(random.choice([number, number // 2]))
        written.made(word, text, people, random.choice("gh"), seed=random.randint(0, 3), planted=planted)
    annotators = list(written.study.annotators)
    for word in map(str, random.sample(range(images), images)):
        for by in random.sample(annotators, random.choice([0, 1, 1, 2])):
            for subject in range(random.choice([0, 1, 1, 2])):
                for name, size in (("gender", 2), ("race5", 5)):
                    mass = np.array([random.random() ** 9 for _ in range(size)])
                    written.told(word, by, subject, name, tuple((mass / mass.sum()).tolist()))
                written.told(word, by, subject, "age", random.lognormvariate(0, 9))
            written.seen.append(Observation(written.name_of(word), by, 0, "caption", text=random.choice("abc")))
            if random.random() < 0.3:
                written.told(word, by, what=random.choice(["no_face", "several_faces"]))


def plain(result: Any) -> Any:
    """Return a result as plain values in their order, to be compared exactly."""
    if is_dataclass(result) and not isinstance(result, type):
        return {field.name: plain(getattr(result, field.name)) for field in fields(result)}
    if isinstance(result, np.ndarray):
        return result.dtype, result.shape, result.tobytes()
    if hasattr(result, "items"):
        return [(key, plain(value)) for key, value in result.items()]
    if isinstance(result, list | tuple):
        return [plain(value) for value in result]
    return result


def in_parts(study: OpenStudy, rows: int, random: Random) -> Evidence:
    """Add parts up one by one, as workers would, and let them come back in any order."""
    answers = read_answers(study.workspace, collecting._joined(study, NEEDS), study.config.generate.attempts)
    plan = collecting._completed(study, read_plan(study, answers), NEEDS)
    work = AddWork(study.workspace.tables["observations"].row_groups(), plan, answers, NEEDS)
    parts = list(enumerate(work.groups.ranges(rows)))
    random.shuffle(parts)
    return Evidence.joined(plan, NEEDS, in_order(map(work(), parts), plan, NEEDS))


@pytest.fixture(scope="module")
def begin(by_hand: Begin, write_study: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Written:
    told = {"attributes": ["gender", "race5", "age", "caption"]}
    annotators = [{"use": f"imported:{name}", "options": told} for name in ("clip", "humans")]
    return by_hand(write_study(tmp_path_factory.mktemp("parts") / "study", annotators=annotators))


@pytest.mark.slow
@given(
    images=st.integers(0, 12),
    segments=st.integers(1, 3),
    cut=st.integers(1, 9),
    rows=st.integers(1, 30),
    seed=st.integers(0, 2**32),
)
@settings(max_examples=30, deadline=None)
def test_any_parts_in_any_order_give_the_same_bytes(
    begin: Written, cut_tables: Cut, images: int, segments: int, cut: int, rows: int, seed: int
) -> None:
    random = Random(seed)
    written = type(begin)(OpenStudy(begin.study.root))
    fill(written, random, images)
    with cut_tables(cut):
        study = written.write(segments)
        expected = collect(study, NEEDS, RunControl(workers=1))
        found = in_parts(study, rows, random)
        for need in NEEDS:
            assert plain(found[need]) == plain(expected[need]), need


@pytest.fixture(scope="module")
def measured(write_study: Callable[..., Path], cut_tables: Cut, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study that was measured by one process, with its observations in many row groups."""
    generators = [{"use": "simulated", "images": 60, "options": {"pixels": False, "several": 0.1, "refused": 0.1}}]
    methods = [{"use": name} for name in ("representation", "bafis", "faintbench")]
    root = write_study(tmp_path_factory.mktemp("measured") / "study", generators=generators, methods=methods)
    with cut_tables(7):
        run_stages(OpenStudy(root), RunControl(workers=1), ("plan", "generate", "annotate", "measure"))
    return root


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut what processes are handed into parts of some 20 rows."""
    monkeypatch.setattr(collecting, "PART", 20)


@dataclass
class Watching(Silent):
    """Does something after each part, and remembers how many rows were told of."""

    after: Callable[[], object]
    rows: int = 0

    def advance(self, steps: int) -> None:
        self.rows += steps
        self.after()


def measurements(root: Path, control: RunControl) -> tuple[int, bytes]:
    study = OpenStudy(root)
    with study.workspace.writing():
        rows = len(measure(study, control))
    (segment,) = study.workspace.tables["measurements"].segments()
    return rows, segment.path.read_bytes()


@pytest.mark.slow
@pytest.mark.usefixtures("small_parts")
def test_processes_measure_the_same_bytes_also_when_one_is_killed(measured: Path) -> None:
    expected = measurements(measured, RunControl(workers=1))
    killed: list[int] = []

    def kill_one() -> None:
        for child in multiprocessing.active_children() if len(killed) < 2 else ():
            with contextlib.suppress(ProcessLookupError):  # killed before, and not yet noticed
                os.kill(child.pid or 0, signal.SIGKILL)
                killed.append(child.pid or 0)
                return

    watching = Watching(kill_one)
    assert measurements(measured, RunControl(watching, workers=2)) == expected
    assert len(killed) == 2
    assert watching.rows == OpenStudy(measured).workspace.tables["observations"].count() + 1
    assert multiprocessing.active_children() == []


@pytest.mark.slow
@pytest.mark.usefixtures("small_parts")
def test_processes_end_when_somebody_asks_to_stop(measured: Path) -> None:
    before = measurements(measured, RunControl(workers=1))
    asked: list[bool] = []
    watching = Watching(lambda: asked.append(True))
    rows, table = measurements(measured, RunControl(watching, stopped=lambda: bool(asked), workers=2))
    assert (rows, table) == (0, before[1])
    assert watching.rows < OpenStudy(measured).workspace.tables["observations"].count()
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize(
    ("asked", "rows", "expected"),
    [
        (0, [], 1),
        (0, [PART], 1),
        (0, [PART] * 3, 1),
        (0, [PART] * 9, 8),
        (0, [PART] * 5, 5),
        (1, [PART] * 9, 1),
        (3, [PART] * 9, 3),
        (3, [PART] * 2, 2),
        (3, [], 1),
        (0, [PART] * 30, 8),
        (20, [PART] * 30, 20),
    ],
)
def test_processes_are_started_where_they_pay(
    monkeypatch: pytest.MonkeyPatch, asked: int, rows: Sequence[int], expected: int
) -> None:
    monkeypatch.setattr(adding, "cpu_count", lambda: 9)
    assert sensible_workers(asked, [GroupRange(place, place + 1, own) for place, own in enumerate(rows)]) == expected


@dataclass(frozen=True)
class Unknown:
    """A need that worker processes cannot import, as one of a notebook."""

    requires = Requires()

    def begin(self, plan: Plan) -> Any:
        return GroupCounts(Rule("each")).begin(plan)


@pytest.mark.slow
@pytest.mark.usefixtures("small_parts")
def test_what_workers_cannot_import_is_measured_here(measured: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Unknown, "__module__", "__main__")
    remarks: list[str] = []
    found = collect(OpenStudy(measured), [Unknown()], RunControl(remark=remarks.append, workers=2))
    assert found.results
    assert remarks == ["measured in this process alone, as worker processes cannot import what a method counts"]
