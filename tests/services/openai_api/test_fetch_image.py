"""Pictures at addresses that a service gives, fetched from a real server on loopback."""

from __future__ import annotations

import socket
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from portrayal.services import calls
from portrayal.services.calls import Broken, Service, ServiceOptions
from portrayal.services.openai_api import fetch, key_of

PART = "generator 'openai'"


class Server(ThreadingHTTPServer):
    """Says what ``answers`` holds, one after the other, and remembers what was asked."""

    daemon_threads = True
    answers: list[tuple[int, bytes, dict[str, str]]]
    seen: list[tuple[str, dict[str, str]]]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, Server)
        self.server.seen.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
        status, body, headers = self.server.answers.pop(0)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "FIRST_WAIT", 0.01)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-0123456789")


@pytest.fixture
def server(serve: Callable[[Server], Server]) -> Server:
    found = serve(Server(("127.0.0.1", 0), Handler))
    found.answers, found.seen = [], []
    return found


def service_at(url: str, key_env: str = "OPENAI_API_KEY") -> Service:
    options = ServiceOptions(base_url=url, key_env=key_env, tries=2, timeout=3600)
    return Service(PART, options, key_of(PART, options))


def get(service: Service, url: str) -> bytes:
    return fetch(service, "a job", url, bytes)


def there(server: Server, path: str = "/1.png") -> tuple[int, bytes, dict[str, str]]:
    return 302, b"", {"location": f"{server.url}{path}"}


def test_a_picture_is_fetched_without_the_key_and_tried_again(server: Server) -> None:
    server.answers = [(404, b"", {}), (200, b"bytes", {})]
    assert get(service_at(f"{server.url}/v1"), f"{server.url}/image.png") == b"bytes"
    assert [path for path, _ in server.seen] == ["/image.png"] * 2
    assert ["authorization" in headers for _, headers in server.seen] == [False, False]
    server.answers = [(404, b"", {}), (200, b"half", {"content-length": "100"})]
    with pytest.raises(Broken, match="connection_lost"):
        get(service_at(f"{server.url}/v1"), f"{server.url}/image.png")


def test_an_address_leads_elsewhere_three_times_at_most(server: Server) -> None:
    service = service_at(f"{server.url}/v1")
    server.answers = [there(server), (307, b"", {"location": "2.png"}), there(server, "/3.png"), (200, b"bytes", {})]
    assert get(service, f"{server.url}/0.png") == b"bytes"
    assert [path for path, _ in server.seen] == ["/0.png", "/1.png", "/2.png", "/3.png"]
    server.seen.clear()
    server.answers = [there(server, "/loop") for _ in range(99)]
    with pytest.raises(Broken, match="lost_image: the address of the image leads elsewhere more than 3 times"):
        get(service, f"{server.url}/loop")
    assert len(server.seen) == 4


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("file:///etc/passwd", "malformed_answer"),
        ("data:image/png;base64,AA", "malformed_answer"),
        ("/images/1.png", "malformed_answer"),
        ("http://[::1/", "malformed_answer"),
        ("https://images.example:65536/1.png", "malformed_answer"),
        ("https://user:word@images.example/", "malformed_answer"),
        ("https://169.254.169.254/latest/meta-data", "forbidden_address"),
        ("https://10.0.0.7/1.png", "forbidden_address"),
        ("https://metadata.internal/", "forbidden_address"),
        ("http://2130706434/", "forbidden_address"),
        ("https://[::ffff:10.0.0.7]/", "forbidden_address"),
    ],
)
def test_addresses_that_are_never_asked(server: Server, url: str, reason: str) -> None:
    service = service_at(f"{server.url}/v1")
    with pytest.raises(Broken) as caught:
        get(service, url)
    assert caught.value.reason == reason
    server.answers = [(302, b"", {"location": url}), (302, b"", {"location": url})]
    if "://" in url:
        with pytest.raises(Broken) as caught:
            get(service, f"{server.url}/1.png")
        assert caught.value.reason == reason


@pytest.mark.parametrize("url", ["http://images.example/1.png", "http://api.openai.com/1.png", "https://127.0.0.1/"])
def test_a_service_of_the_internet_gives_addresses_there_with_encryption(url: str) -> None:
    with pytest.raises(Broken, match="forbidden_address"):
        get(service_at("https://api.openai.com/v1"), url)


def test_the_address_that_is_connected_to_is_the_one_that_is_checked(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name may stand for a public address at one moment and for this machine at the next."""
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", server.server_port))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    url = f"https://images.example:{server.server_port}/1.png"
    for base in ("https://api.openai.com/v1", "https://images.example/v1"):
        service = Service(PART, options := ServiceOptions(base_url=base, key_env="K", tries=1), key_of(PART, options))
        monkeypatch.setenv("K", "short")
        monkeypatch.setattr("portrayal.services.secrets.may_send", lambda *_: True)
        with pytest.raises(Broken, match=r"forbidden_address: images.example is 127.0.0.1, which is not of the public"):
            get(service, url)
    assert server.seen == []


def test_another_port_or_name_of_this_machine_is_the_same_service(server: Server) -> None:
    server.answers = [(200, b"bytes", {})]
    assert get(service_at("http://localhost:9/v1", ""), f"{server.url}/1.png") == b"bytes"


def test_nobody_at_the_address_is_a_lost_image_and_stops_nothing(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is paid for: whoever ran a stage again that it had stopped would pay again."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(Broken, match=rf"lost_image: nobody answers at 127.0.0.1:{port}, where the image should lie"):
        get(service_at(f"{server.url}/v1"), f"http://127.0.0.1:{port}/1.png")

    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror("no such name")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(Broken, match=r"lost_image: nobody answers at images.example"):
        get(service_at(f"{server.url}/v1"), "https://images.example/1.png")
