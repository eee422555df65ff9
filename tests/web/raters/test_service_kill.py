"""``kill -9`` in the middle of answering: what was acknowledged is there, once, and it goes on where it was."""

from __future__ import annotations

import asyncio
import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.samples.rater_sites import SiteKind

from portrayal.study.generate.generate_images import generate
from portrayal.study.plan.make_plan import plan
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow

RATERS, QUOTA = 15, 30
# Answers as fast as it can and says so, one line for each acknowledged answer, in one write that cannot be cut in two.
ANSWERING = {
    "arena": """
from portrayal.apps.arena.battles.battle import ASPECTS, CHOICES
from portrayal.apps.arena.web.service import ArenaService as Service

def invented(service):
    return {aspect: random.choice(CHOICES) for aspect in ASPECTS}

def keep(service):
    return service.vote

async def prepare(service):
    pass
""",
    "labels": """
from portrayal.apps.labels.web.service import LabelsService as Service

def invented(service):
    said = {name: random.choice([*one.groups, ""]) for name, one in service.asked.attributes.items()}
    return {**said, "person": random.choice(["person", "not_person"])}

def keep(service):
    return service.label

async def prepare(service):
    await service.draw()
""",
}
WORK = """
import asyncio, json, os, random, sys
from pathlib import Path
from portrayal.study.study import OpenStudy

said, most = 0, int(sys.argv[4])

async def rate(service, rater):
    global said
    while task := await service.current_task(rater):
        while said >= most:  # or all would be done before a slow reader kills it
            await asyncio.sleep(1)
        said += 1
        choices = invented(service)
        if random.random() < 0.1 and await service.undo(rater):
            os.write(1, (json.dumps([rater, None, None]) + "\\n").encode())
            continue
        assert await keep(service)(rater, task.id, choices)
        os.write(1, (json.dumps([rater, task.id, choices]) + "\\n").encode())

async def main():
    service = await Service.open(OpenStudy(Path(sys.argv[1])), sys.argv[2])
    await prepare(service)
    missing = int(sys.argv[3]) - len(service.raters())
    await service.invite(missing)
    await asyncio.gather(*(rate(service, one.id) for one in service.raters()))
    await service.close()

asyncio.run(main())
"""
Said = tuple[str, str | None, Any]


def answer_and_kill(kind: SiteKind, root: Path, database: str, after: int) -> list[Said]:
    """Let raters answer in a process of its own, kill it, and return what it had acknowledged by then."""
    code = ANSWERING[kind.name] + WORK
    words = [sys.executable, "-c", code, str(root), database, str(RATERS), str(after + 100)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        lines = [process.stdout.readline() for _ in range(after)]
        process.kill()
        lines += process.stdout.readlines()
    assert process.returncode == -signal.SIGKILL
    return [json.loads(line) for line in lines if line.endswith("\n")]


def replayed(said: list[Said]) -> dict[str, Any]:
    """Return the tasks that must be answered, with their choices: an undo takes back the rater's last one."""
    answers: dict[str, list[tuple[str, Any]]] = {}
    for rater, task, choices in said:
        own = answers.setdefault(rater, [])
        if task is None:
            own.pop()
        else:
            own.append((task, choices))
    return dict(answer for own in answers.values() for answer in own)


@pytest.fixture(scope="module")
def drawn(write_study: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write_study(
        tmp_path_factory.mktemp("kill") / "study",
        prompts="text,term\n" + "".join(f"person {number},person {number}\n" for number in range(12)),
        generators=[{"use": "simulated", "images": 2, "options": {"size": size}} for size in (4, 5, 6)],
        arena={"quota": QUOTA, "checks": 0.1},
        labels={"quota": QUOTA, "raters": 12},
    )
    plan(OpenStudy(root), RunControl())
    generate(OpenStudy(root), RunControl())
    return root


def test_no_acknowledged_answer_is_lost_and_none_counted_twice(
    kind: SiteKind, drawn: Path, tmp_path: Path, database: str
) -> None:
    root = shutil.copytree(drawn, tmp_path / "study")
    known: list[Said] = []
    for after in (60, 90):
        said = answer_and_kill(kind, root, database, after)
        known = asyncio.run(checked(kind, root, database, known + said))


async def checked(kind: SiteKind, root: Path, database: str, said: list[Said]) -> list[Said]:
    """Compare what is stored with what was said to be, and return what is stored."""
    expected = replayed(said)
    service = await kind.open(OpenStudy(root), database)
    try:
        answered = kind.answered(service)
        stored = {task.id: task for task in answered}
        assert len(stored) == len(answered)
        assert all(stored[name].choices == expected[name] for name in expected.keys() & stored.keys())
        # Of each rater, one answer or one undo may be on disk that nobody was told of before the end.
        lost = [found(service, name) for name in expected.keys() - stored.keys()]
        assert all(one.undone for one in lost)
        untold = [one.rater for one in lost] + [stored[name].rater for name in stored.keys() - expected.keys()]
        assert len(set(untold)) == len(untold)
        for name, one in list(stored.items())[:10]:
            assert not await kind.answer(service, one.rater, name, one.choices)
        return [(one.rater, one.id, one.choices) for one in sorted(stored.values(), key=lambda one: one.number)]
    finally:
        await service.close()


def found(service: Any, name: str) -> Any:
    (task,) = [task for rater in service.raters() if (task := service.dealt_task(rater.id, name))]
    return task
