from __future__ import annotations

import socket
import threading
from typing import Any

import httpcore2
import pytest

from portrayal.services.no_result import Broken
from portrayal.services.transport.allowance import Allowance
from portrayal.services.transport.names import resolve
from portrayal.services.transport.sockets import BoundedBackend, BoundedStream


def test_addresses_stand_for_themselves_and_names_are_looked_up() -> None:
    assert resolve("127.0.0.1", 80, 0) == ["127.0.0.1"]
    assert resolve("::1", 80, 0) == ["::1"]
    assert "127.0.0.1" in resolve("localhost", 80, 3600)
    with pytest.raises(OSError, match="is no name of a host"):
        resolve("a" * 64 + ".example", 80, 3600)


def test_a_resolver_that_takes_too_long_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    done = threading.Event()

    def never(*_: Any, **__: Any) -> list[Any]:
        done.wait()
        return []

    monkeypatch.setattr(socket, "getaddrinfo", never)
    with pytest.raises(TimeoutError, match=r"the name images.example was not resolved in time"):
        resolve("images.example", 443, 0.05)
    with pytest.raises(httpcore2.ConnectTimeout):
        BoundedBackend().connect_tcp("images.example", 443, Allowance(0.05))
    done.set()


def test_only_public_addresses_of_a_name_are_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = list[Any]()

    def refuse(_: Any, host: str, *__: Any) -> None:
        tried.append(host)
        raise httpcore2.ConnectError("refused")

    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, 443)) for host in ("10.0.0.7", "8.8.8.8", "127.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    monkeypatch.setattr(httpcore2.SyncBackend, "connect_tcp", refuse)
    with pytest.raises(httpcore2.ConnectError, match="refused"):
        BoundedBackend(public_only=True).connect_tcp("images.example", 443, Allowance(3600))
    assert tried == ["8.8.8.8"]
    del found[1]
    with pytest.raises(Broken, match="forbidden_address"):
        BoundedBackend(public_only=True).connect_tcp("images.example", 443, Allowance(3600))
    assert tried == ["8.8.8.8"]


def test_no_step_is_made_without_an_allowance() -> None:
    with pytest.raises(TypeError, match="without its allowance"):
        BoundedBackend().connect_tcp("127.0.0.1", 1, 5.0)
    with pytest.raises(httpcore2.ReadTimeout, match="the time for the request is up"):
        BoundedStream(httpcore2.MockStream([])).read(1, Allowance(0))
