from __future__ import annotations

import os
import random
import resource
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from portrayal.apps.arena.battles.battle import Battle, Change
from portrayal.apps.arena.database.open_arena import arena_address, open_arena, read_arena
from portrayal.errors import DamagedError, PortrayalError, StorageError, StudyError, StudyLockedError
from portrayal.study.sql.rater import Rater
from portrayal.study.sql.store import ServerStore

ANN = Rater("ann", "h1", "first", "de", 1.25)
BOB = Rater("bob", "h2", "", "en", 2.5, 3.5, {"age": "3\x000", "wörk": "nürse \U0001f469"}, excluded=True)
OPEN = Battle("b2", "ann", 2, "p1", "two", "2.png", "one", "1.png", "", 0.1 + 0.2)
CAST = Battle(
    "b1", "ann", 1, "p1", "one", "1.png", "two", "2.png", "left", 0.1, {"bias": "left", "quality": "skip"}, 5, 2
)


@contextmanager
def opened(database: str, root: Path) -> Iterator[ServerStore[Change]]:
    store = open_arena(database, root)
    try:
        yield store
    finally:
        store.close()


def deal_and_cast(store: ServerStore[Change]) -> None:
    dealt = replace(CAST, choices=None, cast_at=None, seconds=None)
    store.write([Change([ANN, BOB]), Change(battles=[dealt])])
    store.write([Change(battles=[CAST, OPEN])])


def test_what_was_written_is_read_again(database: str, tmp_path: Path) -> None:
    with opened(database, tmp_path) as store:
        assert store.load() == Change([], [])
        deal_and_cast(store)
        written = store.load()
    assert written == Change([ANN, BOB], [CAST, OPEN])
    with opened(database, tmp_path) as store:
        assert store.load() == written


def test_the_secret_is_made_once(database: str, tmp_path: Path) -> None:
    with opened(database, tmp_path) as store:
        secret = store.secret()
    assert len(secret) == 32
    with opened(database, tmp_path) as store:
        assert store.secret() == secret


def test_writing_the_same_again_changes_nothing(database: str, tmp_path: Path) -> None:
    with opened(database, tmp_path) as store:
        deal_and_cast(store)
        before = store.load()
        store.write([Change([ANN, BOB], [CAST, OPEN])])
        assert store.load() == before


def test_a_reopened_battle_has_no_votes(database: str, tmp_path: Path) -> None:
    reopened = replace(CAST, choices=None, cast_at=None, seconds=None, undone=1)
    with opened(database, tmp_path) as store:
        deal_and_cast(store)
        store.write([Change(battles=[reopened])])
        assert store.load().battles == [reopened, OPEN]


def test_a_battle_gives_its_place_to_another(database: str, tmp_path: Path) -> None:
    other = replace(OPEN, id="b9", prompt="p2")
    with opened(database, tmp_path) as store:
        deal_and_cast(store)
        store.write([Change(battles=[other])])
        assert store.load().battles == [CAST, other]


def test_changes_are_written_all_or_none(database: str, tmp_path: Path) -> None:
    twice = replace(BOB, id="eve", token_hash=ANN.token_hash)
    with opened(database, tmp_path) as store:
        with pytest.raises(StorageError):
            store.write([Change([ANN]), Change([twice])])
        assert store.load() == Change([], [])
        store.write([Change([ANN])])  # and the store works on
        assert store.load().raters == [ANN]


@pytest.mark.slow
def test_a_second_server_is_told_in_one_line(database: str, tmp_path: Path) -> None:
    with opened(database, tmp_path):
        with pytest.raises(StudyLockedError, match="another arena server is using it") as caught:
            open_arena(database, tmp_path)
        assert "hidden-word" not in str(caught.value)
    open_arena(database, tmp_path).close()


@pytest.mark.slow
def test_a_second_server_in_another_process_is_told_too(database: str, tmp_path: Path) -> None:
    take = "open_arena(sys.argv[1], pathlib.Path(sys.argv[2]))"
    code = f"import pathlib, sys; from portrayal.apps.arena.database.open_arena import open_arena; {take}"
    with opened(database, tmp_path):
        words = [sys.executable, "-c", code, database, str(tmp_path)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert "StudyLockedError" in done.stderr
    assert done.returncode == 1


def test_votes_can_be_read_while_a_server_runs(database: str, tmp_path: Path) -> None:
    with opened(database, tmp_path) as store:
        deal_and_cast(store)
        assert read_arena(database, tmp_path) == store.load()
        store.write([Change([replace(ANN, label="renamed")])])


def test_reading_where_no_arena_was_says_what_to_do(database: str, tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="no votes here yet; start the arena with: portrayal arena serve"):
        read_arena(database, tmp_path)
    assert not list(tmp_path.rglob("*"))


def change_schema(database: str, root: Path) -> None:
    engine = create_engine(arena_address(database, root).url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE arena_meta SET value = '99' WHERE key = 'schema'"))
    engine.dispose()


def test_votes_of_another_version_are_left_alone(database: str, tmp_path: Path) -> None:
    open_arena(database, tmp_path).close()
    change_schema(database, tmp_path)
    for access in (open_arena, read_arena):
        with pytest.raises(StudyError, match=r"another version of Portrayal \(schema 99, this one has 2\)"):
            access(database, tmp_path)


CHANGES = (
    "arena_votes SET choice = 'right' WHERE aspect = 'bias'",
    "arena_votes SET aspect = 'bibs' WHERE aspect = 'bias'",
    "arena_votes SET seconds = seconds + 1",
    "arena_battles SET left_model = 'onf' WHERE number = 1",
    "arena_battles SET \"check\" = ''",
    "arena_raters SET excluded = NOT excluded",
    "arena_raters SET answers = NULL",
    "arena_votes SET row_crc32 = '00000000'",
)


@pytest.mark.parametrize("change", CHANGES)
def test_a_row_that_does_not_say_what_was_written_is_found(database: str, tmp_path: Path, change: str) -> None:
    with opened(database, tmp_path) as store:
        deal_and_cast(store)
    alter(database, tmp_path, f"UPDATE {change}")
    with pytest.raises(DamagedError, match=rf"the table {change.split()[0]} is damaged: a row does not say"):
        read_arena(database, tmp_path)
    with opened(database, tmp_path) as store, pytest.raises(DamagedError, match="is damaged"):
        store.load()


def test_votes_of_the_version_without_checksums_are_read_and_get_them(database: str, tmp_path: Path) -> None:
    with opened(database, tmp_path) as store:
        deal_and_cast(store)
        written = store.load()
    alter(
        database,
        tmp_path,
        *(f"ALTER TABLE {name} DROP COLUMN row_crc32" for name in ("arena_raters", "arena_battles", "arena_votes")),
        "UPDATE arena_meta SET value = '1' WHERE key = 'schema'",
    )
    assert read_arena(database, tmp_path) == written
    with opened(database, tmp_path) as store:
        assert store.load() == written
        store.write([Change([ANN, BOB], [CAST, OPEN])])
    assert read_arena(database, tmp_path) == written
    alter(database, tmp_path, "UPDATE arena_votes SET choice = 'tie'")
    with pytest.raises(DamagedError, match="the table arena_votes is damaged"):
        read_arena(database, tmp_path)


def alter(database: str, root: Path, *statements: str) -> None:
    engine = create_engine(arena_address(database, root).url)
    with engine.begin() as connection:
        for statement in statements:
            connection.execute(text(statement))
    engine.dispose()


def test_every_flipped_bit_in_the_file_is_found_or_changes_nothing(tmp_path: Path) -> None:
    rng = random.Random(5)
    with opened("", tmp_path) as store:
        deal_and_cast(store)
        written = store.load()
    path = tmp_path / "arena" / "votes.sqlite"
    before, same = path.read_bytes(), 0
    used = [place for place, byte in enumerate(before) if byte]
    for _ in range(400):
        data = bytearray(before)
        data[rng.choice(used)] ^= 1 << rng.randrange(8)
        path.write_bytes(data)
        with suppress(PortrayalError):  # and nothing else
            assert read_arena("", tmp_path) == written
            same += 1
    assert 0 < same < 300


def test_sqlite_keeps_every_commit_through_a_power_cut(tmp_path: Path) -> None:
    with opened("", tmp_path) as store, store._connected().begin():
        found = [
            store._connected().execute(text(f"PRAGMA {name}")).scalar() for name in ("journal_mode", "synchronous")
        ]
    assert found == ["wal", 2]  # 2 is FULL


def test_postgres_keeps_every_commit_even_where_it_is_set_not_to(postgres_url: str, tmp_path: Path) -> None:
    careless = postgres_url + "%20-csynchronous_commit%3Doff"
    with opened(careless, tmp_path) as store, store._connected().begin():
        assert store._connected().execute(text("SHOW synchronous_commit")).scalar() == "on"


def test_a_full_disk_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    with opened("", tmp_path) as store:
        deal_and_cast(store)
        before = store.load()
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        many = [Change([replace(BOB, id=f"r{number}", token_hash=f"{number}") for number in range(5000)])]
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
        try:
            with pytest.raises(StorageError, match=r"votes\.sqlite: the database refused: "):
                store.write(many)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert store.load() == before
        store.write(many)
        assert len(store.load().raters) == 5002


def test_a_restart_of_postgres_between_two_votes_is_not_noticed(postgres: Any, tmp_path: Path) -> None:
    with opened(postgres.new_database(), tmp_path) as store:
        deal_and_cast(store)
        before = store.load()
        postgres.stop()
        postgres.start()
        store.write([Change([replace(ANN, label="renamed")])])
        assert store.load() == replace(before, raters=[replace(ANN, label="renamed"), BOB])


@pytest.mark.slow
def test_postgres_gone_is_one_line_and_postgres_back_is_enough(postgres: Any, tmp_path: Path) -> None:
    with opened(postgres.new_database(), tmp_path) as store:
        deal_and_cast(store)
        postgres.stop()
        try:
            for _ in range(2):
                with pytest.raises(
                    StorageError, match=r"PostgreSQL database '\w+' on 127\.0\.0\.1: the data"
                ) as caught:
                    store.write([Change([replace(ANN, label="renamed")])])
                assert "hidden-word" not in str(caught.value)
                assert "\n" not in str(caught.value)
        finally:
            postgres.start()
        store.write([Change([replace(ANN, label="again")])])
        assert store.load().raters[0].label == "again"


@pytest.mark.slow
def test_a_server_that_lost_its_connection_cannot_write_beside_its_successor(postgres: Any, tmp_path: Path) -> None:
    url = postgres.new_database()
    with opened(url, tmp_path) as old:
        deal_and_cast(old)
        postgres.stop()
        postgres.start()
        with opened(url, tmp_path) as successor:
            with pytest.raises(StudyLockedError):
                old.write([Change([replace(ANN, label="from the grave")])])
            assert successor.load().raters[0] == ANN


def test_a_wrong_address_is_one_line_without_the_password(postgres_url: str, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="the database refused") as caught:
        open_arena(postgres_url.replace("/postgres?", "/no_such?"), tmp_path)
    assert "hidden-word" not in str(caught.value)


def test_only_who_runs_the_arena_can_read_its_file(tmp_path: Path) -> None:
    """It holds the secret that signs sessions, and what raters said about themselves."""
    before = os.umask(0o000)
    try:
        with opened("", tmp_path / "study") as store:
            deal_and_cast(store)
            folder = tmp_path / "study" / "arena"
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700
            rights = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.glob("votes.sqlite*")}
    finally:
        os.umask(before)
    rights.pop("votes.sqlite.lock")  # nothing is in it
    assert rights == dict.fromkeys(("votes.sqlite", "votes.sqlite-wal", "votes.sqlite-shm"), 0o600)


def test_rights_that_the_team_gave_stay(tmp_path: Path) -> None:
    with opened("", tmp_path):
        pass
    (tmp_path / "arena").chmod(0o750)
    (tmp_path / "arena" / "votes.sqlite").chmod(0o640)
    with opened("", tmp_path):
        assert stat.S_IMODE((tmp_path / "arena").stat().st_mode) == 0o750
        assert stat.S_IMODE((tmp_path / "arena" / "votes.sqlite").stat().st_mode) == 0o640


def test_a_server_whose_lock_file_is_deleted_writes_nothing_more(tmp_path: Path) -> None:
    with opened("", tmp_path) as first:
        first.write([Change([ANN])])
        (tmp_path / "arena" / "votes.sqlite.lock").unlink()
        with opened("", tmp_path) as second:
            second.write([Change([BOB])])
            with pytest.raises(StudyLockedError, match=r"votes\.sqlite\.lock: somebody deleted this lock file"):
                first.write([Change(battles=[replace(CAST, rater="bob")])])
            assert second.load() == Change([ANN, BOB], [])


@pytest.mark.parametrize("answers", ["[" * 100_000, '{"age": ' * 90 + "1" + "}" * 90, "[1]", '"thirty"', "9" * 5_000])
def test_answers_that_nobody_gave_are_one_line(answers: str, tmp_path: Path) -> None:
    with opened("", tmp_path) as store:
        deal_and_cast(store)
    engine = create_engine(arena_address("", tmp_path).url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE arena_raters SET row_crc32 = NULL, answers = :answers"), {"answers": answers})
    engine.dispose()
    with pytest.raises(PortrayalError, match="the table of raters"):
        read_arena("", tmp_path)
