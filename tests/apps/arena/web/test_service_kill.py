"""``kill -9`` in the middle of voting: what was acknowledged is there, once, and voting goes on where it was."""

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

from portrayal.apps.arena.battles.battle import ASPECTS, Battle
from portrayal.apps.arena.web.service import ArenaService
from portrayal.study.generate.generate_images import generate
from portrayal.study.plan.make_plan import plan
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow

RATERS, QUOTA = 15, 30
# Votes as fast as it can and says so, one line for each acknowledged vote, in one write that cannot be cut in two.
VOTING = """
import asyncio, json, os, random, sys
from pathlib import Path
from portrayal.apps.arena.battles.battle import ASPECTS, CHOICES
from portrayal.study.study import OpenStudy
from portrayal.apps.arena.web.service import ArenaService

said, most = 0, int(sys.argv[4])

async def rate(service, rater):
    global said
    while battle := await service.current_task(rater):
        while said >= most:  # or all would be done before a slow reader kills it
            await asyncio.sleep(1)
        said += 1
        choices = {aspect: random.choice(CHOICES) for aspect in ASPECTS}
        if random.random() < 0.1 and await service.undo(rater):
            os.write(1, (json.dumps([rater, None, None]) + "\\n").encode())
            continue
        assert await service.vote(rater, battle.id, choices)
        os.write(1, (json.dumps([rater, battle.id, choices]) + "\\n").encode())

async def main():
    service = await ArenaService.open(OpenStudy(Path(sys.argv[1])), sys.argv[2])
    missing = int(sys.argv[3]) - len(service.raters())
    await service.invite(missing)
    await asyncio.gather(*(rate(service, one.id) for one in service.raters()))
    await service.close()

asyncio.run(main())
"""
Said = tuple[str, str | None, Any]


def vote_and_kill(root: Path, database: str, after: int) -> list[Said]:
    """Let raters vote in a process of its own, kill it, and return what it had acknowledged by then."""
    words = [sys.executable, "-c", VOTING, str(root), database, str(RATERS), str(after + 100)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        lines = [process.stdout.readline() for _ in range(after)]
        process.kill()
        lines += process.stdout.readlines()
    assert process.returncode == -signal.SIGKILL
    return [json.loads(line) for line in lines if line.endswith("\n")]


def replayed(said: list[Said]) -> dict[str, Any]:
    """Return the battles that must be answered, with their choices: an undo takes back the rater's last one."""
    answers: dict[str, list[tuple[str, Any]]] = {}
    for rater, battle, choices in said:
        own = answers.setdefault(rater, [])
        if battle is None:
            own.pop()
        else:
            own.append((battle, choices))
    return dict(answer for own in answers.values() for answer in own)


@pytest.fixture(scope="module")
def drawn(write_study: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write_study(
        tmp_path_factory.mktemp("kill") / "study",
        prompts="text,term\n" + "".join(f"person {number},person {number}\n" for number in range(12)),
        generators=[{"use": "simulated", "images": 1, "options": {"size": size}} for size in (4, 5, 6)],
        arena={"quota": QUOTA, "checks": 0.1},
    )
    plan(OpenStudy(root), RunControl())
    generate(OpenStudy(root), RunControl())
    return root


def test_no_acknowledged_vote_is_lost_and_none_counted_twice(drawn: Path, tmp_path: Path, database: str) -> None:
    root = shutil.copytree(drawn, tmp_path / "study")
    known: list[Said] = []
    for after in (60, 90):
        said = vote_and_kill(root, database, after)
        known = asyncio.run(checked(root, database, known + said))


async def checked(root: Path, database: str, said: list[Said]) -> list[Said]:
    """Compare what is stored with what was said to be, and return what is stored."""
    expected = replayed(said)
    service = await ArenaService.open(OpenStudy(root), database)
    try:
        stored = {battle.id: battle for battle in service.answered_battles()}
        assert len(stored) == len(service.answered_battles())
        assert all(stored[name].choices == expected[name] for name in expected.keys() & stored.keys())
        # Of each rater, one vote or one undo may be on disk that nobody was told of before the end.
        lost = [battle(service, name) for name in expected.keys() - stored.keys()]
        assert all(one.undone for one in lost)
        untold = [one.rater for one in lost] + [stored[name].rater for name in stored.keys() - expected.keys()]
        assert len(set(untold)) == len(untold)
        for name, one in list(stored.items())[:10]:
            assert not await service.vote(one.rater, name, dict.fromkeys(ASPECTS, "left"))
        return [(one.rater, one.id, one.choices) for one in sorted(stored.values(), key=lambda one: one.number)]
    finally:
        await service.close()


def battle(service: ArenaService, name: str) -> Battle:
    (found,) = [found for rater in service.raters() if (found := service.dealt_task(rater.id, name))]
    return found
