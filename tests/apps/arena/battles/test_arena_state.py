from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from portrayal.apps.arena.battles.arena_state import ArenaState
from portrayal.apps.arena.battles.battle import Battle, BattleRules, Change, Choice, ImagePool, PoolPrompt
from portrayal.study.sql.rater import Rater, RaterProgress
from portrayal.web.raters.dealt_tasks import NotOpenError

ALL_LEFT: dict[str, Choice] = {"bias": "left", "quality": "left", "alignment": "left"}


def make_pool(models: str = "abc", prompts: int = 20, language: str = "en", images: int = 2) -> ImagePool:
    names = [f"{language}{number}" for number in range(prompts)]
    drawn = {name: {model: [f"{name}-{model}-{n}" for n in range(images)] for model in models} for name in names}
    return ImagePool({name: PoolPrompt(name, "", language, "", "", "", drawn[name]) for name in names})


def make_state(
    pool: ImagePool | None = None, seed: int = 0, raters: str = "x", language: str = "en", **rules: Any
) -> ArenaState:
    state = ArenaState(pool or make_pool(), BattleRules(**{"quota": 10, **rules}), np.random.default_rng(seed))
    state.apply(Change([Rater(rater, f"hash-{rater}", "", language, 0.0) for rater in raters]))
    return state


def deal(state: ArenaState, rater: str = "x") -> Battle | None:
    battle = state.current(rater)
    if battle is None and (battle := state.propose(rater, 0.0)):
        state.apply(Change(battles=[battle]))
    return battle


def vote(state: ArenaState, battle: Battle, choices: dict[str, Choice] | None = None) -> None:
    cast = state.voted(battle.rater, battle.id, choices or ALL_LEFT, 1.0, 1.0)
    following = state.propose(battle.rater, 1.0, after=cast)
    state.apply(Change(battles=[cast, *([following] if following else [])]))


def undo(state: ArenaState, rater: str = "x") -> bool:
    battle = state.reopened(rater)
    if battle:
        state.apply(Change(battles=[battle]))
    return battle is not None


def finish(state: ArenaState, rater: str = "x") -> list[Battle]:
    while battle := deal(state, rater):
        vote(state, battle)
    return list(state.battles_of(rater))


def test_a_rater_gets_the_quota_and_checks_on_top_and_never_a_check_first() -> None:
    for seed in range(20):
        state = make_state(seed=seed, raters=f"{seed % 10}", quota=20, checks=0.1)
        rater = f"{seed % 10}"
        assert state.progress(rater) == RaterProgress(0, 22)
        battles = finish(state, rater)
        assert state.progress(rater) == RaterProgress(22, 22)
        assert [battle.number for battle in battles] == list(range(1, 23))
        assert sum(bool(battle.check) for battle in battles) == 2
        assert not battles[0].check


def test_a_check_shows_one_picture_on_both_sides() -> None:
    battles = finish(make_state(quota=40, checks=0.5))
    checks = [battle for battle in battles if battle.check]
    assert len(checks) == 20
    assert all((b.left_model, b.left_image) == (b.right_model, b.right_image) for b in checks)
    assert {battle.check for battle in checks} == {"left", "right"}


def test_a_battle_is_two_models_and_their_pictures_of_the_same_prompt() -> None:
    state = make_state()
    for battle in finish(state):
        assert state.pool.holds(battle)
        assert battle.check or battle.left_model != battle.right_model


def test_no_rater_sees_a_pair_with_a_prompt_twice() -> None:
    battles = [battle for battle in finish(make_state(quota=60)) if not battle.check]
    assert len(battles) == 60
    seen = Counter((battle.prompt, *sorted((battle.left_model, battle.right_model))) for battle in battles)
    assert set(seen.values()) == {1}


def test_a_small_pool_ends_before_the_quota() -> None:
    state = make_state(make_pool("abc", prompts=2), quota=30, checks=0.34)
    assert state.progress("x") == RaterProgress(0, 8)
    assert len(finish(state)) == 8
    assert state.progress("x") == RaterProgress(8, 8)


def test_sides_are_balanced_on_average() -> None:
    state = make_state(make_pool("ab", prompts=1000), quota=1000, checks=0.0)
    left = sum(battle.left_model == "a" for battle in finish(state))
    assert 440 <= left <= 560


def test_repeats_have_their_sides_drawn_anew() -> None:
    state = make_state(make_pool("ab", prompts=400, images=1), raters="xy", quota=400, checks=0.0, repeats=1.0)
    first = {battle.prompt: battle.left_model for battle in finish(state, "x")}
    second = {battle.prompt: battle.left_model for battle in finish(state, "y")}
    assert 160 <= sum(first[prompt] != second[prompt] for prompt in first) <= 240


def test_many_raters_at_the_same_moment_do_not_get_the_same_pair() -> None:
    raters = "abcdefghijklmnopqrstuvwxyz"[:24]
    state = make_state(raters=raters, checks=0.0)
    proposed = [state.propose(rater, 0.0) for rater in raters]  # none of them is dealt yet
    assert state.counts.by_pair.tolist() == [8, 8, 8]
    for battle in proposed:
        assert battle
        state.withdraw(battle)
    assert state.counts.by_pair.tolist() == [0, 0, 0]
    assert not any(state.counts.by_pair_and_prompt.values())


def test_a_proposal_that_is_withdrawn_may_come_again() -> None:
    state = make_state(make_pool("ab", prompts=1), checks=0.0)
    battle = state.propose("x", 0.0)
    assert battle
    assert state.propose("x", 0.0) is None  # the only one there is
    state.withdraw(battle)
    again = state.propose("x", 0.0)
    assert again
    assert again.prompt == battle.prompt


def test_a_vote_counts_once_and_only_for_the_battle_before_the_rater() -> None:
    state = make_state(raters="xy")
    mine, theirs = deal(state, "x"), deal(state, "y")
    assert mine
    assert theirs
    with pytest.raises(NotOpenError):
        state.voted("x", theirs.id, ALL_LEFT, 1.0, 1.0)
    with pytest.raises(NotOpenError):
        state.voted("x", "no-such-battle", ALL_LEFT, 1.0, 1.0)
    vote(state, mine)
    with pytest.raises(NotOpenError):
        state.voted("x", mine.id, ALL_LEFT, 1.0, 1.0)
    assert state.dealt("x", theirs.id) is None
    assert state.dealt("y", theirs.id) == theirs


@pytest.mark.parametrize(
    "choices",
    [{}, {"bias": "left"}, {**ALL_LEFT, "beauty": "left"}, {**ALL_LEFT, "bias": "both"}, {**ALL_LEFT, "bias": ""}],
)
def test_a_vote_needs_a_choice_for_each_aspect(choices: Any) -> None:
    state = make_state()
    battle = deal(state)
    assert battle
    with pytest.raises(ValueError, match="for each of bias, quality, alignment") as caught:
        state.voted("x", battle.id, choices, 1.0, 1.0)
    assert not isinstance(caught.value, NotOpenError)


def test_undo_opens_the_last_answer_again_and_no_other() -> None:
    state = make_state(checks=0.0)
    first = deal(state)
    assert first
    assert not undo(state)
    vote(state, first)
    second = deal(state)
    assert second
    vote(state, second)
    third = deal(state)
    wins = state.counts.wins.sum()

    assert undo(state)
    assert deal(state) == replace(second, undone=1)
    assert state.counts.wins.sum() == wins - 3
    assert state.progress("x").done == 1
    assert not undo(state)
    with pytest.raises(NotOpenError):
        state.voted("x", third.id if third else "", ALL_LEFT, 1.0, 1.0)

    vote(state, second)
    assert deal(state) == third  # what was dealt meanwhile comes again, unchanged
    assert state.counts.wins.sum() == wins
    assert state.counts.by_pair.sum() == 3
    assert undo(state)
    assert deal(state) == replace(second, undone=2)


def test_the_very_last_answer_can_be_undone() -> None:
    state = make_state(quota=3, checks=0.34)
    last = finish(state)[-1]
    assert undo(state)
    battle = deal(state)
    assert battle
    assert battle.id == last.id
    vote(state, battle)
    assert deal(state) is None
    assert state.progress("x") == RaterProgress(4, 4)


def test_a_check_can_be_undone_too() -> None:
    state = make_state(quota=10, checks=0.5)
    while (battle := deal(state)) and not battle.check:
        vote(state, battle)
    assert battle
    vote(state, battle, {**ALL_LEFT, "quality": "draw"})
    assert undo(state)
    vote(state, battle, {**ALL_LEFT, "quality": "left" if battle.check == "left" else "right"})
    again = state.dealt("x", battle.id)
    assert again
    assert again.passed


def test_what_an_excluded_rater_judged_is_judged_by_others() -> None:
    state = make_state(raters="xy", checks=0.0)
    finish(state, "x")
    rater = state.rater("x")
    assert rater
    assert state.counts.by_pair.sum() == 10
    state.apply(Change([replace(rater, excluded=True)]))
    assert state.counts.by_pair.sum() == 0
    assert state.counts.wins.sum() == 0
    state.apply(Change([replace(rater, excluded=True)]))  # saying it twice changes nothing
    deal(state, "y")
    assert state.counts.by_pair.sum() == 1
    state.apply(Change([rater]))
    assert state.counts.by_pair.sum() == 11
    assert state.counts.wins.sum() == 30


def test_an_excluded_rater_goes_on_without_being_counted() -> None:
    state = make_state(checks=0.0)
    rater = state.rater("x")
    assert rater
    state.apply(Change([replace(rater, excluded=True)]))
    assert len(finish(state)) == 10
    assert state.counts.by_pair.sum() == 0
    assert len(list(state.answered_battles())) == 10


def restored(state: ArenaState, pool: ImagePool, **rules: Any) -> ArenaState:
    again = ArenaState(pool, BattleRules(**{"quota": 10, **rules}), np.random.default_rng(1))
    battles = [battle for rater in state.raters() for battle in state.battles_of(rater.id)]
    again.apply(Change(list(state.raters()), battles))
    return again


def test_battles_over_a_model_that_is_gone_stay_and_give_way_to_others() -> None:
    state = make_state(make_pool("ab", prompts=9), checks=0.0)
    for _ in range(4):
        battle = deal(state)
        assert battle
        vote(state, battle)
    waiting = deal(state)
    again = restored(state, make_pool("cd", prompts=9), checks=0.0)
    assert len(list(again.answered_battles())) == 4
    assert again.current("x") is None  # what was waiting cannot be shown any more
    battle = deal(again)
    assert battle
    assert waiting
    assert (battle.number, {battle.left_model, battle.right_model}) == (5, {"c", "d"})
    assert again.dealt("x", waiting.id) is None
    battles = finish(again)
    assert [battle.number for battle in battles] == list(range(1, 11))
    assert Counter(battle.left_model in "ab" for battle in battles) == {True: 4, False: 6}


def test_an_answer_over_a_model_that_is_gone_is_replaced_when_it_is_undone() -> None:
    state = make_state(make_pool("ab", prompts=9), checks=0.0)
    for _ in range(2):
        battle = deal(state)
        assert battle
        vote(state, battle)
    again = restored(state, make_pool("cd", prompts=9), checks=0.0)
    assert undo(again)
    battle = deal(again)
    assert battle
    assert (battle.number, battle.undone, battle.left_model in "cd") == (2, 1, True)
    assert not undo(again)
    assert [battle.number for battle in finish(again)] == list(range(1, 11))


def test_what_a_changed_study_has_no_more_does_not_use_up_the_places() -> None:
    state = make_state(make_pool("ab", prompts=3), checks=0.0)
    assert len(finish(state)) == 3
    again = restored(state, make_pool("cd", prompts=3), checks=0.0)
    assert again.progress("x") == RaterProgress(3, 6)
    assert len(finish(again)) == 6


def test_raters_who_change_their_language_go_on_in_the_new_one() -> None:
    pool = ImagePool({**make_pool(prompts=2).prompts, **make_pool(prompts=2, language="de").prompts})
    state = make_state(pool, quota=8, checks=0.0, prompt_language="rater")
    assert state.progress("x") == RaterProgress(0, 6)
    for _ in range(4):
        battle = deal(state)
        assert battle
        vote(state, battle)
    rater = state.rater("x")
    assert rater
    state.apply(Change([replace(rater, language="de")]))
    battles = finish(state)
    assert state.progress("x") == RaterProgress(8, 8)
    # Five were dealt before the change, one of them still waiting; the rest are German.
    assert [battle.prompt[:2] for battle in battles] == ["en"] * 5 + ["de"] * 3


def test_pairs_are_balanced_over_many_raters() -> None:
    raters = "abcdefghij"
    state = make_state(make_pool("mnop", prompts=50), raters=raters, quota=30)
    open_raters = list(raters)
    rng = np.random.default_rng(0)
    while open_raters:
        rater = open_raters[int(rng.integers(len(open_raters)))]
        battle = deal(state, rater)
        if battle is None:
            open_raters.remove(rater)
        else:
            vote(state, battle)
            assert np.ptp(state.counts.by_pair) <= 1
    assert state.counts.by_pair.tolist() == [50] * len(list(combinations("mnop", 2)))


class Overheard(np.random.Generator):
    """A generator that remembers the bytes it gave."""

    heard: tuple[str, ...] = ()

    def bytes(self, length: int) -> bytes:
        given = super().bytes(length)
        self.heard += (given.hex(),)
        return given


def test_names_of_battles_do_not_tell_what_the_generator_draws() -> None:
    """From its plain output one could work out its state, and with it which side a check's intact picture is on."""
    rng = Overheard(np.random.PCG64(0))
    state = ArenaState(make_pool(), BattleRules(quota=10), rng)
    state.apply(Change([Rater("x", "hash", "", "en", 0.0)]))
    names = []
    while battle := deal(state):
        names.append(battle.id)
        vote(state, battle)
    assert len(set(names)) == len(rng.heard) == 11
    assert all(len(name) == 32 for name in names)
    assert not any(given[:8] in name for given in rng.heard for name in names)


def test_checks_stand_where_the_key_says() -> None:
    def checks(key: bytes) -> list[int]:
        state = ArenaState(make_pool(), BattleRules(quota=10, checks=0.3), np.random.default_rng(0), key)
        state.apply(Change([Rater("x", "hash", "", "en", 0.0)]))
        while battle := deal(state):
            vote(state, battle)
        return [battle.number for battle in state.battles_of("x") if battle.check]

    assert checks(b"one") == checks(b"one")
    assert len({tuple(checks(bytes([key]))) for key in range(10)}) > 5
