"""Raters who read different languages at the same time: each page is in one language, the rater's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest


def test_two_requests_that_overlap_are_answered_in_a_language_each(
    start_arena: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    arena = start_arena()
    clients = [arena.client(language) for language in ("en", "de")]
    for client in clients:
        client.begin(arena.token())
    both, current_task = asyncio.Barrier(2), arena.service.current_task

    async def once_both_are_here(rater: str) -> Any:
        battle = await current_task(rater)
        await asyncio.sleep(0.1 * await both.wait())  # who came first goes on first
        return battle

    monkeypatch.setattr(arena.service, "current_task", once_both_are_here)
    with ThreadPoolExecutor(2) as pool:
        for _ in range(3):
            english, german = (page.text for page in pool.map(lambda client: client.get("/battle"), clients))
            assert ('<html lang="en">' in english, '<html lang="de">' in german) == (True, True)
            assert ("Comparison 1 of 5" in english, "Vergleich 1 von 5" in german) == (True, True)
            assert ("Auslassen" in english, ">Skip<" in german) == (False, False)


def test_pages_of_the_team_are_in_the_browsers_language_and_those_of_raters_in_theirs(arena: Any) -> None:
    client = arena.client("de")
    client.begin(arena.token())
    client.http.headers["Accept-Language"] = "en"
    assert "Vergleich 1 von 5" in client.get("/battle").text
    assert "Hier ist nichts" in client.get("/nothing").text
    assert "Nothing here" in client.get("/admin/nothing").text
    assert "Arena desk" in client.log_in().text
