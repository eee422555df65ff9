from __future__ import annotations

import asyncio
import itertools
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, get_args

import pytest

from portrayal.apps.arena.battles.battle import ASPECTS, Battle, Choice
from portrayal.apps.arena.database.open_arena import read_arena
from portrayal.apps.arena.web.rater_table import rater_statuses
from portrayal.apps.arena.web.service import ArenaService
from portrayal.errors import StorageError, StudyError, StudyLockedError
from portrayal.study.generate.generate_images import generate
from portrayal.study.plan.make_plan import plan
from portrayal.study.run_control import RunControl
from portrayal.study.sql.rater import RaterProgress
from portrayal.study.study import OpenStudy
from portrayal.web.raters.dealt_tasks import NotOpenError

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
    plan(OpenStudy(root), RunControl())
    generate(OpenStudy(root), RunControl())
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


def with_service(
    root: Path, work: Callable[[ArenaService], Awaitable[None]], database: str = "", **options: Any
) -> None:
    """Open a service, do the work, and close it."""

    async def session() -> None:
        service = await ArenaService.open(OpenStudy(root), database, **options)
        try:
            await work(service)
        finally:
            await service.close()

    asyncio.run(session())


async def newcomer(service: ArenaService) -> str:
    (token,) = await service.invite(1)
    rater = service.rater_by_token(token)
    assert rater
    return rater.id


async def next_battle(service: ArenaService, rater: str) -> Battle:
    battle = await service.current_task(rater)
    assert battle
    return battle


def test_invitations_are_unguessable_and_kept_as_hashes_only(root: Path) -> None:
    async def work(service: ArenaService) -> None:
        tokens = await service.invite(50, "first wave\n")
        assert len(set(tokens)) == 50
        assert all(len(token) >= 22 for token in tokens)  # 22 characters of 6 bits are more than 128 bits
        found = [service.rater_by_token(token) for token in tokens]
        assert [rater.label for rater in found if rater] == ["first wave"] * 50
        assert service.rater_by_token(tokens[0] + "x") is None
        assert service.rater_by_token("") is None
        stored = b"".join(path.read_bytes() for path in (root / "arena").iterdir())
        assert not any(token.encode() in stored for token in tokens)

    with_service(root, work)


@pytest.mark.slow
def test_what_a_rater_said_is_there_after_a_restart(root: Path, database: str) -> None:
    clock = Clock()
    kept: list[Any] = []

    async def before(service: ArenaService) -> None:
        rater = await newcomer(service)
        clock.now = 1234.5
        await service.record_consent(rater, "de")
        await service.record_answers(rater, {"age": "30", "work": "Pflege"})
        await service.set_language(rater, "en")
        first = await next_battle(service, rater)
        assert await service.vote(rater, first.id, LEFT)
        kept.extend(
            [service.rater(rater), service.secret, await next_battle(service, rater), service.answered_battles()]
        )

    async def after(service: ArenaService) -> None:
        rater = service.rater(kept[0].id)
        assert rater
        assert rater == kept[0]
        assert (rater.consented_at, rater.language, rater.answers) == (1234.5, "en", {"age": "30", "work": "Pflege"})
        assert service.secret == kept[1]
        assert await service.current_task(rater.id) == kept[2]
        assert service.answered_battles() == kept[3]

    with_service(root, before, database, clock=clock)
    with_service(root, after, database, clock=clock)


def test_a_session_ends_with_the_quota(root: Path, database: str) -> None:
    async def work(service: ArenaService) -> None:
        rater = await newcomer(service)
        for done in range(12):
            assert service.progress(rater) == RaterProgress(done, 12)
            battle = await next_battle(service, rater)
            assert battle.number == done + 1
            assert await service.current_task(rater) == battle  # a page that is loaded again shows the same
            assert service.dealt_task(rater, battle.id) == battle
            assert await service.vote(rater, battle.id, LEFT)
        assert service.progress(rater) == RaterProgress(12, 12)
        assert await service.current_task(rater) is None
        assert len(service.answered_battles()) == 12

    with_service(root, work, database)


def test_a_battle_is_answered_once(root: Path, database: str) -> None:
    async def work(service: ArenaService) -> None:
        rater = await newcomer(service)
        battle = await next_battle(service, rater)
        answers = await asyncio.gather(*(service.vote(rater, battle.id, choices) for choices in (LEFT, RIGHT, RIGHT)))
        assert sorted(answers) == [False, False, True]
        assert not await service.vote(rater, battle.id, RIGHT)
        (counted,) = service.answered_battles()
        assert counted.choices == LEFT
        assert read_arena(database, root).battles[0] == counted
        assert service.progress(rater).done == 1

    with_service(root, work, database)


def test_a_vote_that_is_not_before_the_rater_is_refused(root: Path) -> None:
    async def work(service: ArenaService) -> None:
        mine, yours = await newcomer(service), await newcomer(service)
        battle = await next_battle(service, mine)
        for rater, name in ((yours, battle.id), (mine, "made-up")):
            with pytest.raises(NotOpenError):
                await service.vote(rater, name, LEFT)
            assert service.dealt_task(rater, name) is None
        wrongs: Any = ({"bias": "left"}, {**LEFT, "quality": "best"})
        for wrong in wrongs:
            with pytest.raises(ValueError, match="for each of"):
                await service.vote(mine, battle.id, wrong)
        assert service.answered_battles() == []
        assert await service.vote(mine, battle.id, LEFT)

    with_service(root, work)


def test_undo_takes_back_the_last_answer_only(root: Path, database: str) -> None:
    async def work(service: ArenaService) -> None:
        rater = await newcomer(service)
        assert not await service.undo(rater)
        first = await next_battle(service, rater)
        await service.vote(rater, first.id, LEFT)
        second = await next_battle(service, rater)
        await service.vote(rater, second.id, LEFT)
        third = await next_battle(service, rater)
        assert service.can_undo(rater)
        assert await service.undo(rater)
        assert not service.can_undo(rater)
        assert not await service.undo(rater)
        again = await next_battle(service, rater)
        assert (again.id, again.left_image, again.undone) == (second.id, second.left_image, 1)
        assert await service.vote(rater, again.id, RIGHT)
        assert await service.current_task(rater) == third
        assert {battle.id: battle.choices for battle in service.answered_battles()} == {
            first.id: LEFT,
            second.id: RIGHT,
        }

    with_service(root, work, database)


def test_seconds_count_from_when_a_battle_was_first_shown(root: Path) -> None:
    clock = Clock()

    async def work(service: ArenaService) -> None:
        rater = await newcomer(service)
        battle = await next_battle(service, rater)
        for shown, looked, cast in ((0, 4, 4.0), (100, 7, 7.0)):  # the second was dealt long before it was shown
            clock.now += shown
            battle = await next_battle(service, rater)
            clock.now += looked / 2
            await service.current_task(rater)  # loading the page again does not begin anew
            clock.now += looked / 2
            await service.vote(rater, battle.id, LEFT)
            assert service.answered_battles()[-1].seconds == cast
        await next_battle(service, rater)
        await service.undo(rater)
        clock.now += 50
        again = await next_battle(service, rater)
        clock.now += 2
        await service.vote(rater, again.id, LEFT)
        assert service.answered_battles()[-1].seconds == 2.0
        clock.now += 50
        waiting = await next_battle(service, rater)
        clock.now += 3
        await service.vote(rater, waiting.id, LEFT)  # it had been shown before the undo, which does not count
        assert service.answered_battles()[-1].seconds == 3.0
        clock.now += 30
        never = service._state.current(rater)
        assert never
        await service.vote(rater, never.id, LEFT)  # this server did not show it: time since it was dealt
        assert service.answered_battles()[-1].seconds == 30.0

    with_service(root, work, clock=clock, steady=clock)


def test_a_vote_is_finished_even_if_the_browser_goes_away(root: Path) -> None:
    async def work(service: ArenaService) -> None:
        rater = await newcomer(service)
        battle = await next_battle(service, rater)
        request = asyncio.create_task(service.vote(rater, battle.id, LEFT))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        request.cancel()
        with pytest.raises(asyncio.CancelledError):
            await request
        assert (await next_battle(service, rater)).number == 2  # it waited for the vote to be through
        assert [one.id for one in service.answered_battles()] == [battle.id]

    with_service(root, work)


def test_closing_finishes_what_was_begun(root: Path) -> None:
    async def session() -> None:
        service = await ArenaService.open(OpenStudy(root))
        raters = [await newcomer(service) for _ in range(10)]
        battles = [await next_battle(service, rater) for rater in raters]
        votes = [asyncio.create_task(service.vote(b.rater, b.id, LEFT)) for b in battles]
        await asyncio.sleep(0)
        await service.close()
        assert all(await asyncio.gather(*votes))

    asyncio.run(session())
    assert sum(battle.choices is not None for battle in read_arena("", root).battles) == 10


def test_open_enrolment_is_open_only_if_study_toml_says_so(root: Path) -> None:
    async def work(service: ArenaService) -> None:
        rater = service.rater_by_token(await service.join("de"))
        assert rater
        assert rater.language == "de"
        service.config = service.config.model_copy(update={"open": False})
        with pytest.raises(StudyError, match="open = true"):
            await service.join("de")

    with_service(root, work)


@pytest.mark.slow
def test_a_second_service_is_told_in_one_line(root: Path, database: str) -> None:
    async def work(_: ArenaService) -> None:
        with pytest.raises(StudyLockedError, match="another arena server"):
            await ArenaService.open(OpenStudy(root), database)

    with_service(root, work, database)
    with_service(root, lambda _: asyncio.sleep(0), database)


def test_setting_the_time_of_day_changes_no_duration(root: Path) -> None:
    day, running = Clock(), Clock()

    async def work(service: ArenaService) -> None:
        rater = await newcomer(service)
        for step in (7_200, -14_400):
            battle = await next_battle(service, rater)
            day.now, running.now = day.now + step, running.now + 5
            await service.vote(rater, battle.id, LEFT)
            assert service.answered_battles()[-1].seconds == 5.0
            assert service.answered_battles()[-1].cast_at == day.now

    with_service(root, work, clock=day, steady=running)


def test_the_team_sees_progress_and_quality(root: Path) -> None:
    clock = Clock()

    async def work(service: ArenaService) -> None:
        fast, idle = await newcomer(service), await newcomer(service)
        while battle := await service.current_task(fast):
            clock.now += 1
            await service.vote(fast, battle.id, dict.fromkeys(ASPECTS, "draw"))
        statuses = {status.rater.id: status for status in await rater_statuses(service)}
        assert statuses[idle].quality is None
        assert statuses[idle].progress == RaterProgress(0, 12)
        found = statuses[fast].quality
        assert found
        assert found.flag_keys == ("failed_checks", "fast", "undecided")
        await service.exclude(fast, True)
        assert [rater.excluded for rater in service.raters() if rater.id == fast] == [True]
        assert read_arena("", root).raters[0].excluded or read_arena("", root).raters[1].excluded
        assert len(service.answered_battles()) == 12
        with pytest.raises(StudyError, match="no rater 'nobody'"):
            await service.exclude("nobody", True)

    with_service(root, work, clock=clock, steady=clock)


@pytest.mark.slow
def test_a_failed_commit_changes_nothing_and_the_next_one_works(root: Path, postgres: Any) -> None:
    async def work(service: ArenaService) -> None:
        rater = await newcomer(service)
        battle = await next_battle(service, rater)
        dealt = service._state.counts.by_pair.tolist()
        await asyncio.to_thread(postgres.stop)
        try:
            with pytest.raises(StorageError, match="the database refused"):
                await service.vote(rater, battle.id, LEFT)
            with pytest.raises(StorageError):
                await service.invite(1)
        finally:
            await asyncio.to_thread(postgres.start)
        assert await service.current_task(rater) == battle
        assert service._state.counts.by_pair.tolist() == dealt
        assert service.answered_battles() == []
        assert len(service.raters()) == 1
        assert await service.vote(rater, battle.id, RIGHT)
        assert [one.choices for one in service.answered_battles()] == [RIGHT]
        assert (await next_battle(service, rater)).number == 2

    with_service(root, work, postgres.new_database())


def test_votes_on_a_model_that_left_the_study_stay(root: Path) -> None:
    names: list[str] = []

    async def before(service: ArenaService) -> None:
        rater = await newcomer(service)
        for _ in range(9):
            await service.vote(rater, (await next_battle(service, rater)).id, LEFT)
        names.extend([rater, *service.pool.models])

    async def after(service: ArenaService) -> None:
        rater, gone, *_ = names
        assert gone not in service.pool.models
        assert any(gone in (battle.left_model, battle.right_model) for battle in service.answered_battles())
        while battle := await service.current_task(rater):
            assert gone not in (battle.left_model, battle.right_model)
            await service.vote(rater, battle.id, LEFT)
        assert service.progress(rater) == RaterProgress(12, 12)

    with_service(root, before)
    text = (root / "study.toml").read_text()
    (root / "study.toml").write_text(text.replace('"open" = true', f'"open" = true, "generators" = {names[2:]}'))
    with_service(root, after)


def test_many_raters_at_the_same_time(root: Path, database: str) -> None:
    choices = itertools.cycle([dict.fromkeys(ASPECTS, choice) for choice in get_args(Choice)])

    async def work(service: ArenaService) -> None:
        tokens = await service.invite(40)

        async def rate(token: str) -> None:
            rater = service.rater_by_token(token)
            assert rater
            while battle := await service.current_task(rater.id):
                assert await service.vote(rater.id, battle.id, next(choices))

        await asyncio.gather(*map(rate, tokens))
        assert len(service.answered_battles()) == 40 * 12
        dealt = service._state.counts.by_pair.tolist()
        assert sum(dealt) == 400
        assert max(dealt) - min(dealt) <= 1
        stored = read_arena(database, root)
        assert {battle.id: battle for battle in stored.battles} == {
            battle.id: battle for battle in service.answered_battles()
        }

    with_service(root, work, database)
