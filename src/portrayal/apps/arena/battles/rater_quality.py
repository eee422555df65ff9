"""How carefully raters judge: flags for too fast, always the same side, failed checks, no opinion, against all others.

A flag is a reason to look, not a verdict: the study's team decides whom to leave out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from portrayal.apps.arena.battles.battle import ASPECTS, Battle

__all__ = ["QualityFlag", "RaterQuality", "rater_qualities"]

FAST_SECONDS = 3.0
"""Seconds: a median below it leaves a second for each of three judgements."""
FEWEST_BATTLES = 5
"""Battles below which speed and indecision say nothing."""
FEWEST_SIDES = 15
ONE_SIDED_P_VALUE = 0.001
UNDECIDED_SHARE = 0.8
FEWEST_SHARED = 10

JudgedAspect = tuple[str, str, str, str]
"""A prompt, two pictures of it and an aspect."""

_OTHER_SIDE = {"left": "right", "right": "left"}


@dataclass(frozen=True, slots=True)
class QualityFlag:
    """A reason to look at a rater: the ``key`` of a sentence, and the numbers to put into it."""

    key: str
    numbers: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class RaterQuality:
    """How a rater judged. A value is None where there is nothing to compute it from.

    ``left`` of ``sided`` battles were won by the left side on most aspects; ``side_p_value`` is the chance of a split
    at least as uneven if sides did not matter. ``shared`` counts battles that others judged too, ``agreement`` is the
    share of their judgements that equal what most others said, ``chance_agreement`` what that share would be by luck.
    """

    battles: int
    median_seconds: float | None
    left: int
    sided: int
    side_p_value: float | None
    draws: float | None
    skips: float | None
    checks: int
    failed_checks: int
    shared: int
    agreement: float | None
    chance_agreement: float | None

    @property
    def flags(self) -> tuple[QualityFlag, ...]:
        """The reasons to look at this rater, the worst first."""
        return tuple(self._flags())

    @property
    def flag_keys(self) -> tuple[str, ...]:
        """The keys of the flags."""
        return tuple(flag.key for flag in self.flags)

    def _flags(self) -> Iterator[QualityFlag]:
        if self.failed_checks >= 2 or self.failed_checks > self.checks / 2:
            yield QualityFlag("failed_checks", {"failed": self.failed_checks, "checks": self.checks})
        if self.median_seconds is not None and self.battles >= FEWEST_BATTLES and self.median_seconds < FAST_SECONDS:
            yield QualityFlag("fast", {"seconds": self.median_seconds})
        if self.side_p_value is not None and self.sided >= FEWEST_SIDES and self.side_p_value < ONE_SIDED_P_VALUE:
            yield QualityFlag("one_sided", {"left": self.left, "right": self.sided - self.left, "p": self.side_p_value})
        draws, skips = self.draws or 0.0, self.skips or 0.0
        if self.battles >= FEWEST_BATTLES and draws + skips > UNDECIDED_SHARE:
            yield QualityFlag("undecided", {"draws": draws, "skips": skips})
        agreement, chance = self.agreement or 0.0, self.chance_agreement or 0.0
        if self.shared >= FEWEST_SHARED and agreement < chance:
            yield QualityFlag("disagrees", {"agreement": agreement, "chance": chance, "shared": self.shared})


def rater_qualities(battles: Iterable[Battle], excluded: Container[str] = ()) -> Mapping[str, RaterQuality]:
    """Return by rater how they judged. Raters in ``excluded`` are judged too, but not part of what others said."""
    by_rater: defaultdict[str, list[Battle]] = defaultdict(list)
    said: defaultdict[JudgedAspect, dict[str, str]] = defaultdict(dict)
    for battle in battles:
        by_rater[battle.rater].append(battle)
        if battle.rater not in excluded:
            for unit, judgement in _judgements(battle):
                said[unit][battle.rater] = judgement
    return {rater: _rater_quality(answered, said) for rater, answered in by_rater.items()}


def _rater_quality(answered: Sequence[Battle], said: Mapping[JudgedAspect, Mapping[str, str]]) -> RaterQuality:
    checks = [battle for battle in answered if battle.check]
    real = [battle for battle in answered if not battle.check]
    choices = Counter(choice for battle in real for choice in (battle.choices or {}).values())
    sides = Counter(_side(battle) for battle in real)
    left, sided = sides["left"], sides["left"] + sides["right"]
    shared, agreement, chance = _agreement(real, said)
    seconds = [battle.seconds for battle in answered if battle.seconds is not None]
    return RaterQuality(
        battles=len(answered),
        median_seconds=median(seconds) if seconds else None,
        left=left,
        sided=sided,
        side_p_value=_p_value(left, sided) if sided else None,
        draws=choices["draw"] / choices.total() if real else None,
        skips=choices["skip"] / choices.total() if real else None,
        checks=len(checks),
        failed_checks=sum(not battle.passed for battle in checks),
        shared=shared,
        agreement=agreement,
        chance_agreement=chance,
    )


def _side(battle: Battle) -> str:
    """Return the side that won more aspects. One battle counts once: its three judgements hang together."""
    counts = Counter((battle.choices or {}).values())
    return "left" if counts["left"] > counts["right"] else "right" if counts["right"] > counts["left"] else ""


def _p_value(left: int, sided: int) -> float:
    from scipy.stats import binomtest

    return float(binomtest(left, sided).pvalue)


def _judgements(battle: Battle) -> Iterator[tuple[JudgedAspect, str]]:
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
    real: Iterable[Battle], said: Mapping[JudgedAspect, Mapping[str, str]]
) -> tuple[int, float | None, float | None]:
    """Return how many battles others judged too, how often this rater said what most of them said, and by chance."""
    shared, same = 0, 0
    mine: Counter[str] = Counter()
    theirs: Counter[str] = Counter()
    for battle in real:
        judged = False
        for unit, judgement in _judgements(battle):
            others = Counter(what for who, what in said.get(unit, {}).items() if who != battle.rater)
            most = others.most_common(2)
            if not most or (len(most) == 2 and most[0][1] == most[1][1]):
                continue  # nobody else, or they are divided
            judged = True
            same += judgement == most[0][0]
            mine[judgement] += 1
            theirs[most[0][0]] += 1
        shared += judged
    total = mine.total()
    if not total:
        return shared, None, None
    return shared, same / total, sum(mine[one] * theirs[one] for one in mine) / total**2
