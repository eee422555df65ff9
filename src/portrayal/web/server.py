"""Runs a site's server until someone ends it."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import uvicorn
from starlette.types import ASGIApp

from portrayal.errors import ConfigError, StudyLockedError
from portrayal.web.connections import LimitedProtocol, allow_files
from portrayal.web.site_settings import public_address

__all__ = ["ServeOptions", "build_server", "listen", "serve_app"]

LOOK_AT_LOCK = 1.0
"""Seconds."""
KEEP_ALIVE = 15
GRACE = 10
MOST_CONNECTIONS = 2_000
BACKLOG = 256
"""Connections that wait to be accepted: asyncio accepts them all in one go, before any can be refused."""
MOST_FILES = 2 * MOST_CONNECTIONS
"""What leaves room for pictures and the database, whoever comes."""


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """Where to serve: ``port`` 0 takes any free one, ``root_url`` is the address that browsers use."""

    host: str = "127.0.0.1"
    port: int = 8000
    root_url: str = ""
    behind_proxy: bool = False

    def address(self, sock: socket.socket) -> str:
        """Return the public address of a server that listens here."""
        return public_address(self.root_url, self.host, sock.getsockname()[1])


async def serve_app(app: ASGIApp, sock: socket.socket, ready: Awaitable[None], check_lock: Callable[[], None]) -> None:
    """Serve an application until SIGINT or SIGTERM; ``ready`` is awaited when browsers can come.

    ``check_lock`` raises an error when this is not the only server of its answers any more; then it ends, too.
    """
    server = build_server(app, allow_files(MOST_FILES))
    with _signals(server):
        watching = asyncio.create_task(_stop_when_lost(check_lock, server))
        try:
            await asyncio.gather(server.serve([sock]), ready)
        finally:
            watching.cancel()
    check_lock()


async def _stop_when_lost(check_lock: Callable[[], None], server: uvicorn.Server) -> None:
    """End the server when somebody deleted the lock that keeps a second one out: it can store nothing any more."""
    while True:
        try:
            check_lock()
        except StudyLockedError:
            server.should_exit = True
            return
        await asyncio.sleep(LOOK_AT_LOCK)


def build_server(app: ASGIApp, files: int = MOST_FILES) -> uvicorn.Server:
    """Return a server for the application, in a process that may open so many ``files``.

    Requests are not logged: their addresses hold people's tokens.
    """
    config = uvicorn.Config(
        app,
        http=LimitedProtocol,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="none",
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=GRACE,
        limit_concurrency=min(MOST_CONNECTIONS, files // 2),
        backlog=min(BACKLOG, files // 8),
    )
    return _Server(config)


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals alone: the original would end the process by the signal before the service is closed."""
        yield


@contextmanager
def _signals(server: uvicorn.Server) -> Iterator[None]:
    """The first Ctrl-C lets requests under way end, the second stops at once. What is stored is stored either way."""

    def stop(number: int, frame: object) -> None:  # noqa: ARG001  # the signature signal wants
        server.force_exit = server.should_exit
        server.should_exit = True

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens, or say in one line why there is none."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        # Said to be TCP, or asyncio leaves Nagle's algorithm on and every answer takes 40 ms longer.
        sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            if os.name == "posix":
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            sock.bind((host, port))
            sock.listen(BACKLOG)
        except BaseException:
            sock.close()
            raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise ConfigError(f"cannot listen on {host}:{port}: {reason}; choose another --host or --port") from None
    return sock
