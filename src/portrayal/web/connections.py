"""How long a connection may take: uvicorn's own, with the clocks it lacks."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from uvicorn import Config
from uvicorn.protocols.http.auto import AutoHTTPProtocol

__all__ = ["LimitedProtocol", "allow_files"]

TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class LimitedProtocol(asyncio.Protocol):
    """A connection of uvicorn, closed when a request's head is long in coming or endless, or an answer is not read.

    uvicorn waits for ever in each case, and refuses everyone once its connections are used up; nor does it limit the
    head when it parses with httptools. Over its limit it answers 503, and goes on to accept connections: those over
    the limit by a quarter are closed at once, or the process would run out of files, pictures and votes included.
    Give it as ``uvicorn.Config(http=LimitedProtocol)``.
    """

    head_seconds = 10.0
    unread_seconds = 30.0
    least_read_bytes = 16 * 1024
    most_head_bytes = 32 * 1024
    most_refused_bytes = 1024 * 1024

    def __init__(
        self,
        config: Config,
        server_state: Any,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        inner: Any = AutoHTTPProtocol
        self._state = server_state
        self._most = config.limit_concurrency and config.limit_concurrency * 5 // 4
        self._http = inner(config=config, server_state=server_state, app_state=app_state, _loop=_loop)
        self._loop = _loop or asyncio.get_running_loop()
        self._head_bytes = 0
        self._refused = False
        self._transport: Any = None  # uvloop's are not asyncio's
        self._waiting: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for a request."""
        self._transport = transport
        self._http.connection_made(transport)
        if self._most and len(self._state.connections) > self._most:
            self._transport.abort()
        else:
            self._wait()

    def data_received(self, data: bytes) -> None:
        """Pass on what came, and see whether the head is complete now."""
        if self._refused:
            self._head_bytes += len(data)
            if self._head_bytes > self.most_refused_bytes:
                self._transport.abort()
            return
        self._http.data_received(data)
        if self._http.cycle is not None and not self._http.cycle.response_complete:
            self._head_bytes = 0
            self._stop_waiting()
            return
        self._head_bytes += len(data)
        if self._head_bytes > self.most_head_bytes:
            self._refuse()
        elif self._waiting is None:
            self._wait()

    def eof_received(self) -> bool | None:
        """Pass it on."""
        closing: bool | None = self._http.eof_received()
        return closing

    def pause_writing(self) -> None:
        """Give the client some time to read what is under way."""
        self._http.pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        """Go on: the client has read nearly all."""
        if self._unread is not None:
            self._unread.cancel()
        self._http.resume_writing()

    def connection_lost(self, error: Exception | None) -> None:
        """Stop all clocks."""
        self._stop_waiting()
        if self._unread is not None:
            self._unread.cancel()
        self._http.connection_lost(error)

    def _refuse(self) -> None:
        """Say that it is too much. For a while what still comes is let pass: hanging up would take the answer away."""
        self._refused = True
        self._stop_waiting()
        if not self._transport.is_closing():  # the parser may have refused it already
            self._transport.write(TOO_LARGE)
            self._transport.write_eof()
            self._wait()

    def _watch(self) -> None:
        left = self._transport.get_write_buffer_size()
        self._unread = self._loop.call_later(self.unread_seconds, self._see_progress, left)

    def _see_progress(self, before: int) -> None:
        if before - self._transport.get_write_buffer_size() < self.least_read_bytes:
            self._transport.abort()
        else:
            self._watch()

    def _wait(self) -> None:
        self._waiting = self._loop.call_later(self.head_seconds, self._transport.close)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None


def allow_files(wanted: int) -> int:
    """Let this process open ``wanted`` files and sockets, or as many as the system allows; return how many that is."""
    if sys.platform == "win32":
        return wanted  # there is no such limit
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most
