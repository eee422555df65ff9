"""What the pages of any site with raters ask: who they are, what they agreed to, and what is before them.

Every change is on disk before it counts, and counts before it is acknowledged. All of it runs in one event loop.
Requests of the same rater come one after the other; those of different raters share commits. A change that was begun is
finished even if the browser that asked for it goes away.
"""

from __future__ import annotations

import asyncio
import secrets
from abc import abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Generic, Protocol, TypeVar

from portrayal.errors import StudyError
from portrayal.study.sql.rater import Rater, RaterProgress
from portrayal.study.sql.store import ServerStore
from portrayal.web.raters.dealt_tasks import Task
from portrayal.web.raters.rater_config import RaterSiteConfig
from portrayal.web.security.links import new_token, token_hash
from portrayal.web.steady_clock import steady_clock
from portrayal.web.stored_service import StoredService

__all__ = ["RaterService", "RaterState"]

ChangeT = TypeVar("ChangeT")
AppliedT = TypeVar("AppliedT", contravariant=True)
TaskT = TypeVar("TaskT", bound=Task)

_LONGEST = 200
"""Characters of a label or of the code of a language; what is longer is cut."""


class RaterState(Protocol[AppliedT, TaskT]):
    """What a site holds in memory. A change is stored first, then applied: what is proposed does not count yet."""

    def apply(self, change: AppliedT) -> None:
        """Let everything stand as the change says."""

    def raters(self) -> Iterator[Rater]:
        """Yield all raters in the order in which they were invited."""

    def rater(self, rater_id: str) -> Rater | None:
        """Return a rater by id."""

    def progress(self, rater_id: str) -> RaterProgress:
        """Return how far a rater is."""

    def dealt(self, rater_id: str, task_id: str) -> TaskT | None:
        """Return a task by id, if it was dealt to this rater."""

    def current(self, rater_id: str) -> TaskT | None:
        """Return the task that is before a rater; None when one has to be dealt, or when there are no more."""

    def propose(self, rater_id: str, now: float, after: TaskT | None = None) -> TaskT | None:
        """Return a task to deal, as if ``after`` were answered; None: there is one already, or there are no more."""

    def withdraw(self, task: TaskT) -> None:
        """Take back a proposal that was not dealt."""

    def reopened(self, rater_id: str) -> TaskT | None:
        """Return the last answered task, open again; None when there is none, or when it was just taken back."""


class RaterService(StoredService[ChangeT], Generic[ChangeT, TaskT]):
    """Raters of a site, and what is dealt to them.

    ``clock`` dates what is stored; ``steady`` tells how long a rater looked, however the time of day is set meanwhile.
    """

    table: str
    """The table of study.toml with the site's settings."""
    config: RaterSiteConfig

    def __init__(
        self,
        config: RaterSiteConfig,
        state: RaterState[ChangeT, TaskT],
        store: ServerStore[ChangeT],
        clock: Callable[[], float],
        steady: Callable[[], float] | None = None,
    ) -> None:
        super().__init__(store)
        self.config = config
        self._raters, self._clock, self._steady = state, clock, steady or steady_clock()
        self._by_token = {rater.token_hash: rater.id for rater in state.raters()}
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._shown_at: dict[str, float] = {}

    @abstractmethod
    def changed(self, raters: Sequence[Rater] = (), tasks: Sequence[TaskT] = ()) -> ChangeT:
        """Return the change after which these raters and tasks stand so."""

    @abstractmethod
    def tasks_for_newcomers(self) -> int:
        """Return how many tasks somebody gets who joins now."""

    async def invite(self, count: int, label: str = "") -> list[str]:
        """Return new tokens, one per rater to come. Only their hashes are kept: they cannot be shown again."""
        tokens = [new_token() for _ in range(count)]
        await self._work.to_end(self._add_raters(tokens, label, ""))
        return tokens

    async def join(self, language: str) -> str:
        """Return the token of a new rater who came without an invitation."""
        if not self.config.open:
            raise StudyError(f"this site is not open to all: set open = true under [{self.table}] in study.toml")
        token = new_token()
        await self._work.to_end(self._add_raters([token], "", language))
        return token

    def rater_by_token(self, token: str) -> Rater | None:
        """Return the rater with this token. It is looked up by its hash, so time tells nothing about the token."""
        known = self._by_token.get(token_hash(token))
        return self._raters.rater(known) if known else None

    def rater(self, rater_id: str) -> Rater | None:
        """Return a rater by id."""
        return self._raters.rater(rater_id)

    def raters(self) -> list[Rater]:
        """Return every rater, in the order in which they were invited."""
        return list(self._raters.raters())

    def progress(self, rater_id: str) -> RaterProgress:
        """Return how far a rater is."""
        return self._raters.progress(rater_id)

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
        """Leave out what a rater answered, or take it in again."""
        await self._change_rater(rater_id, lambda rater: replace(rater, excluded=excluded))

    async def current_task(self, rater_id: str) -> TaskT | None:
        """Return the task before a rater, dealt now if need be; None when there are no more."""
        return await self._work.to_end(self._current(rater_id))

    def dealt_task(self, rater_id: str, task_id: str) -> TaskT | None:
        """Return a task that was dealt to this rater, else None."""
        return self._raters.dealt(rater_id, task_id)

    async def undo(self, rater_id: str) -> bool:
        """Open the last answered task again; False if there is none, or if it was just taken back."""
        return await self._work.to_end(self._undo(rater_id))

    def can_undo(self, rater_id: str) -> bool:
        """Return whether there is an answer to take back."""
        return self._raters.reopened(rater_id) is not None

    async def _add_raters(self, tokens: Sequence[str], label: str, language: str) -> None:
        now = self._clock()
        raters = [
            Rater(secrets.token_hex(8), token_hash(token), _short(label), _short(language), now) for token in tokens
        ]
        await self._commit(self.changed(raters))
        self._by_token.update((rater.token_hash, rater.id) for rater in raters)

    async def _change_rater(self, rater_id: str, how: Callable[[Rater], Rater]) -> None:
        async def change() -> None:
            async with self._locks[rater_id]:
                rater = self._raters.rater(rater_id)
                if rater is None:
                    raise StudyError(f"no rater {rater_id!r} here")
                await self._commit(self.changed([how(rater)]))

        await self._work.to_end(change())

    async def _current(self, rater_id: str) -> TaskT | None:
        async with self._locks[rater_id]:
            task = self._raters.current(rater_id)
            if task is None:
                task = self._raters.propose(rater_id, self._clock())
                if task is None:
                    return None
                await self._commit(self.changed(tasks=[task]), proposed=task)
            self._shown_at.setdefault(task.id, self._steady())
            return task

    async def _answer(self, rater_id: str, task_id: str, answered: Callable[[float, float], TaskT]) -> bool:
        """Store an answer and deal the next task in one commit; False if this one was answered before.

        ``answered`` returns the task with its answer, given when that is and after how many seconds.
        """
        async with self._locks[rater_id]:
            before = self._raters.dealt(rater_id, task_id)
            if before is not None and before.cast_at is not None:
                return False
            now, steady = self._clock(), self._steady()
            # After a restart nobody knows when it was shown: it was not before it was dealt.
            since = self._shown_at.get(task_id, before.dealt_at if before else steady)
            cast = answered(now, max(0.0, steady - since))
            following = self._raters.propose(rater_id, now, after=cast)
            await self._commit(self.changed(tasks=[cast, *([following] if following else [])]), proposed=following)
            self._shown_at.pop(task_id, None)
            return True

    async def _undo(self, rater_id: str) -> bool:
        async with self._locks[rater_id]:
            task, waiting = self._raters.reopened(rater_id), self._raters.current(rater_id)
            if task is None:
                return False
            await self._commit(self.changed(tasks=[task]))
            if waiting is not None:
                self._shown_at.pop(waiting.id, None)  # it will be shown anew, and looked at from then on
            return True

    async def _commit(self, change: ChangeT, proposed: TaskT | None = None) -> None:
        """Write a change to disk, then let it count."""
        try:
            await self._writer.commit(change)
        except BaseException:
            if proposed is not None:
                self._raters.withdraw(proposed)
            raise
        self._raters.apply(change)


def _short(text: str) -> str:
    """Return text that every database takes: of bounded length, and nothing in it but characters that can be seen."""
    return "".join(character for character in text if character.isprintable())[:_LONGEST]
