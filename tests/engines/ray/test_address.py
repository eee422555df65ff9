"""Where a cluster is looked for: one line where there is none, whoever answers there."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Iterator

import pytest

from portrayal.engines.ray import address as addresses
from portrayal.engines.ray import connect
from portrayal.engines.ray.address import first_line, probe
from portrayal.errors import ConfigError, ServiceError

SETTINGS = b"\0\0\0\x04\0\0\0\0\0"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    monkeypatch.delenv("RAY_USE_TLS", raising=False)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening


def answer(server: socket.socket, *said: bytes) -> str:
    """Let the server say something to whoever comes first, and hang up; return its address."""

    def speak() -> None:
        with server.accept()[0] as connection:
            connection.recv(1000)
            for words in said:
                connection.sendall(words)

    threading.Thread(target=speak, daemon=True).start()
    return f"127.0.0.1:{server.getsockname()[1]}"


def test_nobody_answers(server: socket.socket) -> None:
    address = f"127.0.0.1:{server.getsockname()[1]}"
    server.close()
    with pytest.raises(ServiceError, match=f"no Ray cluster answers at {address}"):
        probe(address)


@pytest.mark.parametrize("said", [b"HTTP/1.0 400 Bad request\r\n\r\n", b"SSH-2.0-OpenSSH_9.6\r\n", b"", b"\0"])
def test_somebody_else_answers(server: socket.socket, said: bytes) -> None:
    address = answer(server, said)
    with pytest.raises(ServiceError, match=f"what answers at {address} is no Ray cluster; look at the port"):
        probe(address)


def test_somebody_is_silent(server: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "_PATIENCE", 0.05)
    with pytest.raises(ServiceError, match="is no Ray cluster"):
        probe(f"127.0.0.1:{server.getsockname()[1]}")


def test_what_begins_as_ray_does_may_be_ray(server: socket.socket) -> None:
    probe(answer(server, SETTINGS[:2], SETTINGS[2:]))


def test_what_is_encrypted_cannot_be_looked_at(server: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_USE_TLS", "1")
    probe(f"127.0.0.1:{server.getsockname()[1]}")


def test_the_address_of_the_environment_is_looked_at_too(
    server: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_ADDRESS", answer(server, b"HTTP/1.0 400 Bad request\r\n\r\n"))
    with pytest.raises(ServiceError, match="is no Ray cluster"), connect():
        pass


@pytest.mark.parametrize("address", ["somewhere", "here:", "here:99999", "here:0", "http://127.0.0.1:6379", "here:²"])
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(ConfigError, match="is HOST:PORT or ray://HOST:PORT, not '"):
        probe(address)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_it_connects_is_answered_at_once(monkeypatch: pytest.MonkeyPatch, how: signal.Signals) -> None:
    import ray

    begun, enough = threading.Event(), threading.Event()

    def init(*_: object, **__: object) -> None:
        assert threading.current_thread() is not threading.main_thread()  # only there Ray answers signals itself
        begun.set()
        enough.wait()

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    def send() -> None:
        begun.wait()
        os.kill(os.getpid(), how)

    monkeypatch.setattr(ray, "init", init)
    before = signal.signal(how, interrupt)
    threading.Thread(target=send).start()
    try:
        with pytest.raises(KeyboardInterrupt), connect("auto"):
            pass
    finally:
        signal.signal(how, before)
        enough.set()


def test_what_ray_says_is_one_short_line() -> None:
    assert first_line(RuntimeError("no node\nhas a card")) == "no node"
    assert first_line(RuntimeError("x" * 10_000 + "\nmore")) == "x" * 300 + " …"
    assert first_line(RuntimeError("\nmore")) == "RuntimeError"
