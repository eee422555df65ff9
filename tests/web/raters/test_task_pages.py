"""The page on which raters answer: what is missing, what is no longer open, and what is stored already."""

from __future__ import annotations

import re
from typing import Any

import pytest

MISSING = {"arena": "Please choose an answer for: {}. Use Skip", "labels": "Please answer: {}. Choose “Cannot tell”"}
CLOSED = {"arena": "That comparison was no longer open", "labels": "That picture was no longer open"}
STORED = {"arena": "That comparison is already stored.", "labels": "That picture is already stored."}


def test_an_answer_with_something_missing_keeps_the_rest(site: Any) -> None:
    client = site.client()
    page = client.begin(site.token())
    first, *others = client.kind.choices("right").items()
    fields = {client.kind.field: client.task_of(page), first[0]: first[1], others[0][0]: ""}
    answer = client.send(client.kind.path, page, **fields)
    assert answer.status_code == 422
    _, *unanswered = re.findall(r"<legend>(.+)</legend>", page.text)
    assert len(unanswered) == 2
    assert MISSING[site.kind.name].format(", ".join(unanswered)) in answer.text
    assert re.findall(r'name="(\w+)" value="(\w+)"(?: data-name="\w+")? checked', answer.text) == [first]
    assert client.task_of(answer) == client.task_of(page)


@pytest.mark.parametrize("whole", [False, True])
def test_a_stale_page_shows_the_open_task(site: Any, whole: bool) -> None:
    """With a whole answer a task that was answered is stored already; any other one was not open."""
    client = site.client()
    first = client.begin(site.token())
    second = client.follow(client.vote(first))
    [question, *_], task = client.kind.answers, "no-such-task" if whole else client.task_of(first)
    if whole:
        answer = client.vote(first, task=task)
    else:
        named = {client.kind.field: task, question: client.kind.answers[question]["left"]}
        answer = client.send(client.kind.path, first, **named)
    assert answer.status_code == 409
    assert CLOSED[site.kind.name] in answer.text
    assert client.task_of(answer) == client.task_of(second)


def test_an_answer_sent_twice_is_stored_once_and_the_page_says_so(site: Any) -> None:
    client, token = site.client(), site.token()
    first = client.begin(token)
    second = client.follow(client.vote(first))
    again = client.follow(client.vote(first, "right"))
    assert STORED[site.kind.name] in again.text
    assert client.task_of(again) == client.task_of(second)
    [kept] = site.cast(token)
    assert site.kind.said(kept) == {"left"}
