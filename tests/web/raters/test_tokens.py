"""A rater's link is in nobody's hands but theirs: not in the log, the database, or a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


def test_the_log_holds_no_token(start_site: Callable[..., Any], capsys: pytest.CaptureFixture[str]) -> None:
    site = start_site()
    token = site.token()
    client = site.client()
    client.begin(token)
    client.get("/r/guess-in-the-log")
    said = capsys.readouterr()
    assert token not in said.out + said.err
    assert "guess-in-the-log" not in said.out + said.err


def test_the_database_holds_no_token_and_no_address(site: Any) -> None:
    token = site.token()
    client = site.client()
    client.follow(client.vote(client.begin(token)))
    kept = b"".join(path.read_bytes() for path in (site.root / site.kind.name).glob("*.sqlite*"))
    assert token.encode() not in kept
    assert b"127.0.0.1" not in kept
    assert len(site.cast(token)) == 1
    assert site.cast(token)[0].id.encode() in kept


def test_a_token_is_repeated_in_no_page(start_site: Callable[..., Any]) -> None:
    site = start_site()
    client, token = site.client(), site.token()
    pages = [client.get(f"/r/{token}x"), client.get(f"/r/{token}/"), client.get(f"/r/{token}/consent")]
    for number in range(31):
        client.get(f"/r/guess-{number}")
    pages.append(client.get(f"/r/{token}x"))
    assert [page.status_code for page in pages] == [404, 404, 404, 429]
    assert not any(token in page.text for page in pages)
