from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from scipy.stats import binomtest

from portrayal.apps.arena.battles.battle import Battle, Choice
from portrayal.apps.arena.battles.rater_quality import RaterQuality, rater_qualities


def battle(number: int, *said: Choice, rater: str = "x", seconds: float = 10.0, swapped: bool = False) -> Battle:
    choices = dict(zip(("bias", "quality", "alignment"), said * 3 if len(said) == 1 else said, strict=True))
    sides = [("a", f"{number}a"), ("b", f"{number}b")]
    (left, left_image), (right, right_image) = sides[::-1] if swapped else sides
    name = f"{rater}{number}"
    dealt = Battle(name, rater, number, f"p{number}", left, left_image, right, right_image, "", 0.0)
    return replace(dealt, choices=choices, cast_at=1.0, seconds=seconds)


def check(number: int, said: Choice) -> Battle:
    return replace(battle(number, said), check="left")


def of(battles: Sequence[Battle]) -> RaterQuality:
    return rater_qualities(battles)["x"]


def fair(count: int, rater: str = "x") -> list[Battle]:
    return [battle(number, "left" if number % 2 else "right", rater=rater) for number in range(count)]


def test_a_careful_rater_gets_no_flag() -> None:
    found = of([*fair(40), check(50, "left")])
    assert found.flags == ()
    assert (found.battles, found.median_seconds, found.checks, found.failed_checks) == (41, 10.0, 1, 0)
    assert (found.draws, found.skips, found.agreement) == (0.0, 0.0, None)


def test_no_answers_no_raters() -> None:
    assert rater_qualities([]) == {}


@pytest.mark.parametrize(("seconds", "flags"), [(2.9, ("fast",)), (3.0, ())])
def test_a_median_below_three_seconds_is_too_fast(seconds: float, flags: tuple[str, ...]) -> None:
    slow = [battle(90, "draw", seconds=500.0), battle(91, "left", seconds=500.0)]
    found = of([*(replace(one, seconds=seconds) for one in fair(6)), *slow])
    assert found.flag_keys == flags
    assert found.median_seconds == seconds


def test_a_few_fast_answers_say_nothing() -> None:
    assert of([replace(one, seconds=1.0) for one in fair(4)]).flag_keys == ()


def test_always_the_same_side_is_flagged() -> None:
    lefts, rights = ([battle(number, side) for number in range(14)] for side in ("left", "right"))
    assert of(lefts).flag_keys == ()
    found = of([*lefts, battle(14, "left")])
    assert found.flag_keys == ("one_sided",)
    assert found.flags[0].numbers == {"left": 15, "right": 0, "p": pytest.approx(2 * 0.5**15)}
    assert of([*rights, battle(14, "right")]).flag_keys == ("one_sided",)


def test_the_three_judgements_of_a_battle_count_once_for_its_side() -> None:
    # 12 of 16 to the left is p = 0.08; counted three times it would be 36 of 48, p = 0.0007.
    found = of([battle(number, "left" if number < 12 else "right") for number in range(16)])
    assert (found.left, found.sided) == (12, 16)
    assert found.side_p_value == pytest.approx(binomtest(12, 16).pvalue)
    assert found.flag_keys == ()


def test_draws_and_split_battles_have_no_side() -> None:
    found = of([battle(0, "draw"), battle(1, "left", "right", "skip"), battle(2, "left", "left", "right")])
    assert (found.left, found.sided) == (1, 1)


@pytest.mark.parametrize(
    ("said", "flagged"),
    [
        (["left"], False),
        (["right"], True),
        (["left", "skip"], False),
        (["left", "left", "left", "draw"], False),
        (["left", "left", "left", "draw", "right"], True),
    ],
)
def test_two_failed_checks_or_more_than_half_are_flagged(said: list[Choice], flagged: bool) -> None:
    found = of([*fair(10), *(check(20 + number, choice) for number, choice in enumerate(said))])
    assert found.flag_keys == (("failed_checks",) if flagged else ())
    if flagged:
        failed = sum(choice != "left" for choice in said)
        assert found.flags[0].numbers == {"failed": failed, "checks": len(said)}


def test_checks_say_nothing_about_sides() -> None:
    assert of([*fair(10), *(check(20 + number, "left") for number in range(20))]).flag_keys == ()


def test_hardly_ever_an_opinion_is_flagged() -> None:
    undecided = [battle(number, "draw", "skip", "draw") for number in range(8)]
    assert of([*undecided, *fair(2)]).flag_keys == ()
    found = of([*undecided, battle(8, "draw"), *fair(2)])
    assert found.flag_keys == ("undecided",)
    assert found.flags[0].numbers == {"draws": pytest.approx(19 / 33), "skips": pytest.approx(8 / 33)}


def others(count: int) -> list[Battle]:
    """Two raters who agree, and who saw the sides the other way round."""
    sides: tuple[Choice, Choice] = ("right", "left")
    return [
        battle(number, sides[number % 2], rater=rater, swapped=True) for rater in "yz" for number in range(1, count + 1)
    ]


def test_agreement_is_with_what_most_others_said_of_the_same_pictures() -> None:
    # Others preferred picture a on even numbers; the sides were swapped for them.
    same = [battle(number, "right" if number % 2 else "left") for number in range(1, 13)]
    found = of([*same, *others(12)])
    assert (found.shared, found.agreement, found.chance_agreement) == (12, 1.0, 0.5)
    assert found.flag_keys == ()


def test_agreement_below_chance_is_flagged_from_ten_shared_battles_on() -> None:
    against = [battle(number, "left" if number % 2 else "right") for number in range(1, 13)]
    found = of([*against, *others(10)])
    assert (found.shared, found.agreement) == (10, 0.0)
    assert found.flag_keys == ("disagrees",)
    assert found.flags[0].numbers == {"agreement": 0.0, "chance": 0.5, "shared": 10}
    assert of([*against, *others(9)]).flag_keys == ()


def test_others_who_are_divided_are_no_measure() -> None:
    divided = [battle(1, "left", rater="y"), battle(1, "right", rater="z")]
    found = of([battle(1, "left"), *divided])
    assert (found.shared, found.agreement) == (0, None)


def test_excluded_raters_are_judged_but_are_nobodys_measure() -> None:
    against = [battle(number, "left" if number % 2 else "right") for number in range(1, 13)]
    judged = rater_qualities([*against, *others(12)], excluded={"x"})
    assert judged["x"].flag_keys == ("disagrees",)
    assert judged["y"].agreement == 1.0
    assert rater_qualities([*against, *others(12)], excluded={"y", "z"})["x"].shared == 0
