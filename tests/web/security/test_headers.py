"""Headers on every answer, and none that tell too much."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.testclient import TestClient

from portrayal.web.security.headers import HEADERS, HSTS, SecurityHeaders


async def plain(request: Request) -> Response:
    return PlainTextResponse("hello")


async def own_headers(request: Request) -> Response:
    lax = {"Cache-Control": "private, max-age=60", "Content-Security-Policy": "default-src *", "Server": "secret/1.0"}
    return PlainTextResponse("hello", headers=lax)


async def broken(request: Request) -> Response:
    raise RuntimeError("no")


async def late(request: Request) -> Response:
    async def parts() -> AsyncIterator[bytes]:
        yield b"first"
        raise RuntimeError("no")

    return StreamingResponse(parts())


@pytest.fixture
def app(tmp_path: Path) -> Starlette:
    (tmp_path / "a.css").write_text("p {}")
    paths = {"/": plain, "/own": own_headers, "/broken": broken, "/late": late}
    return Starlette(
        routes=[*(Route(path, view) for path, view in paths.items()), Mount("/static", StaticFiles(directory=tmp_path))]
    )


def client(app: Any) -> TestClient:
    return TestClient(app, raise_server_exceptions=False)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 200),
        ("HEAD", "/", 200),
        ("GET", "/missing", 404),
        ("POST", "/", 405),
        ("TRACE", "/", 405),
        ("GET", "/broken", 500),
        ("GET", "/static/a.css", 200),
        ("GET", "/static/b.css", 404),
        ("GET", "/own", 200),
    ],
)
def test_every_answer_has_them(app: Starlette, method: str, path: str, status: int) -> None:
    answer = client(SecurityHeaders(app)).request(method, path)
    assert answer.status_code == status
    assert {name: answer.headers.get_list(name) for name in HEADERS} == {name: [HEADERS[name]] for name in HEADERS}
    assert "server" not in answer.headers
    assert "strict-transport-security" not in answer.headers


def test_a_not_modified_static_file_has_them_too(app: Starlette) -> None:
    browser = client(SecurityHeaders(app))
    tag = browser.get("/static/a.css").headers["etag"]
    answer = browser.get("/static/a.css", headers={"If-None-Match": tag})
    assert answer.status_code == 304
    assert answer.headers["content-security-policy"] == HEADERS["Content-Security-Policy"]


def test_https_is_demanded_over_https_only(app: Starlette) -> None:
    assert client(SecurityHeaders(app, secure=True)).get("/").headers["strict-transport-security"] == HSTS


def test_nothing_is_kept_unless_the_route_says_so(app: Starlette) -> None:
    browser = client(SecurityHeaders(app))
    assert browser.get("/").headers["cache-control"] == "no-store"
    assert browser.get("/own").headers.get_list("cache-control") == ["private, max-age=60"]


def test_the_policy_allows_no_inline_code_and_no_other_host() -> None:
    policy = HEADERS["Content-Security-Policy"]
    assert policy.startswith("default-src 'none';")
    for never in ("unsafe", "*", "http", "data:"):
        assert never not in policy
    assert "frame-ancestors 'none'" in policy


def test_added_inside_the_application_a_failure_still_has_them(app: Starlette) -> None:
    app.add_middleware(SecurityHeaders)
    answer = client(app).get("/broken")
    assert (answer.status_code, answer.text) == (500, "Internal Server Error")
    assert answer.headers["x-frame-options"] == "DENY"


def test_errors_reach_the_servers_log(app: Starlette) -> None:
    with pytest.raises(RuntimeError, match="no"):
        TestClient(SecurityHeaders(app)).get("/broken")


def test_a_failure_after_the_start_is_not_answered_twice(app: Starlette) -> None:
    with pytest.raises(RuntimeError, match="no"):
        TestClient(SecurityHeaders(app)).get("/late")


def test_parts_of_an_answer_go_out_as_they_come() -> None:
    import asyncio

    sent: list[dict[str, Any]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"one", "more_body": True})
        assert [message["type"] for message in sent] == ["http.response.start", "http.response.body"]
        await send({"type": "http.response.body", "body": b"two"})

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        raise AssertionError

    asyncio.run(SecurityHeaders(app)({"type": "http"}, receive, send))
    assert [message.get("body") for message in sent] == [None, b"one", b"two"]


def test_what_is_not_http_passes() -> None:
    with TestClient(SecurityHeaders(Starlette())):
        pass  # the start and the end of the application's life went through
