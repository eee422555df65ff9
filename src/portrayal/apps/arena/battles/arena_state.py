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
from portrayal.web.raters.dealing_state import DealingState
from portrayal.web.raters.dealt_tasks import NotOpenError

__all__ = ["ArenaState"]


SeenMatch = tuple[int, str]
"""The number of a pair of models, and a prompt."""


class ArenaState(DealingState[Battle]):
    """Which battles every rater was dealt, what they answered, and what comes next."""

    def __init__(self, pool: ImagePool, rules: BattleRules, rng: np.random.Generator, key: bytes = b"") -> None:
        super().__init__()
        self.pool, self.rules = pool, rules
        self._key = key  # hides from raters where their attention checks stand; at most 64 bytes
        self.counts = BattleCounts(pool)
        self._rng = rng
        self._selector = MatchSelector(pool, rules, self.counts, rng)
        self._seen: defaultdict[str, set[SeenMatch]] = defaultdict(set)

    def apply(self, change: Change) -> None:
        """Let raters and battles stand as the change says; everything else follows from them."""
        for rater in change.raters:
            self._set_rater(rater)
        for battle in change.battles:
            self._set_task(battle)

    def battles_of(self, rater_id: str) -> Iterable[Battle]:
        """Return all battles dealt to a rater, open ones too."""
        return self._dealt.tasks(rater_id).values()

    def holds(self, task: Battle) -> bool:
        """Return whether both pictures of a battle are still here."""
        return self.pool.holds(task)

    def answered_battles(self) -> Iterator[Battle]:
        """Yield every answered battle of every rater."""
        return self._dealt.answered()

    def voted(self, rater_id: str, battle_id: str, choices: Mapping[str, Choice], now: float, seconds: float) -> Battle:
        """Return the rater's current battle, answered; :class:`NotOpenError` if the current one is another."""
        current = self.current(rater_id)
        if current is None or current.id != battle_id:
            raise NotOpenError(f"battle {battle_id!r} is not before this rater")
        if set(choices) != set(ASPECTS) or not set(choices.values()) <= set(CHOICES):
            raise ValueError(f"a vote needs one of {', '.join(CHOICES)} for each of {', '.join(ASPECTS)}")
        return replace(current, choices=dict(choices), cast_at=now, seconds=seconds)

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

    def _count(self, task: Battle, step: int) -> None:
        """Count a battle, or count it no more, for its rater and, unless that one is excluded, for all."""
        battle = task
        pair, seen = self.counts.pair_number(battle), self._seen[battle.rater]
        if pair is not None:
            (seen.add if step > 0 else seen.discard)((pair, battle.prompt))
        rater = self._dealt.rater(battle.rater)
        if rater is not None and not rater.excluded:
            (self.counts.add if step > 0 else self.counts.remove)(battle)
