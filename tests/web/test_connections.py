"""How long a connection may take, by a clock of the test's own; test_guard_together has real sockets."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from portrayal.web import connections
from portrayal.web.connections import LimitedProtocol


class Loop:
    """Keeps what is to be called later, until the test says that it is time."""

    def __init__(self) -> None:
        self.waiting: list[tuple[float, Callable[[], None]]] = []

    def call_later(self, seconds: float, callback: Callable[..., None], *arguments: Any) -> Any:
        wait = (seconds, lambda: callback(*arguments))
        self.waiting.append(wait)
        return SimpleNamespace(cancel=lambda: self.waiting.remove(wait))

    def run(self) -> float:
        """Call what waits, and return how long it waited for."""
        [(seconds, call)] = self.waiting
        self.waiting.clear()
        call()
        return seconds


class Transport:
    """Counts what the client has not read."""

    def __init__(self) -> None:
        self.unread, self.ended = 1_000_000, ""

    def get_write_buffer_size(self) -> int:
        return self.unread

    def abort(self) -> None:
        self.ended = "aborted"

    def close(self) -> None:
        self.ended = "closed"


@pytest.fixture
def loop() -> Loop:
    return Loop()


@pytest.fixture
def connection(loop: Loop, monkeypatch: pytest.MonkeyPatch) -> LimitedProtocol:
    """Return a connection over which an answer is being sent."""
    inner = SimpleNamespace(
        connection_made=lambda transport: None,
        data_received=lambda data: None,
        pause_writing=lambda: None,
        resume_writing=lambda: None,
        connection_lost=lambda error: None,
        cycle=SimpleNamespace(response_complete=False),
    )
    monkeypatch.setattr(connections, "AutoHTTPProtocol", lambda **options: inner)
    config: Any = SimpleNamespace(limit_concurrency=None)
    clock: Any = loop
    transport: Any = Transport()
    found = LimitedProtocol(config, SimpleNamespace(connections=set()), {}, clock)
    found.connection_made(transport)
    found.data_received(b"GET / HTTP/1.1\r\n\r\n")
    assert loop.waiting == []
    found.pause_writing()
    return found


def test_who_reads_little_by_little_is_waited_for_as_long_as_it_takes(loop: Loop, connection: LimitedProtocol) -> None:
    for _ in range(50):
        connection._transport.unread -= 16 * 1024
        assert loop.run() == 30
        assert connection._transport.ended == ""
    connection.resume_writing()
    assert loop.waiting == []


@pytest.mark.parametrize("read", [0, 16 * 1024 - 1])
def test_who_reads_next_to_nothing_is_let_go(loop: Loop, connection: LimitedProtocol, read: int) -> None:
    connection._transport.unread -= read
    loop.run()
    assert connection._transport.ended == "aborted"


def test_nothing_waits_for_a_connection_that_is_gone(loop: Loop, connection: LimitedProtocol) -> None:
    connection.connection_lost(None)
    assert loop.waiting == []
