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

CHOICES = ("left", "right")


def together(site: Any, client: Any, forms: list[tuple[str, dict[str, str]]]) -> list[httpx2.Response]:
    """Send forms at the same moment, each over a connection of its own."""
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    cookies = dict(client.http.cookies)

    def send(form: tuple[str, dict[str, str]]) -> httpx2.Response:
        with httpx2.Client(base_url=site.address, cookies=cookies, timeout=None) as http:
            return http.post(form[0], content=urlencode(form[1]), headers=headers)

    with ThreadPoolExecutor(len(forms)) as threads:
        return list(threads.map(send, forms))


@pytest.mark.slow
def test_one_battle_answered_many_times_at_once_counts_once(site: Any) -> None:
    client, token = site.client(), site.token()
    page = client.begin(token)
    about = {"csrf": client.csrf(page), client.kind.field: client.task_of(page)}
    forms = [(site.kind.path, {**about, **site.kind.choices(CHOICES[number % 2])}) for number in range(12)]
    answers = together(site, client, forms)
    assert Counter(answer.headers["location"] for answer in answers) == {
        site.kind.path: 1,
        f"{site.kind.path}?note=again": 11,
    }
    counted = next(place for place, answer in enumerate(answers) if answer.headers["location"] == site.kind.path)
    [battle] = site.cast(token)
    assert site.kind.said(battle) == {CHOICES[counted % 2]}


@pytest.mark.slow
def test_votes_and_undos_at_once_leave_what_the_database_holds(site: Any) -> None:
    client, token = site.client(), site.token()
    page = client.begin(token)
    vote = (
        site.kind.path,
        {"csrf": client.csrf(page), client.kind.field: client.task_of(page), **client.kind.choices("left")},
    )
    undo = ("/undo", {"csrf": client.csrf(page)})
    answers = together(site, client, [vote, undo] * 6)
    assert {answer.status_code for answer in answers} <= {303}
    rater = site.service.rater_by_token(token).id
    stored = [one for one in site.kind.stored(site.root) if one.rater == rater and one.choices]
    assert [one.id for one in stored] == [one.id for one in site.cast(token)]
    assert len(stored) <= 1
    assert site.service.progress(rater).done == len(stored)


@pytest.mark.slow
def test_the_time_before_a_restart_counts(start_site: Callable[..., Any]) -> None:
    """Else every rater who was at it looks too fast."""
    site = start_site()
    client, token = site.client(), site.token()
    page = client.begin(token)
    site.thread.stop()
    again = start_site(root=site.root)
    resumed = again.client()
    resumed.take_cookies(client)
    time.sleep(0.3)
    assert resumed.vote(page).status_code == 303
    assert again.cast(token)[0].seconds >= 0.3


@pytest.mark.slow
def test_a_session_is_worth_nothing_in_another_arena_or_for_another_purpose(start_site: Callable[..., Any]) -> None:
    one, other = start_site(), start_site()
    here, there = one.client(), other.client()
    here.begin(one.token())
    there.begin(other.token())

    def name(client: Any) -> str:
        return str(next(name for name in dict(client.http.cookies) if "-rater-" in name))

    value = here.http.cookies[name(here)]
    assert name(here) != name(there)
    for cookie in (f"{name(here)}={value}", f"{name(there)}={value}"):
        assert other.client().get(other.kind.path, headers={"Cookie": cookie}).status_code == 403
    admin = f"{name(here).replace('rater', 'admin')}={value}"
    assert one.client().get("/admin", headers={"Cookie": admin}).headers["location"] == "/admin/login"
    twice = f"{name(here)}={value}; {name(here)}={value}"
    assert one.client().get(one.kind.path, headers={"Cookie": twice}).status_code == 403
