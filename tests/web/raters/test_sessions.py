"""Forged forms and stolen sessions: each meets a refusal, and the service is as it was before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

FORMS = [
    ("/join", {}),
    ("/consent", {}),
    ("/questions", {"skip": "1"}),
    ("answer", {}),
    ("/undo", {}),
    ("/language", {"language": "de"}),
    ("/admin/login", {"password": "correct horse battery"}),
    ("/admin/logout", {}),
    ("/admin/invite", {"count": "1"}),
    ("/admin/exclude", {"excluded": "yes"}),
]


def form(site: Any, path: str, fields: dict[str, str]) -> tuple[str, dict[str, str]]:
    """Return a form of a site; where raters answer is each site's own."""
    return (site.kind.path, site.kind.choices("left")) if path == "answer" else (path, fields)


@pytest.mark.parametrize(("path", "fields"), FORMS, ids=[path for path, _ in FORMS])
def test_csrf_a_form_without_a_token_changes_nothing(site: Any, path: str, fields: dict[str, str]) -> None:
    path, fields = form(site, path, fields)
    client = site.client()
    page = client.begin(site.token())
    client.follow(client.vote(page))
    client.log_in()
    before = site.state()
    for token in ({}, {"csrf": ""}, {"csrf": "0" * 64}, {"csrf": "é"}):
        answer = client.post(path, {**fields, **token})
        assert answer.status_code == 403, (path, token)
    assert site.state() == before
    assert client.get("/admin").status_code == 200, "still logged in"


def test_csrf_a_token_of_another_session_is_refused(site: Any) -> None:
    one, other, token = site.client(), site.client(), site.token()
    page, foreign = one.begin(token), other.begin(site.token())
    choices = site.kind.choices("left")
    answer = one.post(site.kind.path, {"csrf": other.csrf(foreign), "battle": one.task_of(page), **choices})
    assert answer.status_code == 403
    assert site.cast(token) == []


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_csrf_the_right_token_from_another_site_is_refused(site: Any, headers: dict[str, str]) -> None:
    client = site.client()
    page = client.begin(site.token())
    fields = {"csrf": client.csrf(page), client.kind.field: client.task_of(page), **client.kind.choices("left")}
    assert client.post(site.kind.path, fields, headers=headers).status_code == 403
    assert client.post(site.kind.path, fields, headers={"Origin": site.address}).status_code == 303


def test_csrf_nothing_is_changed_by_a_get(site: Any) -> None:
    client = site.client()
    page = client.begin(site.token())
    client.follow(client.vote(page))
    client.log_in()
    before = site.state()
    for path, fields in (form(site, *one) for one in FORMS):
        client.get(path, params=fields)
    assert site.state() == before


def test_session_fixation_a_planted_session_is_replaced(site: Any) -> None:
    """Whoever plants a cookie of their own must not end up in the session that the victim then starts."""
    attacker, victim = site.client(), site.client()
    attacker.get("/")
    victim.take_cookies(attacker)
    victim.begin(site.token())
    rater = [name for name in dict(victim.http.cookies) if "rater" in name]
    assert len(rater) == 1
    assert attacker.get(site.kind.path).status_code == 403
    first = victim.http.cookies[rater[0]]
    again = site.token()
    victim.get(f"/r/{again}")
    assert victim.http.cookies[rater[0]] != first


def test_session_fixation_the_admin_gets_a_new_session_too(site: Any) -> None:
    attacker, admin = site.client(), site.client()
    attacker.get("/admin/login")
    admin.take_cookies(attacker)
    assert admin.log_in().status_code == 200
    assert attacker.get("/admin").headers["location"] == "/admin/login"


def test_a_link_opened_twice_gives_two_sessions_of_one_rater(site: Any) -> None:
    token, phone, desktop = site.token(), site.client(), site.client()
    page = phone.begin(token)
    other = desktop.follow(desktop.get(f"/r/{token}"))
    assert phone.task_of(page) == desktop.task_of(other)
    assert phone.csrf(page) != desktop.csrf(other)


def test_cookies_are_out_of_reach_for_scripts_and_other_sites(start_site: Callable[..., Any]) -> None:
    site = start_site()
    cookies = site.client().get(f"/r/{site.token()}").headers.get_list("set-cookie")
    assert cookies
    assert all("httponly" in cookie.lower() and "samesite=lax" in cookie.lower() for cookie in cookies)
    secure = start_site(settings={"address": "https://arena.example.org"})
    cookies = secure.client().get(f"/r/{secure.token()}").headers.get_list("set-cookie")
    assert all(cookie.startswith("__Host-") and "secure" in cookie.lower() for cookie in cookies)


def test_a_forged_session_is_none(site: Any) -> None:
    client = site.client()
    client.begin(site.token())
    name = next(name for name in dict(client.http.cookies) if "rater" in name)
    value = client.http.cookies[name]
    for forged in (value[:-1] + ("A" if value[-1] != "A" else "B"), "x" + value, "", "a.b.c.d", "é" * 3):
        answer = client.http.get(site.kind.path, headers={"Cookie": f"{name}={forged}".encode()})
        assert answer.status_code == 403, forged


def test_a_raters_cookie_opens_no_admin_page(site: Any) -> None:
    client = site.client()
    client.begin(site.token())
    for path in ("/admin", site.kind.export):
        assert client.get(path).headers["location"] == "/admin/login"


def test_logging_out_ends_the_session_even_for_a_copied_cookie(site: Any) -> None:
    admin, thief = site.client(), site.client()
    page = admin.log_in()
    thief.take_cookies(admin)
    assert thief.get("/admin").status_code == 200
    assert admin.send("/admin/logout", page).status_code == 303
    assert admin.get("/admin").status_code == 303
    assert thief.get("/admin").status_code == 303


def test_over_tls_forms_come_from_the_public_address_alone(start_site: Callable[..., Any]) -> None:
    site = start_site(settings={"address": "https://arena.example.org"})
    client, token = site.client(), site.token()
    entered = client.get(f"/r/{token}")
    cookie = {"Cookie": entered.headers["set-cookie"].partition(";")[0]}
    assert entered.headers["strict-transport-security"]
    page = client.get("/consent", headers=cookie)
    form = {"csrf": client.csrf(page)}
    for origin in (site.address, "http://arena.example.org", "https://arena.example.org.evil.example"):
        assert client.post("/consent", form, headers={**cookie, "Origin": origin}).status_code == 403
    own = {**cookie, "Origin": "https://arena.example.org"}
    assert client.post("/consent", form, headers=own).headers["location"] == "/questions"
