from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from portrayal.apps.arena.battles.battle import Battle, Choice, ImagePool, PoolPrompt
from portrayal.apps.arena.battles.battle_counts import BattleCounts
from portrayal.apps.arena.battles.information_gain import InformationGain

MODELS = "abcd"
POOL = ImagePool({"p": PoolPrompt("p", "", "en", "", "", "", {model: [model] for model in MODELS})})


def battle(winner: str, loser: str) -> Battle:
    choices: dict[str, Choice] = {"bias": "left", "quality": "left", "alignment": "left"}
    return Battle("b", "ann", 1, "p", winner, winner, loser, loser, "", 0.0, choices)


def gains(battles: list[Battle]) -> dict[str, float]:
    counts = BattleCounts(POOL)
    for one in battles:
        counts.add(one)
    information = InformationGain(counts)
    for _ in range(5):  # each time two steps nearer to the estimate
        information._battles_at_refresh = -1
        found = information.by_pair()
    return {first + second: float(gain) for (first, second), gain in zip(counts.pairs, found, strict=True)}


def test_before_any_vote_all_pairs_are_worth_the_same() -> None:
    assert len(set(np.round(list(gains([]).values()), 12))) == 1


def test_models_that_are_close_are_worth_more_than_models_far_apart() -> None:
    rounds = [battle(first, second) for first, second in combinations(MODELS, 2) for _ in range(10)]
    even = [battle("b", "a") for _ in range(10)]  # a and b win as often against each other, d loses to all
    found = gains(rounds + even)
    assert found["ab"] > found["ac"] > found["ad"]


def test_a_pair_that_met_seldom_is_worth_more() -> None:
    met = [battle(*models) for pair in combinations(MODELS, 2) for models in (pair, pair[::-1]) for _ in range(5)]
    seldom = [one for one in met if {one.left_model, one.right_model} != {"c", "d"}]
    found = gains(seldom)
    assert found["cd"] == max(found.values())
    assert found["cd"] > 1.2 * found["ab"]


def test_battles_under_way_count_as_knowledge_to_come() -> None:
    waiting = replace(battle("a", "b"), choices=None)
    assert gains([waiting] * 5)["ab"] < gains([])["ab"]


def test_the_gain_is_that_of_the_formula() -> None:
    # Two models of equal strength, n battles: information n/4 for the difference, on top of the prior.
    counts = BattleCounts(ImagePool({"p": PoolPrompt("p", "", "en", "", "", "", {"a": ["a"], "b": ["b"]})}))
    for winner, loser in ("ab", "ba"):
        counts.add(battle(winner, loser))
    variance = 1 / (2 / 4 + 0.5 / 2)
    assert InformationGain(counts).by_pair() == pytest.approx([np.log1p(variance / 4)])
