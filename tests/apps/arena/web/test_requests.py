"""Paths that lead elsewhere, and bodies and headers that are too large."""

from __future__ import annotations

import contextlib
import socket
from typing import Any

import pytest


@pytest.mark.parametrize(
    "path",
    [
        "/image/{battle}/../../study.toml",
        "/image/../study.toml",
        "/image/{battle}/..%2f..%2fstudy.toml",
        "/image/%2e%2e%2f%2e%2e%2fetc%2fpasswd/left",
        "/image/..%5c..%5cstudy.toml/left",
        "/image/{battle}/%2e%2e",
        "/image/{battle}/left%00.png",
        "/image/{battle}/left/",
        "/image/{battle}/LEFT",
        "/image/{battle}/check",
        "/image//left",
        "/image/{file}/left",
        "/image/{file}.png/left",
        "/static/..%2fapp.py",
        "/static/%2e%2e/app.py",
        "/static/../../../study.toml",
        "/static//etc/passwd",
        "/static/arena.css%00",
        "//etc/passwd",
    ],
)
def test_path_traversal_leads_nowhere(arena: Any, planted: Any, path: str) -> None:
    client = arena.client()
    page = client.begin(arena.token())
    file = next(secret for secret in planted.secrets if len(secret) == 64)
    target = path.format(battle=client.battle_of(page), file=file)
    status, body = raw(arena.address, target, cookies=dict(client.http.cookies))
    assert status in (400, 404), status
    assert b"[arena]" not in body
    assert b"root:" not in body
    assert b"\xff\xd8\xff" not in body


def test_pictures_need_a_session(arena: Any) -> None:
    client = arena.client()
    page = client.begin(arena.token())
    path = f"/image/{client.battle_of(page)}/left"
    assert client.get(path).headers["content-type"] == "image/jpeg"
    assert arena.client().get(path).status_code == 404


def raw(
    address: str, target: str, cookies: dict[str, str], method: str = "GET", more: bytes = b""
) -> tuple[int, bytes]:
    """Send a request line as it stands: clients tidy paths up before they ask."""
    host, _, port = address.removeprefix("http://").partition(":")
    cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
    with socket.create_connection((host, int(port))) as sock:
        head = f"{method} {target} HTTP/1.1\r\nHost: {host}:{port}\r\nCookie: {cookie}\r\nConnection: close\r\n"
        sock.sendall(head.encode() + (more or b"\r\n"))
        answer = b""
        with contextlib.suppress(ConnectionResetError):  # a server that has heard enough may hang up on us
            while part := sock.recv(65536):
                answer += part
    return int(answer.split(b" ", 2)[1]), answer


def test_oversized_bodies_are_refused(arena: Any) -> None:
    client = arena.client()
    page = client.begin(arena.token())
    answer = client.send("/battle", page, battle="x" * 20_000)
    assert answer.status_code == 413
    assert "Too much at once" in answer.text
    assert answer.headers["content-security-policy"]
    german = client.post("/battle", {"x": "x" * 20_000}, headers={"Accept-Language": "de"})
    assert "Too much at once" in german.text, "the rater's own language"
    stranger = arena.client("de").post("/battle", {"x": "x" * 20_000})
    assert "Zu viel auf einmal" in stranger.text


def test_oversized_bodies_without_a_length_are_refused(arena: Any) -> None:
    def chunks() -> Any:
        for _ in range(40):
            yield b"x" * 1024

    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = arena.client().http.post("/battle", content=chunks(), headers=headers)
    assert answer.status_code == 413


def test_oversized_headers_and_addresses_are_refused(arena: Any) -> None:
    status, _ = raw(arena.address, "/" + "a" * 200_000, {})
    assert status in (400, 404, 414, 431)
    status, _ = raw(arena.address, "/", {"x": "y" * 200_000})
    assert status in (400, 431)


@pytest.mark.parametrize("kind", ["application/json", "multipart/form-data; boundary=x", "text/plain"])
def test_other_kinds_of_bodies_are_refused(arena: Any, kind: str) -> None:
    answer = arena.client().http.post("/battle", content=b"{}", headers={"Content-Type": kind})
    assert answer.status_code == 415
