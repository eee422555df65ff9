"""Trying again and again: limited per client and for all together, in bounded memory."""

from __future__ import annotations

import bisect

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request

from portrayal.web.security.throttle import Lockout, Throttle, client_key


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_so_many_in_so_many_seconds(clock: Clock) -> None:
    throttle = Throttle(2, 60, limit_of_all=100, clock=clock)
    assert throttle.attempt("a") == 0.0
    clock.now += 20
    assert throttle.attempt("a") == 0.0
    assert throttle.attempt("a") == 40.0
    assert throttle.retry_after("a") == 40.0
    assert throttle.attempt("b") == 0.0, "another client"
    clock.now += 40
    assert throttle.attempt("a") == 0.0, "the first attempt has left the window"
    assert throttle.attempt("a") == 20.0


def test_refused_attempts_do_not_prolong_the_wait(clock: Clock) -> None:
    throttle = Throttle(1, 60, limit_of_all=100, clock=clock)
    throttle.attempt("a")
    for _ in range(59):
        clock.now += 1
        assert throttle.attempt("a") > 0
    clock.now += 1
    assert throttle.attempt("a") == 0.0


def test_all_together_have_a_limit(clock: Clock) -> None:
    throttle = Throttle(2, 60, limit_of_all=3, clock=clock)
    assert [throttle.attempt(key) for key in "abc"] == [0.0] * 3
    assert throttle.attempt("d") == 60.0
    clock.now += 60
    assert throttle.attempt("d") == 0.0


def test_memory_is_bounded(clock: Clock) -> None:
    throttle = Throttle(1, 60, limit_of_all=10**9, clock=clock, most_keys=3)
    lockout = Lockout(1, clock=clock, most_keys=3)
    for number in range(100):
        throttle.attempt(str(number))
        lockout.attempt(str(number))
    assert [throttle.retry_after(str(number)) > 0 for number in range(95, 100)] == [False, False, True, True, True]
    assert lockout.attempt("99") > 0
    assert lockout.attempt("95") == 0.0, "forgotten"


def test_a_client_who_keeps_trying_is_not_the_one_forgotten(clock: Clock) -> None:
    lockout = Lockout(1, first=1000.0, most=1000.0, clock=clock, most_keys=2)
    lockout.attempt("guesser")
    for number in range(10):
        lockout.attempt(str(number))
        assert lockout.attempt("guesser") > 0


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 30)), max_size=60))
def test_no_window_ever_holds_more_than_allowed(attempts: list[tuple[str, int]]) -> None:
    clock = Clock()
    throttle = Throttle(3, 60, limit_of_all=5, clock=clock)
    taken: dict[str, list[float]] = {"a": [], "b": [], "c": [], "all": []}
    for key, pause in attempts:
        clock.now += pause
        wait = throttle.attempt(key)
        recent = {name: len(times) - bisect.bisect_right(times, clock.now - 60) for name, times in taken.items()}
        assert (wait == 0.0) == (recent[key] < 3 and recent["all"] < 5)
        if wait == 0.0:
            taken[key].append(clock.now)
            taken["all"].append(clock.now)
        else:
            assert 0 < wait <= 60


def test_waits_grow_and_have_an_end(clock: Clock) -> None:
    lockout = Lockout(3, first=2.0, most=20.0, clock=clock)
    waits = []
    for _ in range(8):
        assert lockout.attempt("a") == 0.0
        waits.append(wait := lockout._clients["a"].until - clock.now)
        clock.now += max(wait, 0.0)
    assert [max(wait, 0.0) for wait in waits] == [0.0, 0.0, 2.0, 4.0, 8.0, 16.0, 20.0, 20.0]


def test_trying_many_times_at_once_gains_nothing(clock: Clock) -> None:
    lockout = Lockout(5, clock=clock)
    assert [lockout.attempt("a") for _ in range(100)].count(0.0) == 5
    assert lockout.attempt("b") == 0.0


def test_success_clears_the_failures(clock: Clock) -> None:
    lockout = Lockout(1, clock=clock)
    lockout.attempt("a")
    assert lockout.attempt("a") == 2.0
    lockout.clear("a")
    lockout.clear("nobody")
    assert lockout.attempt("a") == 0.0


def test_years_of_failures_do_not_overflow(clock: Clock) -> None:
    lockout = Lockout(1, clock=clock)
    for _ in range(3000):
        assert lockout.attempt("a") == 0.0
        clock.now += 900


def request(peer: str | None, *forwarded: str) -> Request:
    headers = [(b"x-forwarded-for", value.encode("latin-1")) for value in forwarded]
    return Request({"type": "http", "client": (peer, 5) if peer is not None else None, "headers": headers})


@pytest.mark.parametrize(
    ("peer", "forwarded", "key"),
    [
        ("192.0.2.1", (), "192.0.2.1"),
        ("192.0.2.1", ("198.51.100.7",), "192.0.2.1"),
        ("2001:db8:1:2:aaaa::1", (), "2001:db8:1:2::/64"),
        ("2001:db8:1:2:bbbb::9", (), "2001:db8:1:2::/64"),
        ("fe80::1%eth0", (), "fe80::/64"),
        ("::ffff:192.0.2.1", (), "192.0.2.1"),
        (None, (), "unknown"),
        ("testclient", (), "unknown"),
    ],
)
def test_without_a_proxy_the_peer_is_the_client(peer: str | None, forwarded: tuple[str, ...], key: str) -> None:
    assert client_key(request(peer, *forwarded), behind_proxy=False) == key


@pytest.mark.parametrize(
    ("forwarded", "key"),
    [
        (("198.51.100.7",), "198.51.100.7"),
        (("1.2.3.4, 198.51.100.7",), "198.51.100.7"),
        (("1.2.3.4", "5.6.7.8,198.51.100.7"), "198.51.100.7"),
        (("198.51.100.7:4711",), "198.51.100.7"),
        (("[2001:db8::1]:4711",), "2001:db8::/64"),
        (("2001:db8::1",), "2001:db8::/64"),
        ((), "10.0.0.1"),
        (("",), "10.0.0.1"),
        (("unknown",), "10.0.0.1"),
        (("1.2.3.4, evil\xff",), "10.0.0.1"),
    ],
)
def test_behind_a_proxy_the_last_address_is_what_the_proxy_saw(forwarded: tuple[str, ...], key: str) -> None:
    assert client_key(request("10.0.0.1", *forwarded), behind_proxy=True) == key


@given(st.text(max_size=60))
def test_any_header_gives_a_short_key(value: str) -> None:
    made = client_key(request("10.0.0.1", value.encode("utf-8", "replace").decode("latin-1")), behind_proxy=True)
    assert 0 < len(made) < 50
