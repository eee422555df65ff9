"""Whatever happens in whatever order: what SQL holds is what the service believes."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from portrayal.apps.arena.battles.arena_state import ArenaState
from portrayal.apps.arena.battles.battle import ASPECTS, CHOICES, BattleRules, Change, ImagePool, PoolPrompt
from portrayal.apps.arena.config import ArenaConfig
from portrayal.apps.arena.database.open_arena import read_arena
from portrayal.apps.arena.web import service as service_module
from portrayal.apps.arena.web.service import ArenaService
from portrayal.study.sql.rater import Rater
from portrayal.study.study import OpenStudy
from portrayal.web.raters.dealt_tasks import NotOpenError

pytestmark = pytest.mark.slow

T = TypeVar("T")
MODELS = "abc"


def small_pool(models: str = MODELS) -> ImagePool:
    drawn = {f"p{n}": {model: [f"p{n}{model}{i}" for i in range(2)] for model in models} for n in range(2)}
    return ImagePool(
        {name: PoolPrompt(name, "", "en" if name == "p0" else "de", "", "", "", drawn[name]) for name in drawn}
    )


def snapshot(state: ArenaState) -> dict[str, Any]:
    """Return everything that is in a state, and all that follows from it."""
    counts = state.counts
    raters = {rater.id: rater for rater in state.raters()}
    return {
        "raters": raters,
        "battles": {name: list(state.battles_of(name)) for name in raters},
        "current": {name: state.current(name) for name in raters},
        "undo": {name: state.reopened(name) for name in raters},
        "progress": {name: state.progress(name) for name in raters},
        "seen": {name: state._seen[name] for name in raters},
        "numbers": state._dealt._numbers,
        "proposed": state._proposed,
        "dealt": counts.by_pair.tolist(),
        "counters": (counts.by_pair_and_prompt, counts.by_prompt, counts.by_image),
        "judged": {pair: images for pair, images in counts.judged.items() if len(images)},
        "wins": counts.wins.tolist(),
    }


class ArenaMachine(RuleBasedStateMachine):
    """Raters come, vote, take back, leave; the study's team excludes; the server is restarted on a changed study."""

    template: Path
    database: Callable[[], str]

    @initialize(quota=st.integers(1, 7), language=st.sampled_from(["any", "rater"]), repeats=st.floats(0, 1))
    def begin(self, quota: int, language: str, repeats: float) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.study = OpenStudy(shutil.copytree(self.template, self.folder / "study"))
        arena = {"quota": quota, "checks": 0.4, "repeats": repeats, "prompt_language": language, "open": True}
        config = self.study.config.of_app(ArenaConfig).model_copy(update=arena)
        self.study.config = self.study.config.model_copy(update={"arena": config})
        self.url = type(self).database()
        self.loop = asyncio.new_event_loop()
        self.pool = small_pool()
        self.open()

    def open(self) -> None:
        self.service = self.run(ArenaService.open(self.study, self.url))

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(service_module, "read_image_pool", lambda study: self.pool)
            return self.loop.run_until_complete(work)

    def pick(self, number: int) -> Rater:
        raters = self.service.raters()
        return sorted(raters, key=lambda rater: rater.id)[number % len(raters)]

    def has_raters(self) -> bool:
        return bool(self.service.raters())

    @rule(count=st.integers(1, 2))
    def invite(self, count: int) -> None:
        for token in self.run(self.service.invite(count)):
            assert self.service.rater_by_token(token)

    @precondition(has_raters)
    @rule(who=st.integers(0, 9), language=st.sampled_from(["en", "de", "fr"]))
    def consent(self, who: int, language: str) -> None:
        self.run(self.service.record_consent(self.pick(who).id, language))

    @precondition(has_raters)
    @rule(who=st.integers(0, 9))
    def look(self, who: int) -> None:
        self.run(self.service.current_task(self.pick(who).id))

    @precondition(has_raters)
    @rule(who=st.integers(0, 9), said=st.tuples(*[st.sampled_from(CHOICES)] * 3), often=st.integers(1, 3))
    def vote(self, who: int, said: tuple[Any, ...], often: int) -> None:
        rater = self.pick(who).id
        choices = dict(zip(ASPECTS, said, strict=True))
        for _ in range(often):
            battle = self.run(self.service.current_task(rater))
            if battle is None:
                return
            before = len(self.service.answered_battles())
            assert self.run(self.service.vote(rater, battle.id, choices))
            assert not self.run(self.service.vote(rater, battle.id, choices))
            assert len(self.service.answered_battles()) == before + 1

    @precondition(has_raters)
    @rule(who=st.integers(0, 9))
    def forge(self, who: int) -> None:
        with pytest.raises(NotOpenError):
            self.run(self.service.vote(self.pick(who).id, "made-up", dict.fromkeys(ASPECTS, "left")))

    @precondition(has_raters)
    @rule(who=st.integers(0, 9))
    def undo(self, who: int) -> None:
        rater = self.pick(who).id
        before, possible = len(self.service.answered_battles()), self.service.can_undo(rater)
        assert self.run(self.service.undo(rater)) is possible
        assert len(self.service.answered_battles()) == before - possible
        assert not self.service.can_undo(rater) or not possible

    @precondition(has_raters)
    @rule(who=st.integers(0, 9), excluded=st.booleans())
    def exclude(self, who: int, excluded: bool) -> None:
        self.run(self.service.exclude(self.pick(who).id, excluded))

    @rule(models=st.sampled_from(["abc", "ab", "bcd"]))
    def restart(self, models: str) -> None:
        self.run(self.service.close())
        self.pool = small_pool(models)
        self.open()

    @invariant()
    def sql_holds_what_the_service_believes(self) -> None:
        state = self.service._state
        again = ArenaState(state.pool, state.rules, np.random.default_rng(0))
        again.apply(read_arena(self.url, self.study.root))
        assert snapshot(again) == snapshot(state)

    @invariant()
    def no_battle_is_there_twice(self) -> None:
        for rater in self.service._state.raters():
            battles = list(self.service._state.battles_of(rater.id))
            assert sorted(battle.number for battle in battles) == list(range(1, len(battles) + 1))
            assert len({battle.id for battle in battles}) == len(battles)
            assert sum(battle.choices is None for battle in battles) <= 2

    def teardown(self) -> None:
        self.run(self.service.close())
        self.loop.close()
        shutil.rmtree(self.folder)


def play(template: Path, database: Callable[[], str], examples: int) -> None:
    machine = type("Played", (ArenaMachine,), {"template": template, "database": staticmethod(database)})
    slow = [HealthCheck.too_slow, HealthCheck.data_too_large]
    options = settings(max_examples=examples, stateful_step_count=20, suppress_health_check=slow)
    run_state_machine_as_test(machine, settings=options)


def test_sqlite_holds_what_the_service_believes(make_study: Callable[..., Path]) -> None:
    play(make_study(), lambda: "", examples=12)


def test_postgres_holds_what_the_service_believes(make_study: Callable[..., Path], postgres: Any) -> None:
    play(make_study(), postgres.new_database, examples=2)


def test_two_states_that_differ_are_seen_to_differ() -> None:
    states = [ArenaState(small_pool(), BattleRules(), np.random.default_rng(0)) for _ in range(2)]
    for state in states:
        state.apply(Change([Rater("ann", "h", "", "", 0.0)]))
    battle = states[0].propose("ann", 0.0)
    assert battle
    assert snapshot(states[0]) != snapshot(states[1])
    states[0].withdraw(battle)
    assert snapshot(states[0]) == snapshot(states[1])
