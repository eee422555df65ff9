"""The client against raw sockets on loopback: what a whole request may take, and what comes of its answer."""

from __future__ import annotations

import contextlib
import gzip
import socket
import threading
import zlib
from collections.abc import Callable, Iterator

import httpx2
import pytest

from portrayal.services.no_result import Again, Broken
from portrayal.services.transport import client as client_module
from portrayal.services.transport.allowance import LARGEST_ERROR
from portrayal.services.transport.client import open_client

Talk = Callable[[socket.socket], None]
OK = b"HTTP/1.1 200 OK\r\n"
HOURS = 3600.0


@pytest.fixture
def answer() -> Iterator[Callable[[Talk], str]]:
    """Start a server that reads one request for each connection and then talks; return its address."""
    servers = list[socket.socket]()

    def start(talk: Talk) -> str:
        server = socket.create_server(("127.0.0.1", 0))
        servers.append(server)

        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                threading.Thread(target=converse, args=(connection,), daemon=True).start()

        def converse(connection: socket.socket) -> None:
            with connection:
                seen = b""
                while b"\r\n\r\n" not in seen:
                    seen += connection.recv(65536)
                with contextlib.suppress(OSError):  # it hangs up, as it should
                    talk(connection)

        threading.Thread(target=serve, daemon=True).start()
        return f"http://127.0.0.1:{server.getsockname()[1]}/"

    yield start
    for server in servers:
        server.shutdown(socket.SHUT_RDWR)
        server.close()


def ask(url: str, seconds: float = HOURS) -> httpx2.Response:
    with open_client(url, seconds) as client:
        return client.get(url)


def said(*parts: bytes) -> Talk:
    return lambda connection: connection.sendall(b"".join(parts))


def for_ever(first: bytes, more: bytes, pause: float = 0.0) -> Talk:
    def talk(connection: socket.socket) -> None:
        connection.sendall(first)
        waiting = threading.Event()
        while True:
            waiting.wait(pause)
            connection.sendall(more)

    return talk


def test_an_answer_comes_back_unpacked_and_with_few_headers(answer: Callable[[Talk], str]) -> None:
    packed = gzip.compress(b"a nurse" * 1000)
    head = b"content-type: text/plain; charset=rot13\r\nset-cookie: a=b\r\nlocation: http://x\r\nretry-after: 3\r\n"
    response = ask(answer(said(OK, head, b"content-encoding: gzip\r\n\r\n", packed)))
    assert response.text == "a nurse" * 1000
    assert dict(response.headers) == {"content-type": "text/plain", "leads-to": "http://x", "retry-after": "3"}


DRIP = 0.02
DRIPPING = {
    "status line": for_ever(b"HTTP/1.1 200 ", b"O", DRIP),
    "header": for_ever(OK + b"x-long: ", b"a", DRIP),
    "continue": for_ever(b"", b"HTTP/1.1 100 Continue\r\n\r\n", DRIP),
    "body": for_ever(OK + b"\r\n", b" ", DRIP),
    "error body": for_ever(b"HTTP/1.1 500 Oops\r\n\r\n", b" ", DRIP),
    "chunk size": for_ever(OK + b"transfer-encoding: chunked\r\n\r\n", b"0", DRIP),
    "packed body": for_ever(OK + b"content-encoding: gzip\r\n\r\n" + gzip.compress(b"")[:10], b"\0\0\0\xff\xff", DRIP),
    "silence": for_ever(b"", b"", HOURS),
}


@pytest.mark.parametrize("way", DRIPPING)
def test_the_timeout_bounds_all_steps_together(answer: Callable[[Talk], str], way: str) -> None:
    with pytest.raises(httpx2.ReadTimeout):
        ask(answer(DRIPPING[way]), 0.3)


SPACES = b" " * 65536
MEGABYTE = zlib.compressobj(wbits=-15)
PACKED = MEGABYTE.compress(bytes(2**20)) + MEGABYTE.flush(zlib.Z_FULL_FLUSH)
BOMB = gzip.compress(b"")[:10] + PACKED * 256
ENDLESS = {
    "body": for_ever(OK + b"\r\n", SPACES),
    "chunks": for_ever(OK + b"transfer-encoding: chunked\r\n\r\n", b"10000\r\n" + SPACES + b"\r\n"),
    "gzip": said(OK, b"content-encoding: gzip\r\n\r\n", BOMB),
    "empty blocks": for_ever(OK + b"content-encoding: deflate\r\n\r\n\x78\x9c", b"\0\0\0\xff\xff" * 10_000),
    "continue": for_ever(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1000),
}


@pytest.mark.slow
@pytest.mark.parametrize("way", ENDLESS)
def test_an_answer_has_an_end(answer: Callable[[Talk], str], way: str) -> None:
    with pytest.raises(Broken, match="answer_too_large: over 48 MiB"):
        ask(answer(ENDLESS[way]))


@pytest.mark.parametrize("head", [b"\r\n", b"content-encoding: gzip\r\n\r\n"])
def test_an_error_is_cut_and_keeps_its_status(answer: Callable[[Talk], str], head: bytes) -> None:
    head = b"HTTP/1.1 503 No\r\n" + head
    response = ask(answer(said(head, BOMB) if b"gzip" in head else for_ever(head, SPACES)))
    assert (response.status_code, len(response.content)) == (503, LARGEST_ERROR)


@pytest.mark.parametrize("kind", [b"br", b"zstd", b"gzip, gzip", b"gzip"])
def test_what_cannot_be_unpacked_may_come_otherwise_next_time(answer: Callable[[Talk], str], kind: bytes) -> None:
    with pytest.raises(Again, match="malformed_answer"):
        ask(answer(said(OK, b"content-encoding: ", kind, b"\r\n\r\nno such thing")))


@pytest.mark.parametrize("head", [b"x: " + b"a" * 2**20, b"x: a\r\n" * 2**17, b"x: a\r\n b" * 2**17])
def test_headers_have_an_end(answer: Callable[[Talk], str], head: bytes) -> None:
    with pytest.raises((httpx2.RemoteProtocolError, Broken)):
        ask(answer(said(OK, head, b"\r\n\r\n")))


def test_connections_are_used_again_unless_an_answer_was_left(answer: Callable[[Talk], str]) -> None:
    begun = list[int]()

    def talk(connection: socket.socket) -> None:
        begun.append(1)
        while True:
            connection.sendall(OK + b"content-encoding: gzip\r\ncontent-length: %d\r\n\r\n" % len(packed) + packed)
            if not connection.recv(65536):
                return

    packed = gzip.compress(b"whole")
    url = answer(talk)
    with open_client(url, HOURS) as client:
        assert [client.get(url).content for _ in range(3)] == [b"whole"] * 3
        assert len(begun) == 1
        with client.stream("GET", url):
            pass
        assert client.get(url).content == b"whole"
    assert len(begun) == 2


def test_a_slow_reader_of_the_request_is_not_waited_for(answer: Callable[[Talk], str]) -> None:
    url = answer(for_ever(b"", b"", HOURS))
    with open_client(url, 0.3) as client, pytest.raises(httpx2.WriteTimeout):
        client.post(url, content=bytes(2**26))


def test_a_proxy_of_the_environment_is_asked_for_the_internet_only(
    answer: Callable[[Talk], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = said(OK, b"content-length: 5\r\n\r\nproxy")
    monkeypatch.setenv("http_proxy", answer(seen))
    assert ask("http://images.example/").text == "proxy"
    with open_client("http://images.example/", HOURS, public_only=True) as client:  # the proxy is the user's own
        assert client.get("http://images.example/").text == "proxy"
    assert ask(answer(said(OK, b"content-length: 4\r\n\r\nself"))).text == "self"
    monkeypatch.setenv("no_proxy", "images.example")
    assert client_module._proxy("http://images.example/") is None
