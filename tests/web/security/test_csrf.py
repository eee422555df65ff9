"""Forms from elsewhere are refused, with and without a session."""

from __future__ import annotations

import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request

from portrayal.web.security.csrf import CSRF_FIELD, CsrfTokens
from portrayal.web.security.session_cookies import Session, SessionCookies

SECRET = b"k" * 32
CSRF = CsrfTokens(SECRET)
RATERS = SessionCookies(SECRET, "rater", secure=False)
SESSION = RATERS.new("rater")


def request(**headers: str) -> Request:
    given = {"host": "arena.example:8000", **{name.replace("_", "-"): value for name, value in headers.items()}}
    return Request({"type": "http", "headers": [(name.encode(), value.encode()) for name, value in given.items()]})


def accepts(
    asked: Request, token: str | None = None, session: Session | None = SESSION, csrf: CsrfTokens = CSRF
) -> bool:
    form = {CSRF_FIELD: csrf.token(SESSION) if token is None else token}
    try:
        csrf.check(asked, form, session)
    except HTTPException as error:
        return error.status_code != 403
    return True


def test_our_own_form_is_accepted() -> None:
    assert accepts(request())
    assert accepts(request(origin="http://arena.example:8000", sec_fetch_site="same-origin"))
    assert accepts(request(origin="http://ARENA.example:8000"))
    assert accepts(request(sec_fetch_site="none"))


def test_behind_a_proxy_that_speaks_https_the_host_decides() -> None:
    assert accepts(request(origin="https://arena.example:8000"))


@pytest.mark.parametrize("site", ["cross-site", "same-site", "", "SAME-ORIGIN", "other"])
def test_a_form_from_another_site_is_refused_whatever_its_token(site: str) -> None:
    assert not accepts(request(sec_fetch_site=site))
    assert not accepts(request(sec_fetch_site=site, origin="http://arena.example:8000"))


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "",
        "http://evil.example",
        "http://arena.example",
        "http://arena.example:8001",
        "http://arena.example:8000.evil.example",
        "http://evil.example/arena.example:8000",
        "http://x@arena.example:8000",
        "ftp://arena.example:8000",
        "arena.example:8000",
        "://arena.example:8000",
    ],
)
def test_another_origin_is_refused(origin: str) -> None:
    assert not accepts(request(origin=origin))
    assert not accepts(request(origin=origin, sec_fetch_site="same-origin"))


def test_without_a_host_no_origin_is_ours() -> None:
    for origin in (b"http://", b"https://", b"http", b""):
        assert not accepts(Request({"type": "http", "headers": [(b"origin", origin), (b"host", b"")]}))
        assert not accepts(Request({"type": "http", "headers": [(b"origin", origin)]}))


def test_two_origins_must_both_be_ours() -> None:
    headers = [(b"host", b"a"), (b"origin", b"http://a"), (b"origin", b"http://evil")]
    assert not accepts(Request({"type": "http", "headers": headers}))


def test_a_known_public_address_is_the_only_one() -> None:
    csrf = CsrfTokens(SECRET, origin="https://Arena.example.org/")
    assert accepts(request(origin="https://arena.example.org"), csrf=csrf)
    assert accepts(request(), csrf=csrf)
    others = ["http://arena.example.org", "http://arena.example:8000", "null", ""]
    others += [f"https://arena.example.org{more}" for more in (".evil.example", ":8000", "@evil.example", "/")]
    others += ["https://arena.example.or", "https://evil.example/https://arena.example.org"]
    for other in others:
        assert not accepts(request(origin=other), csrf=csrf)


@pytest.mark.parametrize(
    "token",
    ["", "0" * 64, "é", CSRF.token(SESSION).upper(), CSRF.token(SESSION)[:-1]],
    ids=["none", "zeros", "not ascii", "raised", "cut"],  # the token differs from process to process
)
def test_a_wrong_token_is_refused(token: str) -> None:
    assert not accepts(request(), token)


def test_a_form_without_token_or_session_is_refused() -> None:
    with pytest.raises(HTTPException, match="expired"):
        CSRF.check(request(), {}, SESSION)
    assert not accepts(request(), session=None)


def test_a_token_is_for_one_session_one_purpose_and_one_arena() -> None:
    others = [
        RATERS.new("rater"),
        Session("rater", SESSION.id, "admin", SESSION.issued),
        Session("rater", SESSION.id, "visitor", SESSION.issued),
    ]
    assert not any(accepts(request(), CSRF.token(other)) for other in others)
    assert not accepts(request(), CsrfTokens(b"other").token(SESSION))


def test_a_token_says_nothing_of_the_session_it_is_for() -> None:
    assert SESSION.id not in CSRF.token(SESSION)
    assert "rater" not in CSRF.token(SESSION)


def test_forms_before_a_log_in_have_tokens_too() -> None:
    visitor = SessionCookies(SECRET, "visitor", secure=False).new("")
    CSRF.check(request(), {CSRF_FIELD: CSRF.token(visitor)}, visitor)
    assert not accepts(request(), CSRF.token(visitor))
