"""What a page may hold: texts as texts, no inline script or style, and the same headers on every answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.samples.markup import dangers

POLICY = (
    "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
PROMPTS: dict[str, dict[str, Any]] = {"arena": {"checks": 0}, "labels": {"show_prompt": True}}
"""With these settings every prompt is shown to a rater of 18 pictures."""
LEADERBOARD: dict[str, dict[str, Any]] = {"arena": {"leaderboard": True}, "labels": {}}


@pytest.mark.slow
def test_html_in_prompts_is_shown_as_text(kind: Any, start_site: Callable[..., Any]) -> None:
    site = start_site(quota=18, **PROMPTS[kind.name])
    client = site.client()
    page = client.begin(site.token())
    seen = ""
    while "/done" not in str(page.url):
        assert dangers(page.text) == []
        seen += page.text
        page = client.follow(client.vote(page))
    assert "&lt;b onclick=&#34;alert(1)&#34;&gt;chef&lt;/b&gt; &amp; &lt;script&gt;alert(2)&lt;/script&gt;." in seen
    assert "<b onclick" not in seen
    assert "alert(2)</script>" not in seen


def test_html_in_labels_title_and_consent_is_shown_as_text(start_site: Callable[..., Any]) -> None:
    evil = "<script>alert(3)</script>"
    site = start_site(title=evil, contact=evil, consent={"en": f"First {evil}\n\nSecond {{contact}}"})
    client, admin = site.client(), site.client()
    page = client.follow(client.get(f"/r/{site.token(evil)}"))
    assert "Second {contact}" in page.text
    pages = [page, site.client().get("/"), admin.log_in()]
    assert all(dangers(page.text) == [] and "&lt;script&gt;alert(3)" in page.text for page in pages)


def test_headers_of_every_answer(kind: Any, start_site: Callable[..., Any]) -> None:
    site = start_site(**LEADERBOARD[kind.name])
    client = site.client()
    picture = client.picture_of(client.begin(site.token()))
    paths = ["/", kind.path, "/done", "/nothing", "/leaderboard", "/admin", "/admin/login", "/r/guess", "/docs"]
    paths += ["/openapi.json", "/static/site.css", f"/static/{kind.name}.css", "/static/ballot.js", picture]
    paths += ["/static/leaderboard.css", kind.picture.format(task="x"), kind.export]
    for answer in [client.get(path) for path in paths] + [client.post(kind.path, {}), client.http.put(kind.path)]:
        headers = answer.headers
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["x-robots-tag"].startswith("noindex")
        assert headers["cache-control"]
        assert "server" not in headers
        assert "x-powered-by" not in headers


def test_pages_hold_no_inline_script_style_or_outside_address(kind: Any, start_site: Callable[..., Any]) -> None:
    site = start_site(open=True, **LEADERBOARD[kind.name])
    client, admin = site.client(), site.client("de")
    client.follow(client.send("/join", client.get("/")))
    page = site.client().begin(site.token())
    for _ in range(3):
        rater = site.clients[-1]
        page = rater.follow(rater.vote(page))
    admin.log_in()
    admin.get("/leaderboard")
    admin.send("/admin/invite", admin.get("/admin"), count="2")
    pages = [
        answer for who in site.clients for answer in who.answers if "html" in answer.headers.get("content-type", "")
    ]
    assert len(pages) > 10
    assert {str(page.url): dangers(page.text) for page in pages if dangers(page.text)} == {}
