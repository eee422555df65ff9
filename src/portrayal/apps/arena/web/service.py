"""What the pages ask of the arena. Every change is on disk before it counts, and counts before it is acknowledged.

All of it runs in one event loop. Requests of the same rater come one after the other; those of different raters
share commits. A change that was begun is finished even if the browser that asked for it goes away.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from portrayal.apps.arena.battles.arena_state import ArenaState
from portrayal.apps.arena.battles.battle import Battle, Change, Choice, ImagePool, Rater, RaterProgress
from portrayal.apps.arena.config import ArenaConfig
from portrayal.apps.arena.database.image_pool import read_image_pool
from portrayal.apps.arena.database.open_arena import open_arena
from portrayal.errors import StudyError
from portrayal.study.sql.store import ServerStore
from portrayal.study.study import OpenStudy
from portrayal.web.security.links import new_token, token_hash
from portrayal.web.steady_clock import steady_clock
from portrayal.web.stored_service import StoredService

__all__ = ["ArenaService"]

_LONGEST = 200
"""Characters of a label or of the code of a language; what is longer is cut."""


class ArenaService(StoredService[Change]):
    """Deals battles and counts votes for the pages. Make one with :meth:`open`, end it with :meth:`close`.

    ``clock`` dates what is stored; ``steady`` tells how long a rater looked, however the time of day is set meanwhile.
    """

    def __init__(
        self,
        study: OpenStudy,
        state: ArenaState,
        store: ServerStore[Change],
        clock: Callable[[], float],
        steady: Callable[[], float],
    ) -> None:
        super().__init__(store)
        self.study = study
        self.config = study.config.of_app(ArenaConfig)
        self.pool: ImagePool = state.pool
        self._state, self._clock, self._steady = state, clock, steady
        self._by_token = {rater.token_hash: rater.id for rater in state.raters()}
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._shown_at: dict[str, float] = {}

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
            return cls(study, state, store, clock, steady or steady_clock())
        except BaseException:
            store.close()
            raise

    async def invite(self, count: int, label: str = "") -> list[str]:
        """Return new tokens, one per rater to come. Only their hashes are kept: they cannot be shown again."""
        tokens = [new_token() for _ in range(count)]
        await self._work.to_end(self._add_raters(tokens, label, ""))
        return tokens

    async def join(self, language: str) -> str:
        """Return the token of a new rater who came without an invitation."""
        if not self.config.open:
            raise StudyError("this arena is not open to all: set open = true under [arena] in study.toml")
        token = new_token()
        await self._work.to_end(self._add_raters([token], "", language))
        return token

    def rater_by_token(self, token: str) -> Rater | None:
        """Return the rater with this token. It is looked up by its hash, so time tells nothing about the token."""
        known = self._by_token.get(token_hash(token))
        return self._state.rater(known) if known else None

    def rater(self, rater_id: str) -> Rater | None:
        """Return a rater by id."""
        return self._state.rater(rater_id)

    async def record_consent(self, rater_id: str, language: str) -> None:
        """Note that a rater consents, now, and reads this language."""
        now = self._clock()
        await self._change_rater(rater_id, lambda rater: replace(rater, consented_at=now, language=_short(language)))

    async def record_answers(self, rater_id: str, answers: Mapping[str, str]) -> None:
        """Keep a rater's answers to the questionnaire; none at all means that it was skipped."""
        await self._change_rater(rater_id, lambda rater: replace(rater, answers=dict(answers)))

    async def set_language(self, rater_id: str, language: str) -> None:
        """Note which language a rater reads."""
        await self._change_rater(rater_id, lambda rater: replace(rater, language=_short(language)))

    async def exclude(self, rater_id: str, excluded: bool) -> None:
        """Leave a rater's votes out of ratings and export, or take them in again."""
        await self._change_rater(rater_id, lambda rater: replace(rater, excluded=excluded))

    async def current_battle(self, rater_id: str) -> Battle | None:
        """Return the battle before a rater, dealt now if need be; None when there are no more."""
        return await self._work.to_end(self._current_battle(rater_id))

    def dealt_battle(self, rater_id: str, battle_id: str) -> Battle | None:
        """Return a battle that was dealt to this rater, else None."""
        return self._state.dealt_battle(rater_id, battle_id)

    async def vote(self, rater_id: str, battle_id: str, choices: Mapping[str, Choice]) -> bool:
        """Count a vote and deal the next battle in one commit; False if this battle was answered before.

        ``WrongBattleError`` is raised for any battle but the rater's current one, and ``ValueError`` for choices that
        are not one for each aspect.
        """
        return await self._work.to_end(self._vote(rater_id, battle_id, choices))

    async def undo(self, rater_id: str) -> bool:
        """Open the last answered battle again; False if there is none, or if it was just taken back."""
        return await self._work.to_end(self._undo(rater_id))

    def can_undo(self, rater_id: str) -> bool:
        """Return whether there is an answer to take back."""
        return self._state.reopened(rater_id) is not None

    def progress(self, rater_id: str) -> RaterProgress:
        """Return how far a rater is."""
        return self._state.progress(rater_id)

    def raters(self) -> list[Rater]:
        """Return every rater, in the order in which they were invited."""
        return list(self._state.raters())

    def answered_battles(self) -> Sequence[Battle]:
        """Return all answered battles, attention checks and those of excluded raters too."""
        return list(self._state.answered_battles())

    async def _add_raters(self, tokens: Sequence[str], label: str, language: str) -> None:
        now = self._clock()
        raters = [
            Rater(secrets.token_hex(8), token_hash(token), _short(label), _short(language), now) for token in tokens
        ]
        await self._commit(Change(raters=raters))
        self._by_token.update((rater.token_hash, rater.id) for rater in raters)

    async def _change_rater(self, rater_id: str, how: Callable[[Rater], Rater]) -> None:
        async def change() -> None:
            async with self._locks[rater_id]:
                rater = self._state.rater(rater_id)
                if rater is None:
                    raise StudyError(f"no rater {rater_id!r} in this arena")
                await self._commit(Change(raters=[how(rater)]))

        await self._work.to_end(change())

    async def _current_battle(self, rater_id: str) -> Battle | None:
        async with self._locks[rater_id]:
            battle = self._state.current_battle(rater_id)
            if battle is None:
                battle = self._state.propose(rater_id, self._clock())
                if battle is None:
                    return None
                await self._commit(Change(battles=[battle]), proposed=battle)
            self._shown_at.setdefault(battle.id, self._steady())
            return battle

    async def _vote(self, rater_id: str, battle_id: str, choices: Mapping[str, Choice]) -> bool:
        async with self._locks[rater_id]:
            before = self._state.dealt_battle(rater_id, battle_id)
            if before is not None and before.choices is not None:
                return False
            now, steady = self._clock(), self._steady()
            # After a restart nobody knows when it was shown: it was not before it was dealt.
            since = self._shown_at.get(battle_id, before.dealt_at if before else steady)
            cast = self._state.voted(rater_id, battle_id, choices, now, max(0.0, steady - since))
            following = self._state.propose(rater_id, now, after=cast)
            await self._commit(Change(battles=[cast, *([following] if following else [])]), proposed=following)
            self._shown_at.pop(battle_id, None)
            return True

    async def _undo(self, rater_id: str) -> bool:
        async with self._locks[rater_id]:
            battle, waiting = self._state.reopened(rater_id), self._state.current_battle(rater_id)
            if battle is None:
                return False
            await self._commit(Change(battles=[battle]))
            if waiting is not None:
                self._shown_at.pop(waiting.id, None)  # it will be shown anew, and looked at from then on
            return True

    async def _commit(self, change: Change, proposed: Battle | None = None) -> None:
        try:
            await self._writer.commit(change)
        except BaseException:
            if proposed is not None:
                self._state.withdraw(proposed)
            raise
        self._state.apply(change)


def _short(text: str) -> str:
    """Return text that every database takes: of bounded length, and nothing in it but characters that can be seen."""
    return "".join(character for character in text if character.isprintable())[:_LONGEST]
