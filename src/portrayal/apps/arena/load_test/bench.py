"""How many votes a second this machine takes, and whether any is lost when the server dies in between.

A study with tiny pictures is drawn, its arena is served by a process of its own, and simulated raters vote over HTTP.
Afterwards the stored votes are compared with those that the server acknowledged, one by one.
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

from portrayal.apps.arena.load_test.server_process import ServerProcess
from portrayal.apps.arena.load_test.simulated_raters import CountedVote, VoteLog, run_raters
from portrayal.apps.arena.web.service import ArenaService
from portrayal.errors import StudyError
from portrayal.store.files import write_atomic
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

__all__ = ["ArenaBenchResult", "ArenaBenchSettings", "bench_arena", "compare_votes"]

_STUDY = """[study]
title = "Simulated raters"
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
class ArenaBenchSettings:
    """What to measure: so many raters with so many votes each; the server is killed ``kills`` times meanwhile."""

    raters: int = 200
    votes: int = 50
    kills: int = 0
    database: str = ""
    seed: int = 0


@dataclass(frozen=True, slots=True)
class ArenaBenchResult:
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


def bench_arena(settings: ArenaBenchSettings, folder: Path) -> ArenaBenchResult:
    """Measure in an empty ``folder``, and check every vote."""
    study = _draw(settings, folder)
    tokens = asyncio.run(_invite(study, settings))
    server = ServerProcess(study.root, settings.database)
    with server.running():
        log, seconds = asyncio.run(_vote(server, tokens, settings))
    stored = asyncio.run(_stored(study, settings.database))
    return compare_votes(settings, log, seconds, stored)


def _draw(settings: ArenaBenchSettings, folder: Path) -> OpenStudy:
    generators = "".join(_GENERATOR.format(obey=1 - number / 100) for number in range(_MODELS))
    text = _STUDY.format(generators=generators, votes=settings.votes)
    write_atomic(folder / "study.toml", text.encode())
    study = OpenStudy(folder)
    run_stages(study, RunControl(), ("plan", "generate"), wait=False)
    return study


async def _invite(study: OpenStudy, settings: ArenaBenchSettings) -> Sequence[str]:
    service = await ArenaService.open(study, settings.database)
    try:
        if service.raters():
            raise StudyError("this database holds an arena already; give bench an empty one")
        return await service.invite(settings.raters)
    finally:
        await service.close()


async def _vote(server: ServerProcess, tokens: Sequence[str], settings: ArenaBenchSettings) -> tuple[VoteLog, float]:
    log = VoteLog()
    started = time.perf_counter()
    voting = asyncio.create_task(run_raters([f"{server.address}/r/{token}" for token in tokens], settings.seed, log))
    for kill in range(settings.kills):
        enough = (kill + 1) * settings.raters * settings.votes // (settings.kills + 1)
        while len(log.counted) < enough and not voting.done():
            await asyncio.sleep(0.01)
        await asyncio.to_thread(server.kill)
    await voting
    return log, time.perf_counter() - started


async def _stored(study: OpenStudy, database: str) -> list[CountedVote]:
    service = await ArenaService.open(study, database)
    try:
        return [
            CountedVote(battle.id, dict(battle.choices or {}), battle.seconds or 0.0)
            for battle in service.answered_battles()
        ]
    finally:
        await service.close()


def compare_votes(
    settings: ArenaBenchSettings, log: VoteLog, seconds: float, stored: Sequence[CountedVote]
) -> ArenaBenchResult:
    """Hold what is stored against what the server acknowledged."""
    kept = {vote.battle: vote.choices for vote in stored}
    waits = sorted(1000 * vote.seconds for vote in log.counted) or [0.0]
    acknowledged = Counter(vote.battle for vote in log.counted)
    return ArenaBenchResult(
        raters=settings.raters,
        votes=len(log.counted),
        seconds=seconds,
        per_second=len(log.counted) / seconds,
        median_ms=statistics.median(waits),
        slowest_ms=waits[-1],
        kills=settings.kills,
        unanswered=log.unanswered,
        stored=len(stored),
        lost=sum(kept.get(vote.battle) != vote.choices for vote in log.counted),
        doubled=len(stored) - len(kept) + sum(times - 1 for times in acknowledged.values()),
    )
