from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from portrayal.arena.battles.battle import Battle, Choice, ImagePool, PoolPrompt
from portrayal.arena.battles.battle_counts import Counts

POOL = ImagePool({"p1": PoolPrompt("p1", "", "en", "", "", "", {"one": ["1"], "two": ["2"], "three": ["3"]})})
CHOICES: Mapping[str, Choice] = {"bias": "left", "quality": "draw", "alignment": "skip"}
BATTLE = Battle("b1", "ann", 1, "p1", "two", "2", "one", "1", "", 0.0, CHOICES)


def test_an_answered_battle_counts_for_pair_prompt_pictures_and_wins() -> None:
    counts = Counts(POOL)
    counts.add(BATTLE)
    pair = counts.pairs["one", "two"]
    assert counts.dealt.tolist() == [int(ends == ("one", "two")) for ends in counts.ends]
    assert counts.cells == {(pair, "p1"): 1}
    assert counts.images == {"1": 1, "2": 1}
    assert counts.judged[pair].sample(np.random.default_rng(0)) == ("p1", "1", "2")
    one, two = counts.models["one"], counts.models["two"]
    # By aspect: bias was won by the left one, which is two; quality was a draw; alignment was skipped.
    assert counts.wins[:, two, one].tolist() == [1.0, 0.5, 0.0]
    assert counts.wins[:, one, two].tolist() == [0.0, 0.5, 0.0]


def test_an_open_battle_counts_as_dealt_and_not_as_judged() -> None:
    counts = Counts(POOL)
    counts.add(replace(BATTLE, choices=None))
    assert counts.dealt.sum() == 1
    assert counts.wins.sum() == 0
    assert not counts.judged


@pytest.mark.parametrize("other", [replace(BATTLE, check="left"), replace(BATTLE, left_model="gone")])
def test_checks_and_models_that_are_gone_do_not_count(other: Battle) -> None:
    counts = Counts(POOL)
    counts.add(other)
    assert counts.dealt.sum() == 0


def test_what_is_removed_leaves_no_trace() -> None:
    counts = Counts(POOL)
    counts.add(BATTLE)
    counts.remove(BATTLE)
    empty = Counts(POOL)
    assert counts.dealt.tolist() == empty.dealt.tolist()
    assert (counts.cells, counts.prompts, counts.images) == (empty.cells, empty.prompts, empty.images)
    assert counts.wins.tolist() == empty.wins.tolist()
    assert not any(map(len, counts.judged.values()))
