"""Sessions in cookies: ours, for this purpose, not too old, and new at every start."""

from __future__ import annotations

import string
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.responses import Response

from portrayal.web.cookies import Purpose, Session, Sessions

SECRET = b"k" * 32
NOW = 1_800_000_000.0


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


def sessions(purpose: Purpose = "rater", secret: bytes = SECRET, **options: Any) -> Sessions:
    return Sessions(secret, purpose, **{"secure": False, "clock": lambda: NOW, **options})


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
    visitors, response = sessions("visitor", lasts=60), Response()
    session = visitors.new("")
    visitors.keep(response, session)
    assert visitors.read(request(response.headers["set-cookie"].partition(";")[0])) == session


def test_the_cookies_attributes() -> None:
    response = Response()
    sessions(lasts=90).start(response, "r")
    _, *attributes = response.headers["set-cookie"].split("; ")
    assert sorted(attributes) == ["HttpOnly", "Max-Age=90", "Path=/", "SameSite=lax"]
    response, secure = Response(), sessions(lasts=90, secure=True)
    secure.start(response, "r")
    name, *attributes = response.headers["set-cookie"].split("; ")
    assert name.startswith("__Host-portrayal-rater-")
    assert sorted(attributes) == ["HttpOnly", "Max-Age=90", "Path=/", "SameSite=lax", "Secure"]


def test_every_start_has_an_id_of_its_own() -> None:
    raters = sessions()
    assert len({raters.start(Response(), "r").id for _ in range(50)}) == 50


def test_names_differ_between_purposes_and_arenas() -> None:
    made = [sessions(), sessions("admin"), sessions("visitor"), sessions(secret=b"other")]
    assert len({each.cookie for each in made}) == 4


def test_a_cookie_is_worth_nothing_elsewhere() -> None:
    value = sessions().seal(Session("r", "i" * 22, "rater", int(NOW)))
    assert sessions().unseal(value) is not None
    assert sessions("admin").unseal(value) is None
    assert sessions(secret=b"other").unseal(value) is None


def test_it_expires() -> None:
    clock = Clock()
    raters = sessions(lasts=100, clock=clock)
    value = raters.seal(raters.new("r"))
    clock.now += 99
    assert raters.unseal(value) is not None
    clock.now += 1
    assert raters.unseal(value) is None
    clock.now = NOW - 61
    assert raters.unseal(value) is None, "issued in the future"


def test_an_ended_session_is_over_for_copies_of_its_cookie() -> None:
    raters, response = sessions(secure=True), Response()
    session, other = raters.new("r"), raters.new("r")
    raters.end(response, session)
    assert raters.unseal(raters.seal(session)) is None
    assert raters.unseal(raters.seal(other)) == other
    header = response.headers["set-cookie"]
    assert header.startswith(f'{raters.cookie}=""')
    assert "Max-Age=0" in header
    assert "Secure" in header, "a browser ignores a __Host- cookie without it"


def test_remembering_ended_sessions_takes_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("portrayal.web.cookies._ENDED_KEPT", 3)
    raters = sessions()
    ended = [raters.new("r") for _ in range(5)]
    for session in ended:
        raters.end(Response(), session)
    assert [raters.unseal(raters.seal(session)) is None for session in ended] == [False, False, True, True, True]


def test_two_cookies_of_the_name_are_none() -> None:
    raters = sessions()
    one, two = (f"{raters.cookie}={raters.seal(raters.new(who))}" for who in "ab")
    assert raters.read(request(f"x=y; {one}; z")) is not None
    assert raters.read(request(f"{one}; {two}")) is None
    assert raters.read(request(one, two)) is None
    assert raters.read(request()) is None


def test_a_quoted_or_escaped_cookie_is_not_ours() -> None:
    raters = sessions()
    value = raters.seal(raters.new("r"))
    assert raters.read(request(f'{raters.cookie}="{value}"')) is None
    assert raters.read(request(f"{raters.cookie.upper()}={value}")) is None


@pytest.mark.parametrize("value", ["", "....", "a.b.c.d", "é" * 10, "x" * 513, "\0", "٣" * 100, "a." * 300])
def test_nonsense_is_none(value: str) -> None:
    assert sessions().unseal(value) is None


def test_the_time_of_issue_is_signed_and_plain_digits() -> None:
    raters = sessions()
    who, session, issued, signature = raters.seal(raters.new("r")).split(".")
    for other in (str(int(issued) + 1), f"0{issued}", "٣" * 10, f"+{issued}"):
        assert raters.unseal(f"{who}.{session}.{other}.{signature}") is None


def test_fields_cannot_be_moved_into_each_other() -> None:
    raters = sessions()
    session = Session("r", "i" * 22, "rater", int(NOW))
    assert raters.seal(session).count(".") == 3
    assert raters.seal(replace(session, who="a.b")).count(".") == 3, "a dot in a name is no separator"


def test_who_that_is_too_long_for_a_cookie_is_refused_when_read() -> None:
    raters = sessions()
    assert raters.unseal(raters.seal(raters.new("x" * 300))) is not None
    assert raters.unseal(raters.seal(raters.new("x" * 400))) is None


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=70))
def test_any_name_comes_back_and_fits_a_header(who: str) -> None:
    raters = sessions()
    value = raters.seal(raters.new(who))
    assert set(value) <= set(string.ascii_letters + string.digits + "-_.")
    found = raters.unseal(value)
    assert found is not None
    assert found.who == who


VALID = sessions().seal(Session("rater-17", "A" * 22, "rater", int(NOW)))
CHARACTERS = st.one_of(st.sampled_from(string.ascii_letters + string.digits + "-_.=+/ ;,\"'\\\0\n"), st.characters())


@given(st.integers(0, len(VALID) - 1), CHARACTERS)
def test_no_cookie_with_another_character_is_accepted(place: int, character: str) -> None:
    assume(VALID[place] != character)
    assert sessions().unseal(VALID[:place] + character + VALID[place + 1 :]) is None


@given(st.integers(0, len(VALID)), st.integers(0, len(VALID)), st.text(CHARACTERS, max_size=5))
def test_no_cookie_with_a_part_cut_out_or_put_in_is_accepted(start: int, end: int, text: str) -> None:
    changed = VALID[: min(start, end)] + text + VALID[max(start, end) :]
    assume(changed != VALID)
    assert sessions().unseal(changed) is None


def test_a_valid_cookie_is_valid() -> None:
    assert sessions().unseal(VALID) is not None, "else the tests above prove nothing"
