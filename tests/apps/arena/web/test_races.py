"""What happens at the same time, across a restart, or in another arena: a vote counts once, nobody is another."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlencode

import httpx2
import pytest

from portrayal.apps.arena.database.open_arena import read_arena

ASPECTS = ("bias", "quality", "alignment")
CHOICES = ("left", "right", "draw", "skip")


def together(arena: Any, client: Any, forms: list[tuple[str, dict[str, str]]]) -> list[httpx2.Response]:
    """Send forms at the same moment, each over a connection of its own."""
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    cookies = dict(client.http.cookies)

    def send(form: tuple[str, dict[str, str]]) -> httpx2.Response:
        with httpx2.Client(base_url=arena.address, cookies=cookies, timeout=None) as http:
            return http.post(form[0], content=urlencode(form[1]), headers=headers)

    with ThreadPoolExecutor(len(forms)) as threads:
        return list(threads.map(send, forms))


@pytest.mark.slow
def test_one_battle_answered_many_times_at_once_counts_once(arena: Any) -> None:
    client, token = arena.client(), arena.token()
    page = client.begin(token)
    about = {"csrf": client.csrf(page), "battle": client.battle_of(page)}
    forms = [("/battle", {**about, **dict.fromkeys(ASPECTS, CHOICES[number % 4])}) for number in range(12)]
    answers = together(arena, client, forms)
    assert Counter(answer.headers["location"] for answer in answers) == {"/battle": 1, "/battle?note=again": 11}
    counted = next(place for place, answer in enumerate(answers) if answer.headers["location"] == "/battle")
    [battle] = arena.cast(token)
    assert set(battle.choices.values()) == {CHOICES[counted % 4]}


@pytest.mark.slow
def test_votes_and_undos_at_once_leave_what_the_database_holds(arena: Any) -> None:
    client, token = arena.client(), arena.token()
    page = client.begin(token)
    vote = (
        "/battle",
        {"csrf": client.csrf(page), "battle": client.battle_of(page), **dict.fromkeys(ASPECTS, "left")},
    )
    undo = ("/undo", {"csrf": client.csrf(page)})
    answers = together(arena, client, [vote, undo] * 6)
    assert {answer.status_code for answer in answers} <= {303}
    rater = arena.service.rater_by_token(token).id
    stored = [one for one in read_arena("", arena.root).battles if one.rater == rater and one.choices]
    assert [one.id for one in stored] == [one.id for one in arena.cast(token)]
    assert len(stored) <= 1
    assert arena.service.progress(rater).done == len(stored)


@pytest.mark.slow
def test_the_time_before_a_restart_counts(start_arena: Callable[..., Any]) -> None:
    """Else every rater who was at it looks too fast."""
    arena = start_arena()
    client, token = arena.client(), arena.token()
    page = client.begin(token)
    arena.thread.stop()
    again = start_arena(root=arena.root)
    resumed = again.client()
    resumed.take_cookies(client)
    time.sleep(0.3)
    assert resumed.vote(page).status_code == 303
    assert again.cast(token)[0].seconds >= 0.3


@pytest.mark.slow
def test_a_session_is_worth_nothing_in_another_arena_or_for_another_purpose(start_arena: Callable[..., Any]) -> None:
    one, other = start_arena(), start_arena()
    here, there = one.client(), other.client()
    here.begin(one.token())
    there.begin(other.token())

    def name(client: Any) -> str:
        return str(next(name for name in dict(client.http.cookies) if "-rater-" in name))

    value = here.http.cookies[name(here)]
    assert name(here) != name(there)
    for cookie in (f"{name(here)}={value}", f"{name(there)}={value}"):
        assert other.client().get("/battle", headers={"Cookie": cookie}).status_code == 403
    admin = f"{name(here).replace('rater', 'admin')}={value}"
    assert one.client().get("/admin", headers={"Cookie": admin}).headers["location"] == "/admin/login"
    twice = f"{name(here)}={value}; {name(here)}={value}"
    assert one.client().get("/battle", headers={"Cookie": twice}).status_code == 403
