"""The SDK against a real server on loopback: what each answer comes to."""

from __future__ import annotations

import contextlib
import json
import logging
import socket
import struct
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from portrayal.errors import ConfigError, ServiceError
from portrayal.services.calls import Again, Broken, Refusal, Service, ServiceOptions
from portrayal.services.openai_api import connect, is_openai, key_of, request, sdk_version

KEY = "sk-planted-0123456789"
PART = "generator 'openai'"
Answer = Callable[[BaseHTTPRequestHandler], None]


class Server(ThreadingHTTPServer):
    """Answers every request as it was last told to, and remembers the headers it was sent."""

    daemon_threads = True
    answer: Answer
    seen: list[dict[str, str]]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        assert isinstance(self.server, Server)
        self.server.seen.append({name.lower(): value for name, value in self.headers.items()})
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.server.answer(self)

    do_GET = do_POST

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def server(serve: Callable[[Server], Server]) -> Server:
    found = serve(Server(("127.0.0.1", 0), Handler))
    found.seen = []
    return found


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def say(status: int, body: Any, **headers: str) -> Answer:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        kinds = {"content-type": "application/json", "content-length": str(len(data))}
        for name, value in {**kinds, **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(data)

    return answer


def hang(handler: BaseHTTPRequestHandler) -> None:
    handler.connection.recv(1)  # which comes when the client hangs up
    handler.close_connection = True


def drip(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("content-length", "1000000")
    handler.end_headers()
    with contextlib.suppress(ConnectionError):  # until the client hangs up
        while True:
            handler.wfile.write(b" ")
            time.sleep(0.05)
    handler.close_connection = True


def reset(handler: BaseHTTPRequestHandler) -> None:
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()
    handler.close_connection = True


def cut(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("content-length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"data": [')
    handler.close_connection = True


ENDLESS = (hang, drip)


def build(url: str, **options: Any) -> Service:
    wanted = ServiceOptions(**{"base_url": url, "key_env": "OPENAI_API_KEY", **options})
    return Service(PART, wanted, key_of(PART, wanted))


def ask(server: Server, answer: Answer) -> Any:
    server.answer = answer
    service = build(f"http://127.0.0.1:{server.server_port}/v1", timeout=0.3 if answer in ENDLESS else 3600)
    with connect(service) as client:
        return draw(service, client)


def draw(service: Service, client: Any) -> Any:
    return request(
        service, "m", client.images.with_streaming_response.generate, {"model": "m", "prompt": "a nurse", "size": "1x1"}
    )


def error(message: str = "said", **more: Any) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None, **more}}


def test_an_answer_is_its_json(server: Server) -> None:
    assert ask(server, say(200, {"data": []})) == {"data": []}
    assert server.seen[0]["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("answer", "kind", "reason"),
    [
        (say(400, error(code="content_policy_violation")), Refusal, "content_policy"),
        (say(400, error(code="moderation_blocked", type="image_generation_user_error")), Refusal, "content_policy"),
        (say(400, error(code="contentFilter")), Refusal, "content_policy"),
        (say(400, error(code="content_filter")), Refusal, "content_policy"),
        (say(400, error(innererror={"code": "ResponsibleAIPolicyViolation"})), Refusal, "content_policy"),
        (say(403, error(code="content_policy_violation")), Refusal, "content_policy"),
        (say(200, error(code="content_filter")), Refusal, "content_policy"),
        (say(403, error(code=403, metadata={"reasons": ["x"], "flagged_input": "a"})), Refusal, "content_policy"),
        (say(400, error("too long", param="prompt")), Broken, "bad_request"),
        (say(400, error("bad image", param="messages.[0].content")), Broken, "bad_request"),
        (say(400, error("bad style", param="style")), Broken, "bad_request"),  # not sent by us
        (say(400, error("bad size")), Broken, "bad_request"),
        (say(422, {"detail": "no"}), Broken, "bad_request"),
        (say(400, b"<html>"), Broken, "bad_request"),
    ],
)
def test_final_answers(server: Server, answer: Answer, kind: type[Refusal | Broken], reason: str) -> None:
    with pytest.raises(kind) as caught:
        ask(server, answer)
    assert caught.value.reason == reason
    assert caught.value.billed == (kind is Refusal)  # by another than OpenAI it may be


@pytest.mark.parametrize(
    ("answer", "reason", "after", "billed"),
    [
        (say(429, error(), retry_after="3"), "rate_limited", 3.0, False),
        (say(429, error(), retry_after_ms="20"), "rate_limited", 0.02, False),
        (say(429, error()), "rate_limited", None, False),
        (say(500, error()), "server_error", None, False),
        (say(503, b"busy", retry_after="2"), "server_error", 2.0, False),
        (say(408, error()), "server_error", None, False),
        (say(409, error()), "server_error", None, False),
        (say(200, b'{"data": ['), "malformed_answer", None, True),
        (say(200, b"<html>", content_type="text/html"), "malformed_answer", None, True),
        (say(200, []), "malformed_answer", None, True),
        (say(200, error("odd")), "malformed_answer", None, True),
        (say(200, {"error": "odd"}), "malformed_answer", None, True),
        (say(200, b"[" * 100_000), "malformed_answer", None, True),
        (say(504, b"<html>"), "server_error", None, True),
        (say(524, b"<html>"), "server_error", None, True),
        (hang, "timeout", None, True),
        (drip, "timeout", None, True),
        (reset, "connection_lost", None, True),
        (cut, "connection_lost", None, True),
    ],
)
def test_answers_worth_another_try(
    server: Server, answer: Answer, reason: str, after: float | None, billed: bool
) -> None:
    with pytest.raises(Again) as caught:
        ask(server, answer)
    assert (caught.value.reason, caught.value.after, caught.value.billed) == (reason, after, billed)
    assert (caught.value.stop, caught.value.limited) == (False, reason == "rate_limited")


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (say(401, error(f"Incorrect API key: {KEY}")), "refuses the key in OPENAI_API_KEY"),
        (say(403, error("verify your organization")), "verify your organization"),
        (say(402, error("pay first")), "pay first"),
        (say(404, error("no such thing")), "knows no model 'm'"),
        (say(400, error(code="model_not_found")), "knows no model 'm'"),
        (say(429, error(code="insufficient_quota"), retry_after="1"), "refuses all work"),
        (say(400, error(code="billing_hard_limit_reached")), "refuses all work"),
        (
            say(400, error("Unknown parameter", param="size")),
            r"does not take 'size' so \(400\): Unknown parameter; change",
        ),
        (say(400, error("no", param="model")), "knows no model 'm'"),
    ],
)
def test_answers_that_stop_all_work(server: Server, answer: Answer, message: str) -> None:
    with pytest.raises(ServiceError, match=message):
        ask(server, answer)


def test_nobody_there_is_not_billed_and_stops_in_the_end() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    service = build(f"http://127.0.0.1:{port}/v1")
    with connect(service) as client, pytest.raises(Again) as caught:
        draw(service, client)
    assert (caught.value.reason, caught.value.billed, caught.value.stop) == ("unreachable", False, True)
    assert f"127.0.0.1:{port}" in caught.value.detail


def test_the_sdk_makes_one_request_and_logs_no_key(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        for answer in (say(500, error(KEY)), say(429, error(KEY)), say(200, {"data": [KEY]}), say(400, error(KEY))):
            with contextlib.suppress(Again, Broken):
                ask(server, answer)
    assert len(server.seen) == 4
    assert any(record.name.startswith("openai") for record in caplog.records)
    assert KEY not in caplog.text


def test_the_usual_key_goes_to_openai_only(monkeypatch: pytest.MonkeyPatch) -> None:
    def key(**options: Any) -> str:
        class Options(ServiceOptions):
            key_env: str = "OPENAI_API_KEY"

        return key_of(PART, Options(**options)).reveal()

    assert key() == key(base_url="https://api.openai.com/v1") == KEY
    assert key(base_url="http://127.0.0.1:8000/v1") == ""
    with pytest.raises(ConfigError, match="key_env is empty; name the environment variable that holds the key"):
        key(base_url="https://example.org/v1")
    with pytest.raises(ConfigError, match=r"run: portrayal keys allow OPENAI_API_KEY example.org$"):
        key(base_url="https://example.org/v1", key_env="OPENAI_API_KEY")
    assert key(base_url="https://eu.api.openai.com/v1") == KEY
    assert not is_openai("https://api.openai.com.example.org/v1")
    assert not is_openai("https://evilapi.openai.com/v1")


def test_whose_account_it_is_at_openai_is_told_to_openai_only(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-planted")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-planted")
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "admin-planted")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Mine: header-planted")
    ask(server, say(200, {"data": []}))
    assert "planted" not in repr({**server.seen[0], "authorization": ""})
    with connect(build("https://eu.api.openai.com/v1")) as client:
        assert (client.organization, client.project) == ("org-planted", "proj-planted")


def test_a_server_of_ones_own_needs_no_key(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    assert ask(server, say(200, {"data": []})) == {"data": []}
    assert server.seen[0]["authorization"] == "Bearer no-key"


def test_the_address_is_not_taken_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    with connect(build("")) as client:
        assert str(client.base_url) == "https://api.openai.com/v1/"
    assert sdk_version().startswith("openai ")
