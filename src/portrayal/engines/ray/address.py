"""The address of a Ray cluster: whether anybody answers there, and whether it can be Ray."""

from __future__ import annotations

import contextlib
import os
import socket

from portrayal.errors import ConfigError, ServiceError

__all__ = ["HOW", "first_line", "probe"]

HOW = "start one with 'ray start --head', or give --address"
_PATIENCE = 10.0
"""Seconds until an address that does not answer is given up."""
_HELLO = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\x04\0\0\0\0\0"
"""How a client of gRPC, which Ray speaks, begins: the preface of HTTP/2 and settings that are empty."""
_HEADER, _KIND, _SETTINGS = 9, 3, 4
"""The bytes of a frame's header, which of them says its kind, and the kind with which a server begins."""


_LONGEST = 300
"""Characters of what Ray says that are worth a reader's time."""


def first_line(error: Exception) -> str:
    """Return the first line of what Ray says about an error, which may go on for pages.

    >>> first_line(ValueError("no node\\nhas\\na card")), first_line(ValueError())
    ('no node', 'ValueError')
    """
    line = next(iter(str(error).splitlines()), "") or type(error).__name__
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]} …"


def probe(address: str) -> None:
    """Say at once that nobody answers, or somebody else: Ray itself would try for minutes, or for ever."""
    if not address or address == "auto":
        return
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdecimal() or not 0 < int(port) < 2**16 or "/" in host:
        raise ConfigError(f"the address of a Ray cluster is HOST:PORT or ray://HOST:PORT, not {address!r}")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), _PATIENCE) as connection:
            known = _is_encrypted() or _speaks_grpc(connection)
    except OSError as error:
        raise ServiceError(f"no Ray cluster answers at {address} ({error}); {HOW}") from None
    if not known:
        raise ServiceError(f"what answers at {address} is no Ray cluster; look at the port, by default 6379, or {HOW}")


def _speaks_grpc(connection: socket.socket) -> bool:
    """Return whether a server begins as one of gRPC does."""
    said = b""
    with contextlib.suppress(OSError):  # it is silent, or hangs up
        connection.sendall(_HELLO)
        while len(said) < _HEADER and (more := connection.recv(_HEADER - len(said))):
            said += more
    return len(said) == _HEADER and said[_KIND] == _SETTINGS


def _is_encrypted() -> bool:
    """Return whether Ray is set to speak TLS, in which nothing can be said beforehand."""
    return os.environ.get("RAY_USE_TLS", "").lower() in ("1", "true")
