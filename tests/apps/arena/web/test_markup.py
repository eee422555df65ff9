"""What a page may hold: texts as texts, no inline script or style, and the same headers on every answer."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from portrayal.csvfile import original_text
from portrayal.study.importing.folders.layouts import read_layout
from portrayal.study.importing.import_images import import_images
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy


class Markup(HTMLParser):
    """Collects what a page could run: scripts, handlers, styles, and addresses elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.bad: list[str] = []
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        about = dict(attrs)
        self.inside = tag
        if (tag == "script" and not (about.get("src") or "").startswith("/static/")) or tag in (
            "style",
            "iframe",
            "base",
        ):
            self.bad.append(f"<{tag}>")
        for name, value in attrs:
            elsewhere = name in ("src", "href", "action", "formaction") and not re.match(r"[/#](?!/)", value or "")
            if name.startswith("on") or name == "style" or elsewhere:
                self.bad.append(f"{tag} {name}={value}")

    def handle_data(self, data: str) -> None:
        if self.inside == "script" and data.strip():
            self.bad.append(f"inline script {data}")
        self.inside = ""


def dangers(text: str) -> list[str]:
    markup = Markup()
    markup.feed(text)
    return markup.bad


def test_html_in_prompts_is_shown_as_text(start_arena: Callable[..., Any]) -> None:
    arena = start_arena(quota=15, checks=0)
    client = arena.client()
    page = client.begin(arena.token())
    seen = ""
    while "/done" not in str(page.url):
        assert dangers(page.text) == []
        seen += page.text
        page = client.follow(client.vote(page))
    assert "&lt;b onclick=&#34;alert(1)&#34;&gt;chef&lt;/b&gt; &amp; &lt;script&gt;alert(2)&lt;/script&gt;." in seen
    assert "<b onclick" not in seen
    assert "alert(2)</script>" not in seen


def test_html_in_labels_title_and_consent_is_shown_as_text(start_arena: Callable[..., Any]) -> None:
    evil = "<script>alert(3)</script>"
    arena = start_arena(title=evil, contact=evil, consent={"en": f"First {evil}\n\nSecond {{contact}}"})
    client, admin = arena.client(), arena.client()
    page = client.follow(client.get(f"/r/{arena.token(evil)}"))
    assert "Second {contact}" in page.text
    pages = [page, arena.client().get("/"), admin.log_in()]
    assert all(dangers(page.text) == [] and "&lt;script&gt;alert(3)" in page.text for page in pages)


@pytest.mark.slow
def test_html_in_the_names_of_models_is_shown_as_text(tmp_path: Path, start_arena: Callable[..., Any]) -> None:
    evil = ("<script>alert(4)</script>", '"><img src=x onerror=alert(5)>', "=cmd|' /C calc'!A0")
    root, pictures = tmp_path / "evil", tmp_path / "pictures"
    root.mkdir()
    pictures.mkdir()
    about = 'title = "</title><script>alert(6)</script>"'
    arena = "quota = 3\nchecks = 0\nleaderboard = true\nquestionnaire = false"
    (root / "study.toml").write_text(f"[study]\n{about}\n[arena]\n{arena}\n", encoding="utf-8")
    with (pictures / "manifest.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["path", "model", "prompt", "term", "language"])
        for number, model in enumerate(evil):
            Image.new("RGB", (32, 32), (number, 0, 0)).save(pictures / f"{number}.png")
            rows.writerow([f"{number}.png", model, "</p><script>alert(7)</script>", "=1+1", 'en" onload="alert(8)'])
    study = OpenStudy(root)
    with study.workspace.writing():
        import_images(study, read_layout("manifest", pictures), RunControl())
    served = start_arena(root=root)
    client, admin = served.client(), served.client()
    page = client.follow(client.send("/consent", client.follow(client.get(f"/r/{served.token()}"))))
    pages = [page]
    while "/done" not in str(page.url):
        page = client.follow(client.vote(page))
    pages += [admin.log_in(), client.get("/leaderboard")]
    assert [dangers(page.text) for page in pages] == [[], [], []]
    assert not any("<script>alert" in page.text or "<img src=x" in page.text for page in pages)
    assert all("&lt;script&gt;alert(4)" in page.text for page in pages[1:])
    table = list(csv.DictReader(io.StringIO(admin.get("/admin/votes.csv").text)))
    models = {row[side] for row in table for side in ("model_a", "model_b")}
    assert not any(model.startswith("=") for model in models), "a spreadsheet runs none of them"
    assert set(map(original_text, models)) == set(evil), "names stay as they are"


POLICY = (
    "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


def test_headers_of_every_answer(start_arena: Callable[..., Any]) -> None:
    arena = start_arena(leaderboard=True)
    client = arena.client()
    page = client.begin(arena.token())
    battle = client.task_of(page)
    paths = [
        "/",
        "/battle",
        "/done",
        "/nothing",
        "/leaderboard",
        "/admin",
        "/admin/login",
        "/r/guess",
        "/docs",
        "/openapi.json",
    ]
    paths += [
        "/static/site.css",
        "/static/arena.css",
        "/static/ballot.js",
        "/static/leaderboard.css",
        f"/image/{battle}/left",
        "/image/x/left",
    ]
    for answer in [client.get(path) for path in paths] + [client.post("/battle", {}), client.http.put("/battle")]:
        headers = answer.headers
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["x-robots-tag"].startswith("noindex")
        assert headers["cache-control"]
        assert "server" not in headers
        assert "x-powered-by" not in headers


def test_pages_hold_no_inline_script_style_or_outside_address(start_arena: Callable[..., Any]) -> None:
    arena = start_arena(leaderboard=True, open=True)
    client, admin = arena.client(), arena.client("de")
    client.follow(client.send("/join", client.get("/")))
    page = arena.client().begin(arena.token())
    for _ in range(3):
        rater = arena.clients[-1]
        page = rater.follow(rater.vote(page))
    admin.log_in()
    admin.get("/leaderboard")
    admin.send("/admin/invite", admin.get("/admin"), count="2")
    pages = [
        answer for who in arena.clients for answer in who.answers if "html" in answer.headers.get("content-type", "")
    ]
    assert len(pages) > 10
    assert {str(page.url): dangers(page.text) for page in pages if dangers(page.text)} == {}
