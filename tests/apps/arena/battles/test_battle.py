from __future__ import annotations

from dataclasses import replace

import pytest

from portrayal.apps.arena.battles.battle import Battle, Choice, ImagePool, PoolPrompt

PROMPT = PoolPrompt("p1", "a nurse", "en", "nurse", "health", "direct", {"two": ["2.png"], "one": ["1.png", "3.png"]})
POOL = ImagePool({"p1": PROMPT})
BATTLE = Battle("b1", "ann", 1, "p1", "one", "3.png", "two", "2.png", "", 0.0)


def test_the_models_of_a_pool_are_in_order() -> None:
    assert POOL.models == ("one", "two")


def test_a_pool_holds_a_battle_whose_pictures_are_all_there() -> None:
    assert POOL.holds(BATTLE)


@pytest.mark.parametrize(
    "gone",
    [
        replace(BATTLE, prompt="p2"),
        replace(BATTLE, left_model="three"),
        replace(BATTLE, right_image="9.png"),
        replace(BATTLE, left_image="2.png"),  # it is there, but another model drew it
    ],
)
def test_a_pool_does_not_hold_a_battle_over_what_is_gone(gone: Battle) -> None:
    assert not POOL.holds(gone)


@pytest.mark.parametrize(("said", "passed"), [("left", True), ("right", False), ("draw", False), ("skip", False)])
def test_a_check_is_passed_by_naming_the_intact_side_on_quality(said: Choice, passed: bool) -> None:
    check = replace(BATTLE, check="left", choices={"bias": "right", "quality": said, "alignment": "right"})
    assert check.passed is passed


def test_an_open_check_is_not_passed() -> None:
    assert not replace(BATTLE, check="left").passed
