"""Sessions in cookies: ours, for this purpose, not too old, and new at every start."""

from __future__ import annotations

import string
import time
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.responses import Response

from portrayal.web.security.session_cookies import Purpose, Session, SessionCookies

SECRET = b"k" * 32
NOW = 1_800_000_000.0


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


def sessions(purpose: Purpose = "rater", secret: bytes = SECRET, **options: Any) -> SessionCookies:
    return SessionCookies(secret, purpose, **{"secure": False, "clock": lambda: NOW, **options})


def request(*cookies: str) -> Request:
    headers = [(b"cookie", cookie.encode("latin-1")) for cookie in cookies]
    return Request({"type": "http", "headers": headers})


def test_what_is_started_is_read_back() -> None:
    raters, response = sessions(), Response()
    session = raters.start(response, "rater 1")
    header = response.headers["set-cookie"]
    assert (
        raters.read(request(header.partition(";")[0])) == session == Session("rater 1", session.id, "rater", int(NOW))
    )


def test_a_page_may_make_the_session_before_its_response() -> None:
    visitors, response = sessions("visitor", max_age=60), Response()
    session = visitors.new("")
    visitors.set_cookie(response, session)
    assert visitors.read(request(response.headers["set-cookie"].partition(";")[0])) == session


def test_the_cookies_attributes() -> None:
    response = Response()
    sessions(max_age=90).start(response, "r")
    _, *attributes = response.headers["set-cookie"].split("; ")
    assert sorted(attributes) == ["HttpOnly", "Max-Age=90", "Path=/", "SameSite=lax"]
    response, secure = Response(), sessions(max_age=90, secure=True)
    secure.start(response, "r")
    name, *attributes = response.headers["set-cookie"].split("; ")
    assert name.startswith("__Host-portrayal-rater-")
    assert sorted(attributes) == ["HttpOnly", "Max-Age=90", "Path=/", "SameSite=lax", "Secure"]


def test_every_start_has_an_id_of_its_own() -> None:
    raters = sessions()
    assert len({raters.start(Response(), "r").id for _ in range(50)}) == 50


def test_names_differ_between_purposes_and_arenas() -> None:
    made = [sessions(), sessions("admin"), sessions("visitor"), sessions(secret=b"other")]
    assert len({each.cookie_name for each in made}) == 4


def test_a_cookie_is_worth_nothing_elsewhere() -> None:
    value = sessions().encode(Session("r", "i" * 22, "rater", int(NOW)))
    assert sessions().decode(value) is not None
    assert sessions("admin").decode(value) is None
    assert sessions(secret=b"other").decode(value) is None


def test_it_expires() -> None:
    clock = Clock()
    raters = sessions(max_age=100, clock=clock)
    value = raters.encode(raters.new("r"))
    clock.now += 99
    assert raters.decode(value) is not None
    clock.now += 1
    assert raters.decode(value) is None
    clock.now = NOW - 24 * 60 * 60 - 1
    assert raters.decode(value) is None, "issued in the future"


def test_a_clock_set_back_before_a_restart_ends_no_session() -> None:
    value = sessions().encode(sessions().new("r"))
    restarted = sessions(clock=lambda: NOW - 2 * 60 * 60)
    assert restarted.decode(value) is not None


def test_setting_the_time_of_day_ends_no_session(monkeypatch: pytest.MonkeyPatch) -> None:
    raters = SessionCookies(b"secret", "rater", secure=False, max_age=100)
    value = raters.encode(raters.new("r"))
    now = time.time()
    for step in (-120, 7_200):
        monkeypatch.setattr("time.time", lambda step=step: now + step)
        assert raters.decode(value) is not None


def test_an_ended_session_is_over_for_copies_of_its_cookie() -> None:
    raters, response = sessions(secure=True), Response()
    session, other = raters.new("r"), raters.new("r")
    raters.end(response, session)
    assert raters.decode(raters.encode(session)) is None
    assert raters.decode(raters.encode(other)) == other
    header = response.headers["set-cookie"]
    assert header.startswith(f'{raters.cookie_name}=""')
    assert "Max-Age=0" in header
    assert "Secure" in header, "a browser ignores a __Host- cookie without it"


def test_remembering_ended_sessions_takes_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("portrayal.web.security.session_cookies._ENDED_KEPT", 3)
    raters = sessions()
    ended = [raters.new("r") for _ in range(5)]
    for session in ended:
        raters.end(Response(), session)
    assert [raters.decode(raters.encode(session)) is None for session in ended] == [False, False, True, True, True]


def test_two_cookies_of_the_name_are_none() -> None:
    raters = sessions()
    one, two = (f"{raters.cookie_name}={raters.encode(raters.new(who))}" for who in "ab")
    assert raters.read(request(f"x=y; {one}; z")) is not None
    assert raters.read(request(f"{one}; {two}")) is None
    assert raters.read(request(one, two)) is None
    assert raters.read(request()) is None


def test_a_quoted_or_escaped_cookie_is_not_ours() -> None:
    raters = sessions()
    value = raters.encode(raters.new("r"))
    assert raters.read(request(f'{raters.cookie_name}="{value}"')) is None
    assert raters.read(request(f"{raters.cookie_name.upper()}={value}")) is None


@pytest.mark.parametrize("value", ["", "....", "a.b.c.d", "é" * 10, "x" * 513, "\0", "٣" * 100, "a." * 300])
def test_nonsense_is_none(value: str) -> None:
    assert sessions().decode(value) is None


def test_the_time_of_issue_is_signed_and_plain_digits() -> None:
    raters = sessions()
    who, session, issued, signature = raters.encode(raters.new("r")).split(".")
    for other in (str(int(issued) + 1), f"0{issued}", "٣" * 10, f"+{issued}"):
        assert raters.decode(f"{who}.{session}.{other}.{signature}") is None


def test_fields_cannot_be_moved_into_each_other() -> None:
    raters = sessions()
    session = Session("r", "i" * 22, "rater", int(NOW))
    assert raters.encode(session).count(".") == 3
    assert raters.encode(replace(session, who="a.b")).count(".") == 3, "a dot in a name is no separator"


def test_who_that_is_too_long_for_a_cookie_is_refused_when_read() -> None:
    raters = sessions()
    assert raters.decode(raters.encode(raters.new("x" * 300))) is not None
    assert raters.decode(raters.encode(raters.new("x" * 400))) is None


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=70))
def test_any_name_comes_back_and_fits_a_header(who: str) -> None:
    raters = sessions()
    value = raters.encode(raters.new(who))
    assert set(value) <= set(string.ascii_letters + string.digits + "-_.")
    found = raters.decode(value)
    assert found is not None
    assert found.who == who


VALID = sessions().encode(Session("rater-17", "A" * 22, "rater", int(NOW)))
CHARACTERS = st.one_of(st.sampled_from(string.ascii_letters + string.digits + "-_.=+/ ;,\"'\\\0\n"), st.characters())


@given(st.integers(0, len(VALID) - 1), CHARACTERS)
def test_no_cookie_with_another_character_is_accepted(place: int, character: str) -> None:
    assume(VALID[place] != character)
    assert sessions().decode(VALID[:place] + character + VALID[place + 1 :]) is None


@given(st.integers(0, len(VALID)), st.integers(0, len(VALID)), st.text(CHARACTERS, max_size=5))
def test_no_cookie_with_a_part_cut_out_or_put_in_is_accepted(start: int, end: int, text: str) -> None:
    changed = VALID[: min(start, end)] + text + VALID[max(start, end) :]
    assume(changed != VALID)
    assert sessions().decode(changed) is None


def test_a_valid_cookie_is_valid() -> None:
    assert sessions().decode(VALID) is not None, "else the tests above prove nothing"
