from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import pytest

from portrayal.study.sql.rater import Rater
from portrayal.web.raters.dealt_tasks import DealtTasks


@dataclass(frozen=True)
class Asked:
    id: str
    rater: str
    number: int
    dealt_at: float = 0.0
    choices: Mapping[str, str] | None = None
    cast_at: float | None = None
    seconds: float | None = None
    undone: int = 0


@pytest.fixture
def dealt() -> DealtTasks[Asked]:
    tasks: DealtTasks[Asked] = DealtTasks()
    for name in ("ann", "bob"):
        tasks.set_rater(Rater(name, f"hash of {name}", "", "en", 0.0))
    for number in (1, 2, 3):
        tasks.set_task(Asked(f"ann-{number}", "ann", number, cast_at=1.0 if number < 3 else None))
    return tasks


def test_a_task_is_its_raters_alone(dealt: DealtTasks[Asked]) -> None:
    assert dealt.dealt("ann", "ann-1") is not None
    assert dealt.dealt("bob", "ann-1") is None
    assert (dealt.done("ann"), dealt.done("bob")) == (2, 0)
    assert [task.id for task in dealt.open_tasks("ann")] == ["ann-3"]
    assert [task.id for task in dealt.answered()] == ["ann-1", "ann-2"]


def test_the_last_answer_can_be_taken_back_once(dealt: DealtTasks[Asked]) -> None:
    last = dealt.undoable("ann")
    assert last is not None
    assert last.id == "ann-2"
    assert dealt.set_task(replace(last, cast_at=None, undone=1)) == last
    assert dealt.undoable("ann") is None
    assert [task.number for task in dealt.open_tasks("ann")] == [2, 3]
    assert dealt.undoable("bob") is None


def test_a_task_in_the_place_of_another_makes_that_one_unknown(dealt: DealtTasks[Asked]) -> None:
    dealt.set_task(Asked("ann-3b", "ann", 3))
    assert dealt.dealt("ann", "ann-3") is None
    assert [task.id for task in dealt.open_tasks("ann")] == ["ann-3b"]
