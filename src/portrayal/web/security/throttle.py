"""How often someone may try: so many times in so many seconds, or ever more slowly. Memory is bounded."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass

from starlette.requests import Request

__all__ = ["Lockout", "Throttle", "client_key"]

MOST_KEYS = 10_000
"""Clients remembered; of more, those heard of longest ago are forgotten, and what all do together is still limited."""

_IPV6_NETWORK = 64  # bits: what one household or server is given, and can choose addresses from at will


class Throttle:
    """At most ``limit`` attempts of a client, and ``limit_of_all`` of all clients, in any ``per_seconds``."""

    def __init__(
        self,
        limit: int,
        per_seconds: float,
        *,
        limit_of_all: int,
        clock: Callable[[], float] = time.monotonic,
        most_keys: int = MOST_KEYS,
    ) -> None:
        self._limit, self._limit_of_all = limit, limit_of_all
        self._seconds, self._clock, self._most_keys = per_seconds, clock, most_keys
        self._of_all: deque[float] = deque()
        self._clients: OrderedDict[str, deque[float]] = OrderedDict()

    def retry_after(self, key: str) -> float:
        """Return the seconds until the client may try, 0.0 when it may now. Nothing is counted."""
        now = self._clock()
        attempts = self._clients.get(key, deque())
        return max(self._wait(attempts, self._limit, now), self._wait(self._of_all, self._limit_of_all, now))

    def attempt(self, key: str) -> float:
        """Count an attempt and return 0.0; or count nothing and return the seconds until the client may try."""
        wait = self.retry_after(key)
        if wait == 0.0:
            now = self._clock()
            self._clients.setdefault(key, deque()).append(now)
            self._clients.move_to_end(key)
            self._of_all.append(now)
            if len(self._clients) > self._most_keys:
                self._clients.popitem(last=False)
        return wait

    def _wait(self, times: deque[float], limit: int, now: float) -> float:
        while times and times[0] + self._seconds <= now:
            times.popleft()
        return times[0] + self._seconds - now if len(times) >= limit else 0.0


@dataclass(slots=True)
class _Failures:
    count: int = 0
    until: float = 0.0


class Lockout:
    """``free`` attempts at once; after each further one a wait that doubles, from ``first`` to ``most`` seconds.

    An attempt counts as failed until :meth:`clear`, so that trying many times at once gains nothing.
    """

    def __init__(
        self,
        free: int = 5,
        *,
        first: float = 2.0,
        most: float = 900.0,
        clock: Callable[[], float] = time.monotonic,
        most_keys: int = MOST_KEYS,
    ) -> None:
        self._free, self._first, self._most = free, first, most
        self._clock, self._most_keys = clock, most_keys
        self._clients: OrderedDict[str, _Failures] = OrderedDict()

    def attempt(self, key: str) -> float:
        """Count an attempt and return 0.0; or count nothing and return the seconds until the client may try."""
        now = self._clock()
        failures = self._clients.get(key)
        if failures is None:
            failures = self._clients[key] = _Failures()
            if len(self._clients) > self._most_keys:
                self._clients.popitem(last=False)
        self._clients.move_to_end(key)
        if now < failures.until:
            return failures.until - now
        failures.count += 1
        if failures.count >= self._free:
            doublings = min(failures.count - self._free, 64)
            failures.until = now + min(self._most, self._first * 2.0**doublings)
        return 0.0

    def clear(self, key: str) -> None:
        """Forget a client's failures: it has succeeded."""
        self._clients.pop(key, None)


def client_key(request: Request, behind_proxy: bool) -> str:
    """Return what stands for a client: its address, or its network of 64 bits for IPv6.

    Behind a proxy that is the last address in ``X-Forwarded-For``: what the proxy itself saw. All before it is what
    the client says. Without a proxy the header is not looked at.
    """
    peer = request.client.host if request.client else ""
    forwarded = request.headers.getlist("x-forwarded-for") if behind_proxy else []
    said = forwarded[-1].rpartition(",")[2].strip() if forwarded else peer
    return _network(said) or _network(peer) or "unknown"


def _network(address: str) -> str:
    if address.startswith("["):
        address = address[1:].partition("]")[0]
    elif address.count(":") == 1:
        address = address.partition(":")[0]
    try:
        host = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(host, ipaddress.IPv6Address):
        if host.ipv4_mapped is not None:
            return str(host.ipv4_mapped)
        return str(ipaddress.IPv6Network((int(host), _IPV6_NETWORK), strict=False))
    return str(host)
