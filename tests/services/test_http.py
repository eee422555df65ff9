from __future__ import annotations

import base64
import gc
import pickle
import socket
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from portrayal.errors import ConfigError, ServiceError
from portrayal.services.calls import Again, Broken
from portrayal.services.http import Login, Server, ServerOptions
from portrayal.settings import parse_settings

LOGIN = "ann:correct-horse"
TOKEN = base64.b64encode(LOGIN.encode()).decode()
PART = "generator 'demo'"


class Handler(BaseHTTPRequestHandler):
    """Does what the path says."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        word, _, rest = self.path.strip("/").partition("?")[0].partition("/")
        getattr(self, f"do_{word}")(rest)

    def do_POST(self) -> None:
        self.reply(200, self.rfile.read(int(self.headers["Content-Length"])))

    def do_status(self, rest: str) -> None:
        self.reply(int(rest), b'{"detail": "as asked"}', **{"Retry-After": "3"})

    def do_query(self, _: str) -> None:
        self.reply(200, f'"{self.path}"'.encode())

    def do_who(self, _: str) -> None:
        told = self.headers.get("Authorization", "")
        self.reply(200 if told == f"Basic {TOKEN}" else 401, told.encode())

    def do_echo(self, _: str) -> None:
        self.reply(422, f"you said {self.headers['Authorization']} that is {LOGIN}".encode() * 100)

    def do_words(self, _: str) -> None:
        self.reply(200, b"<html>no JSON</html>")

    def do_drop(self, _: str) -> None:
        self.close_connection = True

    def do_cut(self, _: str) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "100")
        self.end_headers()
        self.wfile.write(b"half")
        self.close_connection = True

    def do_hang(self, _: str) -> None:
        self.connection.recv(1)  # which comes when the client hangs up
        self.close_connection = True

    def do_away(self, _: str) -> None:
        self.reply(302, b"", Location="http://elsewhere.invalid/login")

    def reply(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def url(serve: Callable[[ThreadingHTTPServer], ThreadingHTTPServer]) -> str:
    return f"http://127.0.0.1:{serve(ThreadingHTTPServer(('127.0.0.1', 0), Handler)).server_port}"


def client(url: str, patience: float = 3600, **options: object) -> Server:
    fast = {"tries": 2, "longest_wait": 0.01, **options}
    return Server(PART, url, ServerOptions.model_validate(fast), "start it with --api", patience)


def test_a_request_goes_out_and_its_answer_comes_back(url: str) -> None:
    server = client(url + "/")
    assert server.url == url
    assert server.ask("POST", "/anything", {"text": "é"}).json() == {"text": "é"}
    assert server.ask("GET", "/query", query={"a": "b c&d"}).json() == "/query?a=b+c%26d"
    assert server.ask("GET", "/status/400", accept=(400,)).status == 400


@pytest.mark.parametrize(
    ("path", "reason", "detail"),
    [
        ("/drop", "connection_lost", "disconnected"),
        ("/cut", "connection_lost", "received 4 bytes"),
        ("/hang", "timeout", "no answer within 0.2 s"),
        ("/words", "malformed_answer", "no JSON: <html>"),
        ("/status/500", "server_error", '500: {"detail": "as asked"}'),
        ("/status/429", "rate_limited", "429: "),
        ("/status/503", "server_error", "503: "),
    ],
)
def test_what_may_pass_is_tried_again(url: str, path: str, reason: str, detail: str) -> None:
    server = client(url, patience=0.2 if path == "/hang" else 3600)
    with pytest.raises(Again) as caught:
        server.ask("GET", path).json()
    assert (caught.value.reason, caught.value.stop) == (reason, False)
    assert detail in caught.value.detail
    assert caught.value.after == (3 if "status" in path else None)
    assert caught.value.billed == ("status" not in path)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/status/401", r"'demo': http://127.0.0.1:\d+ wants a password \(401\); option key_env: name the variable"),
        ("/status/403", "wants a password"),
        ("/status/404", r"has no /status/404 \(404: .*as asked.*\); start it with --api"),
        ("/status/405", "start it with --api"),
        ("/status/304", r"answers 304 and names no other address of the web; check the address"),
        ("/away", r"leads elsewhere \(302\), to http://elsewhere.invalid; if you trust it, give that address"),
    ],
)
def test_what_no_request_can_get_past_stops_all(url: str, path: str, message: str) -> None:
    with pytest.raises(ServiceError, match=message):
        client(url).ask("GET", path)


def test_a_request_that_is_not_taken_is_broken(url: str) -> None:
    with pytest.raises(Broken) as caught:
        client(url).ask("GET", "/status/413")
    assert caught.value.reason == "http_413"


def test_nobody_there_is_one_line_after_all_tries() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    server = client(f"http://127.0.0.1:{port}")
    with pytest.raises(ServiceError) as caught:
        server.service.call("item", 0.0, lambda: (server.ask("GET", "/"), 0.0))
    said = f"generator 'demo': nobody answers at http://127.0.0.1:{port}; start it with --api; 2 tries; nothing is lost"
    assert str(caught.value) == said


def test_a_login_is_read_when_it_is_used_and_shown_nowhere(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    server = client(url, key_env="DEMO_LOGIN")
    with pytest.raises(ConfigError, match="set the environment variable DEMO_LOGIN"):
        server.ask("GET", "/who")
    monkeypatch.setenv("DEMO_LOGIN", LOGIN)
    assert server.ask("GET", "/who").status == 200
    assert LOGIN.encode() not in pickle.dumps(server)
    assert LOGIN not in repr(vars(server)) + repr(server.login)
    with pytest.raises(Broken) as caught:
        server.service.call("item", 0.0, lambda: (server.ask("GET", "/echo"), 0.0))
    for secret in (LOGIN, TOKEN, "correct-horse", TOKEN[:12], "correct"):
        assert secret not in str(caught.value)
    assert "you said Basic *** that is ***" in str(caught.value)
    monkeypatch.setenv("DEMO_LOGIN", "ann:wrong-horse")
    with pytest.raises(ServiceError, match="option key_env: check the user:password or token in it"):
        server.ask("GET", "/who")


def test_without_a_colon_it_is_a_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEMO_LOGIN", "hf_0123456789")
    assert Login(PART, "DEMO_LOGIN", "http://127.0.0.1").headers() == {"Authorization": "Bearer hf_0123456789"}
    assert Login(PART, "", "http://127.0.0.1", needed=False).headers() == {}
    assert Login(PART, "", "http://127.0.0.1", needed=False).clean("text") == "text"


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1:8188",
        "ftp://host",
        "http://",
        "http://host:port",
        "http://ann:secret@host",
        "http://a b",
        "http://h?k=s",
    ],
)
def test_an_address_is_checked_and_not_repeated_when_it_may_hold_a_secret(address: str) -> None:
    with pytest.raises(ConfigError, match="'demo': ") as caught:
        client(address)
    assert "secret" not in str(caught.value)


@pytest.mark.slow
def test_a_used_server_pickles_and_closes_its_connections(url: str) -> None:
    server = client(url)
    server.ask("GET", "/query")
    copy = pickle.loads(pickle.dumps(server))
    assert copy.ask("GET", "/query").status == 200
    inner = server._client.get()
    del server
    gc.collect()
    assert inner.is_closed


def test_a_proxy_of_the_environment_is_not_asked_for_this_machine(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "")
    assert client(url).ask("GET", "/query").status == 200


def test_no_option_about_the_server_makes_another_part() -> None:
    given = {"key_env": "K", "concurrency": 3, "timeout": 9, "tries": 1, "longest_wait": 1, "price": 0.5}
    assert set(given) == set(ServerOptions.model_fields)
    assert parse_settings(ServerOptions, given, "study.toml").changed() == {}
