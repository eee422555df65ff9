"""The state of the whole arena in memory: every rater and their battles. Changes are stored first, then applied.

Methods that begin something (:meth:`ArenaState.propose`, :meth:`ArenaState.voted`, :meth:`ArenaState.reopened`) return
how a battle would stand. :meth:`ArenaState.apply` makes it so, once it is safe in the database.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from portrayal.apps.arena.battles.attention_checks import check_numbers
from portrayal.apps.arena.battles.battle import ASPECTS, CHOICES, Battle, BattleRules, Change, Choice, ImagePool
from portrayal.apps.arena.battles.battle_counts import BattleCounts
from portrayal.apps.arena.battles.pairing import Match, MatchSelector
from portrayal.study.sql.rater import Rater, RaterProgress
from portrayal.web.raters.dealt_tasks import DealtTasks, NotOpenError

__all__ = ["ArenaState"]


SeenMatch = tuple[int, str]
"""The number of a pair of models, and a prompt."""


class ArenaState:
    """Which battles every rater was dealt, what they answered, and what comes next."""

    def __init__(self, pool: ImagePool, rules: BattleRules, rng: np.random.Generator, key: bytes = b"") -> None:
        self.pool, self.rules = pool, rules
        self._key = key  # hides from raters where their attention checks stand; at most 64 bytes
        self.counts = BattleCounts(pool)
        self._rng = rng
        self._selector = MatchSelector(pool, rules, self.counts, rng)
        self._dealt: DealtTasks[Battle] = DealtTasks()
        self._seen: defaultdict[str, set[SeenMatch]] = defaultdict(set)
        self._proposed: set[str] = set()

    def apply(self, change: Change) -> None:
        """Let raters and battles stand as the change says; everything else follows from them."""
        for rater in change.raters:
            self._set_rater(rater)
        for battle in change.battles:
            self._set_battle(battle)

    def raters(self) -> Iterator[Rater]:
        """Yield all raters in the order in which they were invited."""
        return self._dealt.raters()

    def rater(self, rater_id: str) -> Rater | None:
        """Return a rater by id."""
        return self._dealt.rater(rater_id)

    def battles_of(self, rater_id: str) -> Iterable[Battle]:
        """Return all battles dealt to a rater, open ones too."""
        return self._dealt.tasks(rater_id).values()

    def answered_battles(self) -> Iterator[Battle]:
        """Yield every answered battle of every rater."""
        return self._dealt.answered()

    def dealt(self, rater_id: str, task_id: str) -> Battle | None:
        """Return a battle by id, if it was dealt to this rater."""
        return self._dealt.dealt(rater_id, task_id)

    def current(self, rater_id: str) -> Battle | None:
        """Return the battle that is before a rater; None when one has to be dealt, or when there are no more."""
        first = next(iter(self._dealt.open_tasks(rater_id)), None)
        return first if first and self.pool.holds(first) else None

    def propose(self, rater_id: str, now: float, after: Battle | None = None) -> Battle | None:
        """Return a battle to deal, as if ``after`` were answered; None: there is one already, or there are no more.

        It counts as dealt at once, so that a hundred raters at the same moment do not all get the same pair. If it
        is not dealt in the end, :meth:`withdraw` it.
        """
        waiting = [battle for battle in self._dealt.open_tasks(rater_id) if not after or battle.number != after.number]
        if waiting and self.pool.holds(waiting[0]):
            return None
        # A battle over pictures that are gone from the study gives its place to another.
        gone = waiting[0] if waiting else None
        number = gone.number if gone else max(self._dealt.tasks(rater_id), default=0) + 1
        battle = self._deal(rater_id, number, now)
        if battle is None:
            return None
        battle = replace(battle, undone=gone.undone if gone else 0)
        self._proposed.add(battle.id)
        self._count(battle, 1)
        return battle

    def withdraw(self, battle: Battle) -> None:
        """Take back a proposal that was not dealt."""
        self._proposed.remove(battle.id)
        self._count(battle, -1)

    def voted(self, rater_id: str, battle_id: str, choices: Mapping[str, Choice], now: float, seconds: float) -> Battle:
        """Return the rater's current battle, answered; :class:`NotOpenError` if the current one is another."""
        current = self.current(rater_id)
        if current is None or current.id != battle_id:
            raise NotOpenError(f"battle {battle_id!r} is not before this rater")
        if set(choices) != set(ASPECTS) or not set(choices.values()) <= set(CHOICES):
            raise ValueError(f"a vote needs one of {', '.join(CHOICES)} for each of {', '.join(ASPECTS)}")
        return replace(current, choices=dict(choices), cast_at=now, seconds=seconds)

    def reopened(self, rater_id: str) -> Battle | None:
        """Return the last answered battle, open again; None when there is none, or when it was just taken back."""
        battle = self._dealt.undoable(rater_id)
        if battle is None:
            return None
        return replace(battle, choices=None, cast_at=None, seconds=None, undone=battle.undone + 1)

    def progress(self, rater_id: str) -> RaterProgress:
        """Return how far a rater is."""
        total, _ = self._total(rater_id)
        return RaterProgress(self._dealt.done(rater_id), max(total, len(self._dealt.tasks(rater_id))))

    def _total(self, rater_id: str) -> tuple[int, int]:
        """Return how many battles a rater gets in all, and how many of them are checks."""
        language = self._language(rater_id)
        available = self._selector.capacity(language)
        if available < self.rules.quota:  # what was dealt and is offered no more used up none of them
            available += sum(not battle.check for battle in self.battles_of(rater_id))
            available -= sum(self._selector.offers(pair, prompt, language) for pair, prompt in self._seen[rater_id])
        real = min(self.rules.quota, available)
        checks = round(real * self.rules.checks)
        return real + checks, checks

    def _language(self, rater_id: str) -> str:
        rater = self._dealt.rater(rater_id)
        return rater.language if rater else ""

    def _deal(self, rater_id: str, number: int, now: float) -> Battle | None:
        total, checks = self._total(rater_id)
        if number > total:
            return None
        if number in check_numbers(rater_id, total, checks, self._key):
            return self._check(rater_id, number, now)
        match = self._selector.choose(self._language(rater_id), self._seen[rater_id])
        if match is None:
            return None
        if self._rng.random() < 0.5:
            match = Match(match.prompt, match.models[::-1], match.images[::-1])
        return self._battle(rater_id, number, match, now)

    def _check(self, rater_id: str, number: int, now: float) -> Battle:
        prompts = self._selector.prompts(self._language(rater_id))
        prompt = prompts[int(self._rng.integers(len(prompts)))]
        model = sorted(prompt.images)[int(self._rng.integers(len(prompt.images)))]
        image = prompt.images[model][int(self._rng.integers(len(prompt.images[model])))]
        battle = self._battle(rater_id, number, Match(prompt.id, (model, model), (image, image)), now)
        return replace(battle, check="left" if self._rng.random() < 0.5 else "right")

    def _battle(self, rater_id: str, number: int, match: Match, now: float) -> Battle:
        (left_model, right_model), (left_image, right_image) = match.models, match.images
        # Hashed: raters see the id, and plain output of the generator would tell what it draws next.
        battle_id = hashlib.blake2b(self._rng.bytes(16), digest_size=16).hexdigest()
        sides = (left_model, left_image, right_model, right_image)
        return Battle(battle_id, rater_id, number, match.prompt, *sides, check="", dealt_at=now)

    def _set_rater(self, rater: Rater) -> None:
        before = self._dealt.rater(rater.id)
        if before is not None and before.excluded != rater.excluded:
            for battle in self.battles_of(rater.id):  # what an excluded rater judged has to be judged by others
                (self.counts.remove if rater.excluded else self.counts.add)(battle)
        self._dealt.set_rater(rater)

    def _set_battle(self, battle: Battle) -> None:
        before = self._dealt.set_task(battle)
        if before is not None:
            self._count(before, -1)
        if battle.id in self._proposed:
            self._proposed.remove(battle.id)  # it is counted already
        else:
            self._count(battle, 1)

    def _count(self, battle: Battle, step: int) -> None:
        """Count a battle, or count it no more, for its rater and, unless that one is excluded, for all."""
        pair, seen = self.counts.pair_number(battle), self._seen[battle.rater]
        if pair is not None:
            (seen.add if step > 0 else seen.discard)((pair, battle.prompt))
        rater = self._dealt.rater(battle.rater)
        if rater is not None and not rater.excluded:
            (self.counts.add if step > 0 else self.counts.remove)(battle)
