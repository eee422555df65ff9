"""How many votes a second this machine takes, and whether any is lost when the server dies in between.

A study with tiny pictures is drawn, its arena is served by a process of its own, and a crowd of programs votes over
HTTP. Afterwards the stored votes are compared with those that the server acknowledged, one by one.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from portrayal.errors import StudyError
from portrayal.store.files import write_atomic
from portrayal.study.hooks import Hooks
from portrayal.study.run import run_stages
from portrayal.study.study import Study
from portrayal.web.arena.crowd import Ballot, Crowd, visit_all
from portrayal.web.arena.server_process import ServerProcess
from portrayal.web.arena.service import ArenaService

__all__ = ["ArenaBench", "ArenaResult", "bench", "compare"]

_STUDY = """[study]
title = "A crowd of programs"
[suite]
use = "occupations"
options.terms = ["Actor", "Baker", "Carpenter", "Chef", "Dentist", "Farmer", "Firefighter", "Judge", "Lawyer", "Nurse"]
{generators}
[arena]
quota = {votes}
checks = 0.0
questionnaire = false
"""
_GENERATOR = """[[generators]]
use = "simulated"
images = 1
options.obey = {obey}
"""
_MODELS = 5


@dataclass(frozen=True, slots=True)
class ArenaBench:
    """What to measure: so many raters with so many votes each; the server is killed ``kills`` times meanwhile."""

    raters: int = 200
    votes: int = 50
    kills: int = 0
    database: str = ""
    seed: int = 0


@dataclass(frozen=True, slots=True)
class ArenaResult:
    """What was measured. ``lost`` and ``doubled`` count acknowledged votes; both have to be 0.

    ``unanswered`` votes were sent to a server that died before it replied; they may be stored or not.
    """

    raters: int
    votes: int
    seconds: float
    per_second: float
    median_ms: float
    slowest_ms: float
    kills: int
    unanswered: int
    stored: int
    lost: int
    doubled: int

    def as_json(self) -> dict[str, Any]:
        """Return the numbers by name."""
        return asdict(self)

    def lines(self) -> list[str]:
        """Return the numbers in words."""
        return [
            f"{self.raters} raters, {self.votes} votes of three judgements each, in {self.seconds:.1f} s",
            f"votes          {self.per_second:8.0f} a second, each with the page that follows it",
            f"answer         {self.median_ms:8.0f} ms in the middle, {self.slowest_ms:.0f} ms at most",
            f"server killed  {self.kills:8d} times, {self.unanswered} votes without an answer",
            f"stored         {self.stored:8d} votes, {self.lost} acknowledged ones lost, {self.doubled} counted twice",
        ]


def bench(settings: ArenaBench, folder: Path) -> ArenaResult:
    """Measure in an empty ``folder``, and check every vote."""
    study = _draw(settings, folder)
    tokens = asyncio.run(_invite(study, settings))
    server = ServerProcess(study.root, settings.database)
    with server.running():
        crowd, seconds = asyncio.run(_vote(server, tokens, settings))
    stored = asyncio.run(_stored(study, settings.database))
    return compare(settings, crowd, seconds, stored)


def _draw(settings: ArenaBench, folder: Path) -> Study:
    generators = "".join(_GENERATOR.format(obey=1 - number / 100) for number in range(_MODELS))
    text = _STUDY.format(generators=generators, votes=settings.votes)
    write_atomic(folder / "study.toml", text.encode())
    study = Study(folder)
    run_stages(study, Hooks(), ("plan", "generate"), wait=False)
    return study


async def _invite(study: Study, settings: ArenaBench) -> Sequence[str]:
    service = await ArenaService.open(study, settings.database)
    try:
        if service.raters():
            raise StudyError("this database holds an arena already; give bench an empty one")
        return await service.invite(settings.raters)
    finally:
        await service.close()


async def _vote(server: ServerProcess, tokens: Sequence[str], settings: ArenaBench) -> tuple[Crowd, float]:
    crowd = Crowd()
    started = time.perf_counter()
    voting = asyncio.create_task(visit_all([f"{server.address}/r/{token}" for token in tokens], settings.seed, crowd))
    for kill in range(settings.kills):
        enough = (kill + 1) * settings.raters * settings.votes // (settings.kills + 1)
        while len(crowd.ballots) < enough and not voting.done():
            await asyncio.sleep(0.01)
        await asyncio.to_thread(server.kill)
    await voting
    return crowd, time.perf_counter() - started


async def _stored(study: Study, database: str) -> list[Ballot]:
    service = await ArenaService.open(study, database)
    try:
        return [
            Ballot(battle.id, dict(battle.choices or {}), battle.seconds or 0.0)
            for battle in service.answered_battles()
        ]
    finally:
        await service.close()


def compare(settings: ArenaBench, crowd: Crowd, seconds: float, stored: Sequence[Ballot]) -> ArenaResult:
    """Hold what is stored against what the server acknowledged."""
    kept = {ballot.battle: ballot.choices for ballot in stored}
    waits = sorted(1000 * ballot.seconds for ballot in crowd.ballots) or [0.0]
    acknowledged = Counter(ballot.battle for ballot in crowd.ballots)
    return ArenaResult(
        raters=settings.raters,
        votes=len(crowd.ballots),
        seconds=seconds,
        per_second=len(crowd.ballots) / seconds,
        median_ms=statistics.median(waits),
        slowest_ms=waits[-1],
        kills=settings.kills,
        unanswered=crowd.unanswered,
        stored=len(stored),
        lost=sum(kept.get(ballot.battle) != ballot.choices for ballot in crowd.ballots),
        doubled=len(stored) - len(kept) + sum(times - 1 for times in acknowledged.values()),
    )
