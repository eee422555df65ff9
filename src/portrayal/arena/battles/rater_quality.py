"""Raters worth a second look: too fast, always the same side, failed checks, never an opinion, against all others.

A finding is a reason to look, not a verdict: the study's team decides whom to leave out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from portrayal.arena.battles.battle import ASPECTS, Battle

__all__ = ["Finding", "Suspicion", "suspicions"]

FASTEST = 3.0
"""Seconds: a median below it leaves a second for each of three judgements."""
FEWEST = 5
"""Battles below which speed and indecision say nothing."""
FEWEST_SIDES = 15
ONE_SIDED = 0.001
UNDECIDED = 0.8
FEWEST_SHARED = 10

Unit = tuple[str, str, str, str]
"""A prompt, two pictures of it and an aspect."""

_OTHER_SIDE = {"left": "right", "right": "left"}


@dataclass(frozen=True, slots=True)
class Finding:
    """A reason for suspicion: the ``key`` of a sentence, and the numbers to put into it."""

    key: str
    numbers: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Suspicion:
    """How a rater judged. A value is None where there is nothing to compute it from.

    ``left`` of ``sided`` battles were won by the left side on most aspects; ``p`` is the chance of a split at least
    as uneven if sides did not matter. ``shared`` counts battles that others judged too, ``agreement`` is the share
    of their judgements that equal what most others said, ``chance`` what that share would be by luck alone.
    """

    battles: int
    seconds: float | None
    left: int
    sided: int
    p: float | None
    draws: float | None
    skips: float | None
    checks: int
    failed: int
    shared: int
    agreement: float | None
    chance: float | None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The reasons for suspicion, the worst first; none for a rater who raises none."""
        return tuple(self._findings())

    @property
    def flags(self) -> tuple[str, ...]:
        """The keys of the findings."""
        return tuple(finding.key for finding in self.findings)

    def _findings(self) -> Iterator[Finding]:
        if self.failed >= 2 or self.failed > self.checks / 2:
            yield Finding("failed_checks", {"failed": self.failed, "checks": self.checks})
        if self.seconds is not None and self.battles >= FEWEST and self.seconds < FASTEST:
            yield Finding("fast", {"seconds": self.seconds})
        if self.p is not None and self.sided >= FEWEST_SIDES and self.p < ONE_SIDED:
            yield Finding("one_sided", {"left": self.left, "right": self.sided - self.left, "p": self.p})
        draws, skips = self.draws or 0.0, self.skips or 0.0
        if self.battles >= FEWEST and draws + skips > UNDECIDED:
            yield Finding("undecided", {"draws": draws, "skips": skips})
        agreement, chance = self.agreement or 0.0, self.chance or 0.0
        if self.shared >= FEWEST_SHARED and agreement < chance:
            yield Finding("disagrees", {"agreement": agreement, "chance": chance, "shared": self.shared})


def suspicions(battles: Iterable[Battle], excluded: Container[str] = ()) -> Mapping[str, Suspicion]:
    """Return by rater how they judged. Raters in ``excluded`` are judged too, but not part of what others said."""
    by_rater: defaultdict[str, list[Battle]] = defaultdict(list)
    said: defaultdict[Unit, dict[str, str]] = defaultdict(dict)
    for battle in battles:
        by_rater[battle.rater].append(battle)
        if battle.rater not in excluded:
            for unit, judgement in _judgements(battle):
                said[unit][battle.rater] = judgement
    return {rater: _suspicion(own, said) for rater, own in by_rater.items()}


def _suspicion(answered: Sequence[Battle], said: Mapping[Unit, Mapping[str, str]]) -> Suspicion:
    checks = [battle for battle in answered if battle.check]
    real = [battle for battle in answered if not battle.check]
    choices = Counter(choice for battle in real for choice in (battle.choices or {}).values())
    sides = Counter(_side(battle) for battle in real)
    left, sided = sides["left"], sides["left"] + sides["right"]
    shared, agreement, chance = _agreement(real, said)
    seconds = [battle.seconds for battle in answered if battle.seconds is not None]
    return Suspicion(
        battles=len(answered),
        seconds=median(seconds) if seconds else None,
        left=left,
        sided=sided,
        p=_p_value(left, sided) if sided else None,
        draws=choices["draw"] / choices.total() if real else None,
        skips=choices["skip"] / choices.total() if real else None,
        checks=len(checks),
        failed=sum(not battle.passed for battle in checks),
        shared=shared,
        agreement=agreement,
        chance=chance,
    )


def _side(battle: Battle) -> str:
    """Return the side that won more aspects. One battle counts once: its three judgements hang together."""
    counts = Counter((battle.choices or {}).values())
    return "left" if counts["left"] > counts["right"] else "right" if counts["right"] > counts["left"] else ""


def _p_value(left: int, sided: int) -> float:
    from scipy.stats import binomtest

    return float(binomtest(left, sided).pvalue)


def _judgements(battle: Battle) -> Iterator[tuple[Unit, str]]:
    """Yield what was said of which pictures on which aspect, however the sides fell; skips say nothing."""
    if battle.check or battle.choices is None:
        return
    left, right = battle.left_image, battle.right_image
    first, second = sorted((left, right))
    for aspect in ASPECTS:
        choice = battle.choices[aspect]
        if choice != "skip":
            said = choice if left == first else _OTHER_SIDE.get(choice, choice)
            yield (battle.prompt, first, second, aspect), said


def _agreement(
    real: Iterable[Battle], said: Mapping[Unit, Mapping[str, str]]
) -> tuple[int, float | None, float | None]:
    """Return how many battles others judged too, how often this rater said what most of them said, and by chance."""
    shared, same = 0, 0
    mine: Counter[str] = Counter()
    theirs: Counter[str] = Counter()
    for battle in real:
        judged = False
        for unit, own in _judgements(battle):
            others = Counter(what for who, what in said.get(unit, {}).items() if who != battle.rater)
            most = others.most_common(2)
            if not most or (len(most) == 2 and most[0][1] == most[1][1]):
                continue  # nobody else, or they are divided
            judged = True
            same += own == most[0][0]
            mine[own] += 1
            theirs[most[0][0]] += 1
        shared += judged
    total = mine.total()
    if not total:
        return shared, None, None
    return shared, same / total, sum(mine[one] * theirs[one] for one in mine) / total**2
