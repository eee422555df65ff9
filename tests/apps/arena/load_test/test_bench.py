"""The server under load and under kill -9: no acknowledged vote is lost, none counts twice."""

from __future__ import annotations

import math
from contextlib import closing
from pathlib import Path

import pytest

from portrayal.apps.arena.battles.battle import Change
from portrayal.apps.arena.database.open_arena import open_arena
from portrayal.apps.arena.load_test import simulated_raters
from portrayal.apps.arena.load_test.bench import ArenaBenchResult, ArenaBenchSettings, bench_arena, compare_votes
from portrayal.apps.arena.load_test.simulated_raters import CountedVote, VoteLog
from portrayal.errors import StudyError
from portrayal.study.sql.rater import Rater

pytestmark = pytest.mark.slow

RATERS, VOTES = 12, 8


def test_every_acknowledged_vote_is_stored_once(tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulated_raters, "_PATIENCE", math.inf)
    result = bench_arena(ArenaBenchSettings(RATERS, VOTES, kills=2, database=database), tmp_path / "study")
    assert (result.lost, result.doubled, result.kills) == (0, 0, 2)
    assert result.stored == RATERS * VOTES
    assert result.votes + result.unanswered >= result.stored >= result.votes


def test_a_database_in_use_is_left_alone(tmp_path: Path, postgres_url: str) -> None:
    with closing(open_arena(postgres_url, tmp_path)) as store:
        store.write([Change(raters=[Rater("r", "hash", "", "", 0.0)])])
    with pytest.raises(StudyError, match="holds an arena already"):
        bench_arena(ArenaBenchSettings(1, 1, 0, postgres_url), tmp_path / "study")


def compared(*stored: CountedVote) -> ArenaBenchResult:
    log = VoteLog([CountedVote("b1", {"bias": "left"}, 0.1), CountedVote("b2", {"bias": "draw"}, 0.3)])
    return compare_votes(ArenaBenchSettings(1, 2), log, 2.0, stored)


def test_a_lost_a_changed_and_a_doubled_vote_would_be_seen() -> None:
    kept = [CountedVote("b1", {"bias": "left"}, 0.0), CountedVote("b2", {"bias": "draw"}, 0.0)]
    assert (compared(*kept).lost, compared(*kept).doubled) == (0, 0)
    assert compared(kept[0]).lost == 1
    assert compared(kept[0], CountedVote("b2", {"bias": "right"}, 0.0)).lost == 1
    assert compared(*kept, kept[1]).doubled == 1


def test_the_numbers_are_told() -> None:
    result = compared(CountedVote("b1", {"bias": "left"}, 0.0))
    assert (result.per_second, result.median_ms, result.slowest_ms) == (1.0, 200.0, 300.0)
    assert result.as_json()["lost"] == 1
    assert "1 acknowledged ones lost" in "\n".join(result.lines())
