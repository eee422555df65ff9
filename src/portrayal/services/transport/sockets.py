"""Connections whose every step takes no longer than what is left for the request, and which count what comes."""

from __future__ import annotations

import ssl
from collections.abc import Iterable
from typing import Any

import httpcore2

from portrayal.services.addresses import is_public
from portrayal.services.no_result import Broken
from portrayal.services.transport.allowance import Allowance
from portrayal.services.transport.names import resolve

__all__ = ["BoundedBackend", "BoundedStream"]

# Of a request; what is left of the time is looked at after each piece.
_PIECE = 16 * 1024


class BoundedBackend(httpcore2.NetworkBackend):
    """Opens connections; ``public_only`` ones are made to addresses of the public internet only.

    What is checked is the address that is connected to. A name that stands for a public address when it is checked and
    for another when it is used finds no gap between the two.
    """

    def __init__(self, *, public_only: bool = False) -> None:
        self._public_only = public_only
        self._inner = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        """Connect to the first address of ``host`` that answers."""
        allowance = _allowance(timeout)
        try:
            addresses = resolve(host, port, allowance.left())
        except TimeoutError as error:
            raise httpcore2.ConnectTimeout(error) from None
        except OSError as error:
            raise httpcore2.ConnectError(error) from None
        problem: Exception = httpcore2.ConnectError(f"{host} has no address")
        for address in self._permitted(host, addresses):
            left = _left(allowance, httpcore2.ConnectTimeout)
            try:
                stream = self._inner.connect_tcp(address, port, left, local_address, socket_options or ())
                return BoundedStream(stream)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                problem = error
        raise problem

    def _permitted(self, host: str, addresses: list[str]) -> list[str]:
        permitted = [address for address in addresses if not self._public_only or is_public(address)]
        if addresses and not permitted:
            raise Broken(
                "forbidden_address", f"{host} is {addresses[0]}, which is not of the public internet", billed=True
            )
        return permitted


class BoundedStream(httpcore2.NetworkStream):
    """A connection over ``inner``, an HTTP library's own."""

    def __init__(self, inner: httpcore2.NetworkStream) -> None:
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Return what comes next, empty at the end."""
        allowance = _allowance(timeout)
        data = self._inner.read(max_bytes, _left(allowance, httpcore2.ReadTimeout))
        allowance.receive(len(data))
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Send all of ``buffer``."""
        allowance, view = _allowance(timeout), memoryview(buffer)
        for start in range(0, len(view), _PIECE):
            piece = bytes(view[start : start + _PIECE])
            self._inner.write(piece, _left(allowance, httpcore2.WriteTimeout))

    def close(self) -> None:
        """Close the connection."""
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        """Return the same connection, encrypted."""
        left = _left(_allowance(timeout), httpcore2.ConnectTimeout)
        return BoundedStream(self._inner.start_tls(ssl_context, server_hostname, left))

    def get_extra_info(self, info: str) -> Any:
        """Return what the HTTP library wants to know of its own connection."""
        return self._inner.get_extra_info(info)


def _allowance(timeout: float | None) -> Allowance:
    if not isinstance(timeout, Allowance):
        raise TypeError("a step of a request came without its allowance")
    return timeout


def _left(allowance: Allowance, kind: type[httpcore2.TimeoutException]) -> float:
    if (left := allowance.left()) <= 0:
        raise kind("the time for the request is up")
    return left
