"""Paths that lead elsewhere, and bodies and headers that are too large."""

from __future__ import annotations

import contextlib
import socket
from typing import Any

import pytest


@pytest.mark.parametrize(
    "path",
    [
        "{picture}/../../study.toml",
        "{picture}/..%2f..%2fstudy.toml",
        "{picture}/%2e%2e",
        "{picture}%00.png",
        "{picture}/",
        "{picture}/check",
        "{folder}/../study.toml",
        "{folder}/%2e%2e%2f%2e%2e%2fetc%2fpasswd/left",
        "{folder}/..%5c..%5cstudy.toml/left",
        "{folder}//left",
        "{folder}/{file}",
        "{folder}/{file}/left",
        "{folder}/{file}.png",
        "{folder}/{file}.png/left",
        "/static/..%2fapp.py",
        "/static/%2e%2e/app.py",
        "/static/../../../study.toml",
        "/static//etc/passwd",
        "/static/raters.css%00",
        "//etc/passwd",
    ],
)
def test_path_traversal_leads_nowhere(site: Any, planted: Any, path: str) -> None:
    client = site.client()
    page = client.begin(site.token())
    file = next(secret for secret in planted.secrets if len(secret) == 64)
    target = path.format(picture=client.picture_of(page), folder=site.kind.picture.partition("/{")[0], file=file)
    status, body = raw(site.address, target, cookies=dict(client.http.cookies))
    assert status in (400, 404), status
    assert b"[site]" not in body
    assert b"root:" not in body
    assert b"\xff\xd8\xff" not in body


def test_pictures_need_a_session(site: Any) -> None:
    client = site.client()
    page = client.begin(site.token())
    path = client.picture_of(page)
    assert client.get(path).headers["content-type"] == "image/jpeg"
    assert site.client().get(path).status_code == 404


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


def test_oversized_bodies_are_refused(site: Any) -> None:
    client = site.client()
    page = client.begin(site.token())
    answer = client.send(site.kind.path, page, **{site.kind.field: "x" * 20_000})
    assert answer.status_code == 413
    assert "Too much at once" in answer.text
    assert answer.headers["content-security-policy"]
    german = client.post(site.kind.path, {"x": "x" * 20_000}, headers={"Accept-Language": "de"})
    assert "Too much at once" in german.text, "the rater's own language"
    stranger = site.client("de").post(site.kind.path, {"x": "x" * 20_000})
    assert "Zu viel auf einmal" in stranger.text


def test_oversized_bodies_without_a_length_are_refused(site: Any) -> None:
    def chunks() -> Any:
        for _ in range(40):
            yield b"x" * 1024

    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = site.client().http.post(site.kind.path, content=chunks(), headers=headers)
    assert answer.status_code == 413


def test_oversized_headers_and_addresses_are_refused(site: Any) -> None:
    status, _ = raw(site.address, "/" + "a" * 200_000, {})
    assert status in (400, 404, 414, 431)
    status, _ = raw(site.address, "/", {"x": "y" * 200_000})
    assert status in (400, 431)


@pytest.mark.parametrize("content", ["application/json", "multipart/form-data; boundary=x", "text/plain"])
def test_other_kinds_of_bodies_are_refused(site: Any, content: str) -> None:
    answer = site.client().http.post(site.kind.path, content=b"{}", headers={"Content-Type": content})
    assert answer.status_code == 415
