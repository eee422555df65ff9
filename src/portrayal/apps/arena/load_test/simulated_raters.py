"""Raters that are programs: they follow links and vote over HTTP, so that a server can be tried before people come.

They speak plain HTTP/1.1 over sockets that stay open: a full client would take more of the machine than the server.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from urllib.parse import urlencode, urlsplit

from portrayal.apps.arena.battles.battle import ASPECTS, CHOICES

__all__ = ["CountedVote", "HttpReply", "VoteLog", "run_raters"]

_CSRF = re.compile(r'name="csrf" value="([^"]+)"')
_BATTLE = re.compile(r'name="battle" value="([^"]+)"')
_WAIT = 0.05
_PATIENCE = 60.0
"""How long a rater goes on trying to reach a server that is away."""


@dataclass(frozen=True, slots=True)
class HttpReply:
    """What the server answered."""

    status: int
    headers: Mapping[str, str]
    body: str


@dataclass(frozen=True, slots=True)
class CountedVote:
    """A vote that the server said it has counted."""

    battle: str
    choices: Mapping[str, str]
    seconds: float
    """From sending it to the server's answer."""


@dataclass(slots=True)
class VoteLog:
    """What the raters have seen so far. ``unanswered`` counts votes that were sent and got no answer."""

    counted: list[CountedVote] = field(default_factory=list)
    unanswered: int = 0


class _HttpClient:
    """One connection and its cookies."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._host, self._port = parts.hostname or "", parts.port or 80
        self._cookies: dict[str, str] = {}
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def request(self, path: str, form: Mapping[str, str] | None = None) -> HttpReply | None:
        """Return the reply, or None when the connection broke before there was one."""
        try:
            return await self._request(path, form)
        except (OSError, asyncio.IncompleteReadError):
            self.close()
            return None

    async def request_until_answered(self, path: str, form: Mapping[str, str] | None = None) -> HttpReply:
        """Ask until there is a reply; for requests that may be sent twice."""
        until = time.monotonic() + _PATIENCE
        while (reply := await self.request(path, form)) is None:
            if time.monotonic() > until:
                raise TimeoutError(f"{self._host}:{self._port} gave no answer for {_PATIENCE:.0f} s")
            await asyncio.sleep(_WAIT)
        return reply

    def close(self) -> None:
        if self._streams:
            self._streams[1].close()
            self._streams = None

    async def _request(self, path: str, form: Mapping[str, str] | None) -> HttpReply:
        if self._streams is None:
            self._streams = await asyncio.open_connection(self._host, self._port)
        reader, writer = self._streams
        body = urlencode(form) if form is not None else ""
        head = [f"{'GET' if form is None else 'POST'} {path} HTTP/1.1", f"Host: {self._host}:{self._port}"]
        if form is not None:
            head += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
        if self._cookies:
            head.append("Cookie: " + "; ".join(f"{name}={value}" for name, value in self._cookies.items()))
        writer.write("\r\n".join([*head, "", body]).encode())
        return await self._read(reader)

    async def _read(self, reader: asyncio.StreamReader) -> HttpReply:
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        pairs = [(name.lower(), value) for name, _, value in (line.partition(": ") for line in lines if line)]
        headers = dict(pairs)
        body = (await reader.readexactly(int(headers.get("content-length", 0)))).decode()
        for cookie in (value.partition(";")[0] for name, value in pairs if name == "set-cookie"):
            name, _, content = cookie.partition("=")
            self._cookies[name] = content
        if headers.get("connection") == "close":
            self.close()
        return HttpReply(int(first.split()[1]), headers, body)


async def _run_rater(link: str, rng: Random, log: VoteLog) -> None:
    """Follow one link and vote at random until the server says that it was the last comparison."""
    client = _HttpClient(link)
    page = await client.request_until_answered(urlsplit(link).path)
    while (path := page.headers.get("location", "").partition("?")[0]) != "/done":
        page = await (client.request_until_answered(path) if path else _submit(client, page, rng, log))
    client.close()


async def _submit(client: _HttpClient, page: HttpReply, rng: Random, log: VoteLog) -> HttpReply:
    token, battle = _CSRF.search(page.body), _BATTLE.search(page.body)
    if page.status != 200 or token is None:
        raise ValueError(f"the server answered {page.status}: {page.body[:200]!r}")
    if battle is None:  # consent
        return await client.request_until_answered("/consent", {"csrf": token[1]})
    choices = {aspect: rng.choice(CHOICES) for aspect in ASPECTS}
    started = time.perf_counter()
    reply = await client.request("/battle", {"csrf": token[1], "battle": battle[1], **choices})
    if reply is not None and reply.headers.get("location") == "/battle":
        log.counted.append(CountedVote(battle[1], choices, time.perf_counter() - started))
    if reply is None:
        # Nobody knows whether it was counted: look which comparison is open now, as a browser would.
        log.unanswered += 1
        return await client.request_until_answered("/battle")
    return reply


async def run_raters(links: Sequence[str], seed: int, log: VoteLog) -> None:
    """Let one rater follow each link, all at the same time; ``log`` can be watched meanwhile."""
    await asyncio.gather(*(_run_rater(link, Random(f"{seed} {number}"), log) for number, link in enumerate(links)))  # noqa: S311
