"""The state of the whole arena in memory: every rater and their battles. Changes are stored first, then applied.

Methods that begin something (:meth:`ArenaState.propose`, :meth:`ArenaState.voted`, :meth:`ArenaState.reopened`) return
how a battle would stand. :meth:`ArenaState.apply` makes it so, once it is safe in the database.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from portrayal.apps.arena.battles.attention_checks import check_numbers
from portrayal.apps.arena.battles.battle import (
    ASPECTS,
    CHOICES,
    Battle,
    BattleRules,
    Change,
    Choice,
    ImagePool,
    Rater,
    RaterProgress,
)
from portrayal.apps.arena.battles.battle_counts import BattleCounts
from portrayal.apps.arena.battles.pairing import Match, MatchSelector

__all__ = ["ArenaState", "WrongBattleError"]


class WrongBattleError(ValueError):
    """A vote on another battle than the rater's current one."""


@dataclass(slots=True)
class _RaterState:
    """One rater's battles by number, which of them are open, and the pairs of models and prompts already seen."""

    rater: Rater
    battles: dict[int, Battle] = field(default_factory=dict)
    open_numbers: set[int] = field(default_factory=set)
    seen: set[tuple[int, str]] = field(default_factory=set)

    @property
    def first_open(self) -> Battle | None:
        return self.battles[min(self.open_numbers)] if self.open_numbers else None


class ArenaState:
    """Which battles every rater was dealt, what they answered, and what comes next."""

    def __init__(self, pool: ImagePool, rules: BattleRules, rng: np.random.Generator, key: bytes = b"") -> None:
        self.pool, self.rules = pool, rules
        self._key = key  # hides from raters where their attention checks stand; at most 64 bytes
        self.counts = BattleCounts(pool)
        self._rng = rng
        self._selector = MatchSelector(pool, rules, self.counts, rng)
        self._rater_states: dict[str, _RaterState] = {}
        self._numbers: dict[str, tuple[str, int]] = {}
        self._proposed: set[str] = set()

    def apply(self, change: Change) -> None:
        """Let raters and battles stand as the change says; everything else follows from them."""
        for rater in change.raters:
            self._set_rater(rater)
        for battle in change.battles:
            self._set_battle(battle)

    def raters(self) -> Iterator[Rater]:
        """Yield all raters in the order in which they were invited."""
        return (rater_state.rater for rater_state in self._rater_states.values())

    def rater(self, rater_id: str) -> Rater | None:
        """Return a rater by id."""
        rater_state = self._rater_states.get(rater_id)
        return rater_state.rater if rater_state else None

    def battles_of(self, rater_id: str) -> Iterable[Battle]:
        """Return all battles dealt to a rater, open ones too."""
        return self._rater_states[rater_id].battles.values()

    def answered_battles(self) -> Iterator[Battle]:
        """Yield every answered battle of every rater."""
        for rater_state in self._rater_states.values():
            yield from (battle for battle in rater_state.battles.values() if battle.choices is not None)

    def dealt_battle(self, rater_id: str, battle_id: str) -> Battle | None:
        """Return a battle by id, if it was dealt to this rater."""
        dealt = self._numbers.get(battle_id)
        return self._rater_states[rater_id].battles[dealt[1]] if dealt and dealt[0] == rater_id else None

    def current_battle(self, rater_id: str) -> Battle | None:
        """Return the battle that is before a rater; None when one has to be dealt, or when there are no more."""
        first = self._rater_states[rater_id].first_open
        return first if first and self.pool.holds(first) else None

    def propose(self, rater_id: str, now: float, after: Battle | None = None) -> Battle | None:
        """Return a battle to deal, as if ``after`` were answered; None: there is one already, or there are no more.

        It counts as dealt at once, so that a hundred raters at the same moment do not all get the same pair. If it
        is not dealt in the end, :meth:`withdraw` it.
        """
        rater_state = self._rater_states[rater_id]
        waiting = [
            rater_state.battles[number]
            for number in sorted(rater_state.open_numbers)
            if not after or number != after.number
        ]
        if waiting and self.pool.holds(waiting[0]):
            return None
        # A battle over pictures that are gone from the study gives its place to another.
        gone = waiting[0] if waiting else None
        number = gone.number if gone else max(rater_state.battles, default=0) + 1
        battle = self._deal(rater_state, number, now)
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
        """Return the rater's current battle, answered; :class:`WrongBattleError` if the current one is another."""
        current = self.current_battle(rater_id)
        if current is None or current.id != battle_id:
            raise WrongBattleError(f"battle {battle_id!r} is not before this rater")
        if set(choices) != set(ASPECTS) or not set(choices.values()) <= set(CHOICES):
            raise ValueError(f"a vote needs one of {', '.join(CHOICES)} for each of {', '.join(ASPECTS)}")
        return replace(current, choices=dict(choices), cast_at=now, seconds=seconds)

    def reopened(self, rater_id: str) -> Battle | None:
        """Return the last answered battle, open again; None when there is none, or when it was just taken back."""
        rater_state = self._rater_states[rater_id]
        last = max(rater_state.battles.keys() - rater_state.open_numbers, default=None)
        first_open = rater_state.first_open
        if last is None or (first_open is not None and first_open.undone):
            return None
        battle = rater_state.battles[last]
        return replace(battle, choices=None, cast_at=None, seconds=None, undone=battle.undone + 1)

    def progress(self, rater_id: str) -> RaterProgress:
        """Return how far a rater is."""
        rater_state = self._rater_states[rater_id]
        return RaterProgress(
            len(rater_state.battles) - len(rater_state.open_numbers),
            max(self._total(rater_state)[0], len(rater_state.battles)),
        )

    def _total(self, rater_state: _RaterState) -> tuple[int, int]:
        """Return how many battles a rater gets in all, and how many of them are checks."""
        language = rater_state.rater.language
        available = self._selector.capacity(language)
        if available < self.rules.quota:  # what was dealt and is offered no more used up none of them
            available += sum(not battle.check for battle in rater_state.battles.values())
            available -= sum(self._selector.offers(pair, prompt, language) for pair, prompt in rater_state.seen)
        real = min(self.rules.quota, available)
        checks = round(real * self.rules.checks)
        return real + checks, checks

    def _deal(self, rater_state: _RaterState, number: int, now: float) -> Battle | None:
        total, checks = self._total(rater_state)
        if number > total:
            return None
        if number in check_numbers(rater_state.rater.id, total, checks, self._key):
            return self._check(rater_state, number, now)
        match = self._selector.choose(rater_state.rater.language, rater_state.seen)
        if match is None:
            return None
        if self._rng.random() < 0.5:
            match = Match(match.prompt, match.models[::-1], match.images[::-1])
        return self._battle(rater_state, number, match, now)

    def _check(self, rater_state: _RaterState, number: int, now: float) -> Battle:
        prompts = self._selector.prompts(rater_state.rater.language)
        prompt = prompts[int(self._rng.integers(len(prompts)))]
        model = sorted(prompt.images)[int(self._rng.integers(len(prompt.images)))]
        image = prompt.images[model][int(self._rng.integers(len(prompt.images[model])))]
        battle = self._battle(rater_state, number, Match(prompt.id, (model, model), (image, image)), now)
        return replace(battle, check="left" if self._rng.random() < 0.5 else "right")

    def _battle(self, rater_state: _RaterState, number: int, match: Match, now: float) -> Battle:
        (left_model, right_model), (left_image, right_image) = match.models, match.images
        # Hashed: raters see the id, and plain output of the generator would tell what it draws next.
        battle_id = hashlib.blake2b(self._rng.bytes(16), digest_size=16).hexdigest()
        sides = (left_model, left_image, right_model, right_image)
        return Battle(battle_id, rater_state.rater.id, number, match.prompt, *sides, check="", dealt_at=now)

    def _set_rater(self, rater: Rater) -> None:
        rater_state = self._rater_states.get(rater.id)
        if rater_state is None:
            self._rater_states[rater.id] = _RaterState(rater)
            return
        if rater_state.rater.excluded != rater.excluded:  # what an excluded rater judged has to be judged by others
            for battle in rater_state.battles.values():
                (self.counts.remove if rater.excluded else self.counts.add)(battle)
        rater_state.rater = rater

    def _set_battle(self, battle: Battle) -> None:
        rater_state = self._rater_states[battle.rater]
        before = rater_state.battles.get(battle.number)
        if before is not None:
            self._count(before, -1)
            del self._numbers[before.id]
        if battle.id in self._proposed:
            self._proposed.remove(battle.id)  # it is counted already
        else:
            self._count(battle, 1)
        rater_state.battles[battle.number] = battle
        self._numbers[battle.id] = battle.rater, battle.number
        (rater_state.open_numbers.add if battle.choices is None else rater_state.open_numbers.discard)(battle.number)

    def _count(self, battle: Battle, step: int) -> None:
        """Count a battle, or count it no more, for its rater and, unless that one is excluded, for all."""
        rater_state = self._rater_states[battle.rater]
        pair = self.counts.pair_number(battle)
        if pair is not None:
            (rater_state.seen.add if step > 0 else rater_state.seen.discard)((pair, battle.prompt))
        if not rater_state.rater.excluded:
            (self.counts.add if step > 0 else self.counts.remove)(battle)
