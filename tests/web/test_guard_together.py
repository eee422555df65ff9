"""All guards around one small application, under a real server, with raw sockets: what no well-behaved client sends."""

from __future__ import annotations

import asyncio
import hashlib
import importlib
import io
import re
import resource
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from PIL import Image
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from portrayal.store.images.image_folder import ImageFolder
from portrayal.web import connections
from portrayal.web.connections import LimitedProtocol, allow_files
from portrayal.web.picture_cache import PictureCache
from portrayal.web.security.csrf import CSRF_FIELD, CsrfTokens
from portrayal.web.security.headers import HEADERS, SecurityHeaders
from portrayal.web.security.request_body import BodyLimits, read_form
from portrayal.web.security.session_cookies import SessionCookies
from portrayal.web.security.throttle import Throttle, client_key

FORM = "Content-Type: application/x-www-form-urlencoded\r\n"
SECRET = b"s" * 32
LARGE = 30_000_000  # bytes of an answer that no socket buffer holds


@dataclass
class Wait:
    due: float
    call: Callable[[], None]
    cancelled: bool = False

    def cancel(self) -> None:
        self.cancelled = True


class HandClock:
    """The server's loop, but connections wait by a clock that the tests move on."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop, self._now, self._waits = loop, 0.0, list[Wait]()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loop, name)

    def call_later(self, seconds: float, callback: Callable[..., None], *arguments: Any) -> Wait:
        self._waits.append(Wait(self._now + seconds, partial(callback, *arguments)))
        return self._waits[-1]

    def advance(self, seconds: float) -> None:
        """Let so much time pass, and call back whoever waited for that."""
        asyncio.run_coroutine_threadsafe(self._advance(seconds), self._loop).result()

    def hold(self, seconds: float) -> None:
        """Return when a connection has begun to wait for so long."""
        while not any(wait.due == self._now + seconds and not wait.cancelled for wait in list(self._waits)):
            time.sleep(0.005)

    async def _advance(self, seconds: float) -> None:
        self._now += seconds
        due = [wait for wait in self._waits if wait.due <= self._now]
        self._waits = [wait for wait in self._waits if wait.due > self._now]
        for wait in due:
            if not wait.cancelled:
                wait.call()


class ClockedProtocol(LimitedProtocol):
    clock: Any  # a HandClock

    def __init__(self, config: Any, server_state: Any, app_state: Any, _loop: Any = None) -> None:
        super().__init__(config, server_state, app_state, self.clock)


class ClockedServer(uvicorn.Server):
    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        ClockedProtocol.clock = HandClock(asyncio.get_running_loop())
        await super().serve(sockets)


class GuardedSite:
    """A page with a form, the form's target, a picture and a large answer."""

    def __init__(self, folder: Path) -> None:
        self.votes: list[str] = []
        self.raters = SessionCookies(SECRET, "rater", secure=False)
        self.csrf = CsrfTokens(SECRET)
        self.tries = Throttle(3, 60, limit_of_all=100)
        store, buffer = ImageFolder(folder / "images"), io.BytesIO()
        Image.new("RGB", (64, 64), "teal").save(buffer, "PNG")
        self.name = hashlib.sha256(buffer.getvalue()).hexdigest()
        store.add({(self.name, "png"): buffer.getvalue()})
        self.pictures = PictureCache(store, folder / "cache")

    async def page(self, request: Request) -> Response:
        session = self.raters.new("rater 1\r\nSet-Cookie: evil=1")
        response = HTMLResponse(self.csrf.token(session))
        self.raters.set_cookie(response, session)
        return response

    async def vote(self, request: Request) -> Response:
        form = await read_form(request)
        self.csrf.check(request, form, self.raters.read(request))
        self.votes.append(form["choice"])
        return PlainTextResponse("counted")

    async def picture(self, request: Request) -> Response:
        return Response(await self.pictures.get(f"{self.name}.png"), media_type="image/jpeg")

    async def guess(self, request: Request) -> Response:
        wait = self.tries.attempt(client_key(request, behind_proxy=False))
        raise HTTPException(429 if wait else 404)

    async def large(self, request: Request) -> Response:
        return Response(b"x" * LARGE)

    def app(self) -> Any:
        get = {"/": self.page, "/picture": self.picture, "/guess": self.guess, "/large": self.large}
        routes = [Route(path, view) for path, view in get.items()]
        app = Starlette(routes=[*routes, Route("/vote", self.vote, methods=["POST"])])
        self.body_limits = BodyLimits(app, seconds=3600)
        return SecurityHeaders(self.body_limits)


class Client:
    def __init__(self, port: int, server: uvicorn.Server) -> None:
        self.port, self._server = port, server

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port))

    def wait_for(self, connections: int) -> None:
        """Return when the server has so many connections."""
        while self.connections() != connections:
            time.sleep(0.005)

    def connections(self) -> int:
        return len(self._server.server_state.connections)

    @property
    def clock(self) -> HandClock:
        clock: HandClock = ClockedProtocol.clock
        return clock

    def ask(self, data: str | bytes, *more: bytes) -> str:
        """Send bytes as they are and return all that comes until the server closes the connection."""
        with self.connect() as opened:
            try:
                for part in (data.encode("latin-1") if isinstance(data, str) else data, *more):
                    opened.sendall(part)
            except ConnectionError:
                return ""  # closed in our face
            return read_all(opened)

    def get(self, path: str, method: str = "GET", headers: str = "") -> str:
        return self.ask(f"{method} {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{headers}\r\n")

    def session(self) -> tuple[str, str]:
        head, _, token = self.get("/").partition("\r\n\r\n")
        return found(r"set-cookie: ([^;]+);", head), token

    def vote(self, cookie: str, body: str, headers: str = "") -> str:
        length = f"Content-Length: {len(body)}\r\n{FORM}"
        return self.ask(
            f"POST /vote HTTP/1.1\r\nHost: a\r\nConnection: close\r\nCookie: {cookie}\r\n{headers}{length}\r\n{body}"
        )


def read_all(opened: socket.socket) -> str:
    parts = []
    try:
        while part := opened.recv(65536):
            parts.append(part)
    except ConnectionResetError:
        pass  # closed with something of ours unread
    return b"".join(parts).decode("latin-1")


def found(pattern: str, text: str) -> str:
    match = re.search(pattern, text, re.IGNORECASE)
    assert match is not None, text
    return match[1]


def status(answer: str) -> int:
    return int(found(r"\AHTTP/1\.1 (\d+)", answer))


WAYS = {
    "h11": ("uvicorn.protocols.http.h11_impl", "H11Protocol", "asyncio"),
    "httptools": ("uvicorn.protocols.http.httptools_impl", "HttpToolsProtocol", "auto"),
}


@pytest.fixture(scope="module", params=WAYS)
def parser(request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    pytest.importorskip(name)
    return name


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> GuardedSite:
    return GuardedSite(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def client(parser: str, site: GuardedSite) -> Iterator[Client]:
    module, name, loop = WAYS[parser]
    with pytest.MonkeyPatch.context() as patch, socket.create_server(("127.0.0.1", 0), backlog=200) as listening:
        patch.setattr(connections, "AutoHTTPProtocol", getattr(importlib.import_module(module), name))
        config = uvicorn.Config(
            site.app(), http=ClockedProtocol, loop=loop, log_level="critical", access_log=False, server_header=False,
            proxy_headers=False, lifespan="off", ws="none", limit_concurrency=40, timeout_keep_alive=60,
        )  # fmt: skip
        server = ClockedServer(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield Client(listening.getsockname()[1], server)
        server.should_exit = True
        thread.join()


def test_our_own_form_is_counted_and_a_forged_one_is_not(client: Client, site: GuardedSite) -> None:
    cookie, token = client.session()
    site.votes.clear()
    body = f"choice=left&{CSRF_FIELD}={token}"
    assert status(client.vote(cookie, body)) == 200
    assert status(client.vote(cookie, body, "Origin: http://a\r\nSec-Fetch-Site: same-origin\r\n")) == 200
    assert status(client.vote(cookie, "choice=left")) == 403
    assert status(client.vote("", body)) == 403
    assert status(client.vote(client.session()[0], body)) == 403
    assert status(client.vote(cookie, body, "Origin: http://evil\r\n")) == 403
    assert status(client.vote(cookie, body, "Sec-Fetch-Site: cross-site\r\n")) == 403
    assert site.votes == ["left", "left"]


def test_a_session_cannot_bring_headers_of_its_own(client: Client) -> None:
    head = client.get("/").partition("\r\n\r\n")[0]
    assert len(re.findall("set-cookie", head, re.IGNORECASE)) == 1
    assert "evil" not in head


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "TRACE", "CONNECT", "PUT", "DELETE", "BREW"])
def test_other_methods_do_nothing_and_echo_nothing(client: Client, method: str) -> None:
    answer = client.get("/", method, "X-Secret: s3cret\r\nCookie: a=s3cret\r\n")
    assert status(answer) in ({200} if method == "HEAD" else {400, 405, 415})
    assert "s3cret" not in answer
    if "Invalid HTTP" not in answer:  # uvicorn itself refused it
        assert all(f"{name.lower()}: {value}" in answer.lower() for name, value in HEADERS.items() if value.islower())
    assert re.search("^server:", answer, re.IGNORECASE | re.MULTILINE) is None


def test_a_picture_has_constant_headers(client: Client, site: GuardedSite) -> None:
    head = client.get("/picture").partition("\r\n\r\n")[0].lower()
    assert "content-type: image/jpeg" in head
    for told in ("etag", "last-modified", site.name[:8], "png", "content-disposition"):
        assert told not in head


CHUNK = b"1000\r\n" + b"a" * 4096 + b"\r\n"


def test_a_chunked_body_without_end_is_cut_off(client: Client) -> None:
    head = f"POST /vote HTTP/1.1\r\nHost: a\r\n{FORM}Transfer-Encoding: chunked\r\n\r\n"
    assert status(client.ask(head, CHUNK * 5)) == 413
    small = client.ask(head, b"3\r\na=1\r\n0\r\n\r\nGET /guess HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    assert status(small) == 403, "a small one is read"


def test_a_large_body_is_refused_before_it_is_asked_for(client: Client) -> None:
    head = f"POST /vote HTTP/1.1\r\nHost: a\r\n{FORM}Content-Length: 99999999\r\nExpect: 100-continue\r\n\r\n"
    assert status(client.ask(head)) == 413, "not 100"


def test_after_a_refusal_the_rest_is_no_request(client: Client, site: GuardedSite) -> None:
    site.votes.clear()
    cookie, token = client.session()
    body = f"choice=left&{CSRF_FIELD}={token}"
    hidden = f"POST /vote HTTP/1.1\r\nHost: a\r\nCookie: {cookie}\r\n{FORM}Content-Length: {len(body)}\r\n\r\n{body}"
    kinds = [f"Content-Type: multipart/form-data; boundary=x\r\nContent-Length: {len(hidden)}\r\n"]
    kinds += [f"{FORM}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"]
    kinds += [f"{FORM}Content-Length: 5\r\nContent-Length: 6\r\n", f"{FORM}Transfer-Encoding: xchunked\r\n"]
    for kind in kinds:
        answer = client.ask(f"POST /vote HTTP/1.1\r\nHost: a\r\n{kind}\r\n0\r\n\r\n{hidden}")
        assert status(answer) in (400, 415), kind
        assert answer.count("HTTP/1.1 ") == 1, kind
    assert site.votes == []


@pytest.mark.parametrize("value", [b"a\0b", b"\x7f", b"\xff\xfe", b"a\r\n Set-Cookie: evil=1", b"=" * 8000, b'"\\073"'])
def test_strange_cookies_are_nobody(client: Client, value: bytes, site: GuardedSite) -> None:
    cookie = site.raters.cookie_name.encode()
    length = f"{FORM}Content-Length: 3\r\n".encode()
    answer = client.ask(
        b"POST /vote HTTP/1.1\r\nHost: a\r\nConnection: close\r\nCookie: " + cookie + b"=" + value + b"\r\n" + length,
        b"\r\na=1",
    )
    assert status(answer) in (400, 403)
    assert "evil" not in answer


def is_open(opened: socket.socket) -> bool:
    """Return whether the server has not hung up; what it has said is left to be read."""
    opened.setblocking(False)
    try:
        return opened.recv(1, socket.MSG_PEEK) != b""
    except BlockingIOError:
        return True
    except ConnectionResetError:
        return False
    finally:
        opened.setblocking(True)


def test_a_slow_body_is_given_up(client: Client, site: GuardedSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site.body_limits, "seconds", 0.1)
    with client.connect() as opened:
        opened.sendall(f"POST /vote HTTP/1.1\r\nHost: a\r\n{FORM}Content-Length: 100\r\n\r\na".encode())
        assert status(read_all(opened)) == 408


def test_a_connection_without_a_request_is_closed(client: Client) -> None:
    client.wait_for(0)
    with client.connect() as silent, client.connect() as slow, client.connect() as second:
        client.wait_for(3)
        second.sendall(b"GET /guess HTTP/1.1\r\nHost: a\r\n\r\n")
        assert second.recv(9) == b"HTTP/1.1 "
        slow.sendall(b"GET / HTTP/1.1\r\nHo")
        client.clock.advance(9)
        assert is_open(silent)
        assert is_open(slow)
        slow.sendall(b"st: a\r\nX: y")
        client.clock.advance(2)
        assert read_all(silent) == read_all(slow) == ""
        second.sendall(b"GET /guess HT")
        client.clock.hold(10)
        client.clock.advance(10)
        read_all(second)


def test_an_endless_head_is_cut_off(client: Client) -> None:
    for filler in (b"X: " + b"a" * 8_000_000, b"".join(b"x%d: y\r\n" % number for number in range(200_000))):
        answer = client.ask(b"GET /guess HTTP/1.1\r\nHost: a\r\n", filler, b"\r\nConnection: close\r\n\r\n")
        assert answer == "" or status(answer) in (400, 431)


@pytest.mark.parametrize("first", [0, 10_000_000])
def test_who_does_not_read_or_stops_reading_is_let_go(client: Client, first: int) -> None:
    client.wait_for(0)
    with client.connect() as opened, opened.makefile("rb") as answer:
        opened.sendall(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
        client.clock.hold(30)
        answer.read(first)
        while client.connections():
            client.clock.advance(30)
            time.sleep(0.005)
        assert first + len(answer.read()) < LARGE


def test_who_reads_slowly_gets_all_and_the_next_answer_too(client: Client) -> None:
    with client.connect() as opened, opened.makefile("rb") as answers:
        opened.sendall(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
        for _ in range(LARGE // 1_000_000):
            assert len(answers.read(1_000_000)) == 1_000_000
            client.clock.advance(0.9)
        client.clock.advance(30)
        opened.sendall(b"GET /guess HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        assert b"xxHTTP/1.1 4" in answers.read()


def test_used_up_connections_are_free_again_soon(client: Client) -> None:
    client.wait_for(0)
    idle = [client.connect() for _ in range(45)]
    assert status(client.get("/")) == 503
    client.clock.advance(10)
    client.wait_for(0)
    assert status(client.get("/")) == 200
    for opened in idle:
        opened.close()


def test_guesses_are_slowed_down_whatever_address_is_claimed(client: Client, site: GuardedSite) -> None:
    site.tries = Throttle(3, 60, limit_of_all=100)
    answers = [client.get("/guess", headers=f"X-Forwarded-For: 10.0.0.{number}\r\n") for number in range(5)]
    assert [status(answer) for answer in answers] == [404, 404, 404, 429, 429]


def test_many_requests_over_one_connection(client: Client, site: GuardedSite) -> None:
    site.tries = Throttle(3, 60, limit_of_all=100)
    one = "GET /guess HTTP/1.1\r\nHost: a\r\n\r\n"
    many = client.ask(one * 199 + one.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"))
    assert many.count("HTTP/1.1 404") == 3
    assert many.count("HTTP/1.1 429") == 197


def test_connections_far_over_the_limit_are_closed_at_once(client: Client) -> None:
    """Else whoever opens many uses up the process's files, and pictures and votes fail with it."""
    client.wait_for(0)  # those of the tests before
    idle = [client.connect() for _ in range(80)]
    while sum(map(is_open, idle)) > 50:
        time.sleep(0.005)
    assert sum(map(is_open, idle)) == 50
    for opened in idle:
        opened.close()
    client.wait_for(0)
    assert status(client.get("/")) == 200


def test_as_many_files_as_the_system_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
    try:
        assert allow_files(300) == 300
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (300, before[1])
        assert allow_files(200) == 200
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (300, before[1]), "never fewer than there were"
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    monkeypatch.setattr(resource, "getrlimit", lambda which: (128, 128))
    assert allow_files(300) == 128
