"""Raters who read different languages at the same time: each page is in one language, the rater's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest


def test_two_requests_that_overlap_are_answered_in_a_language_each(
    start_site: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    site = start_site()
    clients = [site.client(language) for language in ("en", "de")]
    for client in clients:
        client.begin(site.token())
    both, current_task = asyncio.Barrier(2), site.service.current_task

    async def once_both_are_here(rater: str) -> Any:
        battle = await current_task(rater)
        await asyncio.sleep(0.1 * await both.wait())  # who came first goes on first
        return battle

    monkeypatch.setattr(site.service, "current_task", once_both_are_here)
    with ThreadPoolExecutor(2) as pool:
        for _ in range(3):
            english, german = (page.text for page in pool.map(lambda client: client.get(site.kind.path), clients))
            assert ('<html lang="en">' in english, '<html lang="de">' in german) == (True, True)
            assert (site.kind.number(1) in english, site.kind.number(1, "de") in german) == (True, True)
            assert (site.kind.number(1, "de") in english, site.kind.number(1) in german) == (False, False)


def test_pages_of_the_team_are_in_the_browsers_language_and_those_of_raters_in_theirs(site: Any) -> None:
    client = site.client("de")
    client.begin(site.token())
    client.http.headers["Accept-Language"] = "en"
    assert site.kind.number(1, "de") in client.get(site.kind.path).text
    assert "Hier ist nichts" in client.get("/nothing").text
    assert "Nothing here" in client.get("/admin/nothing").text
    assert site.kind.desk in client.log_in().text
