"""The HTTP client that every service is asked with.

It follows no redirects, keeps no cookies and reads no settings of the environment but a proxy and certificates.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpcore2
import httpx2

from portrayal.services.addresses import is_local
from portrayal.services.no_result import LEADS_TO
from portrayal.services.transport.allowance import LARGEST_ANSWER, LARGEST_ERROR, Allowance, too_large
from portrayal.services.transport.sockets import BoundedBackend
from portrayal.services.transport.turn import LARGE, wait_turn
from portrayal.services.transport.unpacking import ACCEPTED, unpacked

__all__ = ["BoundedTransport", "open_client"]

# Web servers close idle connections, some after 5 seconds; one that is just being closed would lose the request.
_IDLE = 4.0
_STEPS = ("connect", "read", "write", "pool")
# No cookies, no charset that only Python knows, nothing that a library might act upon.
_HEADERS = {name: name for name in (b"content-type", b"retry-after", b"retry-after-ms", b"x-request-id")}
_HEADERS[b"location"] = LEADS_TO.encode()
_ERRORS = (
    httpcore2.TimeoutException,
    httpcore2.NetworkError,
    httpcore2.ProtocolError,
    httpcore2.ProxyError,
    httpcore2.UnsupportedProtocol,
)


def open_client(url: str, seconds: float, *, public_only: bool = False) -> httpx2.Client:
    """Return a client for the service at ``url``, whose requests may take so many seconds each; threads may share it.

    ``public_only`` when the address is not the user's own words: then nothing but the public internet is reached.
    """
    proxy = _proxy(url)
    pool = httpcore2.ConnectionPool(
        proxy=proxy,
        max_connections=None,
        keepalive_expiry=_IDLE,
        # A proxy is the user's own, wherever it is, and looks up names itself.
        network_backend=BoundedBackend(public_only=public_only and proxy is None),
    )
    return httpx2.Client(transport=BoundedTransport(pool), timeout=seconds, trust_env=False, follow_redirects=False)


class BoundedTransport(httpx2.BaseTransport):
    """Hands requests to ``pool``, each with an allowance, and its answers back, each within its bounds."""

    def __init__(self, pool: httpcore2.ConnectionPool) -> None:
        self._pool = pool

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Make one request; its timeout bounds all steps together, the last byte of the answer included."""
        allowance = Allowance(request.extensions["timeout"]["read"])
        request.headers["Accept-Encoding"] = ACCEPTED
        url = request.url
        asked = httpcore2.Request(
            request.method,
            httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
            headers=request.headers.raw,
            content=request.stream,
            extensions={"timeout": dict.fromkeys(_STEPS, allowance)},
        )
        with _translated():
            answer = self._pool.handle_request(asked)
        allowance.bytes_left = 2 * LARGEST_ANSWER  # what is sent in small chunks takes more room on the way
        return httpx2.Response(answer.status, headers=_kept(answer.headers), stream=_Body(answer, allowance))

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()


class _Body(httpx2.SyncByteStream):
    """The body of an answer, unpacked: all of it, or an error; of an error's body as much as is worth reading."""

    def __init__(self, answer: httpcore2.Response, allowance: Allowance) -> None:
        self._answer = answer
        self._allowance = allowance

    def __iter__(self) -> Iterator[bytes]:
        with _translated():
            yield from self._cut() if self._answer.status >= 300 else self._whole()

    def close(self) -> None:
        self._answer.close()

    def _whole(self) -> Iterator[bytes]:
        count = 0
        for chunk in self._chunks():
            count += len(chunk)
            if count > LARGEST_ANSWER:
                raise too_large()
            if count > LARGE and not wait_turn(self._allowance.left()):
                raise httpx2.ReadTimeout("other large answers took the time that there was")
            yield chunk

    def _cut(self) -> Iterator[bytes]:
        left = LARGEST_ERROR
        for chunk in self._chunks():
            yield chunk[:left]
            left -= len(chunk)
            if left <= 0:
                return

    def _chunks(self) -> Iterator[bytes]:
        named = [value for name, value in self._answer.headers if name.lower() == b"content-encoding"]
        return unpacked(self._answer.iter_stream(), b",".join(named).decode("latin-1"))


@contextlib.contextmanager
def _translated() -> Iterator[None]:
    """Turn errors of the lower library into those of the upper one, who has the same names for them."""
    try:
        yield
    except _ERRORS as error:
        raise getattr(httpx2, type(error).__name__)(str(error)) from None


def _kept(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    known = [(_HEADERS[name.lower()], value) for name, value in headers if name.lower() in _HEADERS]
    return [(name, value.partition(b";")[0] if name == b"content-type" else value) for name, value in known]


def _proxy(url: str) -> httpcore2.Proxy | None:
    """Return the proxy that the environment names for ``url``; none knows this machine or network."""
    parts = urlsplit(url)
    named = getproxies()
    text = named.get(parts.scheme) or named.get("all")
    if not text or is_local(url) or proxy_bypass(parts.netloc.rpartition("@")[2]):
        return None
    proxy = httpx2.Proxy(text if "://" in text else f"http://{text}")
    place = httpcore2.URL(scheme=proxy.url.raw_scheme, host=proxy.url.raw_host, port=proxy.url.port, target=b"/")
    return httpcore2.Proxy(place, auth=proxy.raw_auth)
