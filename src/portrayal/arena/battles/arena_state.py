"""The arena's floor: every rater's battles, in memory. What changes is first written down elsewhere, then applied.

Methods that begin something (:meth:`Floor.propose`, :meth:`Floor.ballot`, :meth:`Floor.reopened`) return how a battle
would stand. :meth:`Floor.apply` makes it so, once it is safe in the database.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from portrayal.arena.battles.attention_checks import check_numbers
from portrayal.arena.battles.battle import (
    ASPECTS,
    CHOICES,
    Battle,
    BattleRules,
    Choice,
    ImagePool,
    Rater,
    RaterProgress,
)
from portrayal.arena.battles.battle_counts import BattleCounts
from portrayal.arena.battles.pairing import Match, MatchSelector

__all__ = ["Change", "Floor", "NotShown"]


class NotShown(ValueError):  # noqa: N818 - it names what is wrong with the vote
    """A vote on a battle that is not before this rater."""


@dataclass(frozen=True, slots=True)
class Change:
    """Raters and battles as they stand after a change; all of it happens or nothing."""

    raters: Sequence[Rater] = ()
    battles: Sequence[Battle] = ()


@dataclass(slots=True)
class _Seat:
    """One rater's place: the battles by number, and which of them are open."""

    rater: Rater
    battles: dict[int, Battle] = field(default_factory=dict)
    open: set[int] = field(default_factory=set)
    seen: set[tuple[int, str]] = field(default_factory=set)

    @property
    def lowest(self) -> Battle | None:
        return self.battles[min(self.open)] if self.open else None


class Floor:
    """Who was dealt what, and what comes next."""

    def __init__(self, pool: ImagePool, rules: BattleRules, rng: np.random.Generator, key: bytes = b"") -> None:
        self.pool, self.rules = pool, rules
        self._key = key  # hides from raters where their attention checks stand; at most 64 bytes
        self.counts = BattleCounts(pool)
        self._rng = rng
        self._selector = MatchSelector(pool, rules, self.counts, rng)
        self._seats: dict[str, _Seat] = {}
        self._places: dict[str, tuple[str, int]] = {}
        self._reserved: set[str] = set()

    def apply(self, change: Change) -> None:
        """Let raters and battles stand as the change says; everything else follows from them."""
        for rater in change.raters:
            self._put_rater(rater)
        for battle in change.battles:
            self._put_battle(battle)

    def raters(self) -> Iterator[Rater]:
        """Yield all raters in the order in which they were invited."""
        return (seat.rater for seat in self._seats.values())

    def rater(self, rater: str) -> Rater | None:
        """Return a rater by id."""
        seat = self._seats.get(rater)
        return seat.rater if seat else None

    def battles(self, rater: str) -> Iterable[Battle]:
        """Return all battles dealt to a rater, open ones too."""
        return self._seats[rater].battles.values()

    def answered(self) -> Iterator[Battle]:
        """Yield every answered battle of every rater."""
        for seat in self._seats.values():
            yield from (battle for battle in seat.battles.values() if battle.choices is not None)

    def dealt(self, rater: str, battle: str) -> Battle | None:
        """Return a battle by id, if it was dealt to this rater."""
        place = self._places.get(battle)
        return self._seats[rater].battles[place[1]] if place and place[0] == rater else None

    def current(self, rater: str) -> Battle | None:
        """Return the battle that is before a rater; None when one has to be dealt, or when there are no more."""
        lowest = self._seats[rater].lowest
        return lowest if lowest and self.pool.holds(lowest) else None

    def propose(self, rater: str, now: float, after: Battle | None = None) -> Battle | None:
        """Return a battle to deal, as if ``after`` were answered; None: there is one already, or there are no more.

        It counts as dealt at once, so that a hundred raters at the same moment do not all get the same pair. If it
        is not dealt in the end, :meth:`withdraw` it.
        """
        seat = self._seats[rater]
        waiting = [seat.battles[number] for number in sorted(seat.open) if not after or number != after.number]
        if waiting and self.pool.holds(waiting[0]):
            return None
        # A battle over pictures that are gone from the study gives its place to another.
        gone = waiting[0] if waiting else None
        number = gone.number if gone else max(seat.battles, default=0) + 1
        battle = self._deal(seat, number, now)
        if battle is None:
            return None
        battle = replace(battle, undone=gone.undone if gone else 0)
        self._reserved.add(battle.id)
        self._count(battle, 1)
        return battle

    def withdraw(self, battle: Battle) -> None:
        """Take back a proposal that was not dealt."""
        self._reserved.remove(battle.id)
        self._count(battle, -1)

    def ballot(self, rater: str, battle: str, choices: Mapping[str, Choice], now: float, seconds: float) -> Battle:
        """Return the battle before a rater, answered; :class:`NotShown` if it is another one that is before them."""
        current = self.current(rater)
        if current is None or current.id != battle:
            raise NotShown(f"battle {battle!r} is not before this rater")
        if set(choices) != set(ASPECTS) or not set(choices.values()) <= set(CHOICES):
            raise ValueError(f"a vote needs one of {', '.join(CHOICES)} for each of {', '.join(ASPECTS)}")
        return replace(current, choices=dict(choices), cast_at=now, seconds=seconds)

    def reopened(self, rater: str) -> Battle | None:
        """Return the last answered battle, open again; None when there is none, or when it was just taken back."""
        seat = self._seats[rater]
        last = max(seat.battles.keys() - seat.open, default=None)
        lowest = seat.lowest
        if last is None or (lowest is not None and lowest.undone):
            return None
        battle = seat.battles[last]
        return replace(battle, choices=None, cast_at=None, seconds=None, undone=battle.undone + 1)

    def progress(self, rater: str) -> RaterProgress:
        """Return how far a rater is."""
        seat = self._seats[rater]
        return RaterProgress(len(seat.battles) - len(seat.open), max(self._total(seat)[0], len(seat.battles)))

    def _total(self, seat: _Seat) -> tuple[int, int]:
        """Return how many battles a rater gets in all, and how many of them are checks."""
        language = seat.rater.language
        places = self._selector.capacity(language)
        if places < self.rules.quota:  # what was dealt and is offered no more took none of the places
            places += sum(not battle.check for battle in seat.battles.values())
            places -= sum(self._selector.offers(pair, prompt, language) for pair, prompt in seat.seen)
        real = min(self.rules.quota, places)
        checks = round(real * self.rules.checks)
        return real + checks, checks

    def _deal(self, seat: _Seat, number: int, now: float) -> Battle | None:
        total, checks = self._total(seat)
        if number > total:
            return None
        if number in check_numbers(seat.rater.id, total, checks, self._key):
            return self._check(seat, number, now)
        match = self._selector.choose(seat.rater.language, seat.seen)
        if match is None:
            return None
        if self._rng.random() < 0.5:
            match = Match(match.prompt, match.models[::-1], match.images[::-1])
        return self._battle(seat, number, match, now)

    def _check(self, seat: _Seat, number: int, now: float) -> Battle:
        prompts = self._selector.prompts(seat.rater.language)
        prompt = prompts[int(self._rng.integers(len(prompts)))]
        model = sorted(prompt.images)[int(self._rng.integers(len(prompt.images)))]
        image = prompt.images[model][int(self._rng.integers(len(prompt.images[model])))]
        battle = self._battle(seat, number, Match(prompt.id, (model, model), (image, image)), now)
        return replace(battle, check="left" if self._rng.random() < 0.5 else "right")

    def _battle(self, seat: _Seat, number: int, match: Match, now: float) -> Battle:
        (left_model, right_model), (left_image, right_image) = match.models, match.images
        # Hashed: raters see the name, and plain output of the generator would tell what it draws next.
        name = hashlib.blake2b(self._rng.bytes(16), digest_size=16).hexdigest()
        sides = (left_model, left_image, right_model, right_image)
        return Battle(name, seat.rater.id, number, match.prompt, *sides, check="", dealt_at=now)

    def _put_rater(self, rater: Rater) -> None:
        seat = self._seats.get(rater.id)
        if seat is None:
            self._seats[rater.id] = _Seat(rater)
            return
        if seat.rater.excluded != rater.excluded:  # what an excluded rater judged has to be judged by others
            for battle in seat.battles.values():
                (self.counts.remove if rater.excluded else self.counts.add)(battle)
        seat.rater = rater

    def _put_battle(self, battle: Battle) -> None:
        seat = self._seats[battle.rater]
        before = seat.battles.get(battle.number)
        if before is not None:
            self._count(before, -1)
            del self._places[before.id]
        if battle.id in self._reserved:
            self._reserved.remove(battle.id)  # it is counted already
        else:
            self._count(battle, 1)
        seat.battles[battle.number] = battle
        self._places[battle.id] = battle.rater, battle.number
        (seat.open.add if battle.choices is None else seat.open.discard)(battle.number)

    def _count(self, battle: Battle, step: int) -> None:
        """Count a battle, or count it no more, for its rater and, unless that one is excluded, for all."""
        seat = self._seats[battle.rater]
        pair = self.counts.pair_number(battle)
        if pair is not None:
            (seat.seen.add if step > 0 else seat.seen.discard)((pair, battle.prompt))
        if not seat.rater.excluded:
            (self.counts.add if step > 0 else self.counts.remove)(battle)
