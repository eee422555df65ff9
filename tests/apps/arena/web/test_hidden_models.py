"""Who drew what is nowhere to be found."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from portrayal.apps.arena.battles.attention_checks import check_numbers
from portrayal.apps.arena.battles.battle import ASPECTS


@pytest.mark.slow
def test_model_identity_leaks_nowhere(start_arena: Callable[..., Any], planted: Any) -> None:
    """Not one byte of what a rater receives holds a model, a file name, a hash of a file, or metadata."""
    arena = start_arena(quota=12, checks=0.25)
    client = arena.client()
    page = client.begin(arena.token())
    pictures = []
    while "/done" not in str(page.url):
        battle = client.task_of(page)
        pictures += [client.get(f"/image/{battle}/{side}") for side in ("left", "right")]
        page = client.follow(client.vote(page))
    client.send("/undo", page)
    for path in (
        "/nothing",
        "/leaderboard",
        "/static/ballot.js",
        "/static/site.js",
        "/static/arena.css",
        "/image/x/left",
    ):
        client.get(path)
    assert len(pictures) == 30
    for answer in client.answers:
        everything = (
            answer.content + b" ".join(b"%s: %s" % pair for pair in answer.headers.raw) + str(answer.url).encode()
        )
        found = [secret for secret in planted.secrets if secret.lower().encode() in everything.lower()]
        assert found == [], answer.url


@pytest.mark.slow
def test_pictures_of_all_models_have_the_same_headers(start_arena: Callable[..., Any]) -> None:
    arena = start_arena(quota=12, checks=0.25)
    client = arena.client()
    page = client.begin(arena.token())
    heads = set()
    while "/done" not in str(page.url):
        for side in ("left", "right"):
            headers = dict(client.get(f"/image/{client.task_of(page)}/{side}").headers)
            for changing in ("date", "content-length"):
                headers.pop(changing)
            heads.add(tuple(sorted(headers.items())))
        page = client.follow(client.vote(page))
    [head] = heads
    names = {name for name, _ in head}
    assert dict(head)["cache-control"] == "private, max-age=3600"
    assert names.isdisjoint({"etag", "last-modified", "content-disposition", "content-location"})


def test_attention_checks_look_like_any_other_battle(start_arena: Callable[..., Any]) -> None:
    arena = start_arena(quota=8, checks=0.5)
    client = arena.client()
    page = client.begin(arena.token())
    shapes: dict[bool, set[str]] = {True: set(), False: set()}
    while "/done" not in str(page.url):
        battle = client.task_of(page)
        shape = re.sub(rf'(?s){battle}|<p class="prompt".*?</p>|value="[^"]*"|[0-9]+', "", page.text)
        page = client.follow(client.vote(page))
        cast = next(one for one in arena.service.answered_battles() if one.id == battle)
        if cast.number > 1:  # the first has nothing to undo
            shapes[bool(cast.check)].add(shape)
    assert len(shapes[True]) == 1
    assert shapes[True] == shapes[False]


def test_a_rater_cannot_work_out_where_the_checks_stand(start_arena: Callable[..., Any]) -> None:
    """Their id is in their cookie, and how places follow from ids is in the program."""
    arena = start_arena(quota=12, checks=0.25)
    guessed = 0
    for _ in range(4):
        token = arena.token()
        rater = arena.service.rater_by_token(token).id
        while battle := arena.call(arena.service.current_task(rater)):
            arena.call(arena.service.vote(rater, battle.id, dict.fromkeys(ASPECTS, "draw")))
        stand = {battle.number for battle in arena.cast(token) if battle.check}
        guessed += stand == check_numbers(rater, 15, 3)
    assert guessed < 4
