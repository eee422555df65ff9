"""The public leaderboard, computed off the event loop and at most once a minute."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from portrayal.apps.arena.battles.battle import Battle
from portrayal.apps.arena.database.export import named_votes, vote_rows
from portrayal.apps.arena.ratings.rate import RateOptions, rate_votes
from portrayal.apps.arena.ratings.votes import Votes
from portrayal.apps.arena.report.leaderboard_page import leaderboard
from portrayal.apps.arena.web.service import ArenaService
from portrayal.records import Vote
from portrayal.study.sql.rater import Rater

__all__ = ["VOTE_COLUMNS", "LeaderboardCache", "judging_raters"]

FRESH_SECONDS = 60.0
"""Seconds for which a leaderboard is shown before it is computed again."""
DRAWS = 400
STYLESHEET = "/static/leaderboard.css"
VOTE_COLUMNS = ("aspect", "rater", "prompt", "image_a", "image_b")
"""What ratings and agreement need to know of a vote beside its models."""


class LeaderboardCache:
    """Keeps the last leaderboard as a page per language; whoever asks while it is computed waits for the same one."""

    def __init__(self, service: ArenaService, title: str = "", clock: Callable[[], float] = time.monotonic) -> None:
        self._service, self._title, self._clock = service, title, clock
        self._turn = asyncio.Lock()
        self._rated_at = -FRESH_SECONDS
        self._pages: dict[str, str] = {}
        self._data: Mapping[str, Any] | None = None

    async def page(self, language: str) -> str:
        """Return the leaderboard's page in a language; empty while there is no vote to rate."""
        async with self._turn:
            if self._data is None or self._clock() - self._rated_at >= FRESH_SECONDS:
                self._data = await asyncio.to_thread(_rate, self._rows())
                self._rated_at = self._clock()
                self._pages = {}
            if not self._data:
                return ""
            if language not in self._pages:
                self._pages[language] = await asyncio.to_thread(self._render, self._data, language)
            return self._pages[language]

    def _render(self, data: Mapping[str, Any], language: str) -> str:
        return leaderboard(data, language, title=self._title, stylesheet=STYLESHEET)

    def _rows(self) -> list[Vote]:
        battles = self._service.answered_battles()
        rows = vote_rows(judging_raters(self._service, battles), battles, self._service.pool)
        return list(named_votes(rows, self._service.study.names))


def judging_raters(service: ArenaService, battles: Iterable[Battle]) -> list[Rater]:
    """Return who judged these battles."""
    raters = [service.rater(rater) for rater in {battle.rater for battle in battles}]
    return [rater for rater in raters if rater is not None]


def _rate(rows: Sequence[Vote]) -> Mapping[str, Any]:
    given = Votes.of(rows, VOTE_COLUMNS)
    if given.skipped == len(given):
        return {}
    # The same votes always give the same page.
    return rate_votes(given, RateOptions(draws=DRAWS), rng=np.random.default_rng(0)).as_json()
