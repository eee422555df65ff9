"""Votes that were not asked for, and guessed links and passwords: nothing is counted, nobody gets in."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import Any

import pytest

ASPECTS = ("bias", "quality", "alignment")


def test_forging_another_raters_battle_is_refused(arena: Any) -> None:
    one, other, tokens = arena.client(), arena.client(), (arena.token(), arena.token())
    page, foreign = one.begin(tokens[0]), other.begin(tokens[1])
    assert one.vote(page, battle=other.battle_of(foreign)).status_code == 409
    assert arena.cast(tokens[0]) == arena.cast(tokens[1]) == []
    assert one.get(f"/image/{other.battle_of(foreign)}/left").status_code == 404


@pytest.mark.parametrize("battle", ["", "1", "0" * 32, "../../x", "' OR 1=1 --", "a" * 5000, "null"])
def test_forging_an_invented_battle_is_refused(arena: Any, battle: str) -> None:
    client, token = arena.client(), arena.token()
    page = client.begin(token)
    fields = {"csrf": client.csrf(page), "battle": battle, **dict.fromkeys(ASPECTS, "left")}
    assert client.post("/battle", fields).status_code == 409
    fields.pop("battle")
    assert client.post("/battle", fields).status_code == 409
    assert arena.cast(token) == []


def test_forging_an_answered_battle_counts_once(arena: Any) -> None:
    client, token = arena.client(), arena.token()
    page = client.begin(token)
    assert client.vote(page, "left").headers["location"] == "/battle"
    again = client.vote(page, "right")
    assert again.headers["location"] == "/battle?note=again"
    assert "already stored" in client.follow(again).text
    [battle] = arena.cast(token)
    assert set(battle.choices.values()) == {"left"}


def test_forging_an_old_battle_after_undo_is_refused(arena: Any) -> None:
    """After an undo the battle before it is open; the one that came after it is not, until it is shown again."""
    client, token = arena.client(), arena.token()
    first = client.begin(token)
    second = client.follow(client.vote(first))
    reopened = client.follow(client.send("/undo", second))
    assert client.battle_of(reopened) == client.battle_of(first)
    assert client.vote(reopened, battle=client.battle_of(second)).status_code == 409
    assert arena.cast(token) == []
    third = client.follow(client.vote(reopened, "right"))
    assert client.battle_of(third) == client.battle_of(second)
    [battle] = arena.cast(token)
    assert set(battle.choices.values()) == {"right"}
    assert battle.undone == 1


def test_forging_choices_is_refused(arena: Any) -> None:
    client, token = arena.client(), arena.token()
    page = client.begin(token)
    for choice in ("LEFT", "both", "1", "left\n", "<b>"):
        fields = {"battle": client.battle_of(page), "bias": choice, "quality": "left", "alignment": "left"}
        assert client.send("/battle", page, **fields).status_code == 400
    twice = f"csrf={client.csrf(page)}&battle={client.battle_of(page)}&bias=left&bias=right&quality=left&alignment=left"
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert client.http.post("/battle", content=twice, headers=headers).status_code == 400
    assert arena.cast(token) == []


def test_forging_a_vote_before_consent_is_refused(arena: Any) -> None:
    client, token = arena.client(), arena.token()
    page = client.follow(client.get(f"/r/{token}"))
    fields = {"battle": "x", **dict.fromkeys(ASPECTS, "left")}
    assert client.send("/battle", page, **fields).headers["location"] == "/consent"
    assert client.get("/battle").headers["location"] == "/consent"
    assert arena.cast(token) == []


def test_guessed_tokens_are_all_answered_alike_and_then_throttled(start_arena: Callable[..., Any]) -> None:
    arena = start_arena()
    client, token = arena.client(), arena.token()
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


def test_guessing_does_not_lock_out_who_is_in(start_arena: Callable[..., Any]) -> None:
    arena = start_arena()
    rater, attacker = arena.client(), arena.client()
    page = rater.begin(arena.token())
    for number in range(40):
        attacker.get(f"/r/guess-{number}")
    assert rater.vote(page).status_code == 303


def test_admin_brute_force_is_slowed_down(start_arena: Callable[..., Any]) -> None:
    arena = start_arena()
    client = arena.client()
    page = client.get("/admin/login")
    statuses = [client.send("/admin/login", page, password=f"guess number {n}").status_code for n in range(8)]
    assert statuses[:5] == [403] * 5
    assert set(statuses[5:]) == {429}
    right = client.send("/admin/login", page, password="correct horse battery")
    assert right.status_code == 429, "not even the right one, or guessing would go on"
    assert right.headers["retry-after"]
    assert "Too many attempts" in right.text


def test_admin_pages_tell_nothing_without_the_password(arena: Any) -> None:
    stranger, before = arena.client(), arena.state()
    for path in ("/admin", "/admin/votes.csv", "/admin/votes.csv?all=1"):
        answer = stranger.get(path)
        assert (answer.status_code, answer.headers["location"]) == (303, "/admin/login")
        assert answer.text == ""
    page = stranger.get("/admin/login")
    for path in ("/admin/invite", "/admin/exclude", "/admin/logout"):
        assert stranger.send(path, page, count="1", rater="x").status_code == 403
    assert arena.state() == before


def test_guessing_is_counted_by_the_address_that_a_proxy_saw(start_arena: Callable[..., Any]) -> None:
    arena = start_arena(settings={"behind_proxy": True})
    client = arena.client()
    for number in range(31):
        last = client.get("/r/guess", headers={"X-Forwarded-For": f"198.51.100.{number}, 203.0.113.7"})
    assert last.status_code == 429, "what stands before the last entry is what the client says"
    assert client.get("/r/guess", headers={"X-Forwarded-For": "203.0.113.8"}).status_code == 404
    direct = start_arena()
    client = direct.client()
    for number in range(31):
        last = client.get("/r/guess", headers={"X-Forwarded-For": f"198.51.100.{number}"})
    assert last.status_code == 429, "without a proxy the header says nothing"


def test_attempts_that_are_not_looked_at_do_not_count_against_the_admin(start_arena: Callable[..., Any]) -> None:
    """While others flood the log-in, the admin waits; once they stop, the admin's own attempts are still free."""
    arena = start_arena(settings={"behind_proxy": True})
    client = arena.client()
    page = client.get("/admin/login")

    def attempt(address: str, password: str) -> int:
        fields = {"csrf": client.csrf(page), "password": password}
        return int(client.post("/admin/login", fields, headers={"X-Forwarded-For": address}).status_code)

    flood = [attempt(f"198.51.100.{number // 4}", "guess") for number in range(61)]
    assert flood == [403] * 60 + [429]
    assert [attempt("203.0.113.9", "correct horse battery") for _ in range(8)] == [429] * 8
    app_state = arena.thread.server.config.app.app.app.app.state.raters
    assert app_state.login_lockout.attempt("203.0.113.9") == 0.0


def test_a_few_networks_cannot_keep_everyones_links_shut(start_arena: Callable[..., Any]) -> None:
    arena = start_arena(settings={"behind_proxy": True})
    app_state = arena.thread.server.config.app.app.app.app.state.raters
    for number in range(12_000):
        app_state.site.link_throttle.attempt(f"2001:db8:0:{number // 30:x}::/64")
    entered = arena.client().get(f"/r/{arena.token()}", headers={"X-Forwarded-For": "203.0.113.9"})
    assert entered.status_code == 303
