from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from portrayal.apps.arena.battles.battle import Battle, Choice, ImagePool, PoolPrompt
from portrayal.apps.arena.battles.battle_counts import BattleCounts

POOL = ImagePool({"p1": PoolPrompt("p1", "", "en", "", "", "", {"one": ["1"], "two": ["2"], "three": ["3"]})})
CHOICES: Mapping[str, Choice] = {"bias": "left", "quality": "draw", "alignment": "skip"}
BATTLE = Battle("b1", "ann", 1, "p1", "two", "2", "one", "1", "", 0.0, CHOICES)


def test_an_answered_battle_counts_for_pair_prompt_pictures_and_wins() -> None:
    counts = BattleCounts(POOL)
    counts.add(BATTLE)
    number = counts.pair_numbers["one", "two"]
    assert counts.by_pair.tolist() == [int(pair == ("one", "two")) for pair in counts.pairs]
    assert counts.by_pair_and_prompt == {(number, "p1"): 1}
    assert counts.by_image == {"1": 1, "2": 1}
    assert counts.judged[number].sample(np.random.default_rng(0)) == ("p1", "1", "2")
    one, two = counts.model_numbers["one"], counts.model_numbers["two"]
    # By aspect: bias was won by the left one, which is two; quality was a draw; alignment was skipped.
    assert counts.wins[:, two, one].tolist() == [1.0, 0.5, 0.0]
    assert counts.wins[:, one, two].tolist() == [0.0, 0.5, 0.0]


def test_an_open_battle_counts_as_dealt_and_not_as_judged() -> None:
    counts = BattleCounts(POOL)
    counts.add(replace(BATTLE, choices=None))
    assert counts.by_pair.sum() == 1
    assert counts.wins.sum() == 0
    assert not counts.judged


@pytest.mark.parametrize("other", [replace(BATTLE, check="left"), replace(BATTLE, left_model="gone")])
def test_checks_and_models_that_are_gone_do_not_count(other: Battle) -> None:
    counts = BattleCounts(POOL)
    counts.add(other)
    assert counts.by_pair.sum() == 0


def test_what_is_removed_leaves_no_trace() -> None:
    counts = BattleCounts(POOL)
    counts.add(BATTLE)
    counts.remove(BATTLE)
    empty = BattleCounts(POOL)
    assert counts.by_pair.tolist() == empty.by_pair.tolist()
    assert (counts.by_pair_and_prompt, counts.by_prompt, counts.by_image) == (
        empty.by_pair_and_prompt,
        empty.by_prompt,
        empty.by_image,
    )
    assert counts.wins.tolist() == empty.wins.tolist()
    assert not any(map(len, counts.judged.values()))
