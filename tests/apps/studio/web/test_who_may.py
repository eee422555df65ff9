"""Every address and every form, those that come later too: for whom they are, and what they refuse."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute

from portrayal.apps.studio.listed_studies import list_studies
from portrayal.apps.studio.web import app as studio_app

pytestmark = pytest.mark.slow

OPEN = {"/", "/r/{token}", "/static/{name}", "/language", "/enter"}
"""What strangers may ask for: the page that says to open the link, the link, styles, another language, the log-in."""


def routes(method: str) -> Iterator[str]:
    for part in studio_app.PAGES:
        for route in part.router.routes:
            assert isinstance(route, APIRoute)
            assert route.methods is not None
            if method in route.methods:
                yield route.path


def filled(path: str, key: str, picture: str) -> str:
    values = {"key": key, "name": picture, "path": "index.html", "lot": "0" * 16, "token": "wrong"}
    return re.sub(r"\{(\w+)(:path)?\}", lambda match: values[match[1]], path)


@pytest.fixture
def served(tmp_path: Path, start: Callable[..., Any], add_finished: Callable[..., Path]) -> tuple[Any, str, str]:
    add_finished(tmp_path / "secret-study")
    studio = start()
    [study] = list_studies(tmp_path)
    page = studio.client().get(f"/s/{study.key}/pictures").text
    picture = re.search(r"/picture/([0-9a-f]{64}\.png)", page)
    assert picture
    return studio, study.key, picture[1]


def test_strangers_see_nothing_of_any_address(served: tuple[Any, str, str]) -> None:
    studio, key, picture = served
    stranger = studio.client(entered=False)
    asked = [path for path in routes("GET") if path not in OPEN]
    assert len(asked) > 20
    for path in asked:
        answer = stranger.get(filled(path, key, picture))
        assert answer.status_code == 403, path
        assert "secret-study" not in answer.text
        assert "script-src 'self'" in answer.headers["content-security-policy"]
        assert answer.headers["cache-control"] == "no-store"


def test_no_form_does_anything_without_the_token_of_its_page(served: tuple[Any, str, str], tmp_path: Path) -> None:
    studio, key, picture = served
    auditor, stranger = studio.client(), studio.client(entered=False)
    before = sorted(str(path) for path in tmp_path.rglob("*") if path.is_file())
    token = re.search(r'name="csrf" value="([0-9a-f]+)"', stranger.get("/").text)
    assert token
    forms = [path for path in routes("POST") if path not in OPEN]
    assert len(forms) > 8
    for path in forms:
        address = filled(path, key, picture)
        refused = (403, 415) if path == "/own" else (403, 404) if path == "/own/{lot}" else (403,)
        assert auditor.post(address, {"csrf": "0" * 64}).status_code in refused, path
        assert auditor.post(address, {}).status_code in refused, path
        # A page of another site can send a form, but not read our token; a stranger has a token of their own.
        assert auditor.post(address, {"csrf": token[1]}).status_code in refused, path
        assert stranger.post(address, {"csrf": token[1]}).status_code in (403, 415), path
        assert auditor.post(address, {"csrf": token[1]}, Origin="https://evil.example").status_code in refused, path
    assert sorted(str(path) for path in tmp_path.rglob("*") if path.is_file()) == before


def test_the_password_lets_in_and_wrong_ones_soon_have_to_wait(start: Callable[..., Any]) -> None:
    studio = start(password="a long enough one")
    client, other = studio.client(entered=False), studio.client(entered=False)
    page = client.get("/own")
    assert (page.status_code, 'type="password"' in page.text) == (403, True)
    wrong = client.send("/enter", page, {"password": "another one that is wrong", "to": "/own"})
    assert (wrong.status_code, "That is not the password" in wrong.text) == (403, True)
    assert client.get("/own").status_code == 403
    assert client.post("/enter", {"password": "a long enough one"}).status_code == 403  # no token of the page
    right = client.send("/enter", page, {"password": "a long enough one", "to": "https://evil.example/own"})
    assert right.headers["location"] == "/"
    assert client.get("/own").status_code == 200
    answers = [other.send("/enter", page := other.get("/"), {"password": f"wrong {n}"}) for n in range(12)]
    assert 429 in [answer.status_code for answer in answers]
    assert "a long enough" not in page.text


def test_without_a_password_none_lets_in(start: Callable[..., Any]) -> None:
    stranger = start().client(entered=False)
    page = stranger.get("/")
    assert 'type="password"' not in page.text
    assert stranger.send("/enter", page, {"password": ""}).status_code == 404
    assert stranger.get("/new").status_code == 403


@pytest.mark.parametrize("wrong", ["../../etc", "%2e%2e%2fstudy.toml", "secret-study", "<script>", "%00", "a" * 5_000])
def test_what_names_no_study_or_picture_is_nothing(served: tuple[Any, str, str], wrong: str) -> None:
    studio, key, picture = served
    auditor = studio.client()
    for path in routes("GET"):
        if "{key}" in path:
            answer = auditor.get(filled(path, wrong, picture))
            assert answer.status_code in (400, 403, 404), path
        if "{name}" in path or "{path:path}" in path:
            address = re.sub(r"\{(name|path:path)\}", lambda _: wrong, path)
            assert auditor.get(filled(address, key, picture)).status_code in (400, 404), path
