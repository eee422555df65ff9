"""What the pages ask of the arena: battles dealt to raters, and votes on them."""

from __future__ import annotations

import asyncio
import hmac
import time
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from portrayal.apps.arena.battles.arena_state import ArenaState
from portrayal.apps.arena.battles.battle import Battle, Change, Choice
from portrayal.apps.arena.config import ArenaConfig
from portrayal.apps.arena.database.image_pool import read_image_pool
from portrayal.apps.arena.database.open_arena import open_arena
from portrayal.study.sql.rater import Rater
from portrayal.study.sql.store import ServerStore
from portrayal.study.study import OpenStudy
from portrayal.web.raters.rater_service import RaterService

__all__ = ["ArenaService"]


class ArenaService(RaterService[Change, Battle]):
    """Deals battles and counts votes for the pages. Make one with :meth:`open`, end it with :meth:`close`."""

    table = "arena"
    config: ArenaConfig

    def __init__(
        self,
        study: OpenStudy,
        state: ArenaState,
        store: ServerStore[Change],
        clock: Callable[[], float],
        steady: Callable[[], float] | None = None,
    ) -> None:
        super().__init__(study.config.of_app(ArenaConfig), state, store, clock, steady)
        self.study, self.pool = study, state.pool
        self._state = state

    def changed(self, raters: Sequence[Rater] = (), tasks: Sequence[Battle] = ()) -> Change:
        """Return the change after which these raters and battles stand so."""
        return Change(raters, tasks)

    def tasks_for_newcomers(self) -> int:
        """Return how many battles somebody gets who joins now, attention checks included."""
        return round(self.config.quota * (1 + self.config.checks))

    @classmethod
    async def open(
        cls,
        study: OpenStudy,
        database: str = "",
        clock: Callable[[], float] = time.time,
        steady: Callable[[], float] | None = None,
    ) -> ArenaService:
        """Open the arena of a study; ``database`` is a URL, or empty for a SQLite file in the study."""
        pool = await asyncio.to_thread(read_image_pool, study)
        store = await asyncio.to_thread(open_arena, database, study.root)
        try:
            key = hmac.digest(store.secret(), b"portrayal attention checks", "sha256")
            state = ArenaState(pool, study.config.of_app(ArenaConfig).rules, np.random.default_rng(), key)
            state.apply(await asyncio.to_thread(store.load))
            return cls(study, state, store, clock, steady)
        except BaseException:
            store.close()
            raise

    async def vote(self, rater_id: str, battle_id: str, choices: Mapping[str, Choice]) -> bool:
        """Count a vote and deal the next battle in one commit; False if this battle was answered before.

        ``NotOpenError`` is raised for any battle but the rater's current one, and ``ValueError`` for choices that
        are not one for each aspect.
        """

        def answered(now: float, seconds: float) -> Battle:
            return self._state.voted(rater_id, battle_id, choices, now, seconds)

        return await self._work.to_end(self._answer(rater_id, battle_id, answered))

    def answered_battles(self) -> Sequence[Battle]:
        """Return all answered battles, attention checks and those of excluded raters too."""
        return list(self._state.answered_battles())
