"""Votes that were not asked for, and guessed links and passwords: nothing is counted, nobody gets in."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest


def test_forging_another_raters_battle_is_refused(site: Any) -> None:
    one, other, tokens = site.client(), site.client(), (site.token(), site.token())
    page, foreign = one.begin(tokens[0]), other.begin(tokens[1])
    assert one.vote(page, task=other.task_of(foreign)).status_code == 409
    assert site.cast(tokens[0]) == site.cast(tokens[1]) == []
    assert one.get(other.picture_of(foreign)).status_code == 404


@pytest.mark.parametrize("battle", ["", "1", "0" * 32, "../../x", "' OR 1=1 --", "a" * 5000, "null"])
def test_forging_an_invented_battle_is_refused(site: Any, battle: str) -> None:
    client, token = site.client(), site.token()
    page = client.begin(token)
    fields = {"csrf": client.csrf(page), client.kind.field: battle, **client.kind.choices("left")}
    assert client.post(site.kind.path, fields).status_code == 409
    fields.pop(site.kind.field)
    assert client.post(site.kind.path, fields).status_code == 409
    assert site.cast(token) == []


def test_forging_an_answered_battle_counts_once(site: Any) -> None:
    client, token = site.client(), site.token()
    page = client.begin(token)
    assert client.vote(page, "left").headers["location"] == site.kind.path
    again = client.vote(page, "right")
    assert again.headers["location"] == f"{site.kind.path}?note=again"
    assert "already stored" in client.follow(again).text
    [battle] = site.cast(token)
    assert site.kind.said(battle) == {"left"}


def test_forging_an_old_battle_after_undo_is_refused(site: Any) -> None:
    """After an undo the battle before it is open; the one that came after it is not, until it is shown again."""
    client, token = site.client(), site.token()
    first = client.begin(token)
    second = client.follow(client.vote(first))
    reopened = client.follow(client.send("/undo", second))
    assert client.task_of(reopened) == client.task_of(first)
    assert client.vote(reopened, task=client.task_of(second)).status_code == 409
    assert site.cast(token) == []
    third = client.follow(client.vote(reopened, "right"))
    assert client.task_of(third) == client.task_of(second)
    [battle] = site.cast(token)
    assert site.kind.said(battle) == {"right"}
    assert battle.undone == 1


def test_forging_choices_is_refused(site: Any) -> None:
    client, token = site.client(), site.token()
    page, question = client.begin(token), next(iter(site.kind.answers))
    for choice in ("LEFT", "both", "1", "left\n", "<b>"):
        fields = {client.kind.field: client.task_of(page), **client.kind.choices("left"), question: choice}
        assert client.send(site.kind.path, page, **fields).status_code == 400
    fields = {"csrf": client.csrf(page), client.kind.field: client.task_of(page), **client.kind.choices("left")}
    twice = f"{urlencode(fields)}&{urlencode({question: client.kind.choices('right')[question]})}"
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert client.http.post(site.kind.path, content=twice, headers=headers).status_code == 400
    assert site.cast(token) == []


def test_forging_a_vote_before_consent_is_refused(site: Any) -> None:
    client, token = site.client(), site.token()
    page = client.follow(client.get(f"/r/{token}"))
    fields = {client.kind.field: "x", **client.kind.choices("left")}
    assert client.send(site.kind.path, page, **fields).headers["location"] == "/consent"
    assert client.get(site.kind.path).headers["location"] == "/consent"
    assert site.cast(token) == []


def test_guessed_tokens_are_all_answered_alike_and_then_throttled(start_site: Callable[..., Any]) -> None:
    site = start_site()
    client, token = site.client(), site.token()
    near = token[:-1] + ("A" if token[-1] != "A" else "B")
    guesses = [near, "x", "A" * 32, "a" * 400, "%00", hashlib.sha256(token.encode()).hexdigest()]
    answers = [client.get(f"/r/{guess}") for guess in guesses]
    assert {answer.status_code for answer in answers} == {404}
    pages = {re.sub(r'value="[0-9a-f]{64}"', "", re.sub(r'value="/r/[^"]*"', "", answer.text)) for answer in answers}
    assert len(pages) == 1
    assert not any("rater" in name for name in dict(client.http.cookies))
    statuses = [client.get(f"/r/guess-{number}").status_code for number in range(40)]
    assert statuses[-1] == 429
    assert int(client.get("/r/guess").headers["retry-after"]) > 0
    # A school comes from one address: who tries wrong links there must not keep the others out.
    assert client.get(f"/r/{token}").status_code == 303


def test_guessing_does_not_lock_out_who_is_in(start_site: Callable[..., Any]) -> None:
    site = start_site()
    rater, attacker = site.client(), site.client()
    page = rater.begin(site.token())
    for number in range(40):
        attacker.get(f"/r/guess-{number}")
    assert rater.vote(page).status_code == 303


def test_admin_brute_force_is_slowed_down(start_site: Callable[..., Any]) -> None:
    site = start_site()
    client = site.client()
    page = client.get("/admin/login")
    statuses = [client.send("/admin/login", page, password=f"guess number {n}").status_code for n in range(8)]
    assert statuses[:5] == [403] * 5
    assert set(statuses[5:]) == {429}
    right = client.send("/admin/login", page, password="correct horse battery")
    assert right.status_code == 429, "not even the right one, or guessing would go on"
    assert right.headers["retry-after"]
    assert "Too many attempts" in right.text


def test_admin_pages_tell_nothing_without_the_password(site: Any) -> None:
    stranger, before = site.client(), site.state()
    for path in ("/admin", site.kind.export, f"{site.kind.export}?all=1"):
        answer = stranger.get(path)
        assert (answer.status_code, answer.headers["location"]) == (303, "/admin/login")
        assert answer.text == ""
    page = stranger.get("/admin/login")
    for path in ("/admin/invite", "/admin/exclude", "/admin/logout"):
        assert stranger.send(path, page, count="1", rater="x").status_code == 403
    assert site.state() == before


def test_guessing_is_counted_by_the_address_that_a_proxy_saw(start_site: Callable[..., Any]) -> None:
    site = start_site(settings={"behind_proxy": True})
    client = site.client()
    for number in range(31):
        last = client.get("/r/guess", headers={"X-Forwarded-For": f"198.51.100.{number}, 203.0.113.7"})
    assert last.status_code == 429, "what stands before the last entry is what the client says"
    assert client.get("/r/guess", headers={"X-Forwarded-For": "203.0.113.8"}).status_code == 404
    direct = start_site()
    client = direct.client()
    for number in range(31):
        last = client.get("/r/guess", headers={"X-Forwarded-For": f"198.51.100.{number}"})
    assert last.status_code == 429, "without a proxy the header says nothing"


def test_attempts_that_are_not_looked_at_do_not_count_against_the_admin(start_site: Callable[..., Any]) -> None:
    """While others flood the log-in, the admin waits; once they stop, the admin's own attempts are still free."""
    site = start_site(settings={"behind_proxy": True})
    client = site.client()
    page = client.get("/admin/login")

    def attempt(address: str, password: str) -> int:
        fields = {"csrf": client.csrf(page), "password": password}
        return int(client.post("/admin/login", fields, headers={"X-Forwarded-For": address}).status_code)

    flood = [attempt(f"198.51.100.{number // 4}", "guess") for number in range(61)]
    assert flood == [403] * 60 + [429]
    assert [attempt("203.0.113.9", "correct horse battery") for _ in range(8)] == [429] * 8
    app_state = site.thread.server.config.app.app.app.app.state.raters
    assert app_state.login_lockout.attempt("203.0.113.9") == 0.0


def test_a_few_networks_cannot_keep_everyones_links_shut(start_site: Callable[..., Any]) -> None:
    site = start_site(settings={"behind_proxy": True})
    app_state = site.thread.server.config.app.app.app.app.state.raters
    for number in range(12_000):
        app_state.site.link_throttle.attempt(f"2001:db8:0:{number // 30:x}::/64")
    entered = site.client().get(f"/r/{site.token()}", headers={"X-Forwarded-For": "203.0.113.9"})
    assert entered.status_code == 303
