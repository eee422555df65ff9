from __future__ import annotations

import asyncio
import itertools
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, get_args

import pytest

from portrayal.arena.battles.arena_state import WrongBattleError
from portrayal.arena.battles.battle import ASPECTS, Battle, Choice, RaterProgress
from portrayal.errors import StorageError, StudyError, StudyLockedError
from portrayal.study.arena.store import read_arena
from portrayal.study.generate import generate
from portrayal.study.hooks import Hooks
from portrayal.study.plan import plan
from portrayal.study.study import Study
from portrayal.web.arena.desk import Desk

LEFT: dict[str, Choice] = dict.fromkeys(ASPECTS, "left")
RIGHT: dict[str, Choice] = dict.fromkeys(ASPECTS, "right")
PROMPTS = "text,term\n" + "".join(f"a photo of person {number},person {number}\n" for number in range(6))


@pytest.fixture(scope="module")
def drawn(write_study: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a study of three models and six prompts that has its pictures; only to be read."""
    generators = [{"use": "simulated", "images": 2, "options": {"size": size}} for size in (4, 5, 6)]
    root = write_study(
        tmp_path_factory.mktemp("drawn") / "study",
        prompts=PROMPTS,
        generators=generators,
        arena={"quota": 10, "checks": 0.2, "open": True},
    )
    plan(Study(root), Hooks())
    generate(Study(root), Hooks())
    return root


@pytest.fixture
def root(drawn: Path, tmp_path: Path) -> Path:
    return shutil.copytree(drawn, tmp_path / "study")


class Clock:
    """Time that passes when the test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def at_desk(root: Path, work: Callable[[Desk], Awaitable[None]], database: str = "", **options: Any) -> None:
    """Open a desk, do the work, and close it."""

    async def session() -> None:
        desk = await Desk.open(Study(root), database, **options)
        try:
            await work(desk)
        finally:
            await desk.close()

    asyncio.run(session())


async def newcomer(desk: Desk) -> str:
    (token,) = await desk.invite(1)
    rater = desk.find(token)
    assert rater
    return rater.id


async def next_battle(desk: Desk, rater: str) -> Battle:
    battle = await desk.battle(rater)
    assert battle
    return battle


def test_invitations_are_unguessable_and_kept_as_hashes_only(root: Path) -> None:
    async def work(desk: Desk) -> None:
        tokens = await desk.invite(50, "first wave\n")
        assert len(set(tokens)) == 50
        assert all(len(token) >= 22 for token in tokens)  # 22 characters of 6 bits are more than 128 bits
        found = [desk.find(token) for token in tokens]
        assert [rater.label for rater in found if rater] == ["first wave"] * 50
        assert desk.find(tokens[0] + "x") is None
        assert desk.find("") is None
        stored = b"".join(path.read_bytes() for path in (root / "arena").iterdir())
        assert not any(token.encode() in stored for token in tokens)

    at_desk(root, work)


def test_what_a_rater_said_is_there_after_a_restart(root: Path, database: str) -> None:
    clock = Clock()
    kept: list[Any] = []

    async def before(desk: Desk) -> None:
        rater = await newcomer(desk)
        clock.now = 1234.5
        await desk.consent(rater, "de")
        await desk.answer(rater, {"age": "30", "work": "Pflege"})
        await desk.speak(rater, "en")
        first = await next_battle(desk, rater)
        assert await desk.vote(rater, first.id, LEFT)
        kept.extend([desk.rater(rater), desk.secret, await next_battle(desk, rater), desk.battles()])

    async def after(desk: Desk) -> None:
        rater = desk.rater(kept[0].id)
        assert rater
        assert rater == kept[0]
        assert (rater.consented_at, rater.language, rater.answers) == (1234.5, "en", {"age": "30", "work": "Pflege"})
        assert desk.secret == kept[1]
        assert await desk.battle(rater.id) == kept[2]
        assert desk.battles() == kept[3]

    at_desk(root, before, database, clock=clock)
    at_desk(root, after, database, clock=clock)


def test_a_session_ends_with_the_quota(root: Path, database: str) -> None:
    async def work(desk: Desk) -> None:
        rater = await newcomer(desk)
        for done in range(12):
            assert desk.progress(rater) == RaterProgress(done, 12)
            battle = await next_battle(desk, rater)
            assert battle.number == done + 1
            assert await desk.battle(rater) == battle  # a page that is loaded again shows the same
            assert desk.shown(rater, battle.id) == battle
            assert await desk.vote(rater, battle.id, LEFT)
        assert desk.progress(rater) == RaterProgress(12, 12)
        assert await desk.battle(rater) is None
        assert len(desk.battles()) == 12

    at_desk(root, work, database)


def test_a_battle_is_answered_once(root: Path, database: str) -> None:
    async def work(desk: Desk) -> None:
        rater = await newcomer(desk)
        battle = await next_battle(desk, rater)
        answers = await asyncio.gather(*(desk.vote(rater, battle.id, choices) for choices in (LEFT, RIGHT, RIGHT)))
        assert sorted(answers) == [False, False, True]
        assert not await desk.vote(rater, battle.id, RIGHT)
        (counted,) = desk.battles()
        assert counted.choices == LEFT
        assert read_arena(database, root).battles[0] == counted
        assert desk.progress(rater).done == 1

    at_desk(root, work, database)


def test_a_vote_that_is_not_before_the_rater_is_refused(root: Path) -> None:
    async def work(desk: Desk) -> None:
        mine, yours = await newcomer(desk), await newcomer(desk)
        battle = await next_battle(desk, mine)
        for rater, name in ((yours, battle.id), (mine, "made-up")):
            with pytest.raises(WrongBattleError):
                await desk.vote(rater, name, LEFT)
            assert desk.shown(rater, name) is None
        wrongs: Any = ({"bias": "left"}, {**LEFT, "quality": "best"})
        for wrong in wrongs:
            with pytest.raises(ValueError, match="for each of"):
                await desk.vote(mine, battle.id, wrong)
        assert desk.battles() == []
        assert await desk.vote(mine, battle.id, LEFT)

    at_desk(root, work)


def test_undo_takes_back_the_last_answer_only(root: Path, database: str) -> None:
    async def work(desk: Desk) -> None:
        rater = await newcomer(desk)
        assert not await desk.undo(rater)
        first = await next_battle(desk, rater)
        await desk.vote(rater, first.id, LEFT)
        second = await next_battle(desk, rater)
        await desk.vote(rater, second.id, LEFT)
        third = await next_battle(desk, rater)
        assert desk.can_undo(rater)
        assert await desk.undo(rater)
        assert not desk.can_undo(rater)
        assert not await desk.undo(rater)
        again = await next_battle(desk, rater)
        assert (again.id, again.left_image, again.undone) == (second.id, second.left_image, 1)
        assert await desk.vote(rater, again.id, RIGHT)
        assert await desk.battle(rater) == third
        assert {battle.id: battle.choices for battle in desk.battles()} == {first.id: LEFT, second.id: RIGHT}

    at_desk(root, work, database)


def test_seconds_count_from_when_a_battle_was_first_shown(root: Path) -> None:
    clock = Clock()

    async def work(desk: Desk) -> None:
        rater = await newcomer(desk)
        battle = await next_battle(desk, rater)
        for shown, looked, cast in ((0, 4, 4.0), (100, 7, 7.0)):  # the second was dealt long before it was shown
            clock.now += shown
            battle = await next_battle(desk, rater)
            clock.now += looked / 2
            await desk.battle(rater)  # loading the page again does not begin anew
            clock.now += looked / 2
            await desk.vote(rater, battle.id, LEFT)
            assert desk.battles()[-1].seconds == cast
        await next_battle(desk, rater)
        await desk.undo(rater)
        clock.now += 50
        again = await next_battle(desk, rater)
        clock.now += 2
        await desk.vote(rater, again.id, LEFT)
        assert desk.battles()[-1].seconds == 2.0
        clock.now += 50
        waiting = await next_battle(desk, rater)
        clock.now += 3
        await desk.vote(rater, waiting.id, LEFT)  # it had been shown before the undo, which does not count
        assert desk.battles()[-1].seconds == 3.0
        clock.now += 30
        never = desk._state.current_battle(rater)
        assert never
        await desk.vote(rater, never.id, LEFT)  # this server did not show it: time since it was dealt
        assert desk.battles()[-1].seconds == 30.0

    at_desk(root, work, clock=clock)


def test_a_vote_is_finished_even_if_the_browser_goes_away(root: Path) -> None:
    async def work(desk: Desk) -> None:
        rater = await newcomer(desk)
        battle = await next_battle(desk, rater)
        request = asyncio.create_task(desk.vote(rater, battle.id, LEFT))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        request.cancel()
        with pytest.raises(asyncio.CancelledError):
            await request
        assert (await next_battle(desk, rater)).number == 2  # it waited for the vote to be through
        assert [one.id for one in desk.battles()] == [battle.id]

    at_desk(root, work)


def test_closing_finishes_what_was_begun(root: Path) -> None:
    async def session() -> None:
        desk = await Desk.open(Study(root))
        raters = [await newcomer(desk) for _ in range(10)]
        battles = [await next_battle(desk, rater) for rater in raters]
        votes = [asyncio.create_task(desk.vote(b.rater, b.id, LEFT)) for b in battles]
        await asyncio.sleep(0)
        await desk.close()
        assert all(await asyncio.gather(*votes))

    asyncio.run(session())
    assert sum(battle.choices is not None for battle in read_arena("", root).battles) == 10


def test_open_enrolment_is_open_only_if_study_toml_says_so(root: Path) -> None:
    async def work(desk: Desk) -> None:
        rater = desk.find(await desk.join("de"))
        assert rater
        assert rater.language == "de"
        desk.config = desk.config.model_copy(update={"open": False})
        with pytest.raises(StudyError, match="open = true"):
            await desk.join("de")

    at_desk(root, work)


def test_a_second_desk_is_told_in_one_line(root: Path, database: str) -> None:
    async def work(_: Desk) -> None:
        with pytest.raises(StudyLockedError, match="another arena server"):
            await Desk.open(Study(root), database)

    at_desk(root, work, database)
    at_desk(root, lambda _: asyncio.sleep(0), database)


def test_the_team_sees_progress_and_quality(root: Path) -> None:
    clock = Clock()

    async def work(desk: Desk) -> None:
        fast, idle = await newcomer(desk), await newcomer(desk)
        while battle := await desk.battle(fast):
            clock.now += 1
            await desk.vote(fast, battle.id, dict.fromkeys(ASPECTS, "draw"))
        views = {view.rater.id: view for view in await desk.views()}
        assert views[idle].quality is None
        assert views[idle].progress == RaterProgress(0, 12)
        found = views[fast].quality
        assert found
        assert found.flag_keys == ("failed_checks", "fast", "undecided")
        await desk.exclude(fast, True)
        assert [rater.excluded for rater in desk.raters() if rater.id == fast] == [True]
        assert read_arena("", root).raters[0].excluded or read_arena("", root).raters[1].excluded
        assert len(desk.battles()) == 12
        with pytest.raises(StudyError, match="no rater 'nobody'"):
            await desk.exclude("nobody", True)

    at_desk(root, work, clock=clock)


def test_a_failed_commit_changes_nothing_and_the_next_one_works(root: Path, postgres: Any) -> None:
    async def work(desk: Desk) -> None:
        rater = await newcomer(desk)
        battle = await next_battle(desk, rater)
        dealt = desk._state.counts.by_pair.tolist()
        await asyncio.to_thread(postgres.stop)
        try:
            with pytest.raises(StorageError, match="the database refused"):
                await desk.vote(rater, battle.id, LEFT)
            with pytest.raises(StorageError):
                await desk.invite(1)
        finally:
            await asyncio.to_thread(postgres.start)
        assert await desk.battle(rater) == battle
        assert desk._state.counts.by_pair.tolist() == dealt
        assert desk.battles() == []
        assert len(desk.raters()) == 1
        assert await desk.vote(rater, battle.id, RIGHT)
        assert [one.choices for one in desk.battles()] == [RIGHT]
        assert (await next_battle(desk, rater)).number == 2

    at_desk(root, work, postgres.new_database())


def test_votes_on_a_model_that_left_the_study_stay(root: Path) -> None:
    names: list[str] = []

    async def before(desk: Desk) -> None:
        rater = await newcomer(desk)
        for _ in range(9):
            await desk.vote(rater, (await next_battle(desk, rater)).id, LEFT)
        names.extend([rater, *desk.pool.models])

    async def after(desk: Desk) -> None:
        rater, gone, *_ = names
        assert gone not in desk.pool.models
        assert any(gone in (battle.left_model, battle.right_model) for battle in desk.battles())
        while battle := await desk.battle(rater):
            assert gone not in (battle.left_model, battle.right_model)
            await desk.vote(rater, battle.id, LEFT)
        assert desk.progress(rater) == RaterProgress(12, 12)

    at_desk(root, before)
    text = (root / "study.toml").read_text()
    (root / "study.toml").write_text(text.replace('"open" = true', f'"open" = true, "generators" = {names[2:]}'))
    at_desk(root, after)


def test_many_raters_at_the_same_time(root: Path, database: str) -> None:
    choices = itertools.cycle([dict.fromkeys(ASPECTS, choice) for choice in get_args(Choice)])

    async def work(desk: Desk) -> None:
        tokens = await desk.invite(40)

        async def rate(token: str) -> None:
            rater = desk.find(token)
            assert rater
            while battle := await desk.battle(rater.id):
                assert await desk.vote(rater.id, battle.id, next(choices))

        await asyncio.gather(*map(rate, tokens))
        assert len(desk.battles()) == 40 * 12
        dealt = desk._state.counts.by_pair.tolist()
        assert sum(dealt) == 400
        assert max(dealt) - min(dealt) <= 1
        stored = read_arena(database, root)
        assert {battle.id: battle for battle in stored.battles} == {battle.id: battle for battle in desk.battles()}

    at_desk(root, work, database)
