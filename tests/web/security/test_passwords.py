"""The admin's password: kept as a hash that is costly to guess."""

from __future__ import annotations

import asyncio
import hashlib
import threading
import time
from typing import Any

import pytest

from portrayal.errors import ConfigError
from portrayal.web.security import passwords
from portrayal.web.security.passwords import (
    LONGEST_PASSWORD,
    PasswordCheck,
    ScryptCost,
    generate_password,
    hash_password,
)

CHEAP = ScryptCost(16, 1, 1)
KNOWN = "nd5aVtw0KCQVTjA/uX78SviBgTEUzBdfkl2DFC+upyo="
"""scrypt of GOOD with the salt and cost below, by OpenSSL."""
GOOD = "correct horse battery"


def verify(password: str, stored: str) -> bool:
    return asyncio.run(PasswordCheck(stored).matches(password))


def test_the_right_one_and_wrong_ones() -> None:
    stored = hash_password(GOOD, CHEAP)
    assert verify(GOOD, stored)
    for wrong in ("", GOOD[:-1], GOOD + " ", GOOD.upper(), GOOD * 1000, "\0", "\udcff"):
        assert not verify(wrong, stored)


def test_the_hash_is_salted_and_tells_its_cost() -> None:
    one, two = hash_password(GOOD, CHEAP), hash_password(GOOD, CHEAP)
    assert one != two
    assert one.startswith("scrypt$16$1$1$")
    assert GOOD not in one


def test_a_known_hash_stays_valid() -> None:
    stored = "scrypt$16$1$1$c2FsdHNhbHRzYWx0c2FsdA==$" + KNOWN
    assert verify(GOOD, stored)
    assert not verify(GOOD + "x", stored)


def test_umlauts_are_the_same_from_every_keyboard() -> None:
    stored = hash_password("schöne grüße aus", CHEAP)
    assert verify("scho\u0308ne gru\u0308ße aus", stored)


def test_short_and_endless_ones_are_refused() -> None:
    with pytest.raises(ConfigError, match="fewer than 12 characters"):
        hash_password("a" * 11, CHEAP)
    with pytest.raises(ConfigError, match="fewer than 12 characters"):
        hash_password("o\u0308" * 11, CHEAP)
    with pytest.raises(ConfigError, match="more than 1024 characters"):
        hash_password("a" * 1025, CHEAP)
    assert verify("a" * 1024, hash_password("a" * 1024, CHEAP))
    assert not verify("a" * 1025, hash_password("a" * 1024, CHEAP)), "cutting it off must not make it right"


@pytest.mark.parametrize(
    "stored",
    [
        "",
        "scrypt",
        GOOD,
        "plain$16$1$1$c2FsdA==$c2FsdA==",
        "scrypt$16$1$1$c2FsdA==$c2FsdA==",
        "scrypt$17$1$1$c2FsdA==$" + "A" * 43 + "=",
        "scrypt$-16$1$1$c2FsdA==$" + "A" * 43 + "=",
        "scrypt$1073741824$8$1$c2FsdA==$" + "A" * 43 + "=",
        "scrypt$1048576$64$1$c2FsdA==$" + "A" * 43 + "=",
        "scrypt$16$1$1000000$c2FsdA==$" + "A" * 43 + "=",
        "scrypt$16$1$1$!$" + "A" * 43 + "=",
    ],
)
def test_a_damaged_hash_is_one_clear_line(stored: str) -> None:
    with pytest.raises(ConfigError, match="damaged; set a new one"):
        PasswordCheck(stored)


def test_generated_ones_are_long_different_and_easy_to_type() -> None:
    made = {generate_password() for _ in range(100)}
    assert len(made) == 100
    for password in made:
        assert len(password) == 29
        assert not set(password) & set("01ilo")
        hash_password(password, CHEAP)


def test_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once, most, lock = 0, 0, threading.Lock()

    def slow(*_: Any) -> bool:
        nonlocal at_once, most
        with lock:
            at_once += 1
            most = max(most, at_once)
        time.sleep(0.01)
        with lock:
            at_once -= 1
        return False

    monkeypatch.setattr(passwords, "_matches", slow)

    async def ask() -> None:
        check = PasswordCheck(hash_password(GOOD, CHEAP))
        await asyncio.gather(*(check.matches("x") for _ in range(6)))

    asyncio.run(ask())
    assert most == 1


@pytest.mark.slow
def test_the_right_password_and_a_wrong_one_take_the_same_work(monkeypatch: pytest.MonkeyPatch) -> None:
    scrypt, work = hashlib.scrypt, list[tuple[int, int, int, bool]]()

    def counted(data: bytes, *, n: int, r: int, p: int, **more: Any) -> bytes:
        work.append((n, r, p, len(data) <= LONGEST_PASSWORD))
        return scrypt(data, n=n, r=r, p=p, **more)

    monkeypatch.setattr(hashlib, "scrypt", counted)

    async def ask() -> list[bool]:
        check = PasswordCheck(hash_password(GOOD))
        return [await check.matches(case) for case in (GOOD, "no", "x" * 9000)]

    assert asyncio.run(ask()) == [True, False, False]
    assert work == [(2**15, 8, 3, True)] * 4  # 32 MiB, three times: to store it, and for each of the three
